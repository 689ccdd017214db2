import { expect, it } from 'vitest';
import { runningService } from './support/fixture.ts';
import { createListener, refusedFields, resourcesOf, sentenceOf } from './support/requests.ts';

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
