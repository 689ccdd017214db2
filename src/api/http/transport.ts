import type { Socket } from 'node:net';
import { ApiError } from '../errors.ts';
import { codeOf } from './connectionFailures.ts';
import { createEditorTransport } from './editorTransport.ts';
import type { Logger } from './redact.ts';
import { createUndiciTransport } from './undiciTransport.ts';

/** One HTTP exchange, without any knowledge of the interface. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** For example `https://host:8443`. */
  readonly origin: string;
  /** Path and query, already encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Counted from the moment the request leaves the queue of the pool. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface TransportResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Decoded from its content encoding and at most MAX_BODY_BYTES long. */
  readonly body: Uint8Array;
}

/** Speaks HTTP. `request` fails with ApiError only; redirects are answers like any other. */
export interface Transport {
  request(request: TransportRequest): Promise<TransportResponse>;
  /** Ends idle connections and cancels what is under way. */
  close(): Promise<void>;
}

/** The part of the editor's own `fetch` that the fallback needs. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface TransportOptions {
  /**
   * `auto` begins with undici and moves to the editor's fetch when undici cannot connect at all; `editor` uses that
   * fetch from the start. With a proxy, CA, client certificate or connections of its own a transport is on undici in
   * every mode.
   */
  readonly mode: 'auto' | 'undici' | 'editor';
  /** The connection's own proxy, which may carry user information. */
  readonly proxy?: string | undefined;
  /** The proxy of the editor's settings (`http.proxy`), used where the connection has none. */
  readonly editorProxy?: string | undefined;
  /** Hosts that are reached without the proxies above (`http.noProxy`). */
  readonly noProxy?: readonly string[] | undefined;
  /** Where proxies are looked up when none is given, and NODE_TLS_REJECT_UNAUTHORIZED. Default: `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Whether certificates are checked (`http.proxyStrictSSL`). Default: true. */
  readonly strictTls?: boolean | undefined;
  /** Certificates (PEM) that are trusted besides those of Node and the system. */
  readonly ca?: string | undefined;
  /** Client certificate (PEM). */
  readonly cert?: string | undefined;
  /** Key of the client certificate (PEM). */
  readonly key?: string | undefined;
  /** The editor's fetch. Default: the `fetch` that is global when the transport is created. */
  readonly fetch?: Fetch | undefined;
  /** Opens every connection itself, without a proxy, and refuses one whose other end must not get the requests. */
  readonly open?: ((origin: string) => Promise<Socket>) | undefined;
  /** How long a connection may take to open, in milliseconds. Default: 10 000. */
  readonly connectTimeoutMs?: number | undefined;
  readonly log?: Logger | undefined;
}

/**
 * Creates the transport of one connection. Nothing is opened and no certificate is read before the first request.
 */
export function createTransport(options: TransportOptions): Transport {
  // The editor's fetch knows nothing of these: it would leave them out without a word.
  const { proxy, ca, cert, key, open } = options;
  const hasOwn = [proxy, ca, cert, key, open].some((own) => own !== undefined);
  if (options.mode === 'undici' || hasOwn) return createUndiciTransport(options);
  const editor = createEditorTransport(options.fetch ?? globalThis.fetch, options);
  return options.mode === 'editor' ? editor : createAutoTransport(createUndiciTransport(options), editor, options.log);
}

/**
 * undici first, because it is several times faster. The editor knows proxies that undici does not (PAC files, the
 * system's), so a GET that found no connection is repeated there once, and if that works everything goes there.
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
  };
}

/**
 * Only failures that are known not to be a refused certificate: whoever showed one gets no second chance at a place that
 * may accept it.
 */
function isWithoutConnection(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.sent) return false;
  const code = codeOf(error.cause);
  if (CONNECTION_CODE.test(code)) return true;
  // Without a cause, the proxy is of a kind that undici does not know.
  return error.kind === 'proxy' && (error.cause === undefined || PROXY_CODE.test(code));
}

/** The codes of the system and of undici for a connection that could not be made. */
const CONNECTION_CODE =
  /^(?:ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_(?:AGAIN|FAIL)|E(?:HOST|NET)UNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|EACCES|EPERM|UND_ERR_(?:CONNECT_TIMEOUT|SOCKET))$/;

/** A proxy can also refuse a tunnel, or never answer. */
const PROXY_CODE = /^UND_ERR_(?:ABORTED|HEADERS_TIMEOUT)$/;
