import * as z from 'zod';
import { integrationWire, repositoryWire } from '../../api/resources/integrations.ts';
import { uuid } from '../../api/schema/wire.ts';
import { notFound, route, type Route } from '../http/route.ts';
import type { ServiceParts } from '../service.ts';

/** The routes of "Repository-host integrations": "This computer", with the registered repositories. */
export function integrationRoutes({ repositories, integrationId }: ServiceParts): Route[] {
  const listRecords = async (id: string, signal: AbortSignal) => {
    if (id.toLowerCase() !== integrationId) throw notFound('Integration');
    const found = await repositories.list(signal);
    return found.map(({ id, name, owner, url, defaultBranch }) => {
      return { host_integration_id: integrationId, id, name, owner, url, default_branch: defaultBranch };
    });
  };
  const success = { status: 200, description: 'The repositories.', schema: z.array(repositoryWire) } as const;
  const repos = route(
    {
      method: 'GET',
      path: '/v1/integrations/repohost/{integration_id}/repos',
      operationId: 'listRepositories',
      summary: 'List the repositories that are available for deployment.',
      params: z.object({ integration_id: z.string() }),
      success,
      problems: [404],
    },
    async ({ params, signal }) => listRecords(params.integration_id, signal),
  );
  const forgeRepos = route(
    {
      method: 'GET',
      path: '/v1/integrations/forge/repohost/{integration_id}/repos',
      operationId: 'listForgeRepositories',
      summary: 'List the repositories of an integration.',
      params: z.object({ integration_id: uuid }),
      success,
      problems: [404],
    },
    async ({ params, signal }) => listRecords(params.integration_id, signal),
  );
  const installations = route(
    {
      method: 'GET',
      path: '/v1/integrations/forge/repohost/install',
      operationId: 'listInstallations',
      summary: 'List the integrations.',
      success: { status: 200, description: 'The integrations.', schema: z.array(integrationWire) },
    },
    () => [{ id: integrationId, installation_id: 1, name: 'This computer' }],
  );
  return [repos, forgeRepos, installations];
}
