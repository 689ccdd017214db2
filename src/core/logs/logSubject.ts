import * as l10n from '@vscode/l10n';
import { LOG_LEVELS, type LogPlace } from '../../api/resources/logs.ts';
import { isRecord } from '../../api/schema/json.ts';
import { shortened } from '../text/text.ts';

/** What the service is asked to leave out. */
export interface LogFilter {
  readonly level?: (typeof LOG_LEVELS)[number] | undefined;
  /** A text that each line must have. */
  readonly text?: string | undefined;
}

/** One log of one connection, as a document shows it. A filter makes it another log. */
export interface LogSubject extends LogPlace {
  readonly connection: string;
  readonly filter: LogFilter;
  /** What the log is of: the names of a deployment and perhaps of a revision. */
  readonly title: string;
}

/** Reads the address of a log, which may be typed, restored or shared. */
export function parseLogSubject(value: unknown): LogSubject | undefined {
  if (!isRecord(value)) return undefined;
  const { connection, type, deploymentId, revisionId, title, level, text } = value;
  if (type !== 'build' && type !== 'deploy' && type !== 'application') return undefined;
  if (typeof connection !== 'string' || typeof deploymentId !== 'string' || typeof revisionId !== 'string')
    return undefined;
  const filter = {
    level: LOG_LEVELS.find((known) => known === level),
    text: typeof text === 'string' && text !== '' ? text : undefined,
  };
  return { connection, type, deploymentId, revisionId, filter, title: typeof title === 'string' ? title : '' };
}

/** The name of a log's tab, with its filter. */
export function logName({ type, title, filter }: LogSubject): string {
  const words = filterWords(filter);
  const name = type === 'build' ? l10n.t('Build of {0}', title) : title;
  return words.length === 0 ? name : `${name} (${words.join(', ')})`;
}

/** The filter in words, one for each part. */
export function filterWords({ level, text }: LogFilter): readonly string[] {
  return [...(level === undefined ? [] : [level]), ...(text === undefined ? [] : [`"${shortened(text, 30)}"`])];
}
