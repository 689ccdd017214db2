import { test } from 'vitest';
import { testClient } from '../../support/faultClient.ts';
import type { TestClient } from '../../support/faultClient.ts';
import { startFaultServer } from '../../support/faultServer.ts';
import type { FaultServer } from '../../support/faultServer.ts';

/** A test that can ask for a server with faults, and for a client of it. */
export const it = test.extend<{ server: FaultServer; client: TestClient }>({
  server: async ({ onTestFinished }, use) => {
    const server = await startFaultServer();
    onTestFinished(() => server[Symbol.asyncDispose]());
    await use(server);
  },
  client: async ({ server, onTestFinished }, use) => {
    const client = testClient({ baseUrl: server.url });
    onTestFinished(() => client.close());
    await use(client);
  },
});
