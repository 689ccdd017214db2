import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openFrontDoor } from '../../host/frontDoor.mts';
import type { FrontDoor } from '../../host/frontDoor.mts';

let server: Server;
let connections: number;
let door: FrontDoor;

beforeEach(async () => {
  connections = 0;
  server = createServer((request, response) => response.end(request.url));
  server.on('connection', () => (connections += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
  door = await openFrontDoor(String(address.port));
});

afterEach(() => {
  door.close();
  server.close();
  server.closeAllConnections();
});

it('passes each request on by a connection of its own, which the server cannot close before it is sent', async () => {
  for (const path of ['/first', '/second']) {
    const response = await fetch(`http://127.0.0.1:${door.port}${path}`);
    expect(await response.text()).toBe(path);
  }
  expect(connections).toBe(2);
});

it("answers the request for the server's half of the key itself, each time the same", async () => {
  const ask = async () =>
    new Uint8Array(await (await fetch(`http://127.0.0.1:${door.port}/mint-key`, { method: 'POST' })).arrayBuffer());
  const half = await ask();
  expect(half).toHaveLength(32);
  expect(await ask()).toEqual(half);
  expect(connections).toBe(0);
});
