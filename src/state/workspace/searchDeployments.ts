import type { Client } from '../../api/client.ts';
import type { CallOptions } from '../../api/http/http.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import { isLastPage, type Page } from '../../api/resources/page.ts';
import { MAX_PAGE_SIZE } from '../../api/schema/limits.ts';
import { nameForRepository } from '../../core/draft/deploymentName.ts';
import { type BuildSource, isOfRef, type SearchEnd } from '../../core/git/workspaceDeployment.ts';
import { readableEntries } from '../lists/pagedList.ts';

/** Deployments to find on a service, such as those of a repository. */
interface DeploymentSearch {
  /** The deployments that are loaded already. */
  readonly loaded: readonly Deployment[];
  /** Parts of the names that such deployments usually have. */
  readonly usualNames: readonly string[];
  readonly isWanted: (deployment: Deployment) => boolean;
  /** How many pages of all deployments to read if none has a usual name. */
  readonly pages?: number;
}

export interface DeploymentsFound extends SearchEnd {
  /** As the service has them now. */
  readonly deployments: readonly Deployment[];
}

/** Services have thousands of deployments, and a user waits for the search. */
const mostPages = 5;

/**
 * Searches a service for deployments: the loaded ones and those with a usual name, then the first pages of all.
 * Stops where it finds some; others with another name may exist then.
 * @throws ApiError nothing was found, and a request failed
 */
export async function searchDeployments(
  { deployments }: Pick<Client, 'deployments'>,
  { loaded, usualNames, isWanted, pages: mostRead = mostPages }: DeploymentSearch,
  options: CallOptions,
): Promise<DeploymentsFound> {
  // Loaded ones may be old, so they are requested again.
  const ids = loaded.filter(isWanted).map(({ id }) => id);
  const known = ids.length === 0 ? [] : [{ deployment_ids: ids.slice(0, MAX_PAGE_SIZE).join(',') }];
  const isNeeded = (name: string): boolean => !usualNames.some((other) => other !== name && name.includes(other));
  const named = [...new Set(usualNames)].filter(isNeeded).map((name) => ({ name_contains: name }));
  const rows: Deployment[] = [];
  // A service that can't search answers with pages of others.
  const readAll = async (query: DeploymentQuery): Promise<void> => {
    for await (const { resources } of pagesOf(deployments, query, mostPages, options)) {
      const wanted = readableEntries(resources).filter(isWanted);
      rows.push(...wanted);
      if (wanted.length === 0) return;
    }
  };
  const answers = await Promise.allSettled([...known, ...named].map(readAll));
  const found = [...new Map(rows.map((row) => [row.id, row])).values()];
  if (found.length > 0) return { deployments: found, stoppedAt: 'name', read: 0 };
  for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
  let read = 0;
  for await (const { resources, isLast } of pagesOf(deployments, {}, mostRead, options)) {
    const onPage = readableEntries(resources).filter(isWanted);
    read += resources.length;
    if (onPage.length > 0) return { deployments: onPage, stoppedAt: 'page', read };
    if (isLast) return { deployments: [], stoppedAt: 'end', read };
  }
  return { deployments: [], stoppedAt: 'limit', read };
}

type DeploymentQuery = Parameters<Client['deployments']['list']>[0];

/** The pages of a list, one after another. */
async function* pagesOf(
  deployments: Client['deployments'],
  query: DeploymentQuery,
  most: number,
  options: CallOptions,
): AsyncGenerator<Pick<Page<Deployment>, 'resources'> & { readonly isLast: boolean }> {
  let offset = 0;
  for (let number = 1; number <= most; number += 1) {
    const asked = { ...query, limit: MAX_PAGE_SIZE, offset };
    const page = await deployments.list(asked, options);
    const isLast = isLastPage(page, asked);
    yield { resources: page.resources, isLast };
    if (isLast) return;
    ({ offset } = page);
  }
}

/**
 * Finds the deployments of a ref of a repository, whatever their config files: the loaded ones and those with a usual name.
 * @throws ApiError nothing was found, and a request failed
 */
export async function searchRef(
  client: Pick<Client, 'deployments'>,
  { loaded, repositoryUrl, ref }: Pick<DeploymentSearch, 'loaded'> & Pick<BuildSource, 'repositoryUrl' | 'ref'>,
  options: CallOptions,
): Promise<readonly Deployment[]> {
  const isWanted = (deployment: Deployment): boolean => isOfRef({ repositoryUrl, ref }, deployment);
  // The usual name of every application begins with that of the repository.
  const usualNames = [nameForRepository(repositoryUrl, '')];
  return (await searchDeployments(client, { loaded, usualNames, isWanted, pages: 0 }, options)).deployments;
}

/** An open repository, and how to recognize its deployments. */
export type SearchedRepository = Pick<DeploymentSearch, 'usualNames' | 'isWanted'>;
