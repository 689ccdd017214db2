import { isLastPage, isUnreadable, type Page, type Unreadable } from '../../api/resources/page.ts';
import { MAX_PAGE_SIZE } from '../../api/schema/limits.ts';
import type { Clock } from '../clock.ts';

/** A row of a list: a record, or an entry that couldn't be read. */
export type Row<T> = T | Unreadable;

/** The current state of a list. A failed request keeps the rows and adds the error. */
export interface PagedListState<T> {
  readonly rows: readonly Row<T>[];
  readonly hasMore: boolean;
  readonly loading: boolean;
  /** When the service last confirmed `rows`, in milliseconds; undefined until the first answer. */
  readonly loadedAt?: number;
  /** The same moment in monotonic time, for the age of `rows`. */
  readonly monotonicLoadedAt?: number;
  /** Why loading or reloading `rows` failed. */
  readonly error?: unknown;
  /** Why loading the page after `rows` failed; `rows` themselves stay valid. */
  readonly moreError?: unknown;
}

/** The rows that could be read. */
export function readableRows<T extends object>(rows: readonly Row<T>[]): T[] {
  return rows.filter((row): row is T => !isUnreadable(row));
}

/** True if the list hasn't been requested yet. */
export function isUnasked({ loadedAt, error, loading }: PagedListState<unknown>): boolean {
  return loadedAt === undefined && error === undefined && !loading;
}

export interface PageQuery {
  readonly limit: number;
  readonly offset: number;
}

export interface PagedListOptions<T> {
  readonly fetchPage: (query: PageQuery, signal: AbortSignal) => Promise<Page<T>>;
  readonly pageSize: () => number;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly onChange: () => void;
}

interface Loaded<T> extends Omit<PagedListState<T>, 'loading' | 'moreError'> {
  readonly offset: number;
}

/**
 * Rows loaded page by page on request, with one request at a time.
 * A refresh aborts and replaces a running request. Loading more waits for a refresh, and repeated calls share one
 * request.
 */
export class PagedList<T extends { readonly id: string }> {
  readonly #options: PagedListOptions<T>;
  #state: PagedListState<T> = { rows: [], hasMore: false, loading: false };
  #nextOffset = 0;
  #running: AbortController | undefined;
  #putMeanwhile: T[] = [];
  #finished: Promise<void> = Promise.resolve();
  #more: Promise<void> | undefined;
  #indexed: { readonly rows: readonly Row<T>[]; readonly byId: ReadonlyMap<string, T> } = { rows: [], byId: new Map() };
  #isDisposed = false;

  constructor(options: PagedListOptions<T>) {
    this.#options = options;
  }

  get state(): PagedListState<T> {
    return this.#state;
  }

  find(id: string): T | undefined {
    const { rows } = this.#state;
    // Each redraw looks up every row, so an index avoids slow searches through hundreds of rows.
    if (this.#indexed.rows !== rows) {
      this.#indexed = { rows, byId: new Map(readableRows(rows).map((row) => [row.id, row])) };
    }
    return this.#indexed.byId.get(id);
  }

  /** Loads the first page unless it was requested before, and waits for a running request. */
  async load(): Promise<void> {
    if (this.#running !== undefined) await this.#finished;
    else if (isUnasked(this.#state)) await this.refresh();
  }

  /** Reloads as many rows as are loaded now, in pages as large as the service allows. */
  async refresh(): Promise<void> {
    // For a complete list, request one more row: a full page doesn't say that it is the last one.
    const { rows: present, hasMore: isIncomplete } = this.#state;
    await this.#loadFirst(Math.max(present.length + (isIncomplete ? 0 : 1), this.#options.pageSize()));
  }

  /** Loads the first page for another query. The old rows stay until the answer. */
  async restart(): Promise<void> {
    const { error: _error, moreError: _moreError, ...kept } = this.#state;
    this.#state = { ...kept, hasMore: false };
    await this.#loadFirst(this.#options.pageSize());
  }

  /** Loads the next page; earlier rows keep their place. */
  async loadMore(): Promise<void> {
    this.#more ??= this.#loadNextPage().finally(() => {
      this.#more = undefined;
    });
    await this.#more;
  }

  /** Puts a row from another request in its place, or first if it is new. */
  put(row: T): void {
    if (this.#running !== undefined) this.#putMeanwhile.push(row);
    this.#set({ ...this.#state, rows: withRow(this.#state.rows, row) });
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#running?.abort();
    this.#running = undefined;
  }

  async #loadFirst(wanted: number): Promise<void> {
    await this.#run(
      async (signal) => {
        const received: Row<T>[] = [];
        let offset = 0;
        let hasMore = true;
        // Counted before repeats are dropped: a repeated row is no reason for another request.
        while (hasMore && received.length < wanted) {
          const limit = Math.min(wanted - received.length, MAX_PAGE_SIZE);
          const page = await this.#options.fetchPage({ limit, offset }, signal);
          for (const row of page.resources) received.push(row);
          hasMore = !isLastPage(page, { limit, offset });
          offset = page.offset;
        }
        const { clock } = this.#options;
        const loaded = { loadedAt: clock.now(), monotonicLoadedAt: clock.monotonic() };
        return { rows: withoutRepeats(received), hasMore, offset, ...loaded };
      },
      (error) => {
        const { moreError: _older, ...state } = this.#state;
        return { ...state, loading: false, error };
      },
    );
  }

  async #loadNextPage(): Promise<void> {
    // A refresh may have been replaced by another one, so wait for that too.
    while (this.#running !== undefined) await this.#finished;
    if (this.#isDisposed || !this.#state.hasMore) return;
    await this.#run(
      async (signal) => {
        const limit = this.#options.pageSize();
        const offset = this.#nextOffset;
        const page = await this.#options.fetchPage({ limit, offset }, signal);
        const { moreError: _mended, loading: _loading, ...confirmed } = this.#state;
        return {
          // The page says nothing about earlier rows, so their age and error stay.
          ...confirmed,
          rows: withoutRepeats([...confirmed.rows, ...page.resources]),
          hasMore: !isLastPage(page, { limit, offset }),
          offset: page.offset,
        };
      },
      (error) => ({ ...this.#state, loading: false, moreError: error }),
    );
  }

  async #run(
    load: (signal: AbortSignal) => Promise<Loaded<T>>,
    fail: (error: unknown) => PagedListState<T>,
  ): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    this.#putMeanwhile = [];
    this.#set({ ...this.#state, loading: true });
    this.#finished = this.#take(running, load, fail);
    await this.#finished;
  }

  /** Applies the loaded rows, unless a newer request is running. */
  async #take(
    running: AbortController,
    load: (signal: AbortSignal) => Promise<Loaded<T>>,
    fail: (error: unknown) => PagedListState<T>,
  ): Promise<void> {
    try {
      const { offset, ...loaded } = await load(running.signal);
      if (this.#running !== running) return;
      this.#running = undefined;
      this.#nextOffset = offset;
      // The answer may be older than rows put while it was loading, so put those again.
      const rows = this.#putMeanwhile.reduce(withRow, loaded.rows);
      this.#set({ ...loaded, rows, loading: false });
    } catch (error) {
      if (this.#running !== running) return;
      this.#running = undefined;
      this.#set(fail(error));
    }
  }

  #set(state: PagedListState<T>): void {
    this.#state = state;
    this.#options.onChange();
  }
}

function withRow<T extends { readonly id: string }>(rows: readonly Row<T>[], row: T): readonly Row<T>[] {
  const index = rows.findIndex((other) => other.id === row.id);
  return index < 0 ? [row, ...rows] : rows.with(index, row);
}

/** Drops repeated rows: when a row is inserted, offsets shift and the next page repeats a row. */
function withoutRepeats<T extends { readonly id: string }>(rows: readonly Row<T>[]): readonly Row<T>[] {
  const seen = new Set<string>();
  return rows.filter(({ id }) => {
    if (id === undefined) return true;
    const isNew = !seen.has(id);
    seen.add(id);
    return isNew;
  });
}
