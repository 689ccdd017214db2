import * as l10n from '@vscode/l10n';

/** The relation between the live commit and the local branch, from the data in the clone. */
export type CommitRelation =
  /** The clone doesn't have the live commit. */
  | { kind: 'unknownCommit'; commit: string }
  /** Commit counts: `behind` are in HEAD but not live, `ahead` are live but not in HEAD. */
  | { kind: 'known'; commit: string; ahead: number; behind: number; unpushed: number };

export interface Drift {
  /** For a row, such as "2 behind". */
  readonly short: string;
  /** A phrase that needs no row around it, such as "live is 2 commits behind HEAD". */
  readonly text: string;
}

/** Describes how the live commit relates to the local branch. */
export function describeDrift(relation: CommitRelation): Drift {
  if (relation.kind === 'unknownCommit') {
    return {
      short: l10n.t('live commit not in this clone'),
      text: l10n.t('live commit {0} is not in this clone', shortCommit(relation.commit)),
    };
  }
  const { short, text } = liveWords(relation.ahead, relation.behind);
  const { unpushed } = relation;
  if (unpushed === 0) return { short, text };
  const commits = unpushed === 1 ? l10n.t('1 commit unpushed') : l10n.t('{0} commits unpushed', unpushed);
  return { short: `${short}, ${l10n.t('{0} unpushed', unpushed)}`, text: `${text}, ${commits}` };
}

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

function liveWords(ahead: number, behind: number): Drift {
  const [more, less] = [commitCount(ahead), commitCount(behind)];
  if (ahead > 0 && behind > 0) {
    return {
      short: l10n.t('{0} behind, {1} ahead', less, more),
      text: l10n.t('live and HEAD have diverged ({0} behind, {1} ahead)', less, more),
    };
  }
  if (behind > 0) {
    const text =
      behind === 1 ? l10n.t('live is 1 commit behind HEAD') : l10n.t('live is {0} commits behind HEAD', less);
    return { short: l10n.t('{0} behind', less), text };
  }
  if (ahead > 0) {
    const text =
      ahead === 1 ? l10n.t('live is 1 commit ahead of HEAD') : l10n.t('live is {0} commits ahead of HEAD', more);
    return { short: l10n.t('live is {0} ahead', more), text };
  }
  return { short: l10n.t('up to date'), text: l10n.t('up to date') };
}
