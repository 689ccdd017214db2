import type { Client } from '../api/client.ts';
import { ApiError } from '../api/errors.ts';
import type { CallOptions } from '../api/http.ts';
import type { Repository } from '../api/integrations.ts';
import { isUnreadable, type Unreadable } from '../api/page.ts';
import { mergeRepositories } from '../core/mergeRepositories.ts';
import { readableRows } from './pagedList.ts';

/** A repository that the service can build, and the installation through which it reads it. */
export interface ListedRepository {
  /** The code host's number as a text, unique in its installation. */
  readonly id: string;
  /** What a create request needs; the repository's own where it names one. */
  readonly integrationId: string;
  readonly record: Repository;
}

/**
 * Both listings of an installation as one. A service that does not offer one of them is asked for the other only.
 * @throws ApiError where a listing fails otherwise, as what it holds would be missing unseen
 */
export async function listRepositories(
  { integrations }: Client,
  installationId: string,
  options: CallOptions = {},
): Promise<(ListedRepository | Unreadable)[]> {
  const [available, forge] = await Promise.allSettled([
    integrations.listRepositories(installationId, options),
    integrations.listForgeRepositories(installationId, options),
  ]);
  const failures = [available, forge].filter((result) => result.status === 'rejected').map(({ reason }) => reason);
  const failure = failures.find((error) => !isNotOffered(error));
  if (failure !== undefined || failures.length === 2) throw failure ?? failures[0];
  const first = available.status === 'fulfilled' ? available.value : [];
  const second = forge.status === 'fulfilled' ? forge.value : [];
  return [
    ...mergeRepositories(readableRows(first), readableRows(second)).map((record) => ({
      id: String(record.id),
      integrationId: record.host_integration_id ?? installationId,
      record,
    })),
    ...first.filter(isUnreadable),
    ...second.filter(isUnreadable),
  ];
}

function isNotOffered(error: unknown): boolean {
  return error instanceof ApiError && error.kind === 'notFound';
}
