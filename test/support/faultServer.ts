import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import type { AddressInfo } from 'node:net';
import { proofOf, proofPath } from '../../src/api/localService.ts';

/** A request as it arrived; `body` is complete once the sender has ended it. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  body: string;
}

/** What the server does with one request. */
export type Fault = (response: http.ServerResponse, request: http.IncomingMessage) => void;

export interface FaultServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Every request since the start, in the order of arrival. */
  readonly seen: SeenRequest[];
  /** The paths with queries of the requests since the last call. */
  asked(): string[];
  /** How many requests with this method arrived: a POST must never be seen twice. */
  count(method: string): number;
  /** Sets what happens next: each request takes one fault, the last one stays for all that follow. */
  answer(...faults: Fault[]): void;
  /** How many connections were accepted since the start. */
  connections(): number;
  /** Resolves when `count` requests have arrived in total. */
  arrived(count: number): Promise<void>;
}

export interface FaultServerOptions {
  /** Serves https with this certificate and key (PEM). */
  readonly tls?: https.ServerOptions;
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** Proves, to who asks, that it is the local service with this key; requests for that are not among those seen. */
  readonly localServiceKey?: string;
}

/** Starts an HTTP server on a free port that misbehaves as it is told. Use it with `await using`. */
export async function startFaultServer({
  tls,
  host = '127.0.0.1',
  localServiceKey,
}: FaultServerOptions = {}): Promise<FaultServer> {
  const seen: SeenRequest[] = [];
  let faults: Fault[] = [];
  let connections = 0;
  let heard = 0;
  const waiting: { count: number; resolve: () => void }[] = [];

  function handle(request: http.IncomingMessage, response: http.ServerResponse): void {
    if (localServiceKey !== undefined && provesIdentity(localServiceKey, request, response)) return;
    const entry = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body: '' };
    seen.push(entry);
    request.setEncoding('utf8').on('data', (text: string) => (entry.body += text));
    // A client that goes away in the middle is what many of the tests are about.
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    const [fault, ...later] = faults;
    if (later.length > 0) faults = later;
    if (request.method === 'GET') fault?.(response, request);
    else request.on('end', () => fault?.(response, request));
    for (const waiter of waiting) if (seen.length >= waiter.count) waiter.resolve();
  }

  const server = tls === undefined ? http.createServer(handle) : https.createServer(tls, handle);
  server.on('connection', () => (connections += 1));
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    url: `${tls === undefined ? 'http' : 'https'}://${host}:${port}`,
    port,
    seen,
    asked: () => {
      const paths = seen.slice(heard).map(({ path }) => path);
      heard = seen.length;
      return paths;
    },
    count: (method) => seen.filter((request) => request.method === method).length,
    answer: (...next) => {
      faults = next;
    },
    connections: () => connections,
    arrived: (count) =>
      seen.length >= count ? Promise.resolve() : new Promise((resolve) => waiting.push({ count, resolve })),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Answers a request for a proof as the local service does; false where the request is another one. */
export function provesIdentity(
  apiKey: string,
  { url = '', socket }: http.IncomingMessage,
  response: http.ServerResponse,
): boolean {
  if (!url.startsWith(proofPath)) return false;
  const nonce = url.slice(proofPath.length + 1);
  const proof = proofOf(apiKey, nonce, `${socket.localAddress}:${socket.localPort}`, process.pid);
  response.writeHead(204, { proof: `${process.pid} ${proof}` }).end();
  return true;
}
