import { Readable } from 'node:stream';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { ApiError } from '../../../src/api/errors.ts';
import type { TestClient } from '../../support/faultClient.ts';
import { testClient } from '../../support/faultClient.ts';
import { startFaultServer } from '../../support/faultServer.ts';
import { raw } from '../../support/faults.ts';

type Call = (client: TestClient) => Promise<unknown>;

/** Every function of the client that reads, with the least that it takes. */
const reads: Call[] = [
  (client) => client.deployments.list(),
  (client) => client.deployments.listAll({ limit: 1 }).next(),
  (client) => client.revisions.list('d'),
  (client) => client.revisions.get('d', 'r'),
  (client) => client.listeners.list(),
  (client) => client.integrations.listInstallations(),
  (client) => client.integrations.listRepositories('i'),
  (client) => client.integrations.listForgeRepositories('i'),
  (client) => client.oauthProviders.list(),
  (client) => client.agentConnections.list('a'),
  (client) => client.logs.read({ type: 'build', deploymentId: 'd', revisionId: 'r' }, {}),
];

/** Every function of the client that changes something. */
const writes: Call[] = [
  (client) => client.deployments.create({ name: 'a', source: 'repohost' }),
  (client) => client.changes.update('d', {}, { latest: undefined }),
  (client) => client.changes.redeploy('d', { id: 'r' }, { latest: undefined }),
  (client) => client.changes.interrupt('d', 'r'),
  (client) => client.changes.remove('d', false),
  (client) => client.changes.upload('d', { content: Readable.from([]), size: 0 }),
  (client) => client.listeners.create({ compute_type: 'k8s', compute_id: 'a' }),
  (client) => client.listeners.update('l', {}),
  (client) => client.listeners.remove('l'),
  (client) => client.oauthProviders.update('p', {}),
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
      'upload_url',
      'object_path',
      'logs',
      'next_offset',
      'timestamp',
      'level',
      'message',
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
      for (const call of [...reads, ...writes]) {
        const before = server.seen.length;
        const outcome = await call(client).catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(ApiError);
        if (reads.includes(call)) continue;
        expect(server.seen.slice(before).filter(({ method }) => method !== 'GET')).toHaveLength(1);
      }
    }),
    { numRuns: 150 },
  );
}, 30_000);
