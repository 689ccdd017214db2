import { readFile } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import { createClient, type Client } from '../../api/client.ts';
import { ApiError, codeOf, essence } from '../../api/errors.ts';
import type { Logger } from '../../api/redaction/redact.ts';
import { createTransport } from '../../api/http/createTransport.ts';
import type { Fetch, Transport, TransportOptions } from '../../api/http/transport.ts';
import { connectToLocalService } from '../../api/localService.ts';
import type { LocalServiceAddress } from '../../api/localService.ts';
import type { ServiceConnection } from './connection.ts';
import { apiKeySlot, proxyPasswordSlot, type SecretStore } from './storedKeys.ts';

/** Network settings of the editor and the extension, read again for each client. */
export interface NetworkSettings extends Pick<TransportOptions, 'mode' | 'editorProxy' | 'noProxy'> {
  readonly timeoutMs: number;
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
 * Creates the client of a configured connection, or of the local service at an address.
 * @throws ApiError `tls` if a certificate file can't be read, `proxy` if the proxy password can't be read
 */
export async function createClientTo(
  target: ServiceConnection | LocalServiceAddress,
  dependencies: ClientDependencies,
): Promise<Client> {
  return 'kind' in target ? createServiceClient(target, dependencies) : createLocalClient(target, dependencies);
}

/** The API key is read for each request. */
async function createServiceClient(
  connection: ServiceConnection,
  { secrets, network, fetch, userAgent, log }: ClientDependencies,
): Promise<Client> {
  const { mode, timeoutMs, strictTls, ...editor } = network();
  const proxies = await proxiesOf(connection, secrets, editor);
  const [ca, cert, key] = await Promise.all([
    readCertificate(connection, 'caFile'),
    readCertificate(connection, 'clientCertFile'),
    readCertificate(connection, 'clientKeyFile'),
  ]);
  return createClient({
    ...connection,
    userAgent,
    timeoutMs,
    log,
    auth: async () => (await secrets.get(apiKeySlot(connection))) ?? '',
    transport: createTransport({ mode, ...proxies, strictTls, ca, cert, key, fetch, log }),
  });
}

function createLocalClient(address: LocalServiceAddress, { network, userAgent, log }: ClientDependencies): Client {
  return createClient({
    baseUrl: address.url,
    flavor: 'local',
    userAgent,
    timeoutMs: network().timeoutMs,
    log,
    auth: () => Promise.resolve(address.apiKey),
    transport: createLocalTransport(address),
  });
}

/** Creates a transport to the local service, which proves its identity on each connection before it gets a request. */
export function createLocalTransport(address: LocalServiceAddress): Transport {
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
