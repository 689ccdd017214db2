import { isRefName } from '../../core/draft/fieldProblem.ts';
import { commitOf } from '../../git/commits.ts';
import type { Git, GitOptions } from '../../git/git.ts';

export interface ResolvedRef {
  readonly commit: string;
  /** The full name of the ref, such as `refs/remotes/origin/main`. Absent for a commit, which never moves. */
  readonly fullName?: string;
}

/**
 * Finds the published commit of a ref; undefined when there is no such ref.
 * A branch is the remote's, as last fetched or pushed. Local branches count only without a remote. A commit must be
 * reachable from one of these branches or from a tag. Fetches nothing.
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

/** Lists the full names that a ref can stand for: a bare name is tried as a branch, then as a tag. */
export function fullNames(ref: string, remote: string | undefined): string[] {
  if (!isRefName(ref)) return [];
  const tag = `refs/tags/${ref.replace(/^refs\/tags\//, '')}`;
  if (ref.startsWith('refs/tags/')) return [tag];
  const branchName = ref.replace(/^refs\/heads\//, '');
  const branch = remote === undefined ? `refs/heads/${branchName}` : `refs/remotes/${remote}/${branchName}`;
  return ref.startsWith('refs/') ? [branch] : [branch, tag];
}

async function reachableCommit(
  git: Git,
  text: string,
  remote: string | undefined,
  options: GitOptions,
): Promise<ResolvedRef | undefined> {
  const commit = await commitOf(git, text, options);
  // Git also resolves a branch or tag of this name. Accept only the commit itself.
  if (commit === undefined || !commit.startsWith(text.toLowerCase())) return undefined;
  const published = [remote === undefined ? 'refs/heads/' : `refs/remotes/${remote}/`, 'refs/tags/'];
  const args = ['for-each-ref', '--count=1', '--format=%(refname)', `--contains=${commit}`, ...published];
  const holder = await git.run(args, options);
  return holder.trim() === '' ? undefined : { commit };
}
