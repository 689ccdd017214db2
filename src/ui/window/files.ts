import * as vscode from 'vscode';
import { pathBelow } from '../../core/git/folders.ts';

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

export async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}

/** The document of a file that an editor or an extension has open. */
export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}
