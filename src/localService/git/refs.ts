import { GitError } from './run.ts';
import type { Git, GitOptions } from './run.ts';

export interface ResolvedRef {
  readonly commit: string;
  /** The full name of the ref, such as `refs/remotes/origin/main`; a commit has none and never moves. */
  readonly fullName?: string;
}

/**
 * Finds the commit behind a ref as the remote is known to have it: a branch is the one that was
 * last fetched from or pushed to the remote, a local branch counts only where there is no remote, a commit must
 * be reachable from these or from a tag. Nothing is fetched. Undefined when there is no such ref.
 * @throws {GitError} git failed
 */
export async function resolveRef(
  git: Git,
  ref: string,
  remote: string | undefined,
  options: GitOptions = {},
): Promise<ResolvedRef | undefined> {
  for (const fullName of fullNames(ref, remote)) {
    const commit = await commitOf(git, fullName, options);
    if (commit !== undefined) return { commit, fullName };
  }
  return /^[0-9a-f]{7,64}$/i.test(ref) ? reachableCommit(git, ref, remote, options) : undefined;
}

/**
 * True for the text of a ref that git could have. Everything that git would read as an expression (`main~1`,
 * `@{upstream}`, ranges, options) is refused, because only published refs may be deployed.
 */
export function isRefName(ref: string): boolean {
  return (
    ref.length <= 255 &&
    /^(?![-./])(?!.*(?:\.\.|\/\/|\/\.|@\{|\.lock(?:\/|$)))[^\p{Cc} ~^:?*[\\]+(?<![./])$/u.test(ref) &&
    ref !== '@'
  );
}

/** The full names that a ref can stand for, the likeliest first: branches go bare, tags as `refs/tags/…`. */
export function fullNames(ref: string, remote: string | undefined): string[] {
  if (!isRefName(ref)) return [];
  const tag = `refs/tags/${ref.replace(/^refs\/tags\//, '')}`;
  if (ref.startsWith('refs/tags/')) return [tag];
  const branchName = ref.replace(/^refs\/heads\//, '');
  const branch = remote === undefined ? `refs/heads/${branchName}` : `refs/remotes/${remote}/${branchName}`;
  return ref.startsWith('refs/') ? [branch] : [branch, tag];
}

async function commitOf(git: Git, revision: string, options: GitOptions): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  try {
    return (await git.run(args, options)).trim();
  } catch (error) {
    if (error instanceof GitError && error.exitCode === 1) return undefined;
    throw error;
  }
}

async function reachableCommit(
  git: Git,
  text: string,
  remote: string | undefined,
  options: GitOptions,
): Promise<ResolvedRef | undefined> {
  const commit = await commitOf(git, text, options);
  // A branch of the same name as the text would be found by git; only the commit itself is meant here.
  if (commit === undefined || !commit.startsWith(text.toLowerCase())) return undefined;
  const published = [remote === undefined ? 'refs/heads/' : `refs/remotes/${remote}/`, 'refs/tags/'];
  const args = ['for-each-ref', '--count=1', '--format=%(refname)', `--contains=${commit}`, ...published];
  const holder = await git.run(args, options);
  return holder.trim() === '' ? undefined : { commit };
}
