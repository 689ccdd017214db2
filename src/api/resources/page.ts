/** A part of an answer that does not have the shape of the interface; the rest of the answer is still usable. */
export interface Unreadable {
  readonly unreadable: true;
  /** The item's own id where it has one. */
  readonly id?: string;
  /** What was wrong, in words and without the values of the item. */
  readonly reason: string;
}

/** One page of a list ("Endpoints"): `offset` goes into the request for the next page. */
export interface Page<T> {
  readonly resources: (T | Unreadable)[];
  readonly offset: number;
}

/** Tells the items that could be read from those that could not. */
export function isUnreadable(item: object): item is Unreadable {
  return 'unreadable' in item && item.unreadable === true;
}

/**
 * Whether a page is the last one. The end is not marked, so that an empty page, a page that is shorter than was asked
 * for, and an offset that does not advance each count as the end.
 */
export function isLastPage(page: Page<unknown>, asked: { readonly limit: number; readonly offset: number }): boolean {
  return page.resources.length === 0 || page.resources.length < asked.limit || page.offset <= asked.offset;
}
