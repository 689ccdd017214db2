import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeploymentPatch } from '../../src/api/resources/deploymentChanges.ts';
import type { Deployment, DeploymentCreate } from '../../src/api/resources/deployments.ts';
import type { LogPlace } from '../../src/api/resources/logs.ts';
import { failureOf, testClient } from '../support/faultClient.ts';
import type { TestClient } from '../support/faultClient.ts';
import { tarOf } from '../support/tar.ts';
import { runningServiceWithSample, stepMs } from './support/fixture.ts';
import { advance, imageBody, repositoryBody } from './support/requests.ts';

const fixture = runningServiceWithSample();
let client: TestClient;
let count = 0;

beforeAll(() => {
  const { url, apiKey } = fixture.service;
  client = testClient({ baseUrl: url, flavor: 'local', auth: async () => apiKey });
});

afterAll(() => client.close());

const created = async (body: object): Promise<Deployment> => client.deployments.create(body as DeploymentCreate);

async function deployed(body: object): Promise<Deployment> {
  const { id } = await created(body);
  await advance(fixture.caller, 6 * stepMs);
  return find(id);
}

const repository = async (): Promise<Deployment> =>
  deployed(await repositoryBody(fixture.caller, `client-${(count += 1)}`, { secrets: [{ name: 'A', value: 'x' }] }));

async function find(id: string): Promise<Deployment> {
  const found = await client.deployments.find(id);
  if (found === undefined) throw new Error(`There is no deployment ${id}.`);
  return found;
}

describe('the client', () => {
  it('reads each log, page by page', async () => {
    const { id, latest_revision_id: revisionId = '' } = await repository();
    const place: LogPlace = { type: 'build', deploymentId: id, revisionId };
    const first = await client.logs.read(place, { order: 'asc', limit: 3 });
    const rest = await client.logs.read(place, { order: 'asc', offset: first.nextOffset });
    const lines = [...first.entries, ...rest.entries].map(({ message }) => message);
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([8, 'Waiting for a builder.', 'The build succeeded.']);
    expect(rest.nextOffset).toBeUndefined();
    expect(first.entries[0]).toMatchObject({ level: 'INFO', time: expect.any(Number) });
    for (const type of ['deploy', 'application'] as const) {
      expect((await client.logs.read({ ...place, type }, { query: 'LIVE' })).entries).toHaveLength(1);
    }
  });

  it('updates a deployment', async () => {
    const before = await repository();
    const patch: DeploymentPatch = {
      revision_source: 'repohost',
      source_config: { resource_spec: { cpu: 2, memory_mb: 1024 }, custom_url: 'https://agent.example' },
      source_revision_config: { graph_config_path: 'graph.json' },
      secrets: [{ name: 'B', value: 'canary-value' }],
    };
    const after = await client.changes.update(before.id, patch, { latest: before.latest_revision_id });
    expect(after).toMatchObject({ source_config: patch.source_config, secrets: [{ name: 'B' }] });
    expect(after.latest_revision_id).not.toBe(before.latest_revision_id);
    expect(await find(before.id)).toEqual(after);
  });

  it('deploys an earlier revision again, with its commit', async () => {
    const before = await repository();
    const latest = before.latest_revision_id ?? '';
    const revision = await client.revisions.get(before.id, latest);
    const after = await client.changes.redeploy(before.id, revision, { latest });
    expect(after.source_revision_config).toEqual(revision.source_revision_config);
    expect(after.latest_revision_id).not.toBe(latest);
  });

  it('stops a revision that moves, and is told if it has ended', async () => {
    const { id, latest_revision_id: revisionId = '' } = await created(imageBody(`client-${(count += 1)}`));
    await client.changes.interrupt(id, revisionId);
    expect((await client.revisions.get(id, revisionId)).status).toBe('INTERRUPTED');
    const failure = await failureOf(client.changes.interrupt(id, revisionId));
    expect(failure).toMatchObject({ kind: 'conflict', message: expect.stringContaining('already ended') });
  });

  it('deletes a deployment, also one that is being deleted', async () => {
    const { id } = await deployed(imageBody(`client-${(count += 1)}`));
    await client.changes.remove(id, true);
    expect((await find(id)).status).toBe('AWAITING_DELETE');
    await client.changes.remove(id, true);
    await advance(fixture.caller, 2 * stepMs);
    expect(await client.deployments.find(id)).toBeUndefined();
  });

  it('uploads a folder of 10 MB and deploys it', async () => {
    const body = { name: `client-${(count += 1)}`, source: 'internal_source', source_config: {}, secrets: [] };
    const { id, latest_revision_id: latest } = await created(body);
    const config = JSON.stringify({ dependencies: ['.'], graphs: { agent: './agent.py:graph' } });
    const files = { 'graph.json': config, 'agent.py': '', 'large.bin': 'x'.repeat(10_000_000) };
    const archive = gzipSync(tarOf(files), { level: 0 });
    const parts = Array.from({ length: 161 }, (_, index) => archive.subarray(index * 65_536, (index + 1) * 65_536));
    const source_tarball_path = await client.changes.upload(id, {
      content: Readable.from(parts),
      size: archive.length,
    });
    const revision_source = 'internal_source';
    const source_revision_config = { source_tarball_path, graph_config_path: 'graph.json' };
    const after = await client.changes.update(id, { revision_source, source_revision_config }, { latest });
    await advance(fixture.caller, 6 * stepMs);
    expect((await find(id)).active_revision_id).toBe(after.latest_revision_id);
  });

  it('is told that only uploaded deployments take uploads', async () => {
    const { id } = await deployed(imageBody(`client-${(count += 1)}`));
    const call = client.changes.upload(id, { content: Readable.from([]), size: 0 });
    expect(await failureOf(call)).toMatchObject({ kind: 'invalid', status: 400 });
  });

  it('changes and removes a listener', async () => {
    const { id } = await client.listeners.create({ compute_type: 'k8s', compute_id: `client-${(count += 1)}` });
    const patch = { version: '2', compute_config: { k8s_namespaces: ['agents'] } };
    expect(await client.listeners.update(id, patch)).toMatchObject(patch);
    await client.listeners.remove(id);
    expect(await client.listeners.find(id)).toBeUndefined();
  });

  it('lists the OAuth providers', async () => {
    expect((await fixture.caller.send('PUT', '/_dev/providers/mail', { body: {} })).status).toBe(200);
    expect(await client.oauthProviders.list()).toMatchObject([{ provider_id: 'mail', name: 'mail' }]);
  });

  it('logs no value of a secret and no signature', () => {
    const logged = client.logged.join('\n');
    expect(logged).toContain('PUT ');
    expect(logged).not.toMatch(/canary-value|signature=[\w-]{20}/);
  });
});
