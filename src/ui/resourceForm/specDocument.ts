import * as vscode from 'vscode';

/** Opens a document beside the form with the form's text in it; what the form changed is not saved yet. */
export async function showSpecDocument(uri: vscode.Uri, text: string): Promise<void> {
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
