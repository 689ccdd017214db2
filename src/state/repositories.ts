import type { Client } from '../api/client.ts';
import type { Integration } from '../api/integrations.ts';
import type { Clock } from './clock.ts';
import type { Session } from './connections.ts';
import { Emitter, type Disposable, type Event } from './emitter.ts';
import { isUnasked, readableRows, type PagedList, type PagedListState } from './pagedList.ts';
import { readySession } from './readySession.ts';
import { listRepositories, type ListedRepository } from './repositoryListings.ts';
import { createWholeList } from './wholeList.ts';

export type { ListedRepository } from './repositoryListings.ts';

export interface RepositoriesDependencies {
  readonly connections: { readonly session: Session; readonly onDidChange: Event<Session> };
  readonly clock: Clock;
}

/** The installations on the code host, and the repositories of those that were opened. */
export class Repositories {
  readonly #dependencies: RepositoriesDependencies;
  readonly #changed = new Emitter<void>();
  readonly #subscription: Disposable;
  readonly #repositories = new Map<string, PagedList<ListedRepository>>();
  #installations: PagedList<Integration>;

  readonly onDidChange = this.#changed.event;

  constructor(dependencies: RepositoriesDependencies) {
    this.#dependencies = dependencies;
    this.#installations = this.#createInstallations();
    this.#subscription = dependencies.connections.onDidChange(() => this.#reset());
  }

  get installations(): PagedListState<Integration> {
    return this.#installations.state;
  }

  findInstallation(installationId: string): Integration | undefined {
    return readableRows(this.installations.rows).find(({ id }) => id === installationId);
  }

  repositoriesOf(installationId: string): PagedListState<ListedRepository> {
    return this.#listOf(installationId).state;
  }

  find(installationId: string, repositoryId: string): ListedRepository | undefined {
    return readableRows(this.repositoriesOf(installationId).rows).find(({ id }) => id === repositoryId);
  }

  /** Loads the installations unless they were asked for before. What goes wrong is in `installations.error`. */
  async loadInstallations(): Promise<void> {
    await this.#installations.load();
  }

  /** Loads the repositories of an installation unless they were asked for before. What goes wrong is in their state. */
  async loadRepositories(installationId: string): Promise<void> {
    await this.#listOf(installationId).load();
  }

  async refreshInstallations(): Promise<void> {
    await this.#installations.refresh();
  }

  async refreshRepositories(installationId: string): Promise<void> {
    await this.#listOf(installationId).refresh();
  }

  /** Loads anew what anybody has asked for before. */
  async refreshLoaded(): Promise<void> {
    const lists = [this.#installations, ...this.#repositories.values()];
    await Promise.all(lists.filter(({ state }) => !isUnasked(state)).map((list) => list.refresh()));
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#drop();
    this.#changed.dispose();
  }

  #reset(): void {
    this.#drop();
    this.#installations = this.#createInstallations();
    this.#changed.fire();
  }

  #drop(): void {
    this.#installations.dispose();
    for (const list of this.#repositories.values()) list.dispose();
    this.#repositories.clear();
  }

  #createInstallations(): PagedList<Integration> {
    return createWholeList<Integration>({
      fetchAll: async (signal) => (await this.#client()).integrations.listInstallations({ signal }),
      clock: this.#dependencies.clock,
      onChange: () => this.#changed.fire(),
    });
  }

  #listOf(installationId: string): PagedList<ListedRepository> {
    const existing = this.#repositories.get(installationId);
    if (existing !== undefined) return existing;
    const list = createWholeList<ListedRepository>({
      fetchAll: async (signal) => listRepositories(await this.#client(), installationId, { signal }),
      clock: this.#dependencies.clock,
      onChange: () => this.#changed.fire(),
    });
    this.#repositories.set(installationId, list);
    return list;
  }

  async #client(): Promise<Client> {
    return readySession(this.#dependencies.connections.session).client();
  }
}
