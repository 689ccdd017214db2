import * as vscode from 'vscode';
import { hasGraphCode, largestConfig } from '../../core/appConfig/appConfig.ts';
import { correctPaths, type MovedPath } from '../../core/appConfig/movedPaths.ts';
import { showMessage } from '../window/errors.ts';
import { openDocument, relativePath } from '../window/files.ts';
import { readFileText } from '../window/fileText.ts';
import { findFolderConfigs, openFolderOnDisk } from '../workspace/folderOnDisk.ts';

/** A file or folder that the user renamed or moved in the editor. */
interface RenamedFile {
  readonly oldUri: vscode.Uri;
  readonly newUri: vscode.Uri;
}

/** Offers to update the paths in the config files of a folder after files in it were renamed or moved. */
export async function offerCorrections(folder: vscode.Uri, renamed: readonly RenamedFile[]): Promise<void> {
  const moved = renamed.flatMap(({ oldUri, newUri }): readonly MovedPath[] => {
    const [from, to] = [relativePath(folder, oldUri), relativePath(folder, newUri)];
    return from === undefined || to === undefined ? [] : [{ from, to }];
  });
  if (moved.length === 0) return;
  const affected: string[] = [];
  for (const path of await configPaths(folder)) {
    const text = await textOf(vscode.Uri.joinPath(folder, path), folder).catch(() => undefined);
    if (text !== undefined && correctPaths(text, path, moved).length > 0) affected.push(path);
  }
  const [first, second] = affected;
  if (first === undefined) return;
  const update = vscode.l10n.t('Update Paths');
  const question =
    second === undefined
      ? vscode.l10n.t('Files moved. Update the paths in {0}?', first)
      : vscode.l10n.t('Files moved. Update the paths in {0} config files?', affected.length);
  if ((await showMessage('information', question, [update])) !== update) return;
  const edit = new vscode.WorkspaceEdit();
  for (const path of affected) {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, path));
    for (const { start, end, text } of correctPaths(document.getText(), path, moved)) {
      const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
      edit.replace(document.uri, range, text);
    }
  }
  await vscode.workspace.applyEdit(edit);
}

/** The config files of a folder, also open ones with other names; relative to it. */
async function configPaths(folder: vscode.Uri): Promise<ReadonlySet<string>> {
  const onDisk = await openFolderOnDisk(folder, vscode.l10n.t('Update Paths'));
  // Git fails in a folder without a repository.
  const found = await findFolderConfigs(onDisk, true).catch(async () => findFolderConfigs(onDisk, false));
  const open = vscode.workspace.textDocuments.flatMap((document): readonly string[] => {
    const { uri } = document;
    const path = uri.scheme === 'file' && /\.(?:json|ya?ml)$/i.test(uri.path) ? relativePath(folder, uri) : undefined;
    return path !== undefined && hasGraphCode(document.getText(), path) ? [path] : [];
  });
  return new Set([...found, ...open]);
}

/** With unsaved changes. Undefined if the file is too large. */
async function textOf(uri: vscode.Uri, folder: vscode.Uri): Promise<string | undefined> {
  return openDocument(uri)?.getText() ?? readFileText(uri, largestConfig, folder);
}
