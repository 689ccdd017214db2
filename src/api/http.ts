import { setTimeout as sleep } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import { headerOf, parseAnswer } from './answer.ts';
import type { BaseUrl } from './baseUrl.ts';
import { essence } from './connectionFailures.ts';
import { ApiError } from './errors.ts';
import { cancelled, refused, unexpected } from './failures.ts';
import type { Flavor } from './flavor.ts';
import type { Logger } from './logger.ts';
import { redactBody, safeText, secretsIn } from './redact.ts';
import { retryDelay } from './retry.ts';
import { serviceError } from './serviceErrors.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

export interface CallOptions {
  /** Cancels the call, also while it waits in the queue or between two tries. */
  readonly signal?: AbortSignal | undefined;
}

export interface HttpOptions {
  readonly baseUrl: BaseUrl;
  readonly flavor: Flavor;
  /** Gives the API key at each call, so that a changed key is used at once; empty where the service needs none. */
  readonly auth: () => Promise<string>;
  readonly authHeader: string;
  readonly authPrefix: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly transport: Transport;
  readonly timeoutMs: number;
  readonly log?: Logger | undefined;
  /** Waits before a GET is sent again; fails when the signal is aborted. */
  readonly wait?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
}

/** Calls of one service. Both functions give the parsed JSON of a success and fail with ApiError only. */
export interface Http {
  readonly origin: string;
  readonly flavor: Flavor;
  get(path: string, query?: Query, options?: CallOptions): Promise<unknown>;
  /** Never sent twice: the interface has no way to tell a repetition. */
  send(method: 'POST' | 'PATCH', path: string, body: object, options?: CallOptions): Promise<unknown>;
}

/** Members that are null or undefined are not sent. */
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

const MAX_REDIRECTS = 5;

/** The one place where requests are put together, repeated, read and logged. */
export function createHttp(options: HttpOptions): Http {
  const { origin } = options.baseUrl;
  const wait = options.wait ?? ((milliseconds, signal) => sleep(milliseconds, undefined, { signal }));

  async function get(path: string, query: Query = {}, { signal }: CallOptions = {}): Promise<unknown> {
    const request = await prepare(options, { method: 'GET', path: path + searchOf(query), signal });
    for (let tries = 1; ; tries += 1) {
      try {
        return parseAnswer(await attempt(options, request), origin);
      } catch (error) {
        const delay = error instanceof ApiError ? retryDelay(error, tries, Math.random()) : undefined;
        if (delay === undefined) throw error;
        options.log?.debug(`GET ${request.path}: next try in ${Math.round(delay)} ms`);
        await wait(delay, signal).catch(() => {
          throw cancelled(origin, true);
        });
      }
    }
  }

  async function send(
    method: 'POST' | 'PATCH',
    path: string,
    body: object,
    { signal }: CallOptions = {},
  ): Promise<unknown> {
    const request = await prepare(options, { method, path, body: JSON.stringify(body), signal });
    options.log?.trace(`${method} ${path} ${redactBody(body)}`);
    return parseAnswer(
      await attempt(options, { ...request, secrets: [...request.secrets, ...secretsIn(body)] }),
      origin,
    );
  }

  return { origin, flavor: options.flavor, get, send };
}

/** A request together with what must not appear in any text about it. */
type PreparedRequest = TransportRequest & { readonly secrets: readonly string[] };

async function prepare(
  { baseUrl, auth, authHeader, authPrefix, headers, timeoutMs }: HttpOptions,
  call: Pick<TransportRequest, 'method' | 'path' | 'body' | 'signal'>,
): Promise<PreparedRequest> {
  if (call.signal?.aborted === true) throw cancelled(baseUrl.origin, false);
  const key = await readKey(auth);
  const prefix = authPrefix.trim();
  const all: Record<string, string> = {
    accept: 'application/json',
    ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
    ...(key === '' ? {} : { [authHeader]: prefix === '' ? key : `${prefix} ${key}` }),
  };
  for (const [name, value] of Object.entries(all)) checkHeader(name, value);
  return {
    ...call,
    origin: baseUrl.origin,
    path: baseUrl.prefix + call.path,
    headers: all,
    timeoutMs,
    secrets: [key, ...credentialsIn(headers)],
  };
}

async function readKey(auth: HttpOptions['auth']): Promise<string> {
  try {
    return (await auth()).trim();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const message = l10n.t('The API key could not be read on this machine. Use Set API Key.');
    throw new ApiError({ kind: 'unauthorized', message, sent: false, cause: essence(error) });
  }
}

/** A connection's own headers should carry no credentials, but nothing stops a person from putting them there. */
function credentialsIn(headers: Readonly<Record<string, string>>): string[] {
  const named = Object.entries(headers).filter(([name]) => /auth|key|token|secret|cookie|pass/i.test(name));
  return named.map(([, value]) => value);
}

/** Refused here, because the texts of the layers below could quote the value. */
function checkHeader(name: string, value: string): void {
  if (/^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\u0020-\u007E]*$/.test(value)) return;
  throw refused(
    l10n.t(
      'The header {0} contains a character that cannot be sent, for example a line break. Set the API key or the header again.',
      safeText(name),
    ),
  );
}

/** Sends a request once and gives the answer if it is a success; a GET follows redirects within the service. */
async function attempt(options: HttpOptions, request: PreparedRequest): Promise<TransportResponse> {
  let path = request.path;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await logged(options, { ...request, path });
    const { status } = response;
    if (status >= 200 && status < 300) return response;
    const location = headerOf(response, 'location');
    if (status < 300 || status >= 400 || location === undefined) {
      throw serviceError(response, { origin: request.origin, secrets: request.secrets, now: Date.now() });
    }
    path = redirectedPath(request, path, location, status);
  }
  throw unexpected(l10n.t('{0} redirects without end. Check the base URL.', request.origin));
}

/** The key goes to nobody but the service, and nothing is sent a second time with a body. */
function redirectedPath(request: PreparedRequest, path: string, location: string, status: number): string {
  const { origin } = request;
  const target = URL.canParse(location, origin + path) ? new URL(location, origin + path) : undefined;
  if (request.method === 'GET' && target?.origin === origin) return target.pathname + target.search;
  const address = safeText(target?.origin ?? l10n.t('an unusable address'), request.secrets);
  throw unexpected(
    l10n.t(
      '{0} redirects to {1}, which was not followed. If that is the service, change the base URL.',
      origin,
      address,
    ),
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

function searchOf(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) search.append(name, String(value));
  }
  return search.size === 0 ? '' : `?${search.toString()}`;
}
