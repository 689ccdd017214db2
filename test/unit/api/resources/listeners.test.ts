import { describe, expect } from 'vitest';
import { failureOf } from '../../../support/faultClient.ts';
import { json, raw, resetBeforeHeaders } from '../../../support/faults.ts';
import { it, pagesOf } from '../clientTest.ts';
import * as samples from '../samples.ts';

const clusters = (count: number) => pagesOf(Array.from({ length: count }, (_, index) => ({ id: `cluster-${index}` })));

it('gives the listeners of all pages', async ({ server, client }) => {
  server.answer(clusters(250));
  const { listeners, isCut } = await client.listeners.listToChoose();
  expect(listeners).toHaveLength(250);
  expect(listeners.at(-1)?.id).toBe('cluster-249');
  expect(isCut).toBe(false);
});

it('stops after a thousand, and says that there are more', async ({ server, client }) => {
  server.answer(clusters(1001));
  const { listeners, isCut } = await client.listeners.listToChoose();
  expect(listeners).toHaveLength(1000);
  expect(isCut).toBe(true);
});

it('requests nothing for an aborted signal', async ({ server, client }) => {
  const call = client.listeners.listToChoose({ signal: AbortSignal.abort() });
  expect((await failureOf(call)).kind).toBe('cancelled');
  expect(server.seen).toEqual([]);
});

it('says where to open a listener that is not among the first 10,000', async ({ server, client }) => {
  server.answer(clusters(10_001));
  const error = await failureOf(client.listeners.find('cluster-10000'));
  expect(error).toMatchObject({ kind: 'unexpectedResponse', sent: true });
  expect(error.message).toBe(
    `The listener isn't among the first 10000 listeners of ${server.url}. Open it from the Listeners view.`,
  );
});

describe('a change of a listener', () => {
  const { id } = samples.listener;
  const patch = { version: '2.0.0', compute_config: { k8s_namespaces: ['tools'] } };
  const changed = { ...samples.listener, ...patch };
  const nobody = pagesOf([]);

  it('sends only what it is given, and gives the answer', async ({ server, client }) => {
    server.answer(json(changed));
    expect(await client.listeners.update(id, patch)).toMatchObject(patch);
    expect(server.seen).toMatchObject([{ method: 'PATCH', path: `/v2/listeners/${id}`, body: JSON.stringify(patch) }]);
  });

  it('counts as made if the listener is as wanted after the answer was lost', async ({ server, client }) => {
    server.answer(resetBeforeHeaders, pagesOf([changed]));
    expect(await client.listeners.update(id, patch)).toMatchObject(patch);
    expect(server.count('PATCH')).toBe(1);
  });

  it.for([
    ['is as before', pagesOf([samples.listener])],
    ['has only one of two', pagesOf([{ ...samples.listener, version: '2.0.0' }])],
    ['is gone', nobody],
    ["can't be asked for", raw('', 503)],
  ] as const)('may have been made if the listener %s', async ([, list], { server, client }) => {
    server.answer(resetBeforeHeaders, list);
    const error = await failureOf(client.listeners.update(id, patch));
    expect(error.message).toContain("It isn't known whether the listener was changed. Refresh to see it.");
    expect(server.count('PATCH')).toBe(1);
  });

  it('is refused without a look at the list', async ({ server, client }) => {
    server.answer(json({ detail: 'Not in your plan.' }, 403));
    expect((await failureOf(client.listeners.update(id, patch))).status).toBe(403);
    expect(server.seen).toHaveLength(1);
  });
});

describe('the deletion of a listener', () => {
  const { id } = samples.listener;

  it('needs no answer body', async ({ server, client }) => {
    server.answer(raw('', 204));
    await client.listeners.remove(id);
    expect(server.seen).toMatchObject([{ method: 'DELETE', path: `/v2/listeners/${id}`, body: '' }]);
  });

  it('has worked if the listener is gone after the answer was lost', async ({ server, client }) => {
    server.answer(resetBeforeHeaders, pagesOf([]));
    await client.listeners.remove(id);
    expect(server.count('DELETE')).toBe(1);
  });

  it.for([
    ['is still there', pagesOf([samples.listener])],
    ["can't be asked for", raw('', 503)],
  ] as const)('may have worked if the listener %s', async ([, list], { server, client }) => {
    server.answer(resetBeforeHeaders, list);
    const error = await failureOf(client.listeners.remove(id));
    expect(error.message).toContain("It isn't known whether the listener was deleted. Refresh to see it.");
    expect(server.count('DELETE')).toBe(1);
  });
});
