import * as z from 'zod';
import { failureOfLists } from '../errors.ts';
import type { CallOptions, Http } from '../http/http.ts';
import { lenient } from '../schema/lenient.ts';
import { uuid } from '../schema/wire.ts';
import { pathStep } from './check.ts';
import { isUnreadable, type Unreadable } from './page.ts';
import { listIn, readRows } from './rows.ts';

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

/** Parses a Repository record from a response. */
export const repositoryReader = lenient(repositoryWire);

/** Parses an Integration record from a response. */
export const integrationReader = lenient(integrationWire);

export type RepositoryWire = z.infer<typeof repositoryWire>;
export type Repository = z.infer<typeof repositoryReader>;
export type IntegrationWire = z.infer<typeof integrationWire>;
export type Integration = z.infer<typeof integrationReader>;

export interface IntegrationsClient {
  /**
   * GET /v1/integrations/forge/repohost/install: the installations on the code host.
   * A flavor may have several such lists, which are merged. A list that the service doesn't offer is skipped.
   */
  listInstallations(options?: CallOptions): Promise<(Integration | Unreadable)[]>;
  /** GET /v1/integrations/repohost/{integration_id}/repos: the repositories available for deployment. */
  listRepositories(integrationId: string, options?: CallOptions): Promise<(Repository | Unreadable)[]>;
  /** GET /v1/integrations/forge/repohost/{integration_id}/repos. */
  listForgeRepositories(integrationId: string, options?: CallOptions): Promise<(Repository | Unreadable)[]>;
}

/** The endpoints of section "Repository-host integrations". They fail only with ApiError. */
export function createIntegrations(http: Http): IntegrationsClient {
  const { codeHost, installationPaths } = http.flavor;

  async function repositories(path: string, options?: CallOptions) {
    return readRows(repositoryReader, listIn(await http.get(path, {}, options), undefined, http.origin));
  }

  return {
    async listInstallations(options) {
      const results = await Promise.allSettled(
        installationPaths.map(async (path) => {
          const answer = await http.get(path.replace('{codeHost}', codeHost), {}, options);
          return readRows(integrationReader, listIn(answer, undefined, http.origin));
        }),
      );
      const failure = failureOfLists(results);
      if (failure !== undefined) throw failure;
      const rows = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
      const seen = new Set<string>();
      return rows.filter((row) => isUnreadable(row) || (!seen.has(row.id) && seen.add(row.id)));
    },
    async listRepositories(integrationId, options) {
      const step = pathStep('integration_id', integrationId);
      return repositories(`/v1/integrations/${codeHost}/${step}/repos`, options);
    },
    async listForgeRepositories(integrationId, options) {
      const step = pathStep('integration_id', integrationId);
      return repositories(`/v1/integrations/forge/${codeHost}/${step}/repos`, options);
    },
  };
}
