import { setTimeout as sleep } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import { ApiError, cancelled, unexpected } from '../errors.ts';
import type { Flavor } from '../flavor.ts';
import { headerOf, parseAnswer } from './answer.ts';
import { describeRequest, type DescribedRequest } from './describeRequest.ts';
import { redactBody } from './hideValues.ts';
import { safeText } from './redact.ts';
import type { Logger } from './redact.ts';
import { prepare } from './request.ts';
import type { PreparedRequest, Query, RequestOptions } from './request.ts';
import { retryDelay } from './retry.ts';
import { serviceError } from './serviceErrors.ts';
import type { Transport, TransportResponse } from './transport.ts';

export interface CallOptions {
  /** Cancels the call, even while it's queued or waiting to retry. */
  readonly signal?: AbortSignal | undefined;
}

export interface HttpOptions extends RequestOptions {
  readonly flavor: Flavor;
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
  /** Never retried: the service can't recognize a repeated request. */
  send(call: SentCall, options?: CallOptions): Promise<unknown>;
  /** The request that `send` sends, without the key and values that may be secret. */
  describe(call: SentCall): DescribedRequest;
}

/** A call that changes something. */
export interface SentCall {
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly body: object;
}

const MAX_REDIRECTS = 5;

/** Builds, retries, parses and logs all requests of a client. */
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

  async function send(call: SentCall, { signal }: CallOptions = {}): Promise<unknown> {
    const request = await prepare(options, { ...call, signal });
    options.log?.trace(`${call.method} ${call.path} ${redactBody(call.body)}`);
    return parseAnswer(await attempt(options, request), origin);
  }

  return { origin, flavor: options.flavor, get, send, describe: (call) => describeRequest(options, call) };
}

/** Sends a request and returns a successful response. A GET follows redirects within the service. */
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

/** The time of a response by the service's clock, which may differ from this machine's. */
function sentAt(response: TransportResponse): number {
  const time = Date.parse(headerOf(response, 'date') ?? '');
  return Number.isNaN(time) ? Date.now() : time;
}

/**
 * Returns the path that a redirect leads to.
 * The key must not reach another host, and a body is never sent twice.
 */
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
