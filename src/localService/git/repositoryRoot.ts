import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { GitError } from './run.ts';
import type { Git } from './run.ts';

/** Whether a place is a folder or lies in it. Both are absolute and free of links. */
export function isWithin(place: string, folder: string): boolean {
  return place === folder || place.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}

/** What git says about a place: the git folder of this worktree, and the one with the refs that all worktrees share. */
interface GitFolders {
  readonly own: string;
  readonly shared: string;
}

/**
 * The top folder of the repository that a folder belongs to (a bare repository is its own), undefined when it belongs
 * to none. A `.git` file, a link, `commondir` and `core.worktree` can each claim a repository elsewhere on this
 * computer. Such a claim counts only where that repository lists the folder as its worktree.
 * @throws {GitError} the folder claims a repository that does not know it; git is missing or was stopped
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
    // The list belongs to whoever wrote it, and so must its worktree.
    const same = await findGitFolders(git.in(worktree));
    if (same?.own === folders.own && same.shared === shared) return worktree;
  }
  throw new GitError(`Its git folder is ${shared}, which does not list it as a worktree.`);
}

async function findGitFolders(git: Git): Promise<GitFolders | undefined> {
  try {
    const answer = await git.run(['rev-parse', '--absolute-git-dir', '--git-common-dir']);
    // A path with a line break in it could pass for two.
    const [, own, shared] = /^([^\n]+)\n([^\n]+)\n$/.exec(answer) ?? [];
    if (own === undefined || shared === undefined) return undefined;
    return { own: await realpath(own), shared: await realpath(path.resolve(git.folder, shared)) };
  } catch (error) {
    if (error instanceof GitError && error.exitCode !== undefined) return undefined;
    throw error;
  }
}

/** The worktree that a repository names for one of its git folders: a linked one, or that of a submodule. */
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
    // Whatever keeps the list from being read, the folder is not on it.
    return undefined;
  }
}
