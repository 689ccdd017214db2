import { resolveFlavor } from './flavor.ts';
import type { Flavor, FlavorName } from './flavor.ts';
import { parseBaseUrl } from './http/baseUrl.ts';
import { createHttp } from './http/http.ts';
import type { HttpOptions } from './http/http.ts';
import { createTransport } from './http/transport.ts';
import type { Transport } from './http/transport.ts';
import { createAgentConnections } from './resources/agentConnections.ts';
import type { AgentConnectionsClient } from './resources/agentConnections.ts';
import { createDeployments } from './resources/deployments.ts';
import type { DeploymentsClient } from './resources/deployments.ts';
import { createIntegrations } from './resources/integrations.ts';
import type { IntegrationsClient } from './resources/integrations.ts';
import { createListeners } from './resources/listeners.ts';
import type { ListenersClient } from './resources/listeners.ts';
import { createOAuthProviders } from './resources/oauthProviders.ts';
import type { OAuthProvidersClient } from './resources/oauthProviders.ts';
import { createRevisions } from './resources/revisions.ts';
import type { RevisionsClient } from './resources/revisions.ts';

const DEFAULT_TIMEOUT_MS = 30_000;

export interface ClientOptions extends Pick<HttpOptions, 'auth' | 'log' | 'wait'> {
  /** May carry a path prefix; trailing slashes and a trailing `/v2` are dropped. */
  readonly baseUrl: string;
  /** Default: `standard`. */
  readonly flavor?: FlavorName | undefined;
  /** Replaces the flavor's word for the code host, in paths and in `source`. */
  readonly codeHost?: string | undefined;
  /** The query names of the revision filters, where the service is known to have them. Default: the flavor's. */
  readonly revisionFilters?: Flavor['revisionFilters'] | undefined;
  /** Default: the flavor's. */
  readonly authHeader?: string | undefined;
  /** For example `Bearer`. Default: none. */
  readonly authPrefix?: string | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Allows plain http to another machine than this one. Default: false. */
  readonly allowPlainHttp?: boolean | undefined;
  /** Belongs to the client from then on: `close` closes it. Default: a transport of mode `auto`. */
  readonly transport?: Transport | undefined;
  /** For each request, in milliseconds. Default: 30 000. */
  readonly timeoutMs?: number | undefined;
}

/** The whole interface of one service. Every function fails with ApiError only, and can be cancelled. */
export interface Client {
  readonly deployments: DeploymentsClient;
  readonly revisions: RevisionsClient;
  readonly listeners: ListenersClient;
  readonly integrations: IntegrationsClient;
  readonly oauthProviders: OAuthProvidersClient;
  readonly agentConnections: AgentConnectionsClient;
  /** Ends idle connections and cancels what is under way. */
  close(): Promise<void>;
}

/**
 * Creates the client of one service; nothing is sent yet.
 * @throws ApiError `invalid` when the base URL or the code host cannot be used.
 */
export function createClient(options: ClientOptions): Client {
  const named = resolveFlavor(options.flavor, options.codeHost);
  const flavor = { ...named, revisionFilters: options.revisionFilters ?? named.revisionFilters };
  const baseUrl = parseBaseUrl(options.baseUrl, options.allowPlainHttp);
  const transport = options.transport ?? createTransport({ mode: 'auto', log: options.log });
  const http = createHttp({
    baseUrl,
    flavor,
    transport,
    auth: options.auth,
    authHeader: options.authHeader ?? flavor.authHeader,
    authPrefix: options.authPrefix ?? '',
    headers: options.headers ?? {},
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    log: options.log,
    wait: options.wait,
  });
  return {
    deployments: createDeployments(http),
    revisions: createRevisions(http),
    listeners: createListeners(http),
    integrations: createIntegrations(http),
    oauthProviders: createOAuthProviders(http),
    agentConnections: createAgentConnections(http),
    close: () => transport.close(),
  };
}
