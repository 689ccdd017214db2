import type { Unreadable } from '../api/page.ts';
import type { Clock } from './clock.ts';
import { PagedList } from './pagedList.ts';

export interface WholeListOptions<T> {
  readonly fetchAll: (signal: AbortSignal) => Promise<(T | Unreadable)[]>;
  readonly clock: Clock;
  readonly onChange: () => void;
}

/** A list that the service sends in one answer: a paged one whose first page does not advance, and so is the last. */
export function createWholeList<T extends { readonly id: string }>(options: WholeListOptions<T>): PagedList<T> {
  return new PagedList<T>({
    fetchPage: async ({ offset }, signal) => ({ resources: await options.fetchAll(signal), offset }),
    pageSize: () => 1,
    clock: options.clock,
    onChange: options.onChange,
  });
}
