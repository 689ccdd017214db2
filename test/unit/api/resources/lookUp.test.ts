import { expect } from 'vitest';
import { failureOf } from '../../../support/faultClient.ts';
import { it, pagesOf } from '../clientTest.ts';

const many = pagesOf(Array.from({ length: 1000 }, (_, index) => ({ id: `${index}`, name: `agent-${index}` })));

it('finds a deployment by its full name, also on a later page', async ({ server, client }) => {
  server.answer(many);
  expect(await client.deployments.lookUp('agent-250')).toMatchObject({ found: 'found', isWhole: false });
  expect(server.seen).toHaveLength(3);
});

it('returns all deployments whose names contain the text, with one request if they fit on a page', async ({
  server,
  client,
}) => {
  const names = ['agent', 'agent-2', 'my-agent'];
  server.answer(pagesOf(names.map((name) => ({ id: name, name }))));
  const { found, isWhole, rows } = await client.deployments.lookUp('agent');
  expect({ found, isWhole, names: rows.map(({ name }) => name) }).toEqual({ found: 'found', isWhole: true, names });
  expect((await client.deployments.lookUp('agen')).found).toBe('notFound');
  expect(server.seen).toHaveLength(2);
});

it("doesn't say that a name is free if a row can't be read", async ({ server, client }) => {
  server.answer(pagesOf([{ id: '1', name: 'agent-2' }, {}]));
  expect(await client.deployments.lookUp('agent')).toMatchObject({ found: 'unknown', isWhole: false });
});

it('gives up after three pages of names that only contain the text', async ({ server, client }) => {
  server.answer(many);
  expect(await client.deployments.lookUp('agent')).toMatchObject({ found: 'unknown', isWhole: false });
  expect(server.seen).toHaveLength(3);
});

it('requests nothing for an aborted signal', async ({ server, client }) => {
  const call = client.deployments.lookUp('agent', { signal: AbortSignal.abort() });
  expect((await failureOf(call)).kind).toBe('cancelled');
  expect(server.seen).toEqual([]);
});
