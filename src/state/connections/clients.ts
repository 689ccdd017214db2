import { readFile } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import type { Client } from '../../api/client.ts';
import { ApiError, codeOf, essence } from '../../api/errors.ts';
import type { Logger } from '../../api/http/redact.ts';
import type { Fetch, Transport, TransportOptions } from '../../api/http/transport.ts';
import { connectToLocalService } from '../../api/localService.ts';
import type { LocalServiceAddress } from '../../api/localService.ts';
import { localConnection, revisionFiltersOf, type ServiceConnection } from './connection.ts';
import { apiKeySlot, proxyPasswordSlot, type SecretStore } from './storedKeys.ts';

/** Network settings of the editor and the extension, read again for each client. */
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
  /** The editor's own `fetch`, which supports PAC files and system proxies. */
  readonly fetch: Fetch;
  /** Product and editor, with their versions, for the header of every request. */
  readonly userAgent: string;
  readonly log: Logger;
}

/**
 * Creates the client of a configured connection. The API key is read for each request.
 * @throws ApiError `tls` if a certificate file can't be read, `proxy` if the proxy password can't be read
 */
export async function createServiceClient(
  connection: ServiceConnection,
  { secrets, network, fetch, userAgent, log }: ClientDependencies,
): Promise<Client> {
  const [{ createClient }, { createTransport }] = await Promise.all([
    import('../../api/client.ts'),
    import('../../api/http/transport.ts'),
  ]);
  const { mode, timeoutMs, strictTls, ...editor } = network();
  const proxies = await proxiesOf(connection, secrets, editor);
  const [ca, cert, key] = await Promise.all([
    readCertificate(connection, 'caFile'),
    readCertificate(connection, 'clientCertFile'),
    readCertificate(connection, 'clientKeyFile'),
  ]);
  const { baseUrl, flavor, codeHost, authHeader, authPrefix, headers, allowPlainHttp } = connection;
  return createClient({
    baseUrl,
    flavor,
    codeHost,
    authHeader,
    authPrefix,
    headers,
    allowPlainHttp,
    userAgent,
    timeoutMs,
    log,
    auth: async () => (await secrets.get(apiKeySlot(connection))) ?? '',
    transport: createTransport({ mode, ...proxies, strictTls, ca, cert, key, fetch, log }),
  });
}

/** Creates the client of the local service. */
export async function createLocalClient(
  address: LocalServiceAddress,
  { network, userAgent, log }: ClientDependencies,
): Promise<Client> {
  const [{ createClient }, transport] = await Promise.all([
    import('../../api/client.ts'),
    createLocalTransport(address),
  ]);
  return createClient({
    baseUrl: address.url,
    flavor: 'standard',
    // The API reference doesn't name these filters.
    revisionFilters: revisionFiltersOf(localConnection),
    userAgent,
    timeoutMs: network().timeoutMs,
    log,
    auth: () => Promise.resolve(address.apiKey),
    transport,
  });
}

/** Creates a transport to the local service, which proves its identity on each connection before it gets a request. */
export async function createLocalTransport(address: LocalServiceAddress): Promise<Transport> {
  const { createTransport } = await import('../../api/http/transport.ts');
  return createTransport({
    mode: 'undici',
    open: async (url) => (await connectToLocalService({ ...address, url })).socket,
  });
}

/**
 * The connection's own proxy, or else the editor's proxy settings.
 * `http.noProxy` applies to the editor's proxy only: a proxy set for a connection is always used.
 * @throws ApiError `proxy` if the proxy password can't be read
 */
async function proxiesOf(
  connection: ServiceConnection,
  secrets: SecretStore,
  editor: Pick<NetworkSettings, 'editorProxy' | 'noProxy'>,
): Promise<Pick<TransportOptions, 'proxy' | 'editorProxy' | 'noProxy'>> {
  if (connection.proxy === undefined) return editor;
  try {
    return { proxy: withPassword(connection.proxy, await secrets.get(proxyPasswordSlot(connection))) };
  } catch (cause) {
    const message = l10n.t(
      'The proxy password of "{0}" can\'t be read: the keyring of this machine isn\'t responding. Unlock it and try again.',
      connection.name,
    );
    throw new ApiError({ kind: 'proxy', message, sent: false, cause: essence(cause) });
  }
}

/** @throws ApiError `tls` that names the setting and the file */
async function readCertificate(
  connection: ServiceConnection,
  setting: 'caFile' | 'clientCertFile' | 'clientKeyFile',
): Promise<string | undefined> {
  const path = connection[setting];
  if (path === undefined) return undefined;
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const message = l10n.t(
      'The file {0} can\'t be read ({1}). Correct "{2}" of the connection "{3}".',
      path,
      codeOf(cause),
      setting,
      connection.name,
    );
    throw new ApiError({ kind: 'tls', message, sent: false, cause });
  }
}

/** Adds the stored password to the proxy address. It is stored as `user:password` or as a bare password. */
function withPassword(proxy: string, credentials: string | undefined): string {
  if (credentials === undefined) return proxy;
  const url = new URL(proxy);
  const separator = credentials.indexOf(':');
  url.username = encodeURIComponent(separator < 0 ? '' : credentials.slice(0, separator));
  url.password = encodeURIComponent(credentials.slice(separator + 1));
  return url.href;
}

/** A client with the settings and addresses it was created from, serialized as text. */
interface CachedClient {
  readonly madeFrom: string;
  readonly client: Promise<Client>;
}

/**
 * One client per connection, recreated when its settings or addresses change.
 * A replaced client finishes its requests: aborting a create request would leave its outcome unknown. It ends with them.
 */
export class ClientCache {
  readonly #clients = new Map<string, CachedClient>();
  readonly #replaced = new Set<Promise<Client>>();

  async get(connection: string, madeFrom: string, make: () => Promise<Client>): Promise<Client> {
    const cached = this.#clients.get(connection);
    if (cached?.madeFrom === madeFrom) return cached.client;
    this.forget(connection);
    const client = make();
    this.#clients.set(connection, { madeFrom, client });
    // A client that couldn't be created is retried on the next use.
    client.catch(() => {
      if (this.#clients.get(connection)?.client === client) this.#clients.delete(connection);
    });
    return client;
  }

  /** Drops the cached client of a connection, so the next use creates a new one. */
  forget(connection: string): void {
    const cached = this.#clients.get(connection);
    this.#clients.delete(connection);
    if (cached !== undefined) void this.#retire(cached.client);
  }

  async #retire(client: Promise<Client>): Promise<void> {
    this.#replaced.add(client);
    // A client that couldn't be created has nothing to finish.
    await client.then((made) => made.retire()).catch(() => undefined);
    this.#replaced.delete(client);
  }

  /** Closes all clients and aborts their requests. */
  async dispose(): Promise<void> {
    const clients = [...this.#replaced, ...[...this.#clients.values()].map(({ client }) => client)];
    this.#clients.clear();
    this.#replaced.clear();
    // A client that couldn't be created has nothing to close.
    await Promise.allSettled(clients.map(async (client) => (await client).close()));
  }
}
