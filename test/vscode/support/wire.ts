import type { ServerResponse } from 'node:http';
import { passTo } from '../../support/faultRelay.ts';
import { startFaultServer } from '../../support/faultServer.ts';
import type { Fault } from '../../support/faultServer.ts';
import type { ServiceAccess } from '../../support/serviceSeed.ts';
import { addConnection } from './connections.ts';
import { atEnd } from './suite.ts';
import { tree } from './window.ts';

/** A relay in front of a service that reads the bodies that pass. */
export interface Wire {
  readonly url: string;
  /** The bodies of all POST requests since `forget`. */
  posted(): unknown[];
  forget(): void;
}

/** Starts a relay in front of a local service, and connects the window to it. */
export async function startWire(service: ServiceAccess, connection: string): Promise<Wire> {
  const server = await startFaultServer();
  /** Passes requests on; the body was read already to be looked at. */
  const pass: Fault = (response, request) => {
    if (request.method === 'GET') passTo(service.url)(response, request);
    else void passBody(request.url ?? '', response);
  };
  async function passBody(path: string, response: ServerResponse): Promise<void> {
    const answered = await fetch(service.url + path, {
      method: 'POST',
      headers: { 'X-Api-Key': service.apiKey, 'Content-Type': 'application/json' },
      body: server.seen.findLast(({ method }) => method === 'POST')?.body ?? '',
    });
    response.writeHead(answered.status, { 'content-type': 'application/json' });
    response.end(await answered.text());
  }
  atEnd(() => server[Symbol.asyncDispose]());
  server.answer(pass);
  await tree('Deployments').open();
  await addConnection(connection, { url: server.url, apiKey: service.apiKey });
  return {
    url: server.url,
    posted: () => server.seen.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body) as unknown),
    forget: () => void (server.seen.length = 0),
  };
}
