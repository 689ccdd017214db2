import type { Listener } from '../../api/resources/listeners.ts';
import { isUnreadable } from '../../api/resources/page.ts';
import type { Clock } from '../clock.ts';
import type { Session } from '../connections/connections.ts';
import { Emitter, type Disposable, type Event } from '../emitter.ts';
import { PagedList, type PagedListState } from './pagedList.ts';
import { readySession } from './readySession.ts';

export interface ListenersDependencies {
  readonly connections: { readonly session: Session; readonly onDidChange: Event<Session> };
  readonly pageSize: () => number;
  readonly clock: Clock;
}

/** The listeners of the present connection; a change of connection drops them, also an answer under way. */
export class Listeners {
  readonly #dependencies: ListenersDependencies;
  readonly #changed = new Emitter<void>();
  readonly #subscription: Disposable;
  #list: PagedList<Listener>;

  readonly onDidChange = this.#changed.event;

  constructor(dependencies: ListenersDependencies) {
    this.#dependencies = dependencies;
    this.#list = this.#createList();
    this.#subscription = dependencies.connections.onDidChange(() => this.#reset());
  }

  get state(): PagedListState<Listener> {
    return this.#list.state;
  }

  find(listenerId: string): Listener | undefined {
    return this.state.rows.find((row): row is Listener => !isUnreadable(row) && row.id === listenerId);
  }

  /** Loads the first page unless it was asked for before, and waits for what is under way. */
  async load(): Promise<void> {
    await this.#list.load();
  }

  /** Loads the list anew. What goes wrong is in `state.error`. */
  async refresh(): Promise<void> {
    await this.#list.refresh();
  }

  async loadMore(): Promise<void> {
    await this.#list.loadMore();
  }

  /** Puts a listener that was just created at the top of the list. */
  add(listener: Listener): void {
    this.#list.put(listener);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#list.dispose();
    this.#changed.dispose();
  }

  #reset(): void {
    this.#list.dispose();
    this.#list = this.#createList();
    this.#changed.fire();
  }

  #createList(): PagedList<Listener> {
    const { connections, pageSize, clock } = this.#dependencies;
    return new PagedList<Listener>({
      fetchPage: async (query, signal) => {
        const client = await readySession(connections.session).client();
        return client.listeners.list(query, { signal });
      },
      pageSize,
      clock,
      onChange: () => this.#changed.fire(),
    });
  }
}
