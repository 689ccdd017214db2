import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';

/** A new place in the extension's storage for the document of a form that has no file. */
export function newScratchUri(storageUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(storageUri, 'resource-spec', randomUUID(), 'deployment.resource-spec.yaml');
}

/** Opens a document beside the form with the form's text in it; what the form changed is not saved yet. */
export async function showSpecDocument(uri: vscode.Uri, text: string, isNew: boolean): Promise<void> {
  if (isNew) await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  const document = await vscode.workspace.openTextDocument(uri);
  await replaceText(document, text);
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: false });
}

/** Puts a text into a document, which is not saved by that. */
export async function replaceText(document: vscode.TextDocument, text: string): Promise<void> {
  if (document.getText() === text) return;
  const edit = new vscode.WorkspaceEdit();
  const all = new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length));
  edit.replace(document.uri, all, text);
  await vscode.workspace.applyEdit(edit);
}

/** Removes the document of a form that is gone. */
export async function removeScratch(uri: vscode.Uri): Promise<void> {
  await vscode.workspace.fs.delete(vscode.Uri.joinPath(uri, '..'), { recursive: true });
}
