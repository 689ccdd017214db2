import { once } from 'node:events';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fault } from './faultServer.ts';

export interface FaultRelay extends AsyncDisposable {
  readonly url: string;
  /** Method and path of every request, in the order of arrival; clear it with `requests.length = 0`. */
  readonly requests: string[];
  /** The bodies of the requests that were passed on, read as JSON; clear it with `sent.length = 0`. */
  readonly sent: unknown[];
  /** Lets requests whose method and path fit meet a fault instead of the service, until `mend` is called. */
  break(fits: RegExp, fault: Fault): void;
  /** Passes everything on again. */
  mend(): void;
  /** Goes away as a service that was shut down: nothing listens, open connections end. */
  stop(): Promise<void>;
  /** Listens again at the same address. */
  start(): Promise<void>;
}

/** Starts a relay in front of a service that counts requests and makes faults as it is told. Use it with `await using`. */
export async function startFaultRelay(serviceUrl: string): Promise<FaultRelay> {
  const requests: string[] = [];
  const sent: unknown[] = [];
  const passOn: Fault = (response, request) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => chunks.length > 0 && sent.push(JSON.parse(Buffer.concat(chunks).toString())));
    passTo(serviceUrl)(response, request);
  };
  const broken: { readonly fits: RegExp; readonly fault: Fault }[] = [];

  const server = http.createServer((request, response) => {
    const asked = `${request.method} ${request.url}`;
    requests.push(asked);
    response.on('error', () => undefined);
    const fault = broken.find(({ fits }) => fits.test(asked))?.fault;
    (fault ?? passOn)(response, request);
  });
  const listen = async (port: number): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    sent,
    break: (fits, fault) => void broken.push({ fits, fault }),
    mend: () => void (broken.length = 0),
    stop,
    start: () => listen(port),
    [Symbol.asyncDispose]: stop,
  };
}

/** Passes a request on to a service and gives back what it answers, or another answer once the service has answered. */
export function passTo(serviceUrl: string, instead?: Fault): Fault {
  return (response, request) => {
    const { method, headers } = request;
    const onward = http.request(`${serviceUrl}${request.url}`, { method, headers }, (answer) => {
      if (instead !== undefined) {
        answer.resume().on('end', () => instead(response, request));
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  };
}
