import * as vscode from 'vscode';
import { readRegularFile } from './fileBelow.ts';

/**
 * Reads the text of a file; undefined if it is larger than the limit in bytes.
 * One of a repository or an open folder must be inside it, links resolved.
 */
export async function readFileText(uri: vscode.Uri, limit: number, root?: vscode.Uri): Promise<string | undefined> {
  const folder = root ?? vscode.workspace.getWorkspaceFolder(uri)?.uri;
  const read = async (): Promise<Uint8Array | undefined> =>
    (await vscode.workspace.fs.stat(uri)).size > limit ? undefined : vscode.workspace.fs.readFile(uri);
  const bytes = await (uri.scheme === 'file' ? readRegularFile(uri.fsPath, limit, folder?.fsPath) : read());
  return bytes && new TextDecoder().decode(bytes);
}
