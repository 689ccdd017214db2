import { afterEach, beforeEach, expect, it } from 'vitest';
import { failureOf, testClient, type TestClient } from '../../support/faultClient.ts';
import { startListService, type ListService } from '../../support/listService.ts';

const names = Array.from({ length: 1000 }, (_, index) => `agent-${index}`);

let service: ListService;
let client: TestClient;

beforeEach(async () => {
  service = await startListService();
  client = testClient({ baseUrl: service.url });
  service.answers.set('/v2/deployments', (response, request) => {
    const { searchParams } = new URL(request.url ?? '', service.url);
    const offset = Number(searchParams.get('offset') ?? 0);
    const end = offset + Number(searchParams.get('limit'));
    const resources = names.slice(offset, end).map((name) => ({ id: name, name }));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ resources, offset: end }));
  });
});

afterEach(async () => {
  await client.close();
  await service[Symbol.asyncDispose]();
});

it('finds a deployment whose whole name it is, on a later page too', async () => {
  expect(await client.deployments.lookUp('agent-250')).toBe('found');
  expect(service.asked()).toHaveLength(3);
});

it('does not know after three pages of names that only contain it', async () => {
  expect(await client.deployments.lookUp('agent')).toBe('unknown');
  expect(service.asked()).toHaveLength(3);
});

it('asks no more when nobody waits for it', async () => {
  const cancel = new AbortController();
  cancel.abort();
  expect(await failureOf(client.deployments.lookUp('agent', { signal: cancel.signal }))).toMatchObject({
    kind: 'cancelled',
  });
  expect(service.asked()).toEqual([]);
});
