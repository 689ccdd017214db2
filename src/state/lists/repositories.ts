import type { Client } from '../../api/client.ts';
import { failureOfLists } from '../../api/errors.ts';
import type { CallOptions } from '../../api/http/http.ts';
import type { Integration, Repository } from '../../api/resources/integrations.ts';
import { isUnreadable, type Unreadable } from '../../api/resources/page.ts';
import { shownAddress } from '../../core/git/address.ts';
import { mergeRepositories } from '../../core/git/repositories.ts';
import { Emitter } from '../emitter.ts';
import { createWholeLists, type ListStore, type WholeListsOptions } from './listStore.ts';
import { readableEntries } from './pagedList.ts';

/** A repository that the service can build, with the installation that gives access to it. */
export interface ListedRepository {
  /** The code host's number as text, unique within its installation. */
  readonly id: string;
  /** The integration for a create request; the repository's own if it names one. */
  readonly integrationId: string;
  readonly record: Repository;
}

/** The results of an installation's two listings, with any failure. */
interface RepositoryAnswers {
  readonly entries: readonly (ListedRepository | Unreadable)[];
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
  const { entries, failure } = await askForRepositories(client, installationId, options);
  if (failure !== undefined) throw failure;
  return [...entries];
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
    entries: [
      ...mergeRepositories(readableEntries(first), readableEntries(second)).map((record) => ({
        id: String(record.id),
        integrationId: record.host_integration_id ?? installationId,
        // The URL is shown, copied and sent; the integration has its own credentials.
        record: record.url === undefined ? record : { ...record, url: shownAddress(record.url) },
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
  readonly installations: ListStore<Integration>;
  readonly ofInstallation: ListStore<ListedRepository>;

  readonly onDidChange = this.#changed.event;

  constructor(dependencies: Omit<WholeListsOptions<unknown>, 'fetchAll'>) {
    this.ofInstallation = createWholeLists<ListedRepository>({
      ...dependencies,
      fetchAll: (client, signal, installationId) => listRepositories(client, installationId, { signal }),
    });
    this.installations = createWholeLists<Integration>({
      ...dependencies,
      fetchAll: (client, signal) => client.integrations.listInstallations({ signal }),
    });
    for (const lists of [this.ofInstallation, this.installations]) lists.onDidChange(() => this.#changed.fire());
  }

  find(installationId: string, repositoryId: string): ListedRepository | undefined {
    return this.ofInstallation.of(installationId).find(repositoryId);
  }

  /** Reloads everything that was requested before. */
  async refreshLoaded(): Promise<void> {
    await Promise.all([this.installations.refreshLoaded(), this.ofInstallation.refreshLoaded()]);
  }

  dispose(): void {
    this.installations.dispose();
    this.ofInstallation.dispose();
    this.#changed.dispose();
  }
}
