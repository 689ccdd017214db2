import * as vscode from 'vscode';
import { namesPackages, newConfigText } from '../../core/appConfig/newConfig.ts';
import { compiledGraphs, mayDefineGraphs, sourceFiles } from '../../core/appConfig/sourceFiles.ts';
import { packageFiles } from '../../core/appConfig/namedPaths.ts';
import { editorRemedy, UserError } from '../window/errors.ts';
import { exists, foldersOnDisk } from '../window/files.ts';
import { readFileText } from '../window/fileText.ts';
import { unlessAborted, whileWaiting } from '../window/waiting.ts';
import { findFolderFiles, openFolderOnDisk } from '../workspace/folderOnDisk.ts';
import type { ConfigPlace } from './place.ts';

/** What a new config file is written from. */
const patterns = [sourceFiles, `**/{${packageFiles.join(',')}}`];

/** Graphs are usually near the root, and those that come first are read. */
const mostSources = 200;

/** In bytes. */
const largestSource = 200_000;

/**
 * Opens a new config file for a folder, made of what is found there; the user saves it. An existing one is shown.
 * @param argument the folder; without one, it's the open one, or the user's choice among several
 * @throws {UserError} no folder on disk is open, or the window is in Restricted Mode
 */
export async function createConfigFile(_services: unknown, argument: unknown): Promise<void> {
  const folder = argument instanceof vscode.Uri ? argument : await chooseFolder();
  if (folder === undefined) return;
  if (folder.scheme !== 'file') throw notOnDisk();
  const file = vscode.Uri.joinPath(folder, 'langgraph.json');
  if (await exists(file)) {
    await vscode.window.showTextDocument(file);
    return;
  }
  const text = await textFor(folder);
  // Saving it writes the file, and asks if there is one by then.
  const document = await vscode.workspace.openTextDocument(file.with({ scheme: 'untitled' }));
  if (document.getText() === '') {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), text);
    await vscode.workspace.applyEdit(edit);
  }
  await vscode.window.showTextDocument(document);
}

async function chooseFolder(): Promise<vscode.Uri | undefined> {
  const active = vscode.window.activeTextEditor?.document.uri;
  const around = active && vscode.workspace.getWorkspaceFolder(active);
  const [first, second] = foldersOnDisk();
  if (first === undefined) throw notOnDisk();
  if (around?.uri.scheme === 'file') return around.uri;
  if (second === undefined) return first.uri;
  return (await vscode.window.showWorkspaceFolderPick())?.uri;
}

function notOnDisk(): UserError {
  return new UserError(
    vscode.l10n.t('The folder of a config file must be on disk. Open the folder of your application.'),
    [editorRemedy(vscode.l10n.t('Open Folder'), 'vscode.openFolder')],
  );
}

/** The files with code in the place of a config; relative to its root. */
export async function findSources({ root, git }: ConfigPlace): Promise<readonly string[]> {
  return findFolderFiles({ folder: root, git }, [sourceFiles], git !== undefined);
}

async function textFor(folder: vscode.Uri): Promise<string> {
  const title = vscode.l10n.t('Create Config File');
  const onDisk = await openFolderOnDisk(folder, title);
  const read = async (): Promise<string> => {
    // Git fails in a folder without a repository.
    const listed = findFolderFiles(onDisk, patterns, true).catch(async () => findFolderFiles(onDisk, patterns, false));
    const found = await listed;
    const sources = found.filter(mayDefineGraphs).slice(0, mostSources);
    const graphs = sources.map(async (path) => {
      const text = await readFileText(vscode.Uri.joinPath(folder, path), largestSource, folder).catch(() => undefined);
      return { path, names: compiledGraphs(text ?? '', path) };
    });
    const graphFiles = (await Promise.all(graphs)).filter(({ names }) => names.length > 0);
    return newConfigText(graphFiles, found.filter(namesPackages));
  };
  const words = vscode.l10n.t('Looking for graphs…');
  return whileWaiting({ title, words }, (signal) => unlessAborted(read(), signal));
}
