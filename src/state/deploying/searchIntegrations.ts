import type { Client } from '../../api/client.ts';
import type { CallOptions } from '../../api/http/http.ts';
import type { Integration } from '../../api/resources/integrations.ts';
import { sameRepository } from '../../core/git/remote.ts';
import { readableEntries } from '../lists/pagedList.ts';
import { askForRepositories, type ListedRepository } from '../lists/repositories.ts';

/** A repository found in an integration: the values that a create request needs. */
export interface IntegrationMatch {
  readonly integrationId: string;
  readonly integrationName: string;
  readonly repositoryUrl: string;
  readonly defaultBranch: string | undefined;
}

/** The result of searching all integrations for a repository. */
export interface IntegrationSearch {
  readonly matches: readonly IntegrationMatch[];
  /** Integrations that didn't list all of their repositories. */
  readonly failures: readonly { readonly integrationName: string; readonly error: unknown }[];
}

/**
 * Searches all integrations for a repository at the same time.
 * An integration that fails, even partly, doesn't hide the results of the others.
 * @throws ApiError the integrations couldn't be listed
 */
export async function searchIntegrations(
  client: Client,
  remoteUrl: string,
  options: CallOptions,
): Promise<IntegrationSearch> {
  const integrations = readableEntries(await client.integrations.listInstallations(options));
  const asked = await Promise.all(
    integrations.map(async (integration) => ({
      integration,
      ...(await askForRepositories(client, integration.id, options)),
    })),
  );
  return {
    matches: asked.flatMap(({ integration, entries }) => matchIn(integration, readableEntries(entries), remoteUrl)),
    failures: asked.flatMap(({ integration: { name }, failure }) =>
      failure === undefined ? [] : [{ integrationName: name, error: failure }],
    ),
  };
}

function matchIn(
  integration: Integration,
  repositories: readonly ListedRepository[],
  remoteUrl: string,
): readonly IntegrationMatch[] {
  for (const { record, integrationId } of repositories) {
    if (record.url === undefined || !sameRepository(record.url, remoteUrl)) continue;
    const { url: repositoryUrl, default_branch: defaultBranch } = record;
    return [{ integrationId, integrationName: integration.name, repositoryUrl, defaultBranch }];
  }
  return [];
}
