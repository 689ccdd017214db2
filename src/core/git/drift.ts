import * as l10n from '@vscode/l10n';

/** The relation between the live commit and the local branch, from the data in the clone. */
export type CommitRelation =
  /** The clone doesn't have the live commit. */
  | { kind: 'unknownCommit'; commit: string }
  /** Commit counts: `behind` are in HEAD but not live, `ahead` are live but not in HEAD. */
  | { kind: 'known'; commit: string; ahead: number; behind: number; unpushed: number };

export interface Drift {
  /** A phrase for a row, such as "live is 3 commits behind HEAD". */
  text: string;
  /** True if the live commit and HEAD differ. */
  differs: boolean;
}

/** Describes how the live commit relates to the local branch. */
export function describeDrift(relation: CommitRelation): Drift {
  if (relation.kind === 'unknownCommit') {
    return { text: l10n.t('live commit {0} is not in this clone', shortCommit(relation.commit)), differs: true };
  }
  const differs = relation.ahead > 0 || relation.behind > 0;
  const parts = [liveWords(relation.ahead, relation.behind)];
  if (relation.unpushed > 0) {
    parts.push(
      relation.unpushed === 1 ? l10n.t('1 commit unpushed') : l10n.t('{0} commits unpushed', relation.unpushed),
    );
  }
  return { text: parts.join(', '), differs };
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

function liveWords(ahead: number, behind: number): string {
  if (ahead > 0 && behind > 0) {
    return l10n.t('live and HEAD have diverged ({0} behind, {1} ahead)', commitCount(behind), commitCount(ahead));
  }
  if (behind > 0) {
    return behind === 1
      ? l10n.t('live is 1 commit behind HEAD')
      : l10n.t('live is {0} commits behind HEAD', commitCount(behind));
  }
  if (ahead > 0) {
    return ahead === 1
      ? l10n.t('live is 1 commit ahead of HEAD')
      : l10n.t('live is {0} commits ahead of HEAD', commitCount(ahead));
  }
  return l10n.t('live is HEAD');
}
