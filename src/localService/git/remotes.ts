import path from 'node:path';
import { GitError } from './run.ts';
import type { Git, GitOptions } from './run.ts';

export interface Remote {
  readonly name: string;
  /** As spelled in the configuration, before any `insteadOf` rewrite. */
  readonly url: string;
}

/** Finds the folder with a repository's refs, which all its worktrees share. */
export async function findRefsFolder(git: Git): Promise<string> {
  return path.resolve(git.folder, (await git.run(['rev-parse', '--git-common-dir'])).trim());
}

/** Lists all remotes with their first URL, in the order of the configuration. */
export async function listRemotes(git: Git, options: GitOptions = {}): Promise<Remote[]> {
  const output = await outputUnlessAbsent(
    git,
    ['config', '-z', '--get-regexp', String.raw`^remote\..*\.url$`],
    options,
  );
  const remotes = new Map<string, Remote>();
  for (const entry of output.split('\0')) {
    const parts = /^remote\.(.+)\.url\n(.+)$/s.exec(entry);
    const [, name, url] = parts ?? [];
    if (name !== undefined && url !== undefined && !remotes.has(name)) remotes.set(name, { name, url });
  }
  return [...remotes.values()];
}

/** Picks the remote that a repository is published to: `origin`, or else the only one. */
export function publishedRemote(remotes: readonly Remote[]): Remote | undefined {
  return remotes.find(({ name }) => name === 'origin') ?? (remotes.length === 1 ? remotes[0] : undefined);
}

/**
 * Finds the default branch of the remote, according to the clone.
 * Falls back to `main`, `master`, another branch of the remote, and the branch that is checked out. Without a remote,
 * the local branches count.
 */
export async function defaultBranch(git: Git, remote: string | undefined): Promise<string> {
  const prefix = remote === undefined ? 'refs/heads/' : `refs/remotes/${remote}/`;
  const head = await symbolicRef(git, remote === undefined ? 'HEAD' : `${prefix}HEAD`);
  if (head?.startsWith(prefix)) return head.slice(prefix.length);
  const listed = await git.run(['for-each-ref', '--format=%(refname)', prefix]);
  const branches = listed
    .split('\n')
    .filter((name) => name !== '' && name !== `${prefix}HEAD`)
    .map((name) => name.slice(prefix.length));
  const usual = ['main', 'master'].find((name) => branches.includes(name)) ?? branches[0];
  if (usual !== undefined) return usual;
  const checkedOut = await symbolicRef(git, 'HEAD');
  return checkedOut?.replace(/^refs\/heads\//, '') ?? 'main';
}

async function symbolicRef(git: Git, name: string): Promise<string | undefined> {
  const output = await outputUnlessAbsent(git, ['symbolic-ref', '--quiet', name], {});
  return output.trim() === '' ? undefined : output.trim();
}

/** Returns git's output, or an empty text for exit code 1, which means that there is no such entry. */
async function outputUnlessAbsent(git: Git, args: readonly string[], options: GitOptions): Promise<string> {
  try {
    return await git.run(args, options);
  } catch (error) {
    if (error instanceof GitError && error.exitCode === 1) return '';
    throw error;
  }
}
