import { afterEach, beforeEach, expect, it } from 'vitest';
import { failureOf, testClient, type TestClient } from '../../../support/faultClient.ts';
import { startListService, type ListService } from '../../../support/listService.ts';

let service: ListService;
let client: TestClient;
let count: number;

beforeEach(async () => {
  service = await startListService();
  client = testClient({ baseUrl: service.url });
  service.answers.set('/v2/listeners', (response, request) => {
    const { searchParams } = new URL(request.url ?? '', service.url);
    const offset = Number(searchParams.get('offset') ?? 0);
    const end = Math.min(count, offset + Number(searchParams.get('limit')));
    const resources = Array.from({ length: end - offset }, (_, index) => ({ id: `cluster-${offset + index}` }));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ resources, offset: end }));
  });
});

afterEach(async () => {
  await client.close();
  await service[Symbol.asyncDispose]();
});

it('gives the listeners of all pages', async () => {
  count = 250;
  const { listeners, isCut } = await client.listeners.listToChoose();
  expect(listeners).toHaveLength(250);
  expect(listeners.at(-1)?.id).toBe('cluster-249');
  expect(isCut).toBe(false);
});

it('stops after a thousand, and says that there are more', async () => {
  count = 1001;
  const { listeners, isCut } = await client.listeners.listToChoose();
  expect(listeners).toHaveLength(1000);
  expect(isCut).toBe(true);
});

it('requests nothing for an aborted signal', async () => {
  count = 1;
  const cancel = new AbortController();
  cancel.abort();
  expect(await failureOf(client.listeners.listToChoose({ signal: cancel.signal }))).toMatchObject({
    kind: 'cancelled',
  });
  expect(service.asked()).toEqual([]);
});

it('says where to open a listener that is not among the first 10,000', async () => {
  count = 10_001;
  const error = await failureOf(client.listeners.find('cluster-10000'));
  expect(error).toMatchObject({ kind: 'unexpectedResponse', sent: true });
  expect(error.message).toBe(
    `The listener isn't among the first 10000 listeners of ${service.url}. Open it from the Listeners view.`,
  );
});
