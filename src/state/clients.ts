import { readFile } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import type { Client } from '../api/client.ts';
import type { Logger } from '../api/logger.ts';
import type { Fetch } from '../api/transport.ts';
import type { ServiceConnection } from './connection.ts';
import type { LocalServiceAddress } from './localService.ts';
import { apiKeySlot, proxyPasswordSlot, type SecretStore } from './secrets.ts';

/** What the editor's settings say about the network, read anew for each client. */
export interface NetworkSettings {
  readonly mode: 'auto' | 'undici' | 'editor';
  readonly timeoutMs: number;
  /** The setting `http.proxy`. */
  readonly editorProxy?: string;
  /** The setting `http.noProxy`. */
  readonly noProxy?: readonly string[];
  readonly strictTls: boolean;
}

export interface ClientDependencies {
  readonly secrets: SecretStore;
  readonly network: () => NetworkSettings;
  /** The editor's own `fetch`, which knows PAC files and system proxies. */
  readonly fetch: Fetch;
  readonly log: Logger;
}

/** The client of a configured connection. The key is asked for at each request. */
export async function createServiceClient(
  connection: ServiceConnection,
  { secrets, network, fetch, log }: ClientDependencies,
): Promise<Client> {
  const [{ createClient }, { createTransport }] = await Promise.all([
    import('../api/client.ts'),
    import('../api/transport.ts'),
  ]);
  const proxyPassword = await secrets.get(proxyPasswordSlot(connection));
  const [ca, cert, key] = await Promise.all([
    readCertificate(connection.caFile),
    readCertificate(connection.clientCertFile),
    readCertificate(connection.clientKeyFile),
  ]);
  const { baseUrl, flavor, codeHost, authHeader, authPrefix, headers, allowPlainHttp } = connection;
  const { mode, timeoutMs, editorProxy, noProxy, strictTls } = network();
  const proxy = connection.proxy === undefined ? undefined : withPassword(connection.proxy, proxyPassword);
  return createClient({
    baseUrl,
    flavor,
    codeHost,
    authHeader,
    authPrefix,
    headers,
    allowPlainHttp,
    timeoutMs,
    log,
    auth: async () => (await secrets.get(apiKeySlot(connection))) ?? '',
    transport: createTransport({ mode, proxy, editorProxy, noProxy, strictTls, ca, cert, key, fetch, log }),
  });
}

/** The client of the embedded service: loopback, so neither proxy nor editor transport. */
export async function createLocalClient(
  address: LocalServiceAddress,
  { network, log }: ClientDependencies,
): Promise<Client> {
  const [{ createClient }, { createTransport }] = await Promise.all([
    import('../api/client.ts'),
    import('../api/transport.ts'),
  ]);
  return createClient({
    baseUrl: address.url,
    flavor: 'standard',
    // The interface does not show these names; the embedded service has them (contract.md, Local service).
    revisionFilters: { status: 'status', remote_reconciled: 'remote_reconciled' },
    timeoutMs: network().timeoutMs,
    log,
    auth: () => Promise.resolve(address.apiKey),
    transport: createTransport({ mode: 'undici' }),
  });
}

async function readCertificate(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new Error(l10n.t('The certificate file {0} of this connection cannot be read.', path), { cause });
  }
}

/** The proxy's address with the password from SecretStorage, stored as `user:password` or a bare password. */
function withPassword(proxy: string, credentials: string | undefined): string {
  if (credentials === undefined) return proxy;
  const url = new URL(proxy);
  const separator = credentials.indexOf(':');
  url.username = encodeURIComponent(separator < 0 ? '' : credentials.slice(0, separator));
  url.password = encodeURIComponent(credentials.slice(separator + 1));
  return url.href;
}
