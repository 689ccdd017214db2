import type { WrittenEntry } from './logLines.ts';

/** The entries of a log that are kept, the oldest first. */
export interface KeptLog {
  readonly entries: readonly WrittenEntry[];
  /** Whether older entries were dropped because there were too many. */
  readonly isCut: boolean;
}

export const emptyLog: KeptLog = { entries: [], isCut: false };

/** The most lines to keep of a log. */
export const MAX_LOG_LINES = 10_000;

/** The most characters to keep of a log. An editor with far more is slow. */
const mostCharacters = 5_000_000;

/**
 * Adds newer entries, or older ones, in the order of their times, without those that are kept already. Entries of the
 * same time stay in the order in which they came. The oldest ones are dropped if there are too many.
 */
export function withEntries(log: KeptLog, added: readonly WrittenEntry[], areOlder = false): KeptLog {
  const known = new Set(log.entries.map(({ key }) => key));
  const lastTime = log.entries.at(-1)?.time ?? -Infinity;
  const fresh = added
    .filter(({ key }) => !known.has(key) && known.add(key))
    .map((entry) => (entry.time === -Infinity && !areOlder ? { ...entry, time: lastTime } : entry));
  if (fresh.length === 0) return log;
  const all = areOlder ? [...fresh, ...log.entries] : [...log.entries, ...fresh];
  return cut({ ...log, entries: all.toSorted((one, other) => order(one.time, other.time)) });
}

/** Whether none of the entries is kept: what lies between them and the log is missing. */
export function isApart(log: KeptLog, entries: readonly WrittenEntry[]): boolean {
  const known = new Set(log.entries.map(({ key }) => key));
  return known.size > 0 && entries.length > 0 && !entries.some(({ key }) => known.has(key));
}

/** Keeps the newest entries that fit, at least one. */
function cut({ entries, isCut }: KeptLog): KeptLog {
  let lines = 0;
  let characters = 0;
  let start = entries.length;
  while (start > 0) {
    const entry = entries[start - 1]?.lines ?? [];
    lines += entry.length;
    characters += entry.reduce((sum, line) => sum + line.length + 1, 0);
    if (start < entries.length && (lines > MAX_LOG_LINES || characters > mostCharacters)) break;
    start -= 1;
  }
  return start === 0 ? { entries, isCut } : { entries: entries.slice(start), isCut: true };
}

/** Compares times, which may be infinite. */
function order(one: number, other: number): number {
  return one === other ? 0 : one - other;
}
