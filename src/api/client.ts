import * as l10n from '@vscode/l10n';
import { refused } from './errors.ts';
import { flavors } from './flavor.ts';
import type { Flavor, FlavorName } from './flavor.ts';
import { parseBaseUrl } from './http/baseUrl.ts';
import { createHttp } from './http/http.ts';
import type { HttpOptions } from './http/http.ts';
import { createTransport } from './http/createTransport.ts';
import type { Transport } from './http/transport.ts';
import { createAgentConnections } from './resources/agentConnections.ts';
import { createDeploymentChanges } from './resources/deploymentChanges.ts';
import { createDeployments } from './resources/deployments.ts';
import { createIntegrations } from './resources/integrations.ts';
import { createListeners } from './resources/listeners.ts';
import { createLogs } from './resources/logs.ts';
import { createOAuthProviders } from './resources/oauthProviders.ts';
import { createRevisions } from './resources/revisions.ts';

const DEFAULT_TIMEOUT_MS = 30_000;

export interface ClientOptions extends Pick<HttpOptions, 'auth' | 'log' | 'wait' | 'userAgent'> {
  /** Can have a path prefix. Trailing slashes and a trailing `/v2` are dropped. */
  readonly baseUrl: string;
  /** Default: `standard`. */
  readonly flavor?: FlavorName | undefined;
  /** Replaces the flavor's name for the code host, in paths and in `source`. */
  readonly codeHost?: string | undefined;
  /** Default: the flavor's. */
  readonly authHeader?: string | undefined;
  /** For example `Bearer`. Default: none. */
  readonly authPrefix?: string | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Allows plain http to other machines. Default: false. */
  readonly allowPlainHttp?: boolean | undefined;
  /** The client owns it: `close` closes it too. Default: a transport in `auto` mode. */
  readonly transport?: Transport | undefined;
  /** Per request, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
}

/**
 * All endpoints of one service.
 * Every call can be canceled and fails only with ApiError.
 */
export type Client = ReturnType<typeof createClient>;

/**
 * Creates the client of one service. Sends nothing yet.
 * @throws ApiError `invalid` when the base URL or the code host is unusable.
 */
export function createClient(options: ClientOptions) {
  const flavor = resolveFlavor(options.flavor, options.codeHost);
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
    userAgent: options.userAgent,
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    log: options.log,
    wait: options.wait,
  });
  const deployments = createDeployments(http);
  const revisions = createRevisions(http);
  return {
    deployments,
    revisions,
    changes: createDeploymentChanges(http, deployments, revisions),
    logs: createLogs(http),
    listeners: createListeners(http),
    integrations: createIntegrations(http),
    oauthProviders: createOAuthProviders(http),
    agentConnections: createAgentConnections(http),
    /** Closes its connections and cancels running requests. */
    close: () => transport.close(),
    /** Closes its connections after the last request. */
    retire: () => transport.retire(),
  };
}

/**
 * The flavor of a connection, with the connection's own name for the code host if it has one.
 * @throws ApiError `invalid` when that name can't be part of a path.
 */
function resolveFlavor(name: FlavorName = 'standard', codeHost?: string): Flavor {
  const flavor = flavors[name];
  if (codeHost === undefined || codeHost === '') return flavor;
  if (!/^[\w-]+$/.test(codeHost)) {
    throw refused(l10n.t('The code host "{0}" can contain only letters, digits, "-" and "_".', codeHost));
  }
  return { ...flavor, codeHost };
}
