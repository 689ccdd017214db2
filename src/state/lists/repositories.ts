import type { Client } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import type { CallOptions } from '../../api/http/http.ts';
import { withoutCredentials } from '../../api/http/redact.ts';
import type { Integration, Repository } from '../../api/resources/integrations.ts';
import { isUnreadable, type Unreadable } from '../../api/resources/page.ts';
import { mergeRepositories } from '../../core/git/repositories.ts';
import { Emitter } from '../emitter.ts';
import { createWholeLists, type ListStore, type WholeListsOptions } from './listStore.ts';
import { readableRows, type PagedListState } from './pagedList.ts';

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

/** The installations on the code host, and the repositories of those that were opened. */
export class Repositories {
  readonly #changed = new Emitter<void>();
  readonly #installations: ListStore<Integration>;
  readonly #repositories: ListStore<ListedRepository>;

  readonly onDidChange = this.#changed.event;

  constructor(dependencies: Omit<WholeListsOptions<unknown>, 'fetchAll'>) {
    this.#repositories = createWholeLists<ListedRepository>({
      ...dependencies,
      fetchAll: (client, signal, installationId) => listRepositories(client, installationId, { signal }),
    });
    this.#installations = createWholeLists<Integration>({
      ...dependencies,
      fetchAll: (client, signal) => client.integrations.listInstallations({ signal }),
    });
    for (const lists of [this.#repositories, this.#installations]) lists.onDidChange(() => this.#changed.fire());
  }

  get installations(): PagedListState<Integration> {
    return this.#installations.stateOf();
  }

  findInstallation(installationId: string): Integration | undefined {
    return this.#installations.find(installationId);
  }

  repositoriesOf(installationId: string): PagedListState<ListedRepository> {
    return this.#repositories.stateOf(installationId);
  }

  find(installationId: string, repositoryId: string): ListedRepository | undefined {
    return this.#repositories.find(repositoryId, installationId);
  }

  /** Loads the installations unless they were asked for before. What goes wrong is in `installations.error`. */
  async loadInstallations(): Promise<void> {
    await this.#installations.load();
  }

  /** Loads the repositories of an installation unless they were asked for before. What goes wrong is in their state. */
  async loadRepositories(installationId: string): Promise<void> {
    await this.#repositories.load(installationId);
  }

  async refreshInstallations(): Promise<void> {
    await this.#installations.refresh();
  }

  async refreshRepositories(installationId: string): Promise<void> {
    await this.#repositories.refresh(installationId);
  }

  /** Loads anew what anybody has asked for before. */
  async refreshLoaded(): Promise<void> {
    await Promise.all([this.#installations.refreshLoaded(), this.#repositories.refreshLoaded()]);
  }

  dispose(): void {
    this.#installations.dispose();
    this.#repositories.dispose();
    this.#changed.dispose();
  }
}
