import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import * as net from 'node:net';
import type { AddressInfo } from 'node:net';

export interface FaultProxy extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** The targets that were asked for, `host:port` of a tunnel or the address of a plain request. */
  readonly targets: string[];
  /** The `Proxy-Authorization` of every request. */
  readonly authorizations: (string | undefined)[];
}

export interface FaultProxyOptions {
  /** `pass` works, `stall` accepts and never answers, a number is the status that refuses. */
  readonly behavior?: 'pass' | 'stall' | number;
  /** Asks for this `Proxy-Authorization` and refuses others with 407. */
  readonly authorization?: string;
  /** The client speaks TLS to the proxy. */
  readonly tls?: https.ServerOptions;
}

/** Starts a forward proxy on a free port of this machine. Use it with `await using`. */
export async function startFaultProxy({
  behavior = 'pass',
  authorization,
  tls,
}: FaultProxyOptions = {}): Promise<FaultProxy> {
  const targets: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const sockets = new Set<net.Socket>();

  /** The status that refuses the request, or undefined when it may pass. */
  function refusal(request: http.IncomingMessage): number | undefined {
    targets.push(request.url ?? '');
    authorizations.push(request.headers['proxy-authorization']);
    if (authorization !== undefined && request.headers['proxy-authorization'] !== authorization) return 407;
    return typeof behavior === 'number' ? behavior : undefined;
  }

  function forward(request: http.IncomingMessage, response: http.ServerResponse): void {
    const status = refusal(request);
    if (status !== undefined) return void response.writeHead(status).end('refused by the proxy');
    if (behavior === 'stall') return;
    const { 'proxy-authorization': _, ...headers } = request.headers;
    const onward = http.request(request.url ?? '', { method: request.method ?? 'GET', headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.writeHead(502).end());
    request.pipe(onward);
  }

  function tunnel(request: http.IncomingMessage, client: net.Socket): void {
    client.on('error', () => undefined);
    const status = refusal(request);
    if (status !== undefined) return void client.end(`HTTP/1.1 ${status} Refused\r\n\r\n`);
    if (behavior === 'stall') return;
    const [host = '', port = ''] = (request.url ?? '').split(':');
    const onward = net.connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      onward.pipe(client).pipe(onward);
    });
    sockets.add(onward);
    onward.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.on('close', () => onward.destroy());
  }

  const server = tls === undefined ? http.createServer(forward) : https.createServer(tls, forward);
  server.on('connect', tunnel);
  server.on('connection', (socket: net.Socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    targets,
    authorizations,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
