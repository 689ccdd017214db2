import * as vscode from 'vscode';
import { pathBelow } from '../../core/appConfig/paths.ts';
import { readRegularFile } from './fileBelow.ts';

/** The open folders on disk. Git must get no others: one of another file system may have the path of a local one. */
export function foldersOnDisk(): readonly vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
}

/** A file's path below a folder, with forward slashes; undefined if it is elsewhere. */
export function relativePath(folder: vscode.Uri, file: vscode.Uri): string | undefined {
  // The authority is the server of a network share.
  const wholePath = ({ authority, path }: vscode.Uri): string => `//${authority}${path}`;
  return pathBelow(wholePath(folder), wholePath(file), process.platform);
}

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

export async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}
