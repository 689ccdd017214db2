import { isRefName } from '../../core/draft/fieldProblem.ts';
import { branchOn } from '../../core/git/remotes.ts';
import { commitOf } from '../../git/commits.ts';
import type { Git } from '../../git/git.ts';

interface Refs {
  readonly git: Git;
  /** The remote to deploy from. */
  readonly remote: string | undefined;
  /** The names of all remotes. */
  readonly remotes: readonly string[];
}

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
export async function resolveRef(repository: Refs, ref: string): Promise<ResolvedRef | undefined> {
  for (const fullName of fullNames(ref, repository)) {
    const commit = await commitOf(repository.git, fullName);
    if (commit !== undefined) return { commit, fullName };
  }
  return /^[0-9a-f]{7,64}$/i.test(ref) ? reachableCommit(repository, ref) : undefined;
}

/** Lists the full names that a ref can stand for: a bare name is tried as a branch, then as a tag. */
export function fullNames(ref: string, { remote, remotes }: Omit<Refs, 'git'>): string[] {
  if (!isRefName(ref)) return [];
  const tag = `refs/tags/${ref.replace(/^refs\/tags\//, '')}`;
  if (ref.startsWith('refs/tags/')) return [tag];
  const branchName = ref.replace(/^refs\/heads\//, '');
  const branches =
    remote === undefined
      ? [`refs/heads/${branchName}`]
      : branchesOn(remote, remotes, [`refs/remotes/${remote}/${branchName}`]);
  return ref.startsWith('refs/') ? branches : [...branches, tag];
}

/** The refs that are branches of a remote, and not of one whose name begins with the same letters. */
export function branchesOn(remote: string, remotes: readonly string[], refs: readonly string[]): string[] {
  return refs.filter((ref) => branchOn(remote, ref.replace('refs/remotes/', ''), remotes) !== undefined);
}

async function reachableCommit({ git, remote, remotes }: Refs, text: string): Promise<ResolvedRef | undefined> {
  const commit = await commitOf(git, text);
  // Git also resolves a branch or tag of this name. Accept only the commit itself.
  if (commit === undefined || !commit.startsWith(text.toLowerCase())) return undefined;
  const holders = async (places: readonly string[]): Promise<string[]> => {
    const output = await git.run(['for-each-ref', '--format=%(refname)', `--contains=${commit}`, ...places]);
    return output.split('\n').filter((name) => name !== '');
  };
  const isPublished =
    remote === undefined
      ? (await holders(['--count=1', 'refs/heads/', 'refs/tags/'])).length > 0
      : (await holders(['--count=1', 'refs/tags/'])).length > 0 ||
        branchesOn(remote, remotes, await holders([`refs/remotes/${remote}/`])).length > 0;
  return isPublished ? { commit } : undefined;
}
