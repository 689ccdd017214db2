import { describe, expect, it } from 'vitest';
import { runningService, stepMs } from './support/fixture.ts';
import {
  advance,
  createDeployment,
  createListener,
  imageBody,
  refusedFields,
  resourcesOf,
  sentenceOf,
} from './support/requests.ts';

const fixture = runningService();

it('omits a missing config and version', async () => {
  expect(await createListener(fixture.caller, { compute_id: 'bare', compute_config: null })).toMatchObject({
    compute_config: { k8s_namespaces: [] },
    version: null,
  });
});

it('accepts a compute_id once in the workspace', async () => {
  await createListener(fixture.caller, { compute_id: 'unique' });
  const answer = await fixture.caller.post('/v2/listeners', { compute_type: 'k8s', compute_id: 'unique' });
  expect(answer.status).toBe(409);
  expect(sentenceOf(answer)).toContain("'compute_id'");
});

it.each([
  [{ compute_type: 'vm', compute_id: 'a' }, "'compute_type'"],
  [{ compute_type: 'k8s', compute_id: ' ' }, "'compute_id'"],
  [
    { compute_type: 'k8s', compute_id: 'b', compute_config: { k8s_namespaces: [''] } },
    "'compute_config.k8s_namespaces'",
  ],
])('rejects %o and names the field', async (body, field) => {
  const answer = await fixture.caller.post('/v2/listeners', body);
  expect(answer.status).toBe(400);
  expect(sentenceOf(answer)).toContain(field);
});

it('requires the type and the compute_id, and rejects read-only fields', async () => {
  expect(refusedFields(await fixture.caller.post('/v2/listeners', {}))).toEqual([
    'body.compute_type',
    'body.compute_id',
  ]);
  const answer = await fixture.caller.post('/v2/listeners', {
    compute_type: 'k8s',
    compute_id: 'c',
    id: 'f3a9b6d2-5a4e-4d0f-9f5a-2f4e1b8f0c11',
  });
  expect(refusedFields(answer)).toEqual(['body.id']);
});

it('lists listeners newest first and page by page', async () => {
  const { body: all } = await fixture.caller.get('/v2/listeners?limit=100');
  const { body: second } = await fixture.caller.get('/v2/listeners?limit=1&offset=1');
  expect(resourcesOf(second)).toEqual([resourcesOf(all)[1]]);
  expect(second).toMatchObject({ offset: 2 });
});

const send = async (method: string, id: string, body?: unknown) =>
  fixture.caller.send(method, `/v2/listeners/${id}`, { body });

describe('one listener', () => {
  it('is returned as the list has it', async () => {
    const listener = await createListener(fixture.caller, { compute_id: 'one', version: '1.0' });
    expect(await send('GET', listener.id.toUpperCase())).toMatchObject({ status: 200, body: listener });
  });

  it('changes in the fields that are given', async () => {
    const config = { k8s_namespaces: ['agents'] };
    const { id } = await createListener(fixture.caller, {
      compute_id: 'changed',
      compute_config: config,
      version: '1',
    });
    const change = { compute_config: { k8s_namespaces: ['agents', 'tools'] }, version: null };
    expect((await send('PATCH', id, change)).body).toMatchObject({ ...change, version: '1', compute_id: 'changed' });
    expect((await send('PATCH', id, { version: '2' })).body).toMatchObject({
      compute_config: change.compute_config,
      version: '2',
    });
    expect((await send('PATCH', id, { compute_config: {}, colour: 'red' })).body).toMatchObject({
      compute_config: change.compute_config,
    });
    expect((await send('PATCH', id, { compute_config: { k8s_namespaces: [] } })).body).toMatchObject({
      compute_config: { k8s_namespaces: [] },
    });
  });

  it('rejects what a create rejects', async () => {
    const { id } = await createListener(fixture.caller, { compute_id: 'strict' });
    const answer = await send('PATCH', id, { compute_config: { k8s_namespaces: [''] } });
    expect(answer.status).toBe(400);
    expect(sentenceOf(answer)).toContain("'compute_config.k8s_namespaces'");
    expect(refusedFields(await send('PATCH', id, { version: 2 }))).toEqual(['body.version']);
  });

  it('is gone after it was removed, and its compute_id is free', async () => {
    const { id } = await createListener(fixture.caller, { compute_id: 'removed' });
    expect(await send('DELETE', id)).toMatchObject({ status: 204, body: undefined });
    expect((await send('DELETE', id)).status).toBe(404);
    await createListener(fixture.caller, { compute_id: 'removed' });
  });

  it("can't be removed while a deployment runs on it", async () => {
    const { id } = await createListener(fixture.caller, { compute_id: 'in-use' });
    const deployment = await createDeployment(
      fixture.caller,
      imageBody('on-listener', { source_config: { listener_id: id.toUpperCase() } }),
    );
    const answer = await send('DELETE', id);
    expect(answer.status).toBe(409);
    expect(sentenceOf(answer)).toContain('Deployments run on this listener.');
    await fixture.caller.send('DELETE', `/v2/deployments/${deployment.id}`);
    await advance(fixture.caller, 2 * stepMs);
    expect((await send('DELETE', id)).status).toBe(204);
  });

  it.each(['GET', 'PATCH', 'DELETE'])("isn't found by %s if it doesn't exist", async (method) => {
    const body = method === 'PATCH' ? {} : undefined;
    expect((await send(method, 'f3a9b6d2-5a4e-4d0f-9f5a-2f4e1b8f0c11', body)).status).toBe(404);
    expect(refusedFields(await send(method, 'abc', body))).toEqual(['path.listener_id']);
  });

  it('supports no other method', async () => {
    const { status, headers } = await send('PUT', 'f3a9b6d2-5a4e-4d0f-9f5a-2f4e1b8f0c11', {});
    expect([status, headers.get('allow')]).toEqual([405, 'GET, PATCH, DELETE']);
  });
});
