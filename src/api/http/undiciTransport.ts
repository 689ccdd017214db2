import type { Socket } from 'node:net';
import * as tls from 'node:tls';
import { callbackify, promisify } from 'node:util';
import * as zlib from 'node:zlib';
import * as l10n from '@vscode/l10n';
import type { buildConnector, Dispatcher } from 'undici';
import connectOver from 'undici/lib/api/api-connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import { ApiError, cancelled, codeOf, tooLarge, unexpected } from '../errors.ts';
import { MAX_BODY_BYTES } from '../schema/limits.ts';
import { describeConnectionFailure, ProxyFailure } from './connectionFailures.ts';
import { exchange } from './exchange.ts';
import { chooseProxy } from './proxy.ts';
import type { Proxy } from './proxy.ts';
import type { Transport, TransportOptions, TransportRequest, TransportResponse } from './transport.ts';

/**
 * Builds the TLS settings: trusted certificates and client certificate.
 * All connections of a dispatcher share one context, because reading a hundred certificates costs more than opening a
 * connection.
 * @throws ApiError `tls` when the given certificates or key can't be read.
 */
function createTlsSettings({ strictTls = true, ca, cert, key }: TransportOptions) {
  const trusted = [...defaultCertificates(), ...(ca === undefined ? [] : [ca])];
  try {
    return { secureContext: tls.createSecureContext({ ca: trusted, cert, key }), rejectUnauthorized: strictTls };
  } catch {
    throw new ApiError({
      kind: 'tls',
      message: l10n.t(
        'The certificate files of the connection can\'t be used. Check that "caFile", "clientCertFile" and "clientKeyFile" are PEM files that belong together.',
      ),
      sent: false,
    });
  }
}

/** The certificates that Node trusts, and on Node 22.15 and newer also those of the system. */
function defaultCertificates(): string[] {
  const ask: typeof tls.getCACertificates | undefined = tls.getCACertificates;
  if (ask === undefined) return [...tls.rootCertificates];
  return [...new Set([...ask('default'), ...ask('system')])];
}

type Decode = (body: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>;

const decoders = new Map<string, Decode>([
  ['gzip', promisify(zlib.gunzip)],
  ['x-gzip', promisify(zlib.gunzip)],
  ['br', promisify(zlib.brotliDecompress)],
]);

/**
 * Decompresses a response to at most MAX_BODY_BYTES.
 * @throws ApiError `unexpectedResponse` when it's too long, damaged, or in an encoding that wasn't requested.
 */
async function decodeBody(response: TransportResponse, origin: string): Promise<TransportResponse> {
  const encoding = response.headers['content-encoding']?.toString().trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity' || response.body.length === 0) return response;
  const decode = decoders.get(encoding);
  if (decode === undefined) {
    throw unexpected(l10n.t('{0} sent a response in an unexpected encoding.', origin), response.status);
  }
  try {
    return { ...response, body: await decode(response.body, { maxOutputLength: MAX_BODY_BYTES }) };
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(origin);
    throw unexpected(l10n.t('{0} sent a damaged compressed response. Try again.', origin), response.status);
  }
}

/** Enough to load the branches of the tree at once without burdening the service. */
const MAX_CONNECTIONS = 8;

const DEFAULT_CONNECT_TIMEOUT_MS = 10_000;

/** undici's timeouts are off. A timer in the exchange covers the time from leaving the queue to the last byte. */
const POOL_OPTIONS = { connections: MAX_CONNECTIONS, allowH2: false, headersTimeout: 0, bodyTimeout: 0 };

interface Line {
  readonly dispatcher: Dispatcher;
  /** Host and port of the proxy, for messages. */
  readonly proxy: string | undefined;
}

/** Creates a transport on private undici pools, one per origin. Never touches the process-wide dispatcher. */
export function createUndiciTransport(options: TransportOptions): Transport {
  const lines = new Map<string, Line>();
  const running = new Set<Promise<unknown>>();
  let closed = false;
  let retired = false;

  function lineTo(origin: string): Line {
    const known = lines.get(origin);
    if (known !== undefined) return known;
    const proxy = options.open === undefined ? chooseProxy(origin, options) : undefined;
    const dispatcher = proxy === undefined ? createDirect(origin, options) : createProxied(proxy, options);
    const line = { dispatcher, proxy: proxy === undefined ? undefined : new URL(proxy.url).host };
    lines.set(origin, line);
    return line;
  }

  async function request(request: TransportRequest) {
    const { origin } = request;
    if (closed) throw cancelled(origin, false);
    const { dispatcher, proxy } = lineTo(origin);
    const headers = { 'accept-encoding': 'gzip, br', ...request.headers };
    const exchanged = exchange(dispatcher, { ...request, headers }, (cause, sent) =>
      describeConnectionFailure(cause, { origin, proxy }, sent),
    );
    running.add(exchanged);
    try {
      return await decodeBody(await exchanged, origin);
    } finally {
      running.delete(exchanged);
      if (retired && running.size === 0) void closeLines();
    }
  }

  async function closeLines(): Promise<void> {
    const dispatchers = [...lines.values()].map((line) => line.dispatcher);
    lines.clear();
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.destroy()));
  }

  async function close(): Promise<void> {
    closed = true;
    await closeLines();
  }

  async function retire(): Promise<void> {
    retired = true;
    if (running.size === 0) await closeLines();
    await Promise.allSettled(running);
  }

  return { request, close, retire };
}

function createDirect(origin: string, options: TransportOptions): Dispatcher {
  const { open, connectTimeoutMs: timeout = DEFAULT_CONNECT_TIMEOUT_MS } = options;
  if (open !== undefined) return new Agent({ ...POOL_OPTIONS, connect: createConnector(() => open(origin)) });
  // Reading certificates takes time, and the local service uses plain http.
  const tlsSettings = origin.startsWith('https:') ? createTlsSettings(options) : {};
  return new Agent({ ...POOL_OPTIONS, connect: { ...tlsSettings, timeout } });
}

/** Passes connections that were opened elsewhere to undici. */
function createConnector(open: () => Promise<Socket>): buildConnector.connector {
  const connect = callbackify(open);
  return (_target, callback) =>
    connect((error: Error | null, socket: Socket) => (error === null ? callback(null, socket) : callback(error, null)));
}

function createProxied(proxy: Proxy, options: TransportOptions): Dispatcher {
  const timeout = options.connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS;
  const secure = createTlsSettings(options);
  return new ProxyAgent({
    ...POOL_OPTIONS,
    uri: proxy.url,
    ...(proxy.authorization === undefined ? {} : { token: proxy.authorization }),
    connectTimeout: timeout,
    proxyTls: secure,
    requestTls: secure,
    factory: (origin, pool) => new Pool(origin, Object.assign({}, pool, POOL_OPTIONS)),
    clientFactory: (url) => createTunnelPool(url, secure, timeout),
  });
}

/**
 * Creates the pool that asks the proxy for tunnels.
 * Only undici's main module gives pools a `connect` method, and its failures must be told apart from those of the
 * service. undici doesn't pass its timeout to this pool either.
 */
function createTunnelPool(url: URL, secure: ReturnType<typeof createTlsSettings>, timeout: number): Dispatcher {
  const pool = new Pool(url, {
    connections: MAX_CONNECTIONS,
    allowH2: false,
    headersTimeout: timeout,
    connect: { ...secure, timeout },
  });
  const connect = (options: Dispatcher.ConnectOptions) =>
    connectOver.call(pool, options).catch((error: unknown) => {
      throw new ProxyFailure(error);
    });
  return Object.assign(pool, { connect });
}
