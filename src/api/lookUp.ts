import { MAX_PAGE_SIZE } from './limits.ts';
import { isUnreadable, type Unreadable } from './page.ts';

/** Whether a list has something; unknown where it goes on for too long, or has rows that cannot be read. */
export type LookUp = 'found' | 'notFound' | 'unknown';

/** What a look through a list found, and the rows that were seen on the way. */
export interface LookedUp<T> {
  readonly found: LookUp;
  readonly rows: readonly T[];
  /** False where the list goes on, or has rows that cannot be read. */
  readonly isWhole: boolean;
}

/** Three of the largest pages: a short name may be a part of thousands of names. */
const mostRows = 3 * MAX_PAGE_SIZE;

/**
 * Looks through the rows of a list, as far as it makes sense to ask for them.
 * @throws ApiError a page could not be read.
 */
export async function lookUp<T extends object>(
  list: AsyncIterable<T | Unreadable>,
  isWanted: (row: T) => boolean,
): Promise<LookedUp<T>> {
  const rows: T[] = [];
  let count = 0;
  let isWhole = true;
  for await (const row of list) {
    if (isUnreadable(row)) isWhole = false;
    else rows.push(row);
    count += 1;
    if (count === mostRows) {
      isWhole = false;
      break;
    }
  }
  if (rows.some(isWanted)) return { found: 'found', rows, isWhole };
  return { found: isWhole ? 'notFound' : 'unknown', rows, isWhole };
}
