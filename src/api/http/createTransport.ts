import { Readable } from 'node:stream';
import * as l10n from '@vscode/l10n';
import { ApiError, cancelled, codeOf, timedOut, tooLarge } from '../errors.ts';
import { describeEditorFailure } from './connectionFailures.ts';
import type { Logger } from '../redaction/redact.ts';
import { ReceivedBody } from './transport.ts';
import type { Fetch, Transport, TransportOptions, TransportRequest, TransportResponse } from './transport.ts';
import { createUndiciTransport } from './undiciTransport.ts';

/** Creates the transport of one connection. Opens nothing and reads no certificates before the first request. */
export function createTransport(options: TransportOptions): Transport {
  // The editor's fetch would silently ignore these.
  const { proxy, ca, cert, key, open } = options;
  const isCustom = [proxy, ca, cert, key, open].some((own) => own !== undefined);
  if (options.mode === 'undici' || isCustom) return createUndiciTransport(options);
  const editor = createEditorTransport(options.fetch ?? globalThis.fetch, options);
  return options.mode === 'editor' ? editor : createAutoTransport(createUndiciTransport(options), editor, options.log);
}

/**
 * Creates a transport that starts with undici, which is several times faster, and can switch to the editor.
 * The editor knows proxies that undici doesn't (PAC files, the system's). A GET that can't connect is retried there
 * once. If that works, all later requests use the editor.
 */
function createAutoTransport(undici: Transport, editor: Transport, log: Logger | undefined): Transport {
  let chosen = undici;

  async function request(request: TransportRequest): Promise<TransportResponse> {
    if (chosen === editor) return editor.request(request);
    try {
      return await undici.request(request);
    } catch (error) {
      if (request.method !== 'GET' || !isWithoutConnection(error)) throw error;
      const response = await editor.request(request).catch((reason: unknown) => {
        throw reason instanceof ApiError && reason.kind === 'tls' ? reason : error;
      });
      log?.info(`No direct connection to ${request.origin}; the editor's own network access works and is used.`);
      chosen = editor;
      return response;
    }
  }

  return {
    request,
    async close() {
      await Promise.all([undici.close(), editor.close()]);
    },
    retire: () => undici.retire(),
  };
}

/**
 * Whether there was no connection, for reasons that can't be a rejected certificate.
 * After a rejected certificate, the editor must not get a try, because it might accept the certificate.
 */
function isWithoutConnection(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.sent) return false;
  const code = codeOf(error.cause);
  if (CONNECTION_CODE.test(code)) return true;
  // Without a cause, undici doesn't support this kind of proxy.
  return error.kind === 'proxy' && (error.cause === undefined || PROXY_CODE.test(code));
}

/** Codes of the system and undici for a connection that couldn't be opened. */
const CONNECTION_CODE =
  /^(?:ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_(?:AGAIN|FAIL)|E(?:HOST|NET)UNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|EACCES|EPERM|UND_ERR_(?:CONNECT_TIMEOUT|SOCKET))$/;

/** Codes for a proxy that refuses a tunnel or doesn't respond. */
const PROXY_CODE = /^UND_ERR_(?:ABORTED|HEADERS_TIMEOUT)$/;

/**
 * Creates a transport on the editor's `fetch`, which uses proxies that only the editor knows.
 * fetch doesn't report when a request leaves its queue. The timeout therefore starts with the call, and a failed
 * request counts as sent unless the error shows that there was no connection.
 */
function createEditorTransport(
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
        ...bodyOf(body),
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
      throw describeEditorFailure(error, origin);
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

/** fetch sends a stream only with `duplex`. */
function bodyOf(body: TransportRequest['body']): RequestInit {
  if (!(body instanceof Readable)) return { body: body ?? null };
  return { body: Readable.toWeb(body), duplex: 'half' };
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
