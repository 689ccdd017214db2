import { expect, it } from 'vitest';
import { createLocalClient } from '../../../src/state/clients.ts';
import { InMemorySecrets } from '../../support/editorStorage.ts';
import { startFaultServer } from '../../support/faultServer.ts';
import { json } from '../../support/faults.ts';

const silent = (): void => undefined;

it('sends the filters of revisions to the embedded service, which is known to have them, with its own key', async () => {
  await using server = await startFaultServer();
  server.answer(json({ resources: [], offset: 0 }));
  const client = await createLocalClient(
    { url: server.url, apiKey: 'local-key' },
    {
      secrets: new InMemorySecrets(),
      network: () => ({ mode: 'auto', timeoutMs: 5_000, strictTls: true }),
      fetch: globalThis.fetch,
      log: { trace: silent, debug: silent, info: silent, warn: silent, error: silent },
    },
  );
  await client.revisions.list('d', { limit: 5, status: 'BUILDING,DEPLOYED' });
  await client.close();
  expect(server.seen.map(({ path, headers }) => [path, headers['x-api-key']])).toEqual([
    ['/v2/deployments/d/revisions?limit=5&status=BUILDING%2CDEPLOYED', 'local-key'],
  ]);
});
