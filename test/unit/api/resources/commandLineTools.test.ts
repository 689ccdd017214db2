import { Readable } from 'node:stream';
import { expect } from 'vitest';
import type { Client } from '../../../../src/api/client.ts';
import type { DeploymentPatch } from '../../../../src/api/resources/deploymentChanges.ts';
import type { DeploymentCreate } from '../../../../src/api/resources/deployments.ts';
import type { LogPlace, LogQuery } from '../../../../src/api/resources/logs.ts';
import { filledIn, toolCommands } from '../../../support/commandLineRequests.ts';
import type { ToolPurpose, ToolRequest } from '../../../support/commandLineRequests.ts';
import { testClient } from '../../../support/faultClient.ts';
import { startFaultServer } from '../../../support/faultServer.ts';
import { json } from '../../../support/faults.ts';
import { it } from '../clientTest.ts';

const values = { deployment_id: 'd', revision_id: 'r', object_path: 'd/a.tar.gz', upload_url: '/a' };
const place: LogPlace = { type: 'build', deploymentId: 'd', revisionId: 'r' };
const archive = { content: Readable.from([]), size: 0 };

/** The calls of the client for what the tools do. It finds one deployment by the list, which every service has. */
const calls: Record<Exclude<ToolPurpose, 'get'>, (client: Client, request: ToolRequest) => Promise<unknown>> = {
  list: async (client, { query }) => client.deployments.list(query),
  create: async (client, { body }) => client.deployments.create(body as DeploymentCreate),
  makeAddress: async (client) => client.changes.upload('d', archive),
  upload: async (client) => client.changes.upload('d', archive),
  update: async (client, { body }) => client.changes.update('d', body as DeploymentPatch, { latest: undefined }),
  listRevisions: async (client, { query }) => client.revisions.list('d', { limit: Number(query['limit']) }),
  getRevision: async (client) => client.revisions.get('d', 'r'),
  buildLog: async (client, { body }) => client.logs.read(place, body as LogQuery),
  deployLog: async (client, { body }) => client.logs.read({ ...place, type: 'deploy' }, body as LogQuery),
  applicationLog: async (client, { body }) => client.logs.read({ ...place, type: 'application' }, body as LogQuery),
  delete: async (client) => client.changes.remove('d', false),
};

const requests = toolCommands.flatMap(({ command, requests }) =>
  requests.map((request) => ({ command, purpose: request.purpose, request: filledIn(request, values) })),
);

it.each(requests)('as in "$command", the client sends $purpose', async ({ purpose, request }) => {
  if (purpose === 'get') return;
  await using server = await startFaultServer();
  await using client = testClient({ baseUrl: server.url });
  // What the answers are doesn't matter here, only that one names an address.
  server.answer(json({ upload_url: `${server.url}/a`, object_path: 'd/a.tar.gz' }));
  await calls[purpose](client, request).catch(() => undefined);
  const sent = server.seen[purpose === 'upload' ? 1 : 0];
  const url = new URL(sent?.path ?? '', server.url);
  expect({ method: sent?.method, path: url.pathname }).toEqual({ method: request.method, path: request.path });
  expect(Object.fromEntries(url.searchParams)).toMatchObject(request.query);
  expect(sent?.headers).toMatchObject(request.headers ?? {});
  expect(sent?.body === '' ? undefined : JSON.parse(sent?.body ?? '')).toEqual(request.body);
});
