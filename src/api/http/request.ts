import * as l10n from '@vscode/l10n';
import { ApiError, cancelled, refused } from '../errors.ts';
import type { BaseUrl } from './baseUrl.ts';
import { essence } from './connectionFailures.ts';
import { secretsIn } from './hideValues.ts';
import { isKeyHeader } from './redact.ts';
import type { TransportRequest } from './transport.ts';

/** Members that are null or undefined are not sent. */
export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** What every request to a service has in common. */
export interface RequestOptions {
  readonly baseUrl: BaseUrl;
  /** Gives the API key at each call, so that a changed key is used at once; empty where the service needs none. */
  readonly auth: () => Promise<string>;
  readonly authHeader: string;
  readonly authPrefix: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** A request together with what must not appear in any text about it. */
export type PreparedRequest = TransportRequest & { readonly secrets: readonly string[] };

/** One call, in the words of the interface. */
export interface Call {
  readonly method: TransportRequest['method'];
  /** Relative to the base URL. */
  readonly path: string;
  readonly query?: Query | undefined;
  readonly body?: object | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Puts a request together. The key is asked for here, once per call.
 * @throws ApiError `cancelled` for an aborted signal, `unauthorized` when the key cannot be read, `invalid` when a
 * header cannot be sent.
 */
export async function prepare(
  { baseUrl, auth, authHeader, authPrefix, headers, timeoutMs }: RequestOptions,
  { method, path, query = {}, body, signal }: Call,
): Promise<PreparedRequest> {
  if (signal?.aborted === true) throw cancelled(baseUrl.origin, false);
  const key = await readKey(auth);
  const prefix = authPrefix.trim();
  const all: Record<string, string> = {
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
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

async function readKey(auth: RequestOptions['auth']): Promise<string> {
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
  const named = Object.entries(headers).filter(([name]) => isKeyHeader(name));
  return named.map(([, value]) => value);
}

/** Refused here, because the texts of the layers below could quote it. The name is not told: it can be a pasted key. */
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
