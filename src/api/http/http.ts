import { setTimeout as sleep } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import { ApiError, cancelled, unexpected } from '../errors.ts';
import type { Flavor } from '../flavor.ts';
import { headerOf, parseAnswer } from './answer.ts';
import { redactBody } from './hideValues.ts';
import { safeText } from './redact.ts';
import type { Logger } from './redact.ts';
import { prepare } from './request.ts';
import type { PreparedRequest, Query, RequestOptions } from './request.ts';
import { retryDelay } from './retry.ts';
import { serviceError } from './serviceErrors.ts';
import type { Transport, TransportResponse } from './transport.ts';

export interface CallOptions {
  /** Cancels the call, also while it waits in the queue or between two tries. */
  readonly signal?: AbortSignal | undefined;
}

export interface HttpOptions extends RequestOptions {
  readonly flavor: Flavor;
  readonly transport: Transport;
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

const MAX_REDIRECTS = 5;

/** The one place where requests are put together, repeated, read and logged. */
export function createHttp(options: HttpOptions): Http {
  const { origin } = options.baseUrl;
  const wait = options.wait ?? ((milliseconds, signal) => sleep(milliseconds, undefined, { signal }));

  async function get(path: string, query?: Query, { signal }: CallOptions = {}): Promise<unknown> {
    const request = await prepare(options, { method: 'GET', path, query, signal });
    for (let tries = 1; ; tries += 1) {
      try {
        return parseAnswer(await attempt(options, request), origin);
      } catch (error) {
        const delay = error instanceof ApiError ? retryDelay(error, tries, Math.random()) : undefined;
        if (delay === undefined) throw error;
        options.log?.debug(`GET ${safeText(request.path, request.secrets)}: next try in ${Math.round(delay)} ms`);
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
    const request = await prepare(options, { method, path, body, signal });
    options.log?.trace(`${method} ${path} ${redactBody(body)}`);
    return parseAnswer(await attempt(options, request), origin);
  }

  return { origin, flavor: options.flavor, get, send };
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
      throw serviceError(response, { origin: request.origin, secrets: request.secrets, now: sentAt(response) });
    }
    path = redirectedPath(request, path, location, status);
  }
  throw unexpected(l10n.t('{0} redirects without end. Check the base URL.', request.origin));
}

/** When an answer was sent, by the clock of the service, which may differ from ours. */
function sentAt(response: TransportResponse): number {
  const time = Date.parse(headerOf(response, 'date') ?? '');
  return Number.isNaN(time) ? Date.now() : time;
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
