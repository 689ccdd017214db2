import type { Client } from '../../api/client.ts';
import { failureOfLists } from '../../api/errors.ts';
import type { CallOptions } from '../../api/http/http.ts';
import { withoutCredentials } from '../../api/http/redact.ts';
import type { Integration, Repository } from '../../api/resources/integrations.ts';
import { isUnreadable, type Unreadable } from '../../api/resources/page.ts';
import { mergeRepositories } from '../../core/git/repositories.ts';
import { Emitter } from '../emitter.ts';
import { createWholeLists, type ListStore, type WholeListsOptions } from './listStore.ts';
import { readableRows, type PagedListState } from './pagedList.ts';

/** A repository that the service can build, with the installation that gives access to it. */
export interface ListedRepository {
  /** The code host's number as text, unique within its installation. */
  readonly id: string;
  /** The integration for a create request; the repository's own if it names one. */
  readonly integrationId: string;
  readonly record: Repository;
}

/** The results of an installation's two listings, with any failure. */
export interface RepositoryAnswers {
  readonly rows: readonly (ListedRepository | Unreadable)[];
  /** Undefined if everything was listed. An unsupported listing isn't a failure if the other one works. */
  readonly failure?: unknown;
}

/**
 * Both listings of an installation as one list. A listing that the service doesn't offer is skipped.
 * @throws ApiError if a listing fails for another reason, because its repositories would be missing unnoticed
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

/** Both listings of an installation, with partial results if one of them fails. */
export async function askForRepositories(
  { integrations }: Client,
  installationId: string,
  options: CallOptions = {},
): Promise<RepositoryAnswers> {
  const [available, forge] = await Promise.allSettled([
    integrations.listRepositories(installationId, options),
    integrations.listForgeRepositories(installationId, options),
  ]);
  const first = available.status === 'fulfilled' ? available.value : [];
  const second = forge.status === 'fulfilled' ? forge.value : [];
  return {
    rows: [
      ...mergeRepositories(readableRows(first), readableRows(second)).map((record) => ({
        id: String(record.id),
        integrationId: record.host_integration_id ?? installationId,
        // The URL is shown, copied and sent; the integration has its own credentials.
        record: record.url === undefined ? record : { ...record, url: withoutCredentials(record.url) },
      })),
      ...first.filter(isUnreadable),
      ...second.filter(isUnreadable),
    ],
    failure: failureOfLists([available, forge]),
  };
}

/** The installations on the code host, and the repositories of opened installations. */
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

  /** Loads the installations unless they were requested before. Errors are in `installations.error`. */
  async loadInstallations(): Promise<void> {
    await this.#installations.load();
  }

  /** Loads an installation's repositories unless they were requested before. Errors are part of their state. */
  async loadRepositories(installationId: string): Promise<void> {
    await this.#repositories.load(installationId);
  }

  async refreshInstallations(): Promise<void> {
    await this.#installations.refresh();
  }

  async refreshRepositories(installationId: string): Promise<void> {
    await this.#repositories.refresh(installationId);
  }

  /** Reloads everything that was requested before. */
  async refreshLoaded(): Promise<void> {
    await Promise.all([this.#installations.refreshLoaded(), this.#repositories.refreshLoaded()]);
  }

  dispose(): void {
    this.#installations.dispose();
    this.#repositories.dispose();
    this.#changed.dispose();
  }
}
