import { expect } from 'vitest';
import { deploymentsOn } from '../../../../src/state/lists/listenerUsers.ts';
import { failureOf } from '../../../support/faultClient.ts';
import { json, raw } from '../../../support/faults.ts';
import { it, pagesOf } from '../../api/clientTest.ts';
import { uuid } from '../../api/samples.ts';

const { signal } = new AbortController();
const deployments = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `id-${index}`,
    name: `agent-${index}`,
    source_config: { listener_id: uuid(index % 100) },
  }));

it('names the deployments that run on a listener, from all pages', async ({ server, client }) => {
  server.answer(pagesOf(deployments(250)));
  expect(await deploymentsOn(client, uuid(42), signal)).toEqual({
    names: ['agent-42', 'agent-142', 'agent-242'],
    isWhole: true,
  });
});

it('says that there are more than it searches', async ({ server, client }) => {
  server.answer(pagesOf(deployments(1200)));
  const { names, isWhole } = await deploymentsOn(client, uuid(0), signal);
  expect(names).toHaveLength(10);
  expect(isWhole).toBe(false);
});

it('says that a deployment which it could not read may run on it', async ({ server, client }) => {
  server.answer(pagesOf([...deployments(2), { name: 7 }]));
  expect(await deploymentsOn(client, uuid(1), signal)).toEqual({ names: ['agent-1'], isWhole: false });
});

it('ends at its limit, also with a deployment that it could not read', async ({ server, client }) => {
  server.answer(pagesOf([...deployments(999), { name: 7 }, ...deployments(500)]));
  expect((await deploymentsOn(client, uuid(0), signal)).names).toHaveLength(10);
});

it('gives what it found before the service failed', async ({ server, client }) => {
  const first = deployments(100);
  server.answer(json({ resources: first, offset: 100 }), raw('', 400));
  expect(await deploymentsOn(client, uuid(1), signal)).toEqual({ names: ['agent-1'], isWhole: false });
});

it('ends when the user cancels', async ({ client }) => {
  expect((await failureOf(deploymentsOn(client, uuid(1), AbortSignal.abort()))).kind).toBe('cancelled');
});
