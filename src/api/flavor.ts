/** The two sets of names under which the interface is offered. */
export type FlavorName = 'standard' | 'langsmith';

/** What differs between flavors, as plain data. Everything else is the same. */
export interface Flavor {
  /** The word for the code host in paths and in `source`. */
  readonly codeHost: string;
  /** The wire name of `graph_config_path`. */
  readonly configPathField: string;
  /** The header that carries the key where the connection names none. */
  readonly authHeader: string;
  /** The header that names the workspace for an organisation-scoped key. */
  readonly tenantHeader?: string;
  /** The query names of the revision filters; a filter whose name is unknown is never sent. */
  readonly revisionFilters: { readonly status?: string; readonly remote_reconciled?: string };
}

export const flavors = {
  standard: {
    codeHost: 'repohost',
    configPathField: 'graph_config_path',
    authHeader: 'X-Api-Key',
    revisionFilters: {},
  },
  langsmith: {
    codeHost: 'github',
    configPathField: 'langgraph_config_path',
    authHeader: 'X-Api-Key',
    tenantHeader: 'X-Tenant-Id',
    revisionFilters: { status: 'status', remote_reconciled: 'remote_reconciled' },
  },
} satisfies Record<FlavorName, Flavor>;
