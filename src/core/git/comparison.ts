import * as l10n from '@vscode/l10n';
import { safeText } from '../../api/redaction/redact.ts';
import { formatMoment } from '../status/duration.ts';
import { shortened } from '../text/text.ts';
import { shortCommit, commitCount, type CommitRelation } from './drift.ts';

/** A commit as git reports it. */
export interface ListedCommit {
  readonly hash: string;
  readonly message: string;
  readonly authorName?: string | undefined;
  readonly authorDate?: Date | undefined;
}

/** The most commits to list in one direction. */
export const mostCommitsListed = 200;

/** The commits that only one of two revisions has, newest first, for a person to read. */
interface CommitsBetween {
  /** The names of the two sides. Without the first, that is what is live. */
  readonly from?: string | undefined;
  readonly to: string;
  /** Commits that only the second side has. One more than `mostCommitsListed` means that there are more. */
  readonly ahead: readonly ListedCommit[];
  /** Commits that only the first side has. */
  readonly behind: readonly ListedCommit[];
}

/** Lists the commits between two revisions. Undefined if there are none. */
export function commitListText({ from, to, ahead, behind }: CommitsBetween): string | undefined {
  const parts = [
    ...commitLines(from === undefined ? l10n.t('Not live yet:') : l10n.t('Only in {0}:', safeText(to)), ahead),
    ...commitLines(
      from === undefined ? l10n.t('Live, but not in {0}:', safeText(to)) : l10n.t('Only in {0}:', safeText(from)),
      behind,
    ),
  ];
  return parts.length === 0 ? undefined : `${parts.join('\n\n')}\n`;
}

/** A paragraph that lists the newest of some commits below a heading. None without commits. */
export function commitLines(
  heading: string,
  commits: readonly ListedCommit[],
  most = mostCommitsListed,
): readonly string[] {
  if (commits.length === 0) return [];
  const more = commits.length > most ? [l10n.t('Only the newest {0} are listed.', most)] : [];
  return [[heading, ...commits.slice(0, most).map(lineOf), ...more].join('\n')];
}

/** The first line of a commit's message. */
export function subjectOf({ message }: Pick<ListedCommit, 'message'>): string {
  const [subject = ''] = shortened(message, longestMessage).trimStart().split('\n');
  return safeText(subject);
}

function lineOf(commit: ListedCommit): string {
  const { hash, authorName, authorDate } = commit;
  // A commit may carry any date, even one that no calendar has.
  const isDated = authorDate !== undefined && !Number.isNaN(authorDate.getTime());
  const origin = [authorName, isDated ? formatMoment(authorDate.getTime()) : undefined];
  const words = origin.filter((word) => word !== undefined && word !== '').join(', ');
  return safeText(`${shortCommit(hash)} ${subjectOf(commit)}${words === '' ? '' : ` (${words})`}`);
}

/** In characters. Only the first line of a message is shown. */
const longestMessage = 1_000;

/** A file on the two sides of a comparison, by its path; a side is missing where the file doesn't exist. */
export interface ChangedFile {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * The files that differ between two commits, sorted by path.
 * The editor's Git compares a commit only with the common ancestor of two, so this joins both of its comparisons:
 * `ahead` has the changes from the ancestor to the second commit, `behind` those from the ancestor to the first one.
 */
export function joinChanges(ahead: readonly ChangedFile[], behind: readonly ChangedFile[]): readonly ChangedFile[] {
  const joined = new Map(ahead.map((change) => [keyOf(change), change]));
  for (const change of behind) {
    const { after } = joined.get(keyOf(change)) ?? { after: change.before };
    joined.set(keyOf(change), { before: change.after, after });
  }
  return [...joined.values()]
    .filter(({ before, after }) => before !== undefined || after !== undefined)
    .toSorted((one, other) => (pathOf(one) < pathOf(other) ? -1 : 1));
}

function pathOf({ before, after }: ChangedFile): string {
  return after ?? before ?? '';
}

/** What both comparisons call a file: its path in the ancestor, or its new path. */
function keyOf({ before, after }: ChangedFile): string {
  return before === undefined ? `+${after}` : `=${before}`;
}

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
