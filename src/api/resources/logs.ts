import * as z from 'zod';
import { isMissingCall } from '../errors.ts';
import type { CallOptions, Http } from '../http/http.ts';
import { isRecord } from '../schema/json.ts';
import { lenient } from '../schema/lenient.ts';
import { MAX_ENTRY_LENGTH } from '../schema/limits.ts';
import { oneOf, timestamp, whole } from '../schema/wire.ts';
import { checkBeforeSending, pathStep } from './check.ts';
import { isUnreadable } from './page.ts';
import { readList } from './reading.ts';

export const LOG_LEVELS = ['DEBUG', 'INFO', 'WARNING', 'ERROR'] as const;

/** The most entries of one answer. */
export const MAX_LOG_ENTRIES = 1000;

/** The body of a request for a log, and the query of the newer one. The document has no logs; the public service does. */
export const logQueryWire = z.object({
  limit: whole().min(1).max(MAX_LOG_ENTRIES).nullish(),
  order: oneOf(['asc', 'desc']).nullish(),
  level: oneOf(LOG_LEVELS).nullish(),
  query: z.string().nullish(),
  start_time: timestamp.nullish(),
  end_time: timestamp.nullish(),
  offset: z.string().nullish(),
});

/** One entry of a log. */
export const logEntryWire = z.object({
  id: z.string(),
  timestamp,
  level: oneOf(LOG_LEVELS),
  message: z.string(),
});

/** The answer to a request for a log. `next_offset` is the `offset` of the next page. */
export const logPageWire = z.object({ logs: z.array(logEntryWire), next_offset: z.string().nullish() });

export type LogQuery = z.infer<typeof logQueryWire>;

/** A log: of a revision's build, of one revision as it runs, or of the application whatever its revision. */
export interface LogPlace {
  readonly type: 'build' | 'deploy' | 'application';
  readonly deploymentId: string;
  /** For an application, the active revision: services with only the newer call have its log alone. */
  readonly revisionId: string;
}

/** A log entry with its text as the program wrote it: it may hold secrets and control characters. */
export interface LogEntry {
  readonly id: string;
  /** Milliseconds since 1970; undefined if the service sent no readable time. */
  readonly time: number | undefined;
  /** As sent, in uppercase; empty if there is none. */
  readonly level: string;
  readonly message: string;
}

export interface LogPage {
  readonly entries: readonly LogEntry[];
  /** The `offset` of the next page, if there is one. */
  readonly nextOffset: string | undefined;
}

/** The end of the year 9999, in milliseconds since 1970: queries can't name a later time. */
const LATEST_TIME = 253_402_300_799_999;

const entryReader = lenient(logEntryWire.omit({ id: true, timestamp: true }));

/** Reads an entry. Services send times as text or in milliseconds, and ids as text or numbers. */
const logReader = z.unknown().transform((value, context): LogEntry => {
  const read = entryReader.safeParse(value);
  if (!read.success || !isRecord(value)) {
    context.issues.push({ code: 'invalid_type', expected: 'object', input: value });
    return z.NEVER;
  }
  const { level = '', message = '' } = read.data;
  const { id, timestamp: said } = value;
  const time = typeof said === 'number' ? said : Date.parse(String(said));
  return {
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : '',
    time: time >= 0 && time <= LATEST_TIME ? time : undefined,
    level: level.slice(0, 20).toUpperCase(),
    message: message.slice(0, MAX_ENTRY_LENGTH),
  };
});

/** What the public service answers about logs, which the document doesn't have. Fails only with ApiError. */
export function createLogs(http: Http) {
  let isOlderMissing = false;

  async function ask({ type, ...ids }: LogPlace, query: LogQuery, options?: CallOptions): Promise<unknown> {
    const deployment = pathStep('deployment_id', ids.deploymentId);
    const revision = `revisions/${pathStep('revision_id', ids.revisionId)}`;
    const [scope, kind] = type === 'application' ? ['', 'deploy'] : [`/${revision}`, type];
    const askNewer = async () =>
      http.get(`/v2/deployments/${deployment}/${revision}/logs`, { type: kind, ...query }, options);
    if (isOlderMissing) return askNewer();
    try {
      return await http.query(`/v1/projects/${deployment}${scope}/${kind}_logs`, query, options);
    } catch (error) {
      if (!isMissingCall(error)) throw error;
      const answer = await askNewer();
      isOlderMissing = true;
      return answer;
    }
  }

  return {
    /**
     * One page of a log: the older of the two calls, or the newer one if that doesn't exist.
     * Drops entries that can't be read. An offset that repeats the one asked for counts as the end.
     * @throws ApiError with the status 404 or 405 if the service has neither call.
     */
    async read(place: LogPlace, query: LogQuery, options?: CallOptions): Promise<LogPage> {
      checkBeforeSending(logQueryWire, query);
      const answer = await ask(place, query, options);
      const entries = readList(http, logReader, answer, 'logs', MAX_LOG_ENTRIES);
      const next = isRecord(answer) ? answer['next_offset'] : undefined;
      const nextOffset = typeof next === 'string' || typeof next === 'number' ? String(next) : '';
      return {
        entries: entries.flatMap((entry) => (isUnreadable(entry) ? [] : [entry])),
        nextOffset: nextOffset === '' || nextOffset === (query.offset ?? '') ? undefined : nextOffset,
      };
    },
  };
}
