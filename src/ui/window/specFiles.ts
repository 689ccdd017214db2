import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { skippedFolders } from '../../core/appConfig/paths.ts';
import { longestSpecText, positionAt } from '../../core/yaml/document.ts';
import { smallestChange, type EditResult } from '../../core/yaml/edit.ts';
import { claimDraft } from './drafts.ts';
import { messageOf, UserError } from './errors.ts';
import { exists, openDocument } from './files.ts';
import { readFileText } from './fileText.ts';
import type { Log } from './log.ts';
import { nameOf, specName, specPattern, type SpecKind } from './specNames.ts';
import { askChoice } from './steps.ts';

const mostFiles = 100;

const skipped = `**/{${[...skippedFolders].join(',')}}/**`;

/**
 * Reads the text of a spec file, including unsaved text in an editor.
 * @throws {UserError} the file is too large for a spec
 */
export async function readSpecFile(uri: vscode.Uri): Promise<string> {
  const text = openDocument(uri)?.getText() ?? (await readFileText(uri, longestSpecText));
  if (text !== undefined) return text;
  throw new UserError(vscode.l10n.t('{0} is larger than 256 kB, which is too large for its kind.', nameOf(uri)));
}

/** Why this window can't use a draft; empty if it can. It has the draft until it leaves it. */
export async function lockOfDraft(file: vscode.Uri): Promise<string> {
  const isOurs = await claimDraft(file.fsPath);
  return isOurs ? '' : vscode.l10n.t('Another window has this draft. Close it there, then open it here again.');
}

/** Shows a place of a file in its text. */
export async function showInText(file: vscode.Uri, text: string, offset: number): Promise<void> {
  const { line, column } = positionAt(text, offset);
  const at = new vscode.Position(line - 1, column - 1);
  await vscode.window.showTextDocument(file, { selection: new vscode.Range(at, at) });
}

/** The words of a question for a file. */
interface FileQuestion {
  readonly title: string;
  readonly placeholder: string;
}

/** Asks for a file of the workspace or any other file; undefined when the user cancels. */
export async function chooseSpecFile(kind: SpecKind, question: FileQuestion): Promise<vscode.Uri | undefined> {
  const files = await vscode.workspace.findFiles(specPattern(kind), skipped, mostFiles);
  if (files.length === 0) return browse();
  const browseItem = { label: vscode.l10n.t('Browse…'), uri: undefined };
  const items = files
    .map((uri) => ({ label: nameOf(uri), description: vscode.workspace.asRelativePath(uri), uri }))
    .toSorted((left, right) => left.description.localeCompare(right.description));
  const choice = await askChoice<vscode.QuickPickItem & { uri: vscode.Uri | undefined }>({
    ...question,
    items: [...items, browseItem],
  });
  if (choice === undefined) return undefined;
  return choice.uri ?? browse();
}

/**
 * Writes a text to a spec file, through its editor if one is open, where the user can undo it.
 * @throws {UserError} the editor doesn't take it, or doesn't save it
 */
async function writeSpecFile(uri: vscode.Uri, text: string): Promise<void> {
  const document = openDocument(uri);
  if (document === undefined || !(await exists(uri))) {
    return vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  }
  await replaceText(document, text);
  if (document.isDirty && !(await document.save())) {
    throw new UserError(vscode.l10n.t("Couldn't save {0}. The text is in its editor.", nameOf(uri)));
  }
}

/**
 * Gives a document another text, by one change where it differs.
 * @throws {UserError} VS Code doesn't allow it
 */
export async function replaceText(document: vscode.TextDocument, text: string): Promise<void> {
  const before = document.getText();
  if (text === before) return;
  const change = smallestChange(before, text);
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(change.start), document.positionAt(change.end));
  edit.replace(document.uri, range, change.text);
  if (await vscode.workspace.applyEdit(edit)) return;
  throw new UserError(vscode.l10n.t("{0} can't be edited. Is it read-only?", nameOf(document.uri)));
}

interface SavedFile {
  readonly kind: SpecKind;
  /** Of the dialog. */
  readonly title: string;
  /** The suggested name, without its ending. */
  readonly name: string;
  /** The folder to suggest, if it isn't the first one that is open. */
  readonly folder?: vscode.Uri | undefined;
  /** The text for the file that is chosen. */
  readonly textFor: (file: vscode.Uri) => string | Promise<string>;
}

/**
 * Asks where to save a text and saves it there; undefined when the user cancels.
 * The name always ends as files of the kind do, because the editor recognizes them by it.
 * @throws {UserError} the name had to be completed, and the complete name is taken
 */
export async function saveSpecFile({ kind, title, name, folder, textFor }: SavedFile): Promise<vscode.Uri | undefined> {
  const start = folder ?? vscode.workspace.workspaceFolders?.[0]?.uri;
  const defaultUri = start && vscode.Uri.joinPath(start, `${name}.${kind}.yaml`);
  const chosen = await vscode.window.showSaveDialog({
    title,
    ...(defaultUri === undefined ? {} : { defaultUri }),
    filters: { YAML: ['yaml', 'yml'] },
  });
  if (chosen === undefined) return undefined;
  const isComplete = specName(kind, chosen.path) !== undefined;
  const target = isComplete ? chosen : chosen.with({ path: `${chosen.path.replace(/\.ya?ml$/i, '')}.${kind}.yaml` });
  if (target !== chosen && (await exists(target))) {
    throw new UserError(
      vscode.l10n.t(
        'A file named {0} already exists. Choose that name to overwrite it, or choose another name.',
        nameOf(target),
      ),
    );
  }
  await writeSpecFile(target, await textFor(target));
  return target;
}

async function browse(): Promise<vscode.Uri | undefined> {
  const [uri] = (await vscode.window.showOpenDialog({ filters: { YAML: ['yaml', 'yml', 'json'] } })) ?? [];
  return uri;
}

/** Saves a draft after a change, so that nothing asks to be saved. */
export async function saveDraft(document: vscode.TextDocument, log: Pick<Log, 'error'>): Promise<void> {
  try {
    if (!(await document.save()) || document.isClosed || document.isDirty) return;
    // A text that an undo brought back while a newer one was written counts as saved. A change makes VS Code write it.
    const text = document.getText();
    const written = await vscode.workspace.decode(await readFile(document.uri.fsPath), { encoding: document.encoding });
    if (written === text || document.getText() !== text) return;
    const touched = new vscode.WorkspaceEdit();
    touched.replace(document.uri, new vscode.Range(0, 0, 0, 1), text.slice(0, 1));
    await vscode.workspace.applyEdit(touched);
    await document.save();
  } catch (error) {
    log.error(`draft: ${messageOf(error)}`);
  }
}

/**
 * The text that an edit makes.
 * @throws {UserError} the text can't be changed there
 */
export function textAfterEdit(result: EditResult): string {
  if (result.kind === 'refused') throw new UserError(result.message);
  return result.state.document.text;
}
