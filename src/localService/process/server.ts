import { once } from 'node:events';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { App } from '../http/app.ts';

export interface RunningServer {
  readonly url: string;
  /** Waits up to one second for running requests, then closes all connections. */
  close(): Promise<void>;
}

const closeLimit = 1000;

/**
 * Serves the app on the loopback interface only; port 0 lets the system choose.
 * @throws {Error} the port is in use or not permitted; the message says what to do
 */
export async function listen(app: App, port: number): Promise<RunningServer> {
  const answer = getRequestListener(app.fetch);
  const server = createServer((request, response) => {
    // Clients keep their connections open, which would delay the end.
    response.once('close', () => setImmediate(() => server.listening || server.closeIdleConnections()));
    void answer(request, response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: unknown) => {
    throw explain(error, port);
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      const closeAll = setTimeout(() => server.closeAllConnections(), closeLimit);
      await closed;
      clearTimeout(closeAll);
    },
  };
}

function explain(error: unknown, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const advice = 'Choose another port, or 0 to let the system choose one.';
  if (code === 'EADDRINUSE') return new Error(`Port ${port} is in use. ${advice}`, { cause: error });
  if (code === 'EACCES') return new Error(`This user can't use port ${port}. ${advice}`, { cause: error });
  return error;
}
