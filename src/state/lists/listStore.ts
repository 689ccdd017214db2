import type { Client } from '../../api/client.ts';
import type { Page, Unreadable } from '../../api/resources/page.ts';
import type { Clock } from '../clock.ts';
import type { Session } from '../connections/session.ts';
import { Emitter, type Disposable, type Event } from '../emitter.ts';
import { isUnasked, PagedList, type PagedListState, type PageQuery } from './pagedList.ts';

/** The connection of this workspace, and its changes. */
export interface PresentConnection {
  readonly session: Session;
  readonly onDidChange: Event<Session>;
}

export interface ListStoreOptions<T> {
  readonly connections: PresentConnection;
  /** Asks for a page of the list of an owner, such as the revisions of a deployment. */
  readonly fetchPage: (client: Client, query: PageQuery, signal: AbortSignal, owner: string) => Promise<Page<T>>;
  readonly pageSize: () => number;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
}

/**
 * Lists of one kind from the present connection: one for each owner, or a single one, whose owner is empty. A change of
 * connection empties them at once and drops the answers that are under way.
 */
export class ListStore<T extends { readonly id: string }> {
  readonly #options: ListStoreOptions<T>;
  readonly #lists = new Map<string, PagedList<T>>();
  readonly #changed = new Emitter<string>();
  readonly #subscription: Disposable;

  /** Fires with the owner of the list that changed, and with an empty one when all were emptied. */
  readonly onDidChange = this.#changed.event;

  constructor(options: ListStoreOptions<T>) {
    this.#options = options;
    this.#subscription = options.connections.onDidChange(() => {
      for (const owner of this.owners) this.drop(owner);
      this.#changed.fire('');
    });
  }

  /** Whose lists anybody has looked at. */
  get owners(): readonly string[] {
    return [...this.#lists.keys()];
  }

  stateOf(owner = ''): PagedListState<T> {
    return this.#list(owner).state;
  }

  find(id: string, owner = ''): T | undefined {
    return this.#list(owner).find(id);
  }

  /** Loads a list unless it was asked for before, and waits for what is under way. What goes wrong is in its state. */
  async load(owner = ''): Promise<void> {
    await this.#list(owner).load();
  }

  async refresh(owner = ''): Promise<void> {
    await this.#list(owner).refresh();
  }

  /** Loads again what anybody has asked for before. */
  async refreshLoaded(): Promise<void> {
    const loaded = [...this.#lists.values()].filter(({ state }) => !isUnasked(state));
    await Promise.all(loaded.map((list) => list.refresh()));
  }

  /** Loads a list from its beginning because another filter applies. The rows of before stay until the answer. */
  async restart(owner = ''): Promise<void> {
    await this.#list(owner).restart();
  }

  async loadMore(owner = ''): Promise<void> {
    await this.#list(owner).loadMore();
  }

  /** Puts a row that another request brought: in its place, or else first. */
  put(row: T, owner = ''): void {
    this.#list(owner).put(row);
  }

  /** Forgets a list until somebody looks at it again. */
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

/** Lists that the service sends in one answer: their first page does not advance, and so is the last. */
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
 * The client of the present connection.
 * @throws {Error} there is none; views ask only where there is one, so that this is a mistake of ours
 */
export async function clientOf({ session }: Pick<PresentConnection, 'session'>): Promise<Client> {
  if (session.kind !== 'ready') throw new Error('A list was asked for without a connection.');
  return session.client();
}
