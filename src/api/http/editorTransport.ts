import * as l10n from '@vscode/l10n';
import { ApiError, cancelled, codeOf, essence, timedOut, tooLarge } from '../errors.ts';
import { tlsMessage } from './connectionFailures.ts';
import { ReceivedBody } from './receivedBody.ts';
import type { Fetch, Transport, TransportOptions, TransportRequest, TransportResponse } from './transport.ts';

/**
 * Creates a transport on the editor's `fetch`, which uses proxies that only the editor knows.
 * fetch doesn't report when a request leaves its queue. The timeout therefore starts with the call, and a failed
 * request counts as sent unless the error shows that there was no connection.
 */
export function createEditorTransport(
  fetch: Fetch,
  { strictTls = true, environment = process.env }: Pick<TransportOptions, 'strictTls' | 'environment'>,
): Transport {
  const closing = new AbortController();

  async function request(request: TransportRequest): Promise<TransportResponse> {
    const { origin, path, method, headers, body, timeoutMs, signal } = request;
    if (strictTls && origin.startsWith('https:')) refuseUnchecked(environment, origin);
    const timeout = AbortSignal.timeout(timeoutMs);
    const signals = [timeout, closing.signal, ...(signal === undefined ? [] : [signal])];
    try {
      const response = await fetch(`${origin}${path}`, {
        method,
        headers: { ...headers },
        body: body ?? null,
        redirect: 'manual',
        credentials: 'omit',
        signal: AbortSignal.any(signals),
      });
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: await readBody(response, origin),
      };
    } catch (error) {
      if (error instanceof ApiError) throw error;
      if (signal?.aborted === true || closing.signal.aborted) throw cancelled(origin, true);
      if (timeout.aborted) throw timedOut(origin, timeoutMs, true);
      throw describeFailure(error, origin);
    }
  }

  return {
    request,
    async close() {
      closing.abort();
    },
    // The editor has the connections.
    retire: () => Promise.resolve(),
  };
}

/**
 * Refuses https where Node checks no certificates, because fetch can't be told to check them.
 * Reads the variable for each request, because any extension in the same process can set it.
 * @throws ApiError `tls`
 */
function refuseUnchecked(environment: NonNullable<TransportOptions['environment']>, origin: string): void {
  if (environment['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0') return;
  const message = l10n.t(
    'Nothing was sent to {0}: NODE_TLS_REJECT_UNAUTHORIZED=0 makes the editor accept any certificate. Unset the variable and restart the editor, or set deploymentManager.network.transport to "undici".',
    origin,
  );
  throw new ApiError({ kind: 'tls', message, sent: false });
}

async function readBody(response: Response, origin: string): Promise<Uint8Array> {
  const body = new ReceivedBody();
  for await (const chunk of response.body ?? []) if (!body.add(chunk)) throw tooLarge(origin);
  return body.bytes;
}

function describeFailure(cause: unknown, origin: string): ApiError {
  const code = codeOf(cause);
  const tls = tlsMessage(code, origin);
  if (tls !== undefined) return new ApiError({ kind: 'tls', message: tls, sent: false, cause: essence(cause) });
  const message = l10n.t(
    "{0} didn't respond over the editor's network ({1}). Check the base URL and the editor's proxy settings.",
    origin,
    code || l10n.t('reason unknown'),
  );
  const sent = code !== 'ECONNREFUSED' && code !== 'ENOTFOUND';
  return new ApiError({ kind: 'network', message, sent, cause: essence(cause) });
}
