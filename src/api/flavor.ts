import * as l10n from '@vscode/l10n';
import { refused } from './errors.ts';
import { isRecord } from './schema/json.ts';

/** The two sets of names under which the interface is offered. */
export type FlavorName = 'standard' | 'langsmith';

/** What differs between flavors, as plain data. Everything else is the same. */
export interface Flavor {
  /** The word for the code host in paths and in `source`. */
  readonly codeHost: string;
  /** The wire name of `graph_config_path`. */
  readonly configPathField: string;
  /** What people call an application's config file by default. */
  readonly configFile: string;
  /** The header that carries the key where the connection names none. */
  readonly authHeader: string;
  /** The header that names the workspace for an organisation-scoped key. */
  readonly tenantHeader?: string;
  /** The query names of the revision filters; a filter whose name is unknown is never sent. */
  readonly revisionFilters: { readonly status?: string; readonly remote_reconciled?: string };
  /** Base URLs that are known to serve this flavor. */
  readonly baseUrls: readonly string[];
}

export const flavors = {
  standard: {
    codeHost: 'repohost',
    configPathField: 'graph_config_path',
    configFile: 'graph.json',
    authHeader: 'X-Api-Key',
    revisionFilters: {},
    baseUrls: [],
  },
  langsmith: {
    codeHost: 'github',
    configPathField: 'langgraph_config_path',
    configFile: 'langgraph.json',
    authHeader: 'X-Api-Key',
    tenantHeader: 'X-Tenant-Id',
    revisionFilters: { status: 'status', remote_reconciled: 'remote_reconciled' },
    baseUrls: [
      'https://api.host.langchain.com',
      'https://eu.api.host.langchain.com',
      'https://apac.api.host.langchain.com',
      'https://aws.api.host.langchain.com',
    ],
  },
} satisfies Record<FlavorName, Flavor>;

/**
 * The flavor of a connection, with its own word for the code host where it has one.
 * @throws ApiError `invalid` when the word would not fit into a path.
 */
export function resolveFlavor(name: FlavorName = 'standard', codeHost?: string): Flavor {
  const flavor = flavors[name];
  if (codeHost === undefined || codeHost === '') return flavor;
  if (!/^[\w-]+$/.test(codeHost)) {
    throw refused(l10n.t('The code host "{0}" may contain letters, digits, "-" and "_" only.', codeHost));
  }
  return { ...flavor, codeHost };
}

/**
 * The base URL that somebody meant who pasted the address of the tracing service (`api.smith…`, `smith…`), or
 * undefined when the address is no such one.
 */
export function correctTracingAddress(baseUrl: string): string | undefined {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  const region = /^(?:(?<region>eu|apac|aws)\.)?(?:api\.)?smith\.langchain\.com$/.exec(host)?.groups;
  if (region === undefined) return undefined;
  const prefix = region['region'] === undefined ? '' : `${region['region']}.`;
  return `https://${prefix}api.host.langchain.com`;
}

const CODE_HOST = 'repohost';
const CONFIG_PATH = 'graph_config_path';

/** Gives a body of the interface the names of the flavor. */
export function toWire(body: object, flavor: Flavor): object {
  return renamed(body, { source: [CODE_HOST, flavor.codeHost], field: [CONFIG_PATH, flavor.configPathField] });
}

/** Gives a Deployment or Revision of an answer the names of the interface; anything else is returned as it is. */
export function fromWire(row: unknown, flavor: Flavor): unknown {
  if (!isRecord(row)) return row;
  return renamed(row, { source: [flavor.codeHost, CODE_HOST], field: [flavor.configPathField, CONFIG_PATH] });
}

interface Renaming {
  readonly source: readonly [from: string, to: string];
  readonly field: readonly [from: string, to: string];
}

/** Rows without anything to rename are not copied: in the standard flavor these are all of them. */
function renamed(row: object, { source, field }: Renaming): object {
  const hasSource = source[0] !== source[1] && 'source' in row && row.source === source[0];
  const withSource = hasSource ? { ...row, source: source[1] } : row;
  if (field[0] === field[1] || !('source_revision_config' in withSource)) return withSource;
  const config = withSource.source_revision_config;
  if (!isRecord(config) || !(field[0] in config)) return withSource;
  const { [field[0]]: path, ...others } = config;
  return { ...withSource, source_revision_config: { ...others, [field[1]]: path } };
}
