import * as l10n from '@vscode/l10n';
import { safeText } from '../../api/http/redact.ts';
import { formatMoment } from '../status/duration.ts';
import { shortened } from '../text/text.ts';
import { shortCommit } from './drift.ts';

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
export interface CommitsBetween {
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
    ...part(from === undefined ? l10n.t('Not live yet:') : l10n.t('Only in {0}:', oneLine(to)), ahead),
    ...part(
      from === undefined ? l10n.t('Live, but not in {0}:', oneLine(to)) : l10n.t('Only in {0}:', oneLine(from)),
      behind,
    ),
  ];
  return parts.length === 0 ? undefined : `${parts.join('\n\n')}\n`;
}

function part(heading: string, commits: readonly ListedCommit[]): readonly string[] {
  if (commits.length === 0) return [];
  const more = commits.length > mostCommitsListed ? [l10n.t('Only the newest {0} are listed.', mostCommitsListed)] : [];
  return [[heading, ...commits.slice(0, mostCommitsListed).map(lineOf), ...more].join('\n')];
}

function lineOf({ hash, message, authorName, authorDate }: ListedCommit): string {
  const [subject = ''] = shortened(message, longestMessage).trimStart().split('\n');
  // A commit may carry any date, even one that no calendar has.
  const isDated = authorDate !== undefined && !Number.isNaN(authorDate.getTime());
  const origin = [authorName, isDated ? formatMoment(authorDate.getTime()) : undefined];
  const words = origin.filter((word) => word !== undefined && word !== '').join(', ');
  return oneLine(`${shortCommit(hash)} ${subject}${words === '' ? '' : ` (${words})`}`);
}

/** A repository's text without control characters, which could hide or reorder it. */
function oneLine(text: string): string {
  return safeText(text);
}

/** In characters. Only the first line of a message is shown. */
const longestMessage = 1_000;
