import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { GitError } from '../../git/git.ts';
import type { Git } from '../../git/git.ts';

/** Whether a path is a folder or lies in it. Both must be absolute and free of symbolic links. */
export function isWithin(place: string, folder: string, separator: string = path.sep): boolean {
  return place === folder || place.startsWith(folder.endsWith(separator) ? folder : folder + separator);
}

/** The git folder of a worktree, and the one with the refs that all worktrees share. */
interface GitFolders {
  readonly own: string;
  readonly shared: string;
}

/**
 * Finds the top folder of a folder's repository; undefined when the folder isn't in one.
 * A bare repository is its own top folder. A `.git` file, a link, `commondir`, and `core.worktree` can each claim a
 * repository elsewhere on this computer. Such a claim counts only if that repository lists the folder as its worktree.
 * @throws {GitError} the folder claims a repository that doesn't list it; git is missing or was stopped
 */
export async function findRepositoryRoot(git: Git): Promise<string | undefined> {
  const folder = await realpath(git.folder);
  const folders = await findGitFolders(git.in(folder));
  if (folders === undefined) return undefined;
  const { shared } = folders;
  const top = path.basename(shared) === '.git' ? path.dirname(shared) : shared;
  if (isWithin(folder, top)) return top;
  if (isWithin(shared, folder)) return folder;
  const worktree = await findListedWorktree(git.in(folder), folders);
  if (worktree !== undefined && isWithin(folder, worktree)) {
    // The list could name any folder, so the worktree must point back to the same repository.
    const same = await findGitFolders(git.in(worktree));
    if (same?.own === folders.own && same.shared === shared) return worktree;
  }
  throw new GitError(`Its git folder is ${shared}, which doesn't list it as a worktree.`);
}

async function findGitFolders(git: Git): Promise<GitFolders | undefined> {
  try {
    const answer = await git.run(['rev-parse', '--absolute-git-dir', '--git-common-dir']);
    // The pattern rejects a path with a line break, which could pass for two paths.
    const [, own, shared] = /^([^\n]+)\n([^\n]+)\n$/.exec(answer) ?? [];
    if (own === undefined || shared === undefined) return undefined;
    return { own: await realpath(own), shared: await realpath(path.resolve(git.folder, shared)) };
  } catch (error) {
    if (error instanceof GitError && error.exitCode !== undefined) return undefined;
    throw error;
  }
}

/** Finds the worktree that a repository lists for one of its git folders: linked, or of a submodule. */
async function findListedWorktree(git: Git, { own, shared }: GitFolders): Promise<string | undefined> {
  try {
    if (own === shared) {
      const worktree = await git.run(['config', '--get', 'core.worktree']);
      return await realpath(path.resolve(shared, worktree.trim()));
    }
    if (!isWithin(own, path.join(shared, 'worktrees'))) return undefined;
    const gitFile = await readFile(path.join(own, 'gitdir'), 'utf8');
    return await realpath(path.dirname(path.resolve(own, gitFile.trim())));
  } catch {
    // A list that can't be read doesn't name the folder.
    return undefined;
  }
}
