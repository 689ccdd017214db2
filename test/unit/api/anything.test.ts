import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { ApiError } from '../../../src/api/errors.ts';
import type { TestClient } from '../../support/faultClient.ts';
import { testClient } from '../../support/faultClient.ts';
import { startFaultServer } from '../../support/faultServer.ts';
import { raw } from '../../support/faults.ts';

/** Every function of the client, with the least that it takes. */
const calls: ((client: TestClient) => Promise<unknown>)[] = [
  (client) => client.deployments.list(),
  (client) => client.deployments.listAll({ limit: 1 }).next(),
  (client) => client.deployments.create({ name: 'a', source: 'repohost' }),
  (client) => client.revisions.list('d'),
  (client) => client.revisions.get('d', 'r'),
  (client) => client.listeners.list(),
  (client) => client.listeners.create({ compute_type: 'k8s', compute_id: 'a' }),
  (client) => client.integrations.listInstallations(),
  (client) => client.integrations.listRepositories('i'),
  (client) => client.integrations.listForgeRepositories('i'),
  (client) => client.oauthProviders.update('p', {}),
  (client) => client.agentConnections.list('a'),
];

/** JSON that comes near to what the interface answers, so it gets past the first check. */
const nearlyRight = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, fc.constantFrom(null, true, 0, -1, 1e300, '', 'text'), tie('list'), tie('record')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  record: fc.dictionary(
    fc.constantFrom(
      'resources',
      'offset',
      'data',
      'id',
      'name',
      'detail',
      'loc',
      'msg',
      'error',
      'secrets',
      'source_config',
      '__proto__',
    ),
    tie('value'),
    { maxKeys: 5 },
  ),
})).value;

const bodies = fc.oneof(
  nearlyRight.map((value) => Buffer.from(JSON.stringify(value))),
  fc.json().map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
);

const statuses = fc.constantFrom(200, 200, 200, 201, 204, 304, 400, 401, 422, 500);

it('returns a value or an ApiError for any response, and sends a write once', async () => {
  await using server = await startFaultServer();
  await using client = testClient({ baseUrl: server.url });
  await fc.assert(
    fc.asyncProperty(bodies, statuses, async (body, status) => {
      server.answer(raw(status === 204 || status === 304 ? '' : body, status));
      const before = server.count('POST') + server.count('PATCH');
      for (const call of calls) {
        const outcome = await call(client).catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(ApiError);
      }
      expect(server.count('POST') + server.count('PATCH') - before).toBe(3);
    }),
    { numRuns: 150 },
  );
}, 30_000);
