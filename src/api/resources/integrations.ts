import * as z from 'zod';
import { failureOfLists } from '../errors.ts';
import type { CallOptions, Http } from '../http/http.ts';
import { lenient } from '../schema/lenient.ts';
import { uuid } from '../schema/wire.ts';
import { pathStep } from './check.ts';
import { isUnreadable } from './page.ts';
import { readList } from './reading.ts';

/** "Repository record" from the document. `id` is the code host's number, not a UUID. */
export const repositoryWire = z.object({
  host_integration_id: uuid,
  id: z.int(),
  name: z.string(),
  owner: z.string(),
  url: z.string(),
  default_branch: z.string(),
});

/** "Integration record" from the document: an installation on the code host. `name` is the account. */
export const integrationWire = z.object({
  id: uuid,
  installation_id: z.int(),
  name: z.string(),
});

export const repositoryReader = lenient(repositoryWire);

export const integrationReader = lenient(integrationWire);

export type RepositoryWire = z.infer<typeof repositoryWire>;
export type Repository = z.infer<typeof repositoryReader>;
export type Integration = z.infer<typeof integrationReader>;

/** The endpoints of section "Repository-host integrations". They fail only with ApiError. */
export function createIntegrations(http: Http) {
  const { codeHost, installationPaths } = http.flavor;

  async function repositories(path: string, integrationId: string, options?: CallOptions) {
    const answer = await http.get(`${path}/${pathStep('integration_id', integrationId)}/repos`, {}, options);
    return readList(http, repositoryReader, answer);
  }

  return {
    /**
     * GET /v1/integrations/forge/repohost/install: the installations on the code host.
     * A flavor may have several such lists, which are merged. A list that the service doesn't offer is skipped.
     */
    async listInstallations(options?: CallOptions) {
      const results = await Promise.allSettled(
        installationPaths.map(async (path) =>
          readList(http, integrationReader, await http.get(path.replace('{codeHost}', codeHost), {}, options)),
        ),
      );
      const failure = failureOfLists(results);
      if (failure !== undefined) throw failure;
      const entries = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
      const seen = new Set<string>();
      return entries.filter((entry) => isUnreadable(entry) || (!seen.has(entry.id) && seen.add(entry.id)));
    },
    /** GET /v1/integrations/repohost/{integration_id}/repos: the repositories available for deployment. */
    listRepositories: async (integrationId: string, options?: CallOptions) =>
      repositories(`/v1/integrations/${codeHost}`, integrationId, options),
    /** GET /v1/integrations/forge/repohost/{integration_id}/repos. */
    listForgeRepositories: async (integrationId: string, options?: CallOptions) =>
      repositories(`/v1/integrations/forge/${codeHost}`, integrationId, options),
  };
}
