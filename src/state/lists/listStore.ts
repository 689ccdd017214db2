import type { Client } from '../../api/client.ts';
import type { Listener } from '../../api/resources/listeners.ts';
import type { Page, Unreadable } from '../../api/resources/page.ts';
import type { Clock } from '../clock.ts';
import type { Connections } from '../connections/connections.ts';
import { connectionNameOf } from '../connections/session.ts';
import { Emitter, type Disposable, type Event } from '../emitter.ts';
import { isUnasked, PagedList, type PageQuery } from './pagedList.ts';

/** The connection of this workspace, with its change event. */
export type PresentConnection = Pick<Connections, 'session' | 'onDidChange'>;

export interface ListStoreOptions<T> {
  readonly connections: PresentConnection;
  /** Requests a page of an owner's list, such as the revisions of a deployment. */
  readonly fetchPage: (client: Client, query: PageQuery, signal: AbortSignal, owner: string) => Promise<Page<T>>;
  readonly pageSize: () => number;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  /** Lists that outlive a switch of the connection, until this fires with the name of theirs. */
  readonly outlives?: Event<string>;
}

/**
 * Lists of one kind from the current connection.
 * There is one list per owner, or a single one with an empty owner. A change of connection drops them at once, or keeps
 * them until it is used again, and drops the answers to running requests.
 */
export class ListStore<T extends { readonly id: string }> {
  readonly #options: ListStoreOptions<T>;
  /** The lists of other connections, by the connection's name. */
  readonly #kept = new Map<string, Map<string, PagedList<T>>>();
  #lists = new Map<string, PagedList<T>>();
  #connection: string;
  readonly #changed = new Emitter<string>();
  readonly #subscriptions: readonly Disposable[];

  /** Fires with the owner of the changed list, or an empty owner when all lists were emptied. */
  readonly onDidChange = this.#changed.event;

  constructor(options: ListStoreOptions<T>) {
    this.#options = options;
    this.#connection = connectionNameOf(options.connections.session);
    this.#subscriptions = [
      options.connections.onDidChange((session) => {
        this.#switchTo(connectionNameOf(session));
        this.#changed.fire('');
      }),
      ...(options.outlives === undefined ? [] : [options.outlives((name) => this.#drop(name))]),
    ];
  }

  /** The owners whose lists have been accessed. */
  get owners(): readonly string[] {
    return [...this.#lists.keys()];
  }

  /** The list of an owner. A change of connection replaces it, so don't keep it. */
  of(owner = ''): PagedList<T> {
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

  /** Reloads all lists that were requested before. */
  async refreshLoaded(): Promise<void> {
    const loaded = [...this.#lists.values()].filter(({ state }) => !isUnasked(state));
    await Promise.all(loaded.map((list) => list.refresh()));
  }

  /** Drops a list; the next access creates an empty one. */
  drop(owner: string): void {
    this.#lists.get(owner)?.dispose();
    this.#lists.delete(owner);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    for (const owner of this.owners) this.drop(owner);
    this.#changed.dispose();
  }

  #switchTo(connection: string): void {
    if (this.#options.outlives === undefined || connection === this.#connection) {
      for (const owner of this.owners) this.drop(owner);
    } else {
      for (const list of this.#lists.values()) list.pause();
      this.#kept.set(this.#connection, this.#lists);
      this.#lists = this.#kept.get(connection) ?? new Map();
      this.#kept.delete(connection);
    }
    this.#connection = connection;
  }

  #drop(connection: string): void {
    this.#kept.delete(connection);
    if (connection === this.#connection) for (const owner of this.owners) this.drop(owner);
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

/** The listeners of the current connection. */
export type ListenerStore = ListStore<Listener>;

export function createListenerStore(dependencies: Omit<ListStoreOptions<Listener>, 'fetchPage'>): ListenerStore {
  return new ListStore<Listener>({
    ...dependencies,
    fetchPage: (client, query, signal) => client.listeners.list(query, { signal }),
  });
}
