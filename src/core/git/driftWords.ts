import * as l10n from '@vscode/l10n';
import { commitCount, shortCommit, type CommitRelation } from './drift.ts';

/** Describes how the live commit relates to the local branch, such as "2 behind". */
export function describeDrift(relation: CommitRelation): string {
  if (relation.kind === 'unknownCommit') {
    return l10n.t('live commit {0} not in this clone', shortCommit(relation.commit));
  }
  const { ahead, behind, unpushed } = relation;
  const live = liveWords(ahead, behind);
  return unpushed === 0 ? live : `${live}, ${l10n.t('{0} unpushed', unpushed)}`;
}

function liveWords(ahead: number, behind: number): string {
  const [more, less] = [commitCount(ahead), commitCount(behind)];
  if (ahead > 0 && behind > 0) return l10n.t('{0} behind, {1} ahead', less, more);
  if (behind > 0) return l10n.t('{0} behind', less);
  return ahead > 0 ? l10n.t('live is {0} ahead', more) : l10n.t('up to date');
}
