import * as vscode from 'vscode';
import { rankConfigPaths, skippedFolders } from '../../core/appConfig/paths.ts';
import type { UploadedCheckout } from '../../core/upload/uploadNote.ts';
import { commitOf } from '../../git/commits.ts';
import { listFiles } from '../../git/files.ts';
import type { Git } from '../../git/git.ts';
import { isCancelled, messageOf } from '../window/errors.ts';
import { relativePath } from '../window/files.ts';
import type { GitApi } from './gitExtension.ts';
import { changedFiles, gitIn, openGitFor } from './isolatedGit.ts';

/** A folder on disk, which need not be in a repository. */
export interface FolderOnDisk {
  readonly folder: vscode.Uri;
  /** Git in the folder; undefined if git can't be used. */
  readonly git: Git | undefined;
  /** Why git can't be used. */
  readonly gitProblem: string | undefined;
  /** The commit that is checked out, and how many files in the folder differ from it. Undefined if it isn't known. */
  readonly checkout: () => Promise<UploadedCheckout | undefined>;
}

/**
 * Opens a folder with git, or without it if git can't be used.
 * @throws {UserError} Restricted Mode
 * @throws {vscode.CancellationError} the user canceled the wait for git
 */
export async function openFolderOnDisk(folder: vscode.Uri, title: string): Promise<FolderOnDisk> {
  try {
    const api = await openGitFor(title);
    const git = gitIn(api, folder);
    return { folder, git, gitProblem: undefined, checkout: async () => readCheckout(api, git, folder) };
  } catch (error) {
    if (!vscode.workspace.isTrusted || isCancelled(error)) throw error;
    return { folder, git: undefined, gitProblem: messageOf(error), checkout: async () => undefined };
  }
}

/** The editor's own list of changes counts, because git may run filters of the repository to compare files. */
async function readCheckout(api: GitApi, git: Git, folder: vscode.Uri): Promise<UploadedCheckout | undefined> {
  const repository = await api.openRepository(folder);
  const commit = await commitOf(git, 'HEAD').catch(() => undefined);
  if (repository === null || commit === undefined) return undefined;
  await repository.status();
  const here = changedFiles(repository).filter((uri) => relativePath(folder, uri) !== undefined);
  return { commit, changes: here.length };
}

/** The config files in a folder, the likeliest first; relative to it. Without git, some may be ignored by it. */
export async function findFolderConfigs(onDisk: FolderOnDisk, isFromGit: boolean): Promise<readonly string[]> {
  const settings = vscode.workspace.getConfiguration('deploymentManager', onDisk.folder);
  return findFolderFiles(onDisk, settings.get<readonly string[]>('appConfig.patterns', []), isFromGit);
}

/**
 * The files in a folder that match globs, those near to it first; relative to it. Without git, some of them may be
 * ignored by it, and there are not more than a thousand for each glob.
 * @throws {GitError} the list is to come from git, and the folder is in no repository
 */
export async function findFolderFiles(
  { folder, git }: Pick<FolderOnDisk, 'folder' | 'git'>,
  patterns: readonly string[],
  isFromGit: boolean,
): Promise<readonly string[]> {
  if (git !== undefined && isFromGit) return rankConfigPaths(await listFiles(git, patterns, skippedFolders));
  const skipped = `**/{${[...skippedFolders].join(',')}}/**`;
  const searches = patterns.map((glob) =>
    vscode.workspace.findFiles(new vscode.RelativePattern(folder, glob), skipped, mostFiles),
  );
  const found = (await Promise.all(searches)).flat();
  return rankConfigPaths(found.flatMap((file) => relativePath(folder, file) ?? []));
}

/** More than anybody chooses from. */
const mostFiles = 1_000;
