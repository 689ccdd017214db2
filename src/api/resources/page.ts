/** An item that doesn't match the interface. The rest of the response is still usable. */
export interface Unreadable {
  readonly unreadable: true;
  /** The item's own ID, if it has one. */
  readonly id?: string;
  /** What is wrong, without the item's values. */
  readonly reason: string;
}

/** One page of a list ("Endpoints"). Pass `offset` to the request for the next page. */
export interface Page<T> {
  readonly resources: (T | Unreadable)[];
  readonly offset: number;
}

/** Which page of a list to ask for ("Limits"). */
export interface AskedPage {
  readonly limit?: number | null | undefined;
  readonly offset?: number | null | undefined;
}

/** Whether an item couldn't be read. */
export function isUnreadable(item: object): item is Unreadable {
  return 'unreadable' in item && item.unreadable === true;
}

/**
 * Whether a page is the last one.
 * Nothing marks the end of a list. The last page is empty, shorter than requested, or doesn't advance the offset.
 */
export function isLastPage(page: Page<unknown>, asked: { readonly limit: number; readonly offset: number }): boolean {
  return page.resources.length === 0 || page.resources.length < asked.limit || page.offset <= asked.offset;
}

/** The rows of a list that could be read. */
export interface ReadRows<T> {
  readonly rows: readonly T[];
  /** False if the list goes on or has unreadable rows. */
  readonly isWhole: boolean;
}

/**
 * Reads a list, up to a number of rows.
 * @throws ApiError when a page can't be read.
 */
export async function readRows<T extends object>(
  list: AsyncIterable<T | Unreadable>,
  mostRows: number,
): Promise<ReadRows<T>> {
  const rows: T[] = [];
  let count = 0;
  let isWhole = true;
  for await (const row of list) {
    if (isUnreadable(row)) isWhole = false;
    else rows.push(row);
    count += 1;
    if (count === mostRows) return { rows, isWhole: false };
  }
  return { rows, isWhole };
}
