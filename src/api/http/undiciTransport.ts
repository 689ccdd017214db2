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
import { ApiError, cancelled, codeOf, timedOut, tooLarge, unexpected } from '../errors.ts';
import { MAX_BODY_BYTES } from '../schema/limits.ts';
import { describeConnectionFailure, ProxyFailure } from './connectionFailures.ts';
import { chooseProxy } from './proxy.ts';
import type { Proxy } from './proxy.ts';
import { ReceivedBody } from './transport.ts';
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
    if (closed || request.signal?.aborted === true) throw cancelled(origin, false);
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

/** Converts an undici error to an ApiError. `sent` says whether the request had left the queue. */
type Classify = (cause: unknown, sent: boolean) => ApiError;

/**
 * Sends one request over a dispatcher and collects the response, whose body may be compressed.
 * Drives the dispatcher directly: only its handler learns when the request leaves the queue and the timeout starts.
 */
function exchange(dispatcher: Dispatcher, request: TransportRequest, classify: Classify): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    const { origin, path, method, headers, body = null, timeoutMs, signal } = request;
    const handler = new ExchangeHandler({ origin, timeoutMs, signal }, classify, resolve, reject);
    try {
      dispatcher.dispatch({ origin, path, method, headers: { ...headers }, body }, handler);
    } catch (error) {
      handler.onResponseError(undefined, error);
    }
  });
}

/** The request without its body. An error can keep the handler in memory, and a body may hold secrets. */
type Answered = Pick<TransportRequest, 'origin' | 'timeoutMs' | 'signal'>;

class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #request: Answered;
  readonly #classify: Classify;
  readonly #resolve: (response: TransportResponse) => void;
  readonly #reject: (error: ApiError) => void;
  readonly #onAbort = () => this.#fail(cancelled(this.#request.origin, this.#controller !== undefined));
  #controller: Dispatcher.DispatchController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failure: ApiError | undefined;
  #settled = false;
  #status = 0;
  #headers: TransportResponse['headers'] = {};
  #body = new ReceivedBody();

  constructor(
    request: Answered,
    classify: Classify,
    resolve: (response: TransportResponse) => void,
    reject: (error: ApiError) => void,
  ) {
    this.#request = request;
    this.#classify = classify;
    this.#resolve = resolve;
    this.#reject = reject;
    request.signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#failure !== undefined) {
      controller.abort(this.#failure);
      return;
    }
    this.#controller = controller;
    const { origin, timeoutMs } = this.#request;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fail(timedOut(origin, timeoutMs, true)), timeoutMs);
  }

  onResponseStart(_controller: unknown, status: number, headers: TransportResponse['headers']): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    const announced = Number(headers['content-length'] ?? 0);
    if (announced > MAX_BODY_BYTES) this.#fail(tooLarge(this.#request.origin));
    else this.#body = new ReceivedBody(announced);
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.#settled) return;
    if (!this.#body.add(chunk)) this.#fail(tooLarge(this.#request.origin));
  }

  onResponseEnd(): void {
    if (this.#settled) return;
    this.#settle();
    this.#controller = undefined;
    this.#resolve({ status: this.#status, headers: this.#headers, body: this.#body.bytes });
  }

  onResponseError(_controller: unknown, cause: unknown): void {
    if (this.#settled) return;
    this.#fail(this.#classify(cause, this.#controller !== undefined));
  }

  #fail(error: ApiError): void {
    if (this.#settled) return;
    this.#failure = error;
    this.#settle();
    this.#body = new ReceivedBody();
    this.#reject(error);
    this.#controller?.abort(error);
    this.#controller = undefined;
  }

  #settle(): void {
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#request.signal?.removeEventListener('abort', this.#onAbort);
  }
}
