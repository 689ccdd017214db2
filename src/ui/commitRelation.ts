import { mostCommitsCounted, type CommitRelation } from '../core/drift.ts';
import type { GitRepository } from './gitExtension.ts';

/** How a commit lies to HEAD, from what the clone has; nothing is fetched. */
export async function relationOf(repository: GitRepository, commit: string): Promise<CommitRelation> {
  const isKnown = await repository.getCommit(commit).then(
    () => true,
    () => false,
  );
  if (!isKnown) return { kind: 'unknownCommit', commit };
  const [ahead, behind, unpushed] = await Promise.all([
    countCommits(repository, `HEAD..${commit}`),
    countCommits(repository, `${commit}..HEAD`),
    // VS Code's own count may be older than its HEAD.
    repository.state.HEAD?.upstream === undefined ? 0 : countCommits(repository, '@{upstream}..HEAD'),
  ]);
  return { kind: 'known', commit, ahead, behind, unpushed };
}

/** Commits in a range, up to the number at which counting stops. */
export async function countCommits(repository: GitRepository, range: string): Promise<number> {
  return (await repository.log({ range, maxEntries: mostCommitsCounted })).length;
}
