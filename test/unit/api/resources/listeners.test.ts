import { expect } from 'vitest';
import { failureOf } from '../../../support/faultClient.ts';
import { it, pagesOf } from '../clientTest.ts';

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
