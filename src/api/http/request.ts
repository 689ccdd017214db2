import * as l10n from '@vscode/l10n';
import { ApiError, cancelled, refused } from '../errors.ts';
import type { BaseUrl } from './baseUrl.ts';
import { essence } from './connectionFailures.ts';
import { secretsIn } from './hideValues.ts';
import { isKeyHeader } from './redact.ts';
import type { TransportRequest } from './transport.ts';

/** Null and undefined values aren't sent. */
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Settings shared by all requests to a service. */
export interface RequestOptions {
  readonly baseUrl: BaseUrl;
  /** Returns the API key, or "" if none is needed. Called for every call, so a new key applies at once. */
  readonly auth: () => Promise<string>;
  readonly authHeader: string;
  readonly authPrefix: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Who sends the requests, because firewalls refuse requests that don't say it. A header of this name wins. */
  readonly userAgent?: string | undefined;
  readonly timeoutMs: number;
}

/** A request and the secrets that must not appear in any text about it. */
export type PreparedRequest = TransportRequest & { readonly secrets: readonly string[] };

/** One call in terms of the interface. */
export interface Call {
  readonly method: TransportRequest['method'];
  /** Relative to the base URL. */
  readonly path: string;
  readonly query?: Query | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Builds a request. Asks for the key once.
 * @throws ApiError `cancelled` for an aborted signal, `unauthorized` when the key can't be read, `invalid` when a
 * header can't be sent.
 */
export async function prepare(options: RequestOptions, call: Call): Promise<PreparedRequest> {
  if (call.signal?.aborted === true) throw cancelled(options.baseUrl.origin, false);
  return composeRequest(options, call, await readKey(options.auth));
}

/**
 * Puts a request together with a key.
 * @throws ApiError `invalid` when a header can't be sent.
 */
export function composeRequest(
  { baseUrl, authHeader, authPrefix, headers, userAgent, timeoutMs }: RequestOptions,
  { method, path, query = {}, body, signal }: Call,
  key: string,
): PreparedRequest {
  const prefix = authPrefix.trim();
  const all: Record<string, string> = {
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(userAgent === undefined || hasHeader(headers, 'user-agent') ? {} : { 'user-agent': userAgent }),
    ...headers,
    ...(key === '' ? {} : { [authHeader]: prefix === '' ? key : `${prefix} ${key}` }),
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

function hasHeader(headers: Readonly<Record<string, string>>, wanted: string): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === wanted);
}

async function readKey(auth: RequestOptions['auth']): Promise<string> {
  try {
    return (await auth()).trim();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const message = l10n.t('The API key could not be read on this machine. Use Set API Key.');
    throw new ApiError({ kind: 'unauthorized', message, sent: false, cause: essence(error) });
  }
}

/** The values of headers that carry keys. They don't belong in a connection's headers, but users put them there. */
function credentialsIn(headers: Readonly<Record<string, string>>): string[] {
  const named = Object.entries(headers).filter(([name]) => isKeyHeader(name));
  return named.map(([, value]) => value);
}

/**
 * Rejects a header that can't be sent, because a lower layer's error could quote it.
 * The message omits the name, which may be a pasted key.
 */
function checkHeader(name: string, value: string): void {
  if (/^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\u0020-\u007E]*$/.test(value)) return;
  throw refused(
    l10n.t('The API key or a header contains a character that cannot be sent, such as a line break. Set it again.'),
  );
}

function searchOf(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) search.append(name, String(value));
  }
  return search.size === 0 ? '' : `?${search.toString()}`;
}
