import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { MAX_BODY_BYTES } from '../schema/limits.ts';
import type { Logger } from '../redaction/redact.ts';

/** One HTTP request, without knowledge of the interface. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** For example `https://host:8443`. */
  readonly origin: string;
  /** Path and query, already encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream needs the header `content-length`, because services with signed addresses refuse chunks. */
  readonly body?: string | Readable | undefined;
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

/** The bytes of a response so far. Copies them together: a million short chunks would take far more memory. */
export class ReceivedBody {
  #buffer: Uint8Array;
  #length = 0;

  /** `announced` is the length that the service announced, in bytes, which saves copying them again. */
  constructor(announced = 0) {
    this.#buffer = new Uint8Array(Math.min(announced, MAX_BODY_BYTES));
  }

  /** The received bytes. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Adds a chunk. False if that would make more than MAX_BODY_BYTES. */
  add(chunk: Uint8Array): boolean {
    const length = this.#length + chunk.length;
    if (length > MAX_BODY_BYTES) return false;
    if (length > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#buffer.length));
      larger.set(this.bytes);
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.#length);
    this.#length = length;
    return true;
  }
}
