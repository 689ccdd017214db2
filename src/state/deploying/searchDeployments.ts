import type { Client } from '../../api/client.ts';
import type { CallOptions } from '../../api/http/http.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import { isLastPage } from '../../api/resources/page.ts';
import { MAX_PAGE_SIZE } from '../../api/schema/limits.ts';
import { readableEntries } from '../lists/pagedList.ts';

/** Deployments to find on a service, such as those of a repository. */
export interface DeploymentSearch {
  /** The deployments that are loaded already. */
  readonly loaded: readonly Deployment[];
  /** A part of the name that such a deployment usually has. */
  readonly usualName: string;
  readonly isWanted: (deployment: Deployment) => boolean;
}

export interface DeploymentsFound {
  /** As the service has them now. */
  readonly deployments: readonly Deployment[];
  /** The place of the search that found them; without any, the end of the list or the limit of the search. */
  readonly stoppedAt: 'loaded' | 'name' | 'page' | 'end' | 'limit';
  /** How many deployments of the whole list were read. */
  readonly read: number;
}

/** Services have thousands of deployments, and a user waits for the search. */
const mostPages = 5;

/**
 * Searches a service for deployments: among the loaded ones, then by their usual name, then on the first pages.
 * Stops where it finds some; others may exist then.
 * @throws ApiError a request failed
 */
export async function searchDeployments(
  { deployments }: Pick<Client, 'deployments'>,
  { loaded, usualName, isWanted }: DeploymentSearch,
  options: CallOptions,
): Promise<DeploymentsFound> {
  const known = loaded.filter(isWanted).slice(0, MAX_PAGE_SIZE);
  if (known.length > 0) {
    // Loaded ones may be old.
    const ids = known.map(({ id }) => id).join(',');
    const { resources } = await deployments.list({ deployment_ids: ids, limit: known.length }, options);
    const present = readableEntries(resources).filter(isWanted);
    if (present.length > 0) return { deployments: present, stoppedAt: 'loaded', read: 0 };
  }
  const { resources } = await deployments.list({ name_contains: usualName, limit: MAX_PAGE_SIZE }, options);
  const named = readableEntries(resources).filter(isWanted);
  if (named.length > 0) return { deployments: named, stoppedAt: 'name', read: 0 };
  let read = 0;
  let offset = 0;
  for (let pages = 1; pages <= mostPages; pages += 1) {
    const asked = { limit: MAX_PAGE_SIZE, offset };
    const page = await deployments.list(asked, options);
    const onPage = readableEntries(page.resources).filter(isWanted);
    read += page.resources.length;
    if (onPage.length > 0) return { deployments: onPage, stoppedAt: 'page', read };
    if (isLastPage(page, asked)) return { deployments: [], stoppedAt: 'end', read };
    offset = page.offset;
  }
  return { deployments: [], stoppedAt: 'limit', read };
}
