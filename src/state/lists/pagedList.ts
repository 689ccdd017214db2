import { isLastPage, isUnreadable, type Page, type Unreadable } from '../../api/resources/page.ts';
import { MAX_PAGE_SIZE } from '../../api/schema/limits.ts';
import type { Clock } from '../clock.ts';

/** An entry of a list: a record, or one that couldn't be read. */
export type ListEntry<T> = T | Unreadable;

/** The current state of a list. A failed request keeps the entries and adds the error. */
export interface PagedListState<T> {
  readonly entries: readonly ListEntry<T>[];
  readonly hasMore: boolean;
  readonly loading: boolean;
  /** When the service last confirmed `entries`, in milliseconds; undefined until the first answer. */
  readonly loadedAt?: number;
  /** The same moment in monotonic time, for the age of `entries`. */
  readonly monotonicLoadedAt?: number;
  /** Why loading or reloading `entries` failed, and when it was begun, in monotonic time. */
  readonly error?: unknown;
  readonly failedAt?: number;
  /** Why loading the page after `entries` failed; `entries` themselves stay valid. */
  readonly moreError?: unknown;
}

/** The entries that could be read. */
export function readableEntries<T extends object>(entries: readonly ListEntry<T>[]): T[] {
  return entries.filter((entry): entry is T => !isUnreadable(entry));
}

/** True if the list hasn't been requested yet. */
export function isUnasked({ loadedAt, error, loading }: PagedListState<unknown>): boolean {
  return loadedAt === undefined && error === undefined && !loading;
}

export interface PageQuery {
  readonly limit: number;
  readonly offset: number;
}

interface PagedListOptions<T> {
  readonly fetchPage: (query: PageQuery, signal: AbortSignal) => Promise<Page<T>>;
  readonly pageSize: () => number;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly onChange: () => void;
}

interface Loaded<T> extends Omit<PagedListState<T>, 'loading' | 'moreError'> {
  readonly offset: number;
}

/**
 * Entries loaded page by page on request, with one request at a time.
 * A refresh aborts and replaces a running request. Loading more waits for a refresh, and repeated calls share one
 * request.
 */
export class PagedList<T extends { readonly id: string }> {
  readonly #options: PagedListOptions<T>;
  #state: PagedListState<T> = { entries: [], hasMore: false, loading: false };
  #nextOffset = 0;
  #running: AbortController | undefined;
  #putMeanwhile: T[] = [];
  #removedMeanwhile: string[] = [];
  #finished: Promise<void> = Promise.resolve();
  #more: Promise<void> | undefined;
  #indexed: { readonly entries: readonly ListEntry<T>[]; readonly byId: ReadonlyMap<string, T> } = {
    entries: [],
    byId: new Map(),
  };
  /** It was put aside, so what it has may be old. */
  #isPaused = false;
  #isDisposed = false;

  constructor(options: PagedListOptions<T>) {
    this.#options = options;
  }

  get state(): PagedListState<T> {
    return this.#state;
  }

  find(id: string): T | undefined {
    const { entries } = this.#state;
    // Each redraw looks up every entry, so an index avoids slow searches through hundreds of entries.
    if (this.#indexed.entries !== entries) {
      this.#indexed = { entries, byId: new Map(readableEntries(entries).map((entry) => [entry.id, entry])) };
    }
    return this.#indexed.byId.get(id);
  }

  /** Loads the first page unless it was requested before the last pause, and waits for a running request. */
  async load(): Promise<void> {
    if (this.#running !== undefined) await this.#finished;
    else if (isUnasked(this.#state) || this.#isPaused) await this.refresh();
  }

  /** Puts the list aside with what it has. */
  pause(): void {
    this.#running?.abort();
    this.#running = undefined;
    this.#isPaused = true;
    this.#state = { ...this.#state, loading: false };
  }

  /** Reloads as many entries as are loaded now, in pages as large as the service allows. */
  async refresh(): Promise<void> {
    // For a complete list, request one more entry: a full page doesn't say that it is the last one.
    const { entries: present, hasMore: isIncomplete } = this.#state;
    await this.#loadFirst(Math.max(present.length + (isIncomplete ? 0 : 1), this.#options.pageSize()));
  }

  /** Loads the first page for another query. The old entries stay until the answer. */
  async restart(): Promise<void> {
    const { error: _error, failedAt: _failedAt, moreError: _moreError, ...kept } = this.#state;
    this.#state = { ...kept, hasMore: false };
    await this.#loadFirst(this.#options.pageSize());
  }

  /** Loads the next page; earlier entries keep their place. */
  async loadMore(): Promise<void> {
    this.#more ??= this.#loadNextPage().finally(() => {
      this.#more = undefined;
    });
    await this.#more;
  }

  /** Puts an entry from another request in its place, or first if it is new. */
  put(entry: T): void {
    if (this.#running !== undefined) this.#putMeanwhile.push(entry);
    this.#set({ ...this.#state, entries: withEntry(this.#state.entries, entry) });
  }

  /** Removes an entry that the service no longer has. */
  remove(id: string): void {
    if (this.#running === undefined) this.#moveBack(1);
    else this.#removedMeanwhile.push(id);
    this.#set({ ...this.#state, entries: this.#state.entries.filter((entry) => entry.id !== id) });
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#running?.abort();
    this.#running = undefined;
  }

  async #loadFirst(wanted: number): Promise<void> {
    const failedAt = this.#options.clock.monotonic();
    await this.#run(
      async (signal) => {
        const received: ListEntry<T>[] = [];
        let offset = 0;
        let hasMore = true;
        // Counted before repeats are dropped: a repeated entry is no reason for another request.
        while (hasMore && received.length < wanted) {
          const limit = Math.min(wanted - received.length, MAX_PAGE_SIZE);
          const page = await this.#options.fetchPage({ limit, offset }, signal);
          for (const entry of page.resources) received.push(entry);
          hasMore = !isLastPage(page, { limit, offset });
          offset = page.offset;
        }
        const { clock } = this.#options;
        const loaded = { loadedAt: clock.now(), monotonicLoadedAt: clock.monotonic() };
        return { entries: withoutRepeats(received), hasMore, offset, ...loaded };
      },
      (error) => {
        const { moreError: _older, ...state } = this.#state;
        return { ...state, loading: false, error, failedAt };
      },
    );
  }

  async #loadNextPage(): Promise<void> {
    // A refresh may have been replaced by another one, so wait for that too.
    while (this.#running !== undefined) await this.#finished;
    if (this.#isDisposed || this.#isPaused || !this.#state.hasMore) return;
    await this.#run(
      async (signal) => {
        const limit = this.#options.pageSize();
        const offset = this.#nextOffset;
        const page = await this.#options.fetchPage({ limit, offset }, signal);
        const { moreError: _mended, loading: _loading, ...confirmed } = this.#state;
        return {
          // The page says nothing about earlier entries, so their age and error stay.
          ...confirmed,
          entries: withoutRepeats([...confirmed.entries, ...page.resources]),
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
    this.#isPaused = false;
    this.#putMeanwhile = [];
    this.#removedMeanwhile = [];
    this.#set({ ...this.#state, loading: true });
    this.#finished = this.#apply(running, load, fail);
    await this.#finished;
  }

  /** Applies the loaded entries, unless a newer request is running. */
  async #apply(
    running: AbortController,
    load: (signal: AbortSignal) => Promise<Loaded<T>>,
    fail: (error: unknown) => PagedListState<T>,
  ): Promise<void> {
    try {
      const { offset, ...loaded } = await load(running.signal);
      if (this.#running !== running) return;
      this.#running = undefined;
      this.#nextOffset = offset;
      this.#moveBack(this.#removedMeanwhile.length);
      // The answer may be older than what was put and removed while it was loading, so do that again.
      const entries = this.#putMeanwhile
        .reduce(withEntry, loaded.entries)
        .filter(({ id }) => id === undefined || !this.#removedMeanwhile.includes(id));
      this.#set({ ...loaded, entries, loading: false });
    } catch (error) {
      if (this.#running !== running) return;
      this.#running = undefined;
      this.#set(fail(error));
    }
  }

  /** The next page begins earlier once entries are gone. One that comes twice is shown once. */
  #moveBack(count: number): void {
    this.#nextOffset = Math.max(0, this.#nextOffset - count);
  }

  #set(state: PagedListState<T>): void {
    this.#state = state;
    this.#options.onChange();
  }
}

function withEntry<T extends { readonly id: string }>(
  entries: readonly ListEntry<T>[],
  entry: T,
): readonly ListEntry<T>[] {
  const index = entries.findIndex((other) => other.id === entry.id);
  return index < 0 ? [entry, ...entries] : entries.with(index, entry);
}

/** Drops repeated entries: when an entry is inserted, offsets shift and the next page repeats an entry. */
function withoutRepeats<T extends { readonly id: string }>(entries: readonly ListEntry<T>[]): readonly ListEntry<T>[] {
  const seen = new Set<string>();
  return entries.filter(({ id }) => {
    if (id === undefined) return true;
    const isNew = !seen.has(id);
    seen.add(id);
    return isNew;
  });
}
