import * as l10n from '@vscode/l10n';
import { formatClock } from '../status/duration.ts';
import { shortened } from '../text/text.ts';
import { MAX_LOG_LINES, type KeptLog } from './keptLog.ts';
import { firstError } from './logLines.ts';
import { filterWords, type LogSubject } from './logSubject.ts';

/** What a log's document says above its lines. */
export interface LogState {
  /** When the service last answered, in milliseconds since 1970; undefined if it never did. */
  readonly asOf: number | undefined;
  /** Why the last request failed. */
  readonly error: string | undefined;
  /** The status of a revision whose log has ended; undefined while new lines may come. */
  readonly ended: string | undefined;
  /** Whether older lines can be loaded. */
  readonly hasOlder: boolean;
}

/** The number of lines above the log. Each is always there, so that a change of one moves no other. */
export const LOG_HEAD_LINES = 4;

/** The place of the head's line about older lines, counted from 0. */
export const OLDER_LINE = 2;

/** The lines of a log's document. The last one is empty. */
export function logDocumentLines(subject: LogSubject, log: KeptLog, state: LogState): readonly string[] {
  const heading = [titleOf(subject), ...filterWords(subject.filter)];
  const about = [amountWords(subject, log, state), l10n.t('Read-only, with secrets hidden.')];
  const head = [heading.join(' · '), stateWords(state), about.join(' ').trimStart(), ''];
  return [...head.map((line) => shortened(line, 2_000)), ...log.entries.flatMap(({ lines }) => lines), ''];
}

/** The line of a log's document at which its first error begins, counted from 0. Undefined without one. */
export function firstErrorLine({ entries }: KeptLog): number | undefined {
  const error = firstError(entries);
  if (error === undefined) return undefined;
  const before = entries.slice(0, entries.indexOf(error));
  return before.reduce((sum, { lines }) => sum + lines.length, LOG_HEAD_LINES);
}

function titleOf({ type, title, connection }: LogSubject): string {
  switch (type) {
    case 'build':
      return l10n.t('Build log of {0} on {1}', title, connection);
    case 'deploy':
      return l10n.t('Application log of the revision {0} on {1}', title, connection);
    case 'application':
      return l10n.t('Application log of {0} on {1}', title, connection);
  }
}

function stateWords({ asOf, error, ended }: LogState): string {
  if (error === undefined) {
    return ended === undefined
      ? l10n.t('New lines appear at the end.')
      : l10n.t('No new lines are expected. Status of the revision: {0}', ended);
  }
  return asOf === undefined
    ? l10n.t("Couldn't read the log: {0}", error)
    : l10n.t("As of {0}. Since then, the log couldn't be read: {1}", formatClock(asOf), error);
}

function amountWords({ filter }: LogSubject, { entries, isCut }: KeptLog, { asOf, hasOlder }: LogState): string {
  if (isCut)
    return l10n.t('Older lines removed: only the newest {0} lines are kept.', MAX_LOG_LINES.toLocaleString('en'));
  if (hasOlder) return l10n.t('There are older lines.');
  if (asOf === undefined) return '';
  if (entries.length > 0) return l10n.t('The log begins here.');
  return filterWords(filter).length > 0 ? l10n.t('No lines match the filter.') : l10n.t('No lines yet.');
}
