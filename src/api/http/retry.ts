import type { ApiError } from '../errors.ts';

/** How many times a GET is sent at most. */
const MAX_TRIES = 3;

/** The longest wait before a retry. If the service asks for a longer wait, the call fails at once. */
const MAX_WAIT_MS = 10_000;

const FIRST_WAIT_MS = 250;

const PASSING_STATUSES = new Set([408, 429, 502, 503, 504]);

/**
 * Milliseconds to wait before a failed GET is sent again, or undefined if it must not be.
 * Uses the service's `Retry-After`, else exponential backoff with jitter (`random` from 0 to 1).
 */
export function retryDelay(error: ApiError, tries: number, random: number): number | undefined {
  if (tries >= MAX_TRIES) return undefined;
  const isPassing = error.status === undefined ? isWithoutAnswer(error) : PASSING_STATUSES.has(error.status);
  if (!isPassing) return undefined;
  if (error.retryAfterMs !== undefined) return error.retryAfterMs <= MAX_WAIT_MS ? error.retryAfterMs : undefined;
  return FIRST_WAIT_MS * 2 ** (tries - 1) * (0.5 + random);
}

/** Whether the connection was lost or not opened in time. A service that answers too slowly isn't asked again. */
function isWithoutAnswer({ kind, sent }: ApiError): boolean {
  return kind === 'network' || (kind === 'timeout' && !sent);
}

/** Converts `Retry-After` (seconds or an HTTP date) to milliseconds from `now` (milliseconds since 1970). */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  // Date.parse accepts almost anything as a date, such as "-5". An HTTP date starts with a weekday and a comma. Its
  // obsolete form has no comma and no time zone, and would be read as local time.
  const time = /^[A-Z][a-z]{2,8}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}
