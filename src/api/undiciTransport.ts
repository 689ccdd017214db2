import type { Socket } from 'node:net';
import { callbackify } from 'node:util';
import type { buildConnector, Dispatcher } from 'undici';
import connectOver from 'undici/lib/api/api-connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import { describeConnectionFailure, ProxyFailure } from './connectionFailures.ts';
import { decodeBody } from './contentEncoding.ts';
import { exchange } from './exchange.ts';
import { cancelled } from './failures.ts';
import { chooseProxy } from './proxy.ts';
import type { Proxy } from './proxy.ts';
import { createTlsSettings } from './tlsSettings.ts';
import type { TlsSettings } from './tlsSettings.ts';
import type { Transport, TransportOptions, TransportRequest } from './transport.ts';

/** Enough for the tree to load its branches at once, few enough to be a good guest of the service. */
const MAX_CONNECTIONS = 8;

const DEFAULT_CONNECT_TIMEOUT_MS = 10_000;

/** The time-outs of undici are off: one timer of ours covers each exchange from dispatch to the last byte. */
const POOL_OPTIONS = { connections: MAX_CONNECTIONS, allowH2: false, headersTimeout: 0, bodyTimeout: 0 };

interface Line {
  readonly dispatcher: Dispatcher;
  /** Host and port of the proxy, for messages. */
  readonly proxy: string | undefined;
}

/** A transport on private undici pools, one per origin; the process-wide dispatcher is never touched. */
export function createUndiciTransport(options: TransportOptions): Transport {
  const lines = new Map<string, Line>();
  let closed = false;

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
    const response = await exchange(dispatcher, { ...request, headers }, (cause, sent) =>
      describeConnectionFailure(cause, { origin, proxy }, sent),
    );
    return decodeBody(response, origin);
  }

  async function close(): Promise<void> {
    closed = true;
    const dispatchers = [...lines.values()].map((line) => line.dispatcher);
    lines.clear();
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.destroy()));
  }

  return { request, close };
}

function createDirect(origin: string, options: TransportOptions): Dispatcher {
  const { open } = options;
  const connect =
    open === undefined
      ? { ...tlsFor(origin, options), timeout: connectTimeout(options) }
      : createConnector(() => open(origin));
  return new Agent({ ...POOL_OPTIONS, connect });
}

/** Gives undici connections that are opened elsewhere. */
function createConnector(open: () => Promise<Socket>): buildConnector.connector {
  const connect = callbackify(open);
  return (_target, callback) =>
    connect((error: Error | null, socket: Socket) => (error === null ? callback(null, socket) : callback(error, null)));
}

function createProxied(proxy: Proxy, options: TransportOptions): Dispatcher {
  const timeout = connectTimeout(options);
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
 * The pool that asks the proxy for tunnels. Only undici's main module gives pools a `connect` of their own, and a
 * failure of it has to be told apart from one of the service. undici does not hand its time-out to it either.
 */
function createTunnelPool(url: URL, secure: TlsSettings, timeout: number): Dispatcher {
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

function connectTimeout(options: TransportOptions): number {
  return options.connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS;
}

/** Certificates are not even read for plain http, which is how the local service is reached. */
function tlsFor(origin: string, options: TransportOptions) {
  return origin.startsWith('https:') ? createTlsSettings(options) : {};
}
