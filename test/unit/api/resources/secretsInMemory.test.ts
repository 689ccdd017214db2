import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { writeHeapSnapshot } from 'node:v8';
import { expect, it } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import { createRequest } from '../../../../src/core/draft/createRequest.ts';
import type { DeploymentDraft } from '../../../../src/core/draft/draft.ts';
import { completeDraft } from '../../../support/deploymentDraft.ts';
import { testClient } from '../../../support/faultClient.ts';
import type { Fault } from '../../../support/faultServer.ts';
import { json, resetBeforeHeaders, stallBeforeHeaders } from '../../../support/faults.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';

/** A draft whose secret has a value that nobody else holds: the heap that is searched has no contents of buffers. */
function draftWith(value: Buffer): DeploymentDraft {
  return completeDraft({ secrets: [{ name: 'TOKEN', value: value.toString('hex') }] });
}

const outcomes = {
  created: json({ id: 'd1', name: 'agent' }, 201),
  refused: json({ detail: 'No.' }, 422),
  reset: resetBeforeHeaders,
  cancelled: stallBeforeHeaders,
};

/** A service that meets every request with a fault and reads no body into a text, which this process would hold. */
async function startService(fault: Fault) {
  const server = createServer((request, response) => {
    request.on('end', () => fault(response, request)).resume();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked: once(server, 'request'),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

it('leaves no secret in memory, however the request for a deployment ends', { timeout: 180_000 }, async () => {
  const values = new Map(Object.keys(outcomes).map((outcome) => [outcome, randomBytes(12)]));
  // What a window holds after the request: its client, and what the request gave or failed with.
  const held: unknown[] = [];
  for (const [outcome, fault] of Object.entries(outcomes)) {
    await using server = await startService(fault);
    const client = testClient({ baseUrl: server.url });
    const draft = draftWith(values.get(outcome) ?? randomBytes(12));
    const cancel = new AbortController();
    const created = client.deployments.create(createRequest(draft), cancel).finally(() => (draft.secrets = []));
    await server.asked;
    if (outcome === 'cancelled') cancel.abort();
    held.push(client, draft, cancel, await created.catch((error: unknown) => error));
  }
  const draft = draftWith(randomBytes(12));
  // Node 24.0 never ends the stream of getHeapSnapshot.
  await using folder = await temporaryFolder();
  const heap = await readFile(writeHeapSnapshot(path.join(folder.path, 'heap')), 'utf8');
  expect(heap.includes(draft.secrets[0]?.value ?? '')).toBe(true);
  expect([...values].filter(([, value]) => heap.includes(value.toString('hex'))).map(([outcome]) => outcome)).toEqual(
    [],
  );
  expect(held.filter((item) => item instanceof ApiError)).toMatchObject([
    { kind: 'invalid' },
    { kind: 'network' },
    { kind: 'cancelled', sent: true },
  ]);
});
