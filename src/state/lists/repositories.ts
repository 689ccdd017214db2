import type { Client } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import type { CallOptions } from '../../api/http/http.ts';
import { withoutCredentials } from '../../api/http/redact.ts';
import type { Integration, Repository } from '../../api/resources/integrations.ts';
import { isUnreadable, type Unreadable } from '../../api/resources/page.ts';
import { mergeRepositories } from '../../core/git/repositories.ts';
import type { Clock } from '../clock.ts';
import type { Session } from '../connections/connections.ts';
import { Emitter, type Disposable, type Event } from '../emitter.ts';
import { createWholeList, isUnasked, readableRows, type PagedList, type PagedListState } from './pagedList.ts';
import { readySession } from './readySession.ts';

/** A repository that the service can build, and the installation through which it reads it. */
export interface ListedRepository {
  /** The code host's number as a text, unique in its installation. */
  readonly id: string;
  /** What a create request needs; the repository's own where it names one. */
  readonly integrationId: string;
  readonly record: Repository;
}

/** What an installation's two listings gave, and why one of them, or both, gave nothing. */
export interface RepositoryAnswers {
  readonly rows: readonly (ListedRepository | Unreadable)[];
  /** Left out where all was listed; a listing that the service does not offer is no failure if the other is there. */
  readonly failure?: unknown;
}

/**
 * Both listings of an installation as one. A service that does not offer one of them is asked for the other only.
 * @throws ApiError where a listing fails otherwise, as what it holds would be missing unseen
 */
export async function listRepositories(
  client: Client,
  installationId: string,
  options: CallOptions = {},
): Promise<(ListedRepository | Unreadable)[]> {
  const { rows, failure } = await askForRepositories(client, installationId, options);
  if (failure !== undefined) throw failure;
  return [...rows];
}

/** Both listings of an installation, as far as they are given, for those who say what is missing. */
export async function askForRepositories(
  { integrations }: Client,
  installationId: string,
  options: CallOptions = {},
): Promise<RepositoryAnswers> {
  const [available, forge] = await Promise.allSettled([
    integrations.listRepositories(installationId, options),
    integrations.listForgeRepositories(installationId, options),
  ]);
  const failures = [available, forge].filter((result) => result.status === 'rejected').map(({ reason }) => reason);
  const failure: unknown =
    failures.find((error) => !isNotOffered(error)) ?? (failures.length === 2 ? failures[0] : undefined);
  const first = available.status === 'fulfilled' ? available.value : [];
  const second = forge.status === 'fulfilled' ? forge.value : [];
  return {
    rows: [
      ...mergeRepositories(readableRows(first), readableRows(second)).map((record) => ({
        id: String(record.id),
        integrationId: record.host_integration_id ?? installationId,
        // It is shown, copied and sent on, and the integration has credentials of its own.
        record: record.url === undefined ? record : { ...record, url: withoutCredentials(record.url) },
      })),
      ...first.filter(isUnreadable),
      ...second.filter(isUnreadable),
    ],
    failure,
  };
}

function isNotOffered(error: unknown): boolean {
  return error instanceof ApiError && error.kind === 'notFound';
}

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
