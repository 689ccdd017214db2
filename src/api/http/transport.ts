import type { Socket } from 'node:net';
import { ApiError, codeOf } from '../errors.ts';
import { createEditorTransport } from './editorTransport.ts';
import type { Logger } from './redact.ts';
import { createUndiciTransport } from './undiciTransport.ts';

/** One HTTP request, without knowledge of the interface. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** For example `https://host:8443`. */
  readonly origin: string;
  /** Path and query, already encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Counts from when the request leaves the pool's queue; with the editor's fetch, from the call. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface TransportResponse {
  readonly status: number;
  /** Names are in lowercase. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Decoded, and at most MAX_BODY_BYTES long. */
  readonly body: Uint8Array;
}

/** Sends HTTP requests. `request` fails only with ApiError and returns redirects as responses. */
export interface Transport {
  request(request: TransportRequest): Promise<TransportResponse>;
  /** Closes its connections and cancels running requests. */
  close(): Promise<void>;
  /** Closes its connections after the last request. A later request opens another one. */
  retire(): Promise<void>;
}

/** The part of the editor's `fetch` that the editor transport needs. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface TransportOptions {
  /**
   * `editor` always uses the editor's fetch; `auto` only after undici can't connect.
   * A transport with its own proxy, CA, client certificate or `open` uses undici in every mode.
   */
  readonly mode: 'auto' | 'undici' | 'editor';
  /** The connection's own proxy. May contain user information. */
  readonly proxy?: string | undefined;
  /** The proxy from the editor's settings (`http.proxy`), used if the connection has none. */
  readonly editorProxy?: string | undefined;
  /** Hosts to reach without the proxies above (`http.noProxy`). */
  readonly noProxy?: readonly string[] | undefined;
  /** Source of fallback proxies and NODE_TLS_REJECT_UNAUTHORIZED. Default: `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Whether to check certificates (`http.proxyStrictSSL`). Default: true. */
  readonly strictTls?: boolean | undefined;
  /** Certificates (PEM) to trust in addition to those of Node and the system. */
  readonly ca?: string | undefined;
  /** Client certificate (PEM). */
  readonly cert?: string | undefined;
  /** Key of the client certificate (PEM). */
  readonly key?: string | undefined;
  /** The editor's fetch. Default: the global `fetch` when the transport is created. */
  readonly fetch?: Fetch | undefined;
  /** Opens connections itself, without a proxy. Rejects if the other end must not get the requests. */
  readonly open?: ((origin: string) => Promise<Socket>) | undefined;
  /** Time limit for opening a connection, in milliseconds. Default: 10,000. */
  readonly connectTimeoutMs?: number | undefined;
  readonly log?: Logger | undefined;
}

/** Creates the transport of one connection. Opens nothing and reads no certificates before the first request. */
export function createTransport(options: TransportOptions): Transport {
  // The editor's fetch would silently ignore these.
  const { proxy, ca, cert, key, open } = options;
  const hasOwn = [proxy, ca, cert, key, open].some((own) => own !== undefined);
  if (options.mode === 'undici' || hasOwn) return createUndiciTransport(options);
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
