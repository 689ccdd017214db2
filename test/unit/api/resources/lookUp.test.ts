import { afterEach, beforeEach, expect, it } from 'vitest';
import { failureOf, testClient, type TestClient } from '../../../support/faultClient.ts';
import { startListService, type ListService } from '../../../support/listService.ts';

let names: string[];
let service: ListService;
let client: TestClient;

beforeEach(async () => {
  names = Array.from({ length: 1000 }, (_, index) => `agent-${index}`);
  service = await startListService();
  client = testClient({ baseUrl: service.url });
  service.answers.set('/v2/deployments', (response, request) => {
    const { searchParams } = new URL(request.url ?? '', service.url);
    const offset = Number(searchParams.get('offset') ?? 0);
    const end = offset + Number(searchParams.get('limit'));
    const resources = names.slice(offset, end).map((name) => (name === '' ? {} : { id: name, name }));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ resources, offset: end }));
  });
});

afterEach(async () => {
  await client.close();
  await service[Symbol.asyncDispose]();
});

it('finds a deployment by its full name, also on a later page', async () => {
  expect(await client.deployments.lookUp('agent-250')).toMatchObject({ found: 'found', isWhole: false });
  expect(service.asked()).toHaveLength(3);
});

it('returns all deployments whose names contain the text, with one request if they fit on a page', async () => {
  names = ['agent', 'agent-2', 'my-agent'];
  const { found, isWhole, rows } = await client.deployments.lookUp('agent');
  expect({ found, isWhole, names: rows.map(({ name }) => name) }).toEqual({ found: 'found', isWhole: true, names });
  expect((await client.deployments.lookUp('agen')).found).toBe('notFound');
  expect(service.asked()).toHaveLength(2);
});

it("doesn't say that a name is free if a row can't be read", async () => {
  names = ['agent-2', ''];
  expect(await client.deployments.lookUp('agent')).toMatchObject({ found: 'unknown', isWhole: false });
});

it('gives up after three pages of names that only contain the text', async () => {
  expect(await client.deployments.lookUp('agent')).toMatchObject({ found: 'unknown', isWhole: false });
  expect(service.asked()).toHaveLength(3);
});

it('requests nothing for an aborted signal', async () => {
  const cancel = new AbortController();
  cancel.abort();
  expect(await failureOf(client.deployments.lookUp('agent', { signal: cancel.signal }))).toMatchObject({
    kind: 'cancelled',
  });
  expect(service.asked()).toEqual([]);
});
