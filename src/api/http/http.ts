import type { Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import { ApiError, cancelled, essence, isMissingCall, refused, unexpected } from '../errors.ts';
import type { Flavor } from '../flavor.ts';
import { headerOf, parseAnswer, serviceError } from './answer.ts';
import type { BaseUrl } from './baseUrl.ts';
import { hideValues, redactBody, secretsIn } from '../redaction/hideValues.ts';
import { MASK, safeText } from '../redaction/redact.ts';
import { isHeaderName, isHeaderValue, isKeyHeader } from '../redaction/secretNames.ts';
import type { Logger } from '../redaction/redact.ts';
import { retryDelay } from './retry.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

/** Null and undefined values aren't sent. */
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface CallOptions {
  /** Cancels the call, even while it's queued or waiting to retry. */
  readonly signal?: AbortSignal | undefined;
}

export interface HttpOptions {
  readonly baseUrl: BaseUrl;
  readonly flavor: Flavor;
  /** Returns the API key, or "" if none is needed. Called for every call, so a new key applies at once. */
  readonly auth: () => Promise<string>;
  readonly authHeader: string;
  readonly authPrefix: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Who sends the requests, because firewalls refuse requests that don't say it. A header of this name wins. */
  readonly userAgent?: string | undefined;
  readonly timeoutMs: number;
  readonly transport: Transport;
  readonly log?: Logger | undefined;
  /** Waits before a GET is retried. Rejects when the signal is aborted. */
  readonly wait?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
}

/** Sends requests to one service. Both functions return the parsed JSON and fail only with ApiError. */
export interface Http {
  readonly origin: string;
  readonly flavor: Flavor;
  get(path: string, query?: Query, options?: CallOptions): Promise<unknown>;
  /** A POST that changes nothing, and is retried as a GET is. */
  query(path: string, body: object, options?: CallOptions): Promise<unknown>;
  /** Never retried: the service can't recognize a repeated request. */
  send(call: SentCall, options?: CallOptions): Promise<unknown>;
  /** As `send`, for a call whose answer says nothing and may be empty. */
  perform(call: SentCall, options?: CallOptions): Promise<void>;
  /** PUTs a file to a signed address, which may be on another host. Sends it neither the key nor the own headers. */
  upload(file: UploadedFile, options?: CallOptions): Promise<void>;
  /** The request that `send` sends, without the key and values that may be secret. */
  describe(call: SentCall): Promise<DescribedRequest>;
}

/** A request as it is sent, except for the key and for values that may be secret. */
export interface DescribedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON in one line; empty if there is none. */
  readonly body: string;
}

/** Stands for the API key, as a shell reads it. */
export const keyPlaceholder = '$API_KEY';

/** Stands for the value of a header that carries a key. ASCII, because headers are. */
const headerMask = '***';

/** A call that changes something. */
export interface SentCall {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Query;
  readonly body?: object;
}

/** A file, and where it goes. */
export interface UploadedFile {
  /** A whole address, with its signature. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Readable;
  /** In bytes. */
  readonly size: number;
}

const MAX_REDIRECTS = 5;

/** The slowest upload that is worth waiting for, in bytes per millisecond: a megabit per second. */
const SLOWEST_UPLOAD = 125;

/** Parsed and read in a few milliseconds, whatever it has. */
const SHORT_BODY_BYTES = 4096;

/** Builds, retries, parses and logs all requests of a client. */
export function createHttp(options: HttpOptions): Http {
  const { origin } = options.baseUrl;
  const wait = options.wait ?? ((milliseconds, signal) => sleep(milliseconds, undefined, { signal }));
  let turn: Promise<unknown> = Promise.resolve();

  /** Parses one long answer in each turn of the event loop, because several together would stop it for too long. */
  async function parseInTurn(response: TransportResponse): Promise<unknown> {
    if (response.body.length > SHORT_BODY_BYTES) {
      turn = turn.then(() => nextTurn());
      await turn;
    }
    return parseAnswer(response, origin);
  }

  /** Sends a request that changes nothing, up to three times. */
  async function read(call: Call): Promise<unknown> {
    const request = await prepare(options, call);
    for (let tries = 1; ; tries += 1) {
      try {
        return await parseInTurn(await attempt(options, request));
      } catch (error) {
        const delay = error instanceof ApiError ? retryDelay(error, tries, Math.random()) : undefined;
        if (delay === undefined) throw error;
        options.log?.debug(
          `${call.method} ${safeText(request.path, request.secrets)}: next try in ${Math.round(delay)} ms`,
        );
        await wait(delay, call.signal).catch(() => {
          throw cancelled(origin, true);
        });
      }
    }
  }

  async function sendOnce(call: SentCall, { signal }: CallOptions = {}): Promise<TransportResponse> {
    const request = await prepare(options, { ...call, signal });
    options.log?.trace(`${call.method} ${call.path} ${call.body === undefined ? '' : redactBody(call.body)}`);
    return attempt(options, request);
  }

  return {
    origin,
    flavor: options.flavor,
    get: async (path, query, { signal } = {}) => read({ method: 'GET', path, query, signal }),
    query: async (path, body, { signal } = {}) => read({ method: 'POST', path, body, signal }),
    send: async (call, asked) => parseInTurn(await sendOnce(call, asked)),
    async perform(call, asked) {
      await sendOnce(call, asked);
    },
    async upload(file, { signal } = {}) {
      const request = uploadRequest(options, file, signal);
      await attempt(options, request).catch((error: unknown) => {
        // It isn't the service that lacks a call: the address is of a store of files.
        if (!isMissingCall(error)) throw error;
        throw unexpected(l10n.t("{0} didn't take the upload. Try again.", request.origin));
      });
    },
    describe: (call) => describeRequest(options, call),
  };
}

/** Sends a request and returns a successful response. A GET follows redirects within the service. */
async function attempt(options: HttpOptions, request: PreparedRequest): Promise<TransportResponse> {
  let path = request.path;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await logged(options, { ...request, path });
    const { status } = response;
    if (status >= 200 && status < 300) return response;
    const location = headerOf(response, 'location');
    if (status < 300 || status >= 400 || location === undefined) throw serviceError(response, request);
    path = redirectedPath(request, path, location, status);
  }
  throw unexpected(l10n.t('{0} redirects in a loop. Check the base URL.', request.origin));
}

/**
 * Returns the path that a redirect leads to.
 * The key must not reach another host, and a body is never sent twice.
 */
function redirectedPath(request: PreparedRequest, path: string, location: string, status: number): string {
  const { origin } = request;
  const target = URL.canParse(location, origin + path) ? new URL(location, origin + path) : undefined;
  if (request.method === 'GET' && target?.origin === origin) return target.pathname + target.search;
  const address = safeText(target?.origin ?? l10n.t('an invalid address'), request.secrets);
  throw unexpected(
    l10n.t("{0} redirects to {1}, which isn't followed. If {1} is the service, change the base URL.", origin, address),
    status,
  );
}

async function logged({ transport, log }: HttpOptions, request: PreparedRequest): Promise<TransportResponse> {
  const start = performance.now();
  const line = `${request.method} ${request.origin}${safeText(request.path, request.secrets)}`;
  const elapsed = () => `${Math.round(performance.now() - start)} ms`;
  try {
    const { secrets: _, ...sent } = request;
    const response = await transport.request(sent);
    log?.debug(`${line}: ${response.status}, ${response.body.length} bytes, ${elapsed()}`);
    return response;
  } catch (error) {
    log?.debug(`${line}: ${error instanceof ApiError ? error.kind : 'failed'}, ${elapsed()}`);
    throw error;
  }
}

/** A request and the secrets that must not appear in any text about it. */
type PreparedRequest = TransportRequest & { readonly secrets: readonly string[] };

/** One call in terms of the interface. Its path is relative to the base URL. */
type Call = Pick<TransportRequest, 'method' | 'path' | 'signal'> & {
  readonly query?: Query | undefined;
  readonly body?: unknown;
};

/**
 * Builds a request. Asks for the key once.
 * @throws ApiError `cancelled` for an aborted signal, `unauthorized` when the key can't be read, `invalid` when a
 * header can't be sent.
 */
async function prepare(options: HttpOptions, call: Call): Promise<PreparedRequest> {
  if (call.signal?.aborted === true) throw cancelled(options.baseUrl.origin, false);
  return composeRequest(options, call, await readKey(options.auth));
}

/** Builds a request with a placeholder for the key, if there is one, and masks for values that may be secret. */
async function describeRequest(options: HttpOptions, call: SentCall): Promise<DescribedRequest> {
  const key = await readKey(options.auth);
  const headers = Object.fromEntries(
    Object.entries(options.headers).map(([name, value]) => [name, isKeyHeader(name) ? headerMask : value]),
  );
  const masked = { ...call, body: hideValues(call.body, () => MASK) };
  const request = composeRequest({ ...options, headers }, masked, key === '' ? '' : keyPlaceholder);
  const { method, origin, path, body } = request;
  return { method, url: origin + path, headers: request.headers, body: typeof body === 'string' ? body : '' };
}

function composeRequest(
  { baseUrl, authHeader, authPrefix, headers, userAgent, timeoutMs }: HttpOptions,
  { method, path, query = {}, body, signal }: Call,
  key: string,
): PreparedRequest {
  const all: Record<string, string> = {
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(userAgent === undefined || hasHeader(headers, 'user-agent') ? {} : { 'user-agent': userAgent }),
    ...headers,
    ...(key === '' ? {} : { [authHeader]: `${authPrefix.trim()} ${key}`.trim() }),
  };
  for (const [name, value] of Object.entries(all)) checkHeader(name, value);
  return {
    method,
    origin: baseUrl.origin,
    path: baseUrl.prefix + path + searchOf(query),
    headers: all,
    body: body === undefined ? undefined : JSON.stringify(body),
    timeoutMs,
    signal,
    secrets: [key, ...credentialsIn(headers), ...secretsIn(body)],
  };
}

/**
 * Builds the request to a signed address, whose path and query are as secret as a key.
 * @throws ApiError `unexpectedResponse` for an address that a service must not name
 */
function uploadRequest(
  { baseUrl, userAgent, timeoutMs }: HttpOptions,
  { address, headers, content, size }: UploadedFile,
  signal?: AbortSignal,
): PreparedRequest {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isPlain = url?.protocol === 'http:' && url.origin !== baseUrl.origin;
  if (url === undefined || isPlain || !/^https?:$/.test(url.protocol) || url.username + url.password !== '') {
    throw unexpected(l10n.t("{0} named an address for the upload that can't be used.", baseUrl.origin));
  }
  const path = url.pathname + url.search;
  return {
    method: 'PUT',
    origin: url.origin,
    path,
    headers: {
      ...headers,
      'content-length': String(size),
      ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
    },
    body: content,
    timeoutMs: timeoutMs + size / SLOWEST_UPLOAD,
    signal,
    secrets: [path, url.search, ...url.searchParams.values()].filter((secret) => secret !== ''),
  };
}

function hasHeader(headers: Readonly<Record<string, string>>, wanted: string): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === wanted);
}

async function readKey(auth: HttpOptions['auth']): Promise<string> {
  try {
    return (await auth()).trim();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const message = l10n.t("Couldn't read the API key on this machine. Use Set API Key.");
    throw new ApiError({ kind: 'unauthorized', message, sent: false, cause: essence(error) });
  }
}

/** The values of headers that carry keys. They don't belong in a connection's headers, but users put them there. */
function credentialsIn(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => (isKeyHeader(name) ? [value] : []));
}

/**
 * Rejects a header that can't be sent, because a lower layer's error could quote it.
 * The message omits the name, which may be a pasted key.
 */
function checkHeader(name: string, value: string): void {
  if (isHeaderName(name) && isHeaderValue(value)) return;
  throw refused(
    l10n.t("The API key or a header contains a character that can't be sent, such as a line break. Set it again."),
  );
}

function searchOf(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) search.append(name, String(value));
  }
  return search.size === 0 ? '' : `?${search.toString()}`;
}
