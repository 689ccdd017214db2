import { MAX_PAGE_SIZE } from './limits.ts';
import { isUnreadable, type Unreadable } from './page.ts';

/** Whether a list has something; unknown where it goes on for too long, or has rows that cannot be read. */
export type LookUp = 'found' | 'notFound' | 'unknown';

/** Rows of a list. */
export interface Seen<T> {
  readonly rows: readonly T[];
  /** False where the list goes on, or has rows that cannot be read. */
  readonly isWhole: boolean;
}

/** Three of the largest pages: a short name may be a part of thousands of names. */
const mostRows = 3 * MAX_PAGE_SIZE;

/**
 * Looks through the rows of a list, as far as that makes sense.
 * @throws ApiError a page could not be read.
 */
export async function lookUp<T extends object>(
  rows: AsyncIterable<T | Unreadable>,
  isWanted: (row: T) => boolean,
): Promise<LookUp> {
  let seen = 0;
  let unreadable = 0;
  for await (const row of rows) {
    if (isUnreadable(row)) unreadable += 1;
    else if (isWanted(row)) return 'found';
    seen += 1;
    if (seen === mostRows) return 'unknown';
  }
  return unreadable === 0 ? 'notFound' : 'unknown';
}

/**
 * The rows of a list, as far as it makes sense to ask for them.
 * @throws ApiError a page could not be read.
 */
export async function seeRows<T extends object>(rows: AsyncIterable<T | Unreadable>): Promise<Seen<T>> {
  const seen: T[] = [];
  let count = 0;
  let isReadable = true;
  for await (const row of rows) {
    if (isUnreadable(row)) isReadable = false;
    else seen.push(row);
    count += 1;
    if (count === mostRows) return { rows: seen, isWhole: false };
  }
  return { rows: seen, isWhole: isReadable };
}
