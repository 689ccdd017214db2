import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';

/**
 * When the clone last heard from its remotes, in milliseconds since 1970.
 * Undefined if it never fetched since it was cloned, or if that can't be read.
 */
export async function lastFetch(root: vscode.Uri): Promise<number | undefined> {
  const folders = await gitFolders(root);
  const times = await Promise.all(folders.map((folder) => timeOf(vscode.Uri.joinPath(folder, 'FETCH_HEAD'))));
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

/** The folders where git notes its fetches. A worktree shares its branches of remotes with the other worktrees. */
async function gitFolders(root: vscode.Uri): Promise<readonly vscode.Uri[]> {
  const place = vscode.Uri.joinPath(root, '.git');
  // In a worktree or a submodule, this is a file that names the folder.
  const named = await vscode.workspace.fs.readFile(place).then(
    (content) => /^gitdir: (.+)$/m.exec(new TextDecoder().decode(content))?.[1],
    () => undefined,
  );
  if (named === undefined) return [place];
  const folder = isAbsolute(named) ? vscode.Uri.file(named) : vscode.Uri.joinPath(root, named);
  return /[/\\]worktrees[/\\][^/\\]+$/.test(named) ? [folder, vscode.Uri.joinPath(folder, '../..')] : [folder];
}

async function timeOf(file: vscode.Uri): Promise<number | undefined> {
  return vscode.workspace.fs.stat(file).then(
    ({ mtime }) => mtime,
    () => undefined,
  );
}
