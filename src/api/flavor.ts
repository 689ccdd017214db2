import { DEPLOYMENT_TYPES } from './schema/enums.ts';

/** The naming schemes of the interface. `local` is the local service's. */
export type FlavorName = 'standard' | 'langsmith' | 'local';

/** What a service can do beyond the document. */
const CAPABILITIES = [
  'logs',
  'redeploy',
  'update',
  'interrupt',
  'delete',
  'upload',
  'listenerEdit',
  'providerList',
] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** The differences between flavors, as plain data. Everything else is the same. */
export interface Flavor {
  /** The name of the code host in paths and in `source`. */
  readonly codeHost: string;
  /** The paths that list the installations on the code host, with `{codeHost}` for its name. All are asked. */
  readonly installationPaths: readonly string[];
  /** The wire name of `graph_config_path`. */
  readonly configPathField: string;
  /** The default name of an application's config file. */
  readonly configFile: string;
  /** The header for the key, unless the connection names one. */
  readonly authHeader: string;
  /** The header that names the workspace for an organization-scoped key. */
  readonly tenantHeader?: string;
  /** The query names of the revision filters. A filter without a known name is never sent. */
  readonly revisionFilters: { readonly status?: string; readonly remote_reconciled?: string };
  /** The types of a deployment that can be created. */
  readonly deploymentTypes: readonly string[];
  /** Base URLs known to serve this flavor. */
  readonly baseUrls: readonly string[];
  /** Whether the service has a web page for each deployment. */
  readonly hasPages: boolean;
  /** What its services usually can do. An installation that can't answers 404 or 405. */
  readonly capabilities: readonly Capability[];
}

const standard = {
  codeHost: 'repohost',
  installationPaths: ['/v1/integrations/forge/{codeHost}/install'],
  configPathField: 'graph_config_path',
  configFile: 'graph.json',
  authHeader: 'X-Api-Key',
  revisionFilters: {},
  deploymentTypes: DEPLOYMENT_TYPES,
  baseUrls: [],
  hasPages: false,
  capabilities: [],
};

/** The document doesn't name these filters. The public service and the local service have them. */
const revisionFilters = { status: 'status', remote_reconciled: 'remote_reconciled' };

export const flavors = {
  standard,
  local: { ...standard, revisionFilters, capabilities: CAPABILITIES },
  langsmith: {
    codeHost: 'github',
    // The second list is of another application, and older services have only the first one.
    installationPaths: ['/v1/integrations/{codeHost}/install', '/v1/integrations/forge/{codeHost}/install'],
    configPathField: 'langgraph_config_path',
    configFile: 'langgraph.json',
    authHeader: 'X-Api-Key',
    tenantHeader: 'X-Tenant-Id',
    revisionFilters,
    deploymentTypes: [...DEPLOYMENT_TYPES, 'dev_zero', 'dev_free_zero'],
    baseUrls: [
      'https://api.host.langchain.com',
      'https://eu.api.host.langchain.com',
      'https://apac.api.host.langchain.com',
      'https://aws.api.host.langchain.com',
    ],
    hasPages: true,
    capabilities: CAPABILITIES,
  },
} satisfies Record<FlavorName, Flavor>;
