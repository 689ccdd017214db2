import * as l10n from '@vscode/l10n';

/** The relation between the live commit and the local branch, from the data in the clone. */
export type CommitRelation =
  /** The clone doesn't have the live commit. */
  | { kind: 'unknownCommit'; commit: string }
  /** Commit counts: `behind` are in HEAD but not live, `ahead` are live but not in HEAD. */
  | { kind: 'known'; ahead: number; behind: number; unpushed: number };

/** The most commits to count. Users don't need exact numbers beyond it. */
export const mostCommitsCounted = 1000;

/** Formats a commit count. Large counts become "1000 or more". */
export function commitCount(count: number): string {
  return count < mostCommitsCounted ? String(count) : l10n.t('{0} or more', mostCommitsCounted);
}

/** The first seven characters of a commit. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 7);
}
