import * as vscode from 'vscode';
import type { Git } from '../../git/git.ts';
import { foldersOnDisk, relativePath } from '../window/files.ts';
import { openGit, type GitRepository } from '../workspace/gitExtension.ts';
import { gitIn } from '../workspace/isolatedGit.ts';

/** Where a config file is. */
export interface ConfigPlace {
  /** The innermost open repository, or else the open folder. */
  readonly root: vscode.Uri;
  /** Below the root. */
  readonly path: string;
  /** Undefined if git doesn't know one, or can't be used. */
  readonly repository: GitRepository | undefined;
  readonly git: Git | undefined;
}

/** The place of a file in a trusted folder on disk. Others have none. */
export async function configPlace(file: vscode.Uri): Promise<ConfigPlace | undefined> {
  if (!vscode.workspace.isTrusted || file.scheme !== 'file') return undefined;
  const api = await openGit().catch(() => undefined);
  const around = (roots: readonly vscode.Uri[]): vscode.Uri | undefined =>
    roots
      .filter((root) => relativePath(root, file) !== undefined)
      .toSorted((left, right) => right.path.length - left.path.length)[0];
  const repositories = api?.repositories ?? [];
  const innermost = around(repositories.map(({ rootUri }) => rootUri));
  const repository = repositories.find(({ rootUri }) => rootUri === innermost);
  const root = innermost ?? around(foldersOnDisk().map(({ uri }) => uri));
  const path = root && relativePath(root, file);
  if (root === undefined || path === undefined) return undefined;
  return { root, path, repository, git: api && repository && gitIn(api, root) };
}
