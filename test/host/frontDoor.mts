import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Socket } from 'node:net';
import { createProxyServer } from 'httpxy';

export interface FrontDoor {
  readonly port: string;
  /** Ends its listening and every connection through it. */
  close(): void;
}

/**
 * Opens a port on loopback that passes everything on to VS Code's server, and answers the one request that this server
 * leaves to the one before it: `/mint-key`, the server's half of the key that encrypts stored secrets in the browser.
 * Without an answer VS Code keeps secrets in memory, and a reload of the window loses them.
 */
export async function openFrontDoor(serverPort: string): Promise<FrontDoor> {
  const half = randomBytes(32);
  // A connection that is kept for the next request may be closed by the server just when that one is sent.
  const proxy = createProxyServer({ target: `http://127.0.0.1:${serverPort}`, agent: false });
  const server = createServer((request, response) => {
    if (request.method === 'POST' && request.url === '/mint-key') {
      response.setHeader('content-type', 'application/octet-stream').end(half);
      return;
    }
    proxy.web(request, response).catch(() => response.destroy());
  });
  server.on('upgrade', (request, socket, head) => {
    if (socket instanceof Socket) proxy.ws(request, socket, {}, head).catch(() => socket.destroy());
    else socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The front door listens on no port.');
  return {
    port: String(address.port),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
