import * as l10n from '@vscode/l10n';
import { commitCount, shortCommit, type CommitRelation } from './drift.ts';

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
