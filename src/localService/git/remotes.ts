import path from 'node:path';
import { GitError } from './run.ts';
import type { Git, GitOptions } from './run.ts';

export interface Remote {
  readonly name: string;
  /** As the configuration spells it, before any `insteadOf`. */
  readonly url: string;
}

/** The folder that holds the refs of a repository, which all its linked working copies share. */
export async function findRefsFolder(git: Git): Promise<string> {
  return path.resolve(git.folder, (await git.run(['rev-parse', '--git-common-dir'])).trim());
}

/** All remotes with their first URL, in the order of the configuration. */
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

/** The remote that counts as the place a repository is published: `origin`, else the only one. */
export function publishedRemote(remotes: readonly Remote[]): Remote | undefined {
  return remotes.find(({ name }) => name === 'origin') ?? (remotes.length === 1 ? remotes[0] : undefined);
}

/**
 * The branch that the remote calls its default, as far as the clone knows it; then `main`, `master` and any other
 * branch of the remote, and where there is none the branch that is checked out.
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

/** Git ends with code 1 and prints nothing when what it was asked for is not there. */
async function outputUnlessAbsent(git: Git, args: readonly string[], options: GitOptions): Promise<string> {
  try {
    return await git.run(args, options);
  } catch (error) {
    if (error instanceof GitError && error.exitCode === 1) return '';
    throw error;
  }
}
