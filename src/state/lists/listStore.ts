import type { Client } from '../../api/client.ts';
import type { Page, Unreadable } from '../../api/resources/page.ts';
import type { Clock } from '../clock.ts';
import type { Session } from '../connections/session.ts';
import { Emitter, type Disposable, type Event } from '../emitter.ts';
import { isUnasked, PagedList, type PagedListState, type PageQuery } from './pagedList.ts';

/** The connection of this workspace, with its change event. */
export interface PresentConnection {
  readonly session: Session;
  readonly onDidChange: Event<Session>;
}

export interface ListStoreOptions<T> {
  readonly connections: PresentConnection;
  /** Requests a page of an owner's list, such as the revisions of a deployment. */
  readonly fetchPage: (client: Client, query: PageQuery, signal: AbortSignal, owner: string) => Promise<Page<T>>;
  readonly pageSize: () => number;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
}

/**
 * Lists of one kind from the current connection.
 * There is one list per owner, or a single one with an empty owner. A change of connection empties them at once and
 * drops the answers to running requests.
 */
export class ListStore<T extends { readonly id: string }> {
  readonly #options: ListStoreOptions<T>;
  readonly #lists = new Map<string, PagedList<T>>();
  readonly #changed = new Emitter<string>();
  readonly #subscription: Disposable;

  /** Fires with the owner of the changed list, or an empty owner when all lists were emptied. */
  readonly onDidChange = this.#changed.event;

  constructor(options: ListStoreOptions<T>) {
    this.#options = options;
    this.#subscription = options.connections.onDidChange(() => {
      for (const owner of this.owners) this.drop(owner);
      this.#changed.fire('');
    });
  }

  /** The owners whose lists have been accessed. */
  get owners(): readonly string[] {
    return [...this.#lists.keys()];
  }

  stateOf(owner = ''): PagedListState<T> {
    return this.#list(owner).state;
  }

  find(id: string, owner = ''): T | undefined {
    return this.#list(owner).find(id);
  }

  /** Loads a list unless it was requested before, and waits for a running request. Errors are part of its state. */
  async load(owner = ''): Promise<void> {
    await this.#list(owner).load();
  }

  async refresh(owner = ''): Promise<void> {
    await this.#list(owner).refresh();
  }

  /** Reloads all lists that were requested before. */
  async refreshLoaded(): Promise<void> {
    const loaded = [...this.#lists.values()].filter(({ state }) => !isUnasked(state));
    await Promise.all(loaded.map((list) => list.refresh()));
  }

  /** Loads a list from its start for another filter. The old entries stay until the answer. */
  async restart(owner = ''): Promise<void> {
    await this.#list(owner).restart();
  }

  async loadMore(owner = ''): Promise<void> {
    await this.#list(owner).loadMore();
  }

  /** Puts an entry from another request in its place, or first if it is new. */
  put(entry: T, owner = ''): void {
    this.#list(owner).put(entry);
  }

  /** Drops a list; the next access creates an empty one. */
  drop(owner: string): void {
    this.#lists.get(owner)?.dispose();
    this.#lists.delete(owner);
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const owner of this.owners) this.drop(owner);
    this.#changed.dispose();
  }

  #list(owner: string): PagedList<T> {
    const existing = this.#lists.get(owner);
    if (existing !== undefined) return existing;
    const { connections, fetchPage, pageSize, clock } = this.#options;
    const list = new PagedList<T>({
      fetchPage: async (query, signal) => fetchPage(await clientOf(connections), query, signal, owner),
      pageSize,
      clock,
      onChange: () => this.#changed.fire(owner),
    });
    this.#lists.set(owner, list);
    return list;
  }
}

export interface WholeListsOptions<T> extends Omit<ListStoreOptions<T>, 'fetchPage' | 'pageSize'> {
  readonly fetchAll: (client: Client, signal: AbortSignal, owner: string) => Promise<(T | Unreadable)[]>;
}

/** Creates lists that the service sends in one response, so the first page is always the last. */
export function createWholeLists<T extends { readonly id: string }>({
  fetchAll,
  ...options
}: WholeListsOptions<T>): ListStore<T> {
  return new ListStore<T>({
    ...options,
    fetchPage: async (client, { offset }, signal, owner) => ({
      resources: await fetchAll(client, signal, owner),
      offset,
    }),
    pageSize: () => 1,
  });
}

/**
 * The client of the current connection.
 * @throws {Error} there is none; views ask only with a connection, so this is a bug
 */
export async function clientOf({ session }: Pick<PresentConnection, 'session'>): Promise<Client> {
  if (session.kind !== 'ready') throw new Error('A list was asked for without a connection.');
  return session.client();
}
