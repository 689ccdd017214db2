import { test } from 'vitest';
import { testClient } from '../../support/faultClient.ts';
import type { TestClient } from '../../support/faultClient.ts';
import { startFaultServer } from '../../support/faultServer.ts';
import type { Fault, FaultServer } from '../../support/faultServer.ts';
import { json } from '../../support/faults.ts';

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

/** A list of these rows that pages as the interface says. */
export function pagesOf(rows: readonly object[]): Fault {
  return (response, request) => {
    const query = new URL(request.url ?? '', 'http://localhost').searchParams;
    const offset = Number(query.get('offset'));
    const resources = rows.slice(offset, offset + Number(query.get('limit')));
    json({ resources, offset: offset + resources.length })(response, request);
  };
}
