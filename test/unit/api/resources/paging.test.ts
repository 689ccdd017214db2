import { describe, expect, it } from 'vitest';
import { isLastPage, isUnreadable } from '../../../../src/api/resources/page.ts';
import { failureOf, testClient } from '../../../support/faultClient.ts';
import { startFaultServer } from '../../../support/faultServer.ts';
import type { Fault } from '../../../support/faultServer.ts';
import { json } from '../../../support/faults.ts';

const rows = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: String(from + index), name: `agent-${from + index}` }));

/** A service with `total` deployments that pages as the interface says. */
function paged(total: number): Fault {
  return (response, request) => {
    const query = new URL(request.url ?? '', 'http://localhost').searchParams;
    const offset = Number(query.get('offset'));
    const resources = rows(offset, Math.min(Number(query.get('limit')), total - offset));
    json({ resources, offset: offset + resources.length })(response, request);
  };
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('listAll', () => {
  it.each([
    { total: 0, requests: 1 },
    { total: 7, requests: 3 },
    { total: 9, requests: 4 },
  ])('returns all $total deployments in order with $requests requests', async ({ total, requests }) => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url });
    server.answer(paged(total));
    expect(await collect(client.deployments.listAll({ limit: 3 }))).toEqual(rows(0, total));
    expect(server.seen).toHaveLength(requests);
  });

  it('requests the largest pages, and passes on the filters and the returned offset', async () => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url });
    server.answer(json({ resources: rows(0, 100), offset: 517 }), json({ resources: [], offset: 517 }));
    await collect(client.deployments.listAll({ name_contains: 'a', offset: 5 }));
    expect(server.seen.map(({ path }) => path)).toEqual([
      '/v2/deployments?name_contains=a&offset=5&limit=100',
      '/v2/deployments?name_contains=a&offset=517&limit=100',
    ]);
  });

  it.each([
    { name: 'stays the same', offset: 2 },
    { name: 'goes back', offset: 0 },
    { name: 'is missing', offset: undefined },
    { name: 'is no number', offset: 'two' },
  ])('ends when the offset $name', async ({ offset }) => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url });
    server.answer(json({ resources: rows(0, 2), offset: 2 }), json({ resources: rows(2, 2), offset }));
    expect(await collect(client.deployments.listAll({ limit: 2 }))).toEqual(rows(0, 4));
    expect(server.seen).toHaveLength(2);
  });

  it('counts a page with unreadable rows as full', async () => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url });
    server.answer(json({ resources: [{ id: 'x' }, null], offset: 2 }), json({ resources: [], offset: 2 }));
    const items = await collect(client.deployments.listAll({ limit: 2 }));
    expect(items.map(isUnreadable)).toEqual([true, true]);
    expect(server.seen).toHaveLength(2);
  });

  it('requests a page only when its first item is needed', async () => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url });
    server.answer(paged(10));
    const items = client.deployments.listAll({ limit: 2 });
    expect(server.seen).toHaveLength(0);
    await items.next();
    await items.next();
    expect(server.seen).toHaveLength(1);
    await items.next();
    expect(server.seen).toHaveLength(2);
    await items.return();
    expect(server.seen).toHaveLength(2);
  });

  it('fails with the failing page, after the items before it', async () => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url });
    server.answer(json({ resources: rows(0, 2), offset: 2 }), json({ detail: 'gone' }, 500));
    const items = client.deployments.listAll({ limit: 2 });
    await items.next();
    await items.next();
    expect((await failureOf(items.next())).kind).toBe('server');
  });
});

describe('a page', () => {
  it('returns an unreadable item with its ID and the reason, next to the other items', async () => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url });
    const broken = { id: 'b', name: 'broken', source_config: { resource_spec: { cpu: 'much' } } };
    server.answer(json({ resources: [rows(0, 1)[0], broken, { id: 7 }, 'text'], offset: 4 }));
    const { resources } = await client.deployments.list();
    expect(resources).toEqual([
      rows(0, 1)[0],
      {
        unreadable: true,
        id: 'b',
        reason: 'source_config.resource_spec.cpu is not of type number',
      },
      { unreadable: true, id: '7', reason: 'id is not of type string' },
      { unreadable: true, reason: 'not of type object' },
    ]);
  });

  it('ends at the requested number of rows, and says that there were more', async () => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url });
    server.answer(json({ resources: rows(0, 300), offset: 300 }));
    const reason = 'The service sent 300 entries. Only the first 2 are shown';
    expect((await client.deployments.list({ limit: 2 })).resources).toEqual([
      ...rows(0, 2),
      { unreadable: true, reason },
    ]);
    expect((await client.listeners.list()).resources).toHaveLength(101);
  });

  it('of a list without pages ends at 10,000 rows, and says that there were more', async () => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url });
    const agents = rows(0, 10_001);
    server.answer(json(agents), json(agents), json({ data: agents }));
    const reason = 'The service sent 10001 entries. Only the first 10000 are shown';
    const cut = { unreadable: true, reason };
    expect((await client.integrations.listInstallations()).at(-1)).toEqual(cut);
    expect((await client.integrations.listRepositories('i')).at(-1)).toMatchObject({ unreadable: true });
    expect((await client.agentConnections.list('a')).data.at(-1)).toEqual(cut);
  });

  it.each([{}, [[]], null, { resources: null }, { resources: {} }, 'text', 1])(
    'and the other lists reject a response of the shape %o',
    async (answer) => {
      await using server = await startFaultServer();
      await using client = testClient({ baseUrl: server.url });
      server.answer(json(answer));
      const lists = [client.deployments.list(), client.revisions.list('d'), client.listeners.list()];
      for (const list of [...lists, client.agentConnections.list('a')]) {
        expect((await failureOf(list)).kind).toBe('unexpectedResponse');
      }
    },
  );

  it('stays at the requested offset if the response has none', async () => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url });
    server.answer(json({ resources: [] }));
    expect(await client.deployments.list({ offset: 40 })).toEqual({ resources: [], offset: 40 });
    expect(await client.deployments.list()).toEqual({ resources: [], offset: 0 });
  });

  it('is not used for integrations, which are plain lists', async () => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url });
    server.answer(json({ resources: [] }));
    expect((await failureOf(client.integrations.listInstallations())).kind).toBe('unexpectedResponse');
    expect((await failureOf(client.integrations.listRepositories('i'))).kind).toBe('unexpectedResponse');
  });

  it.each([
    { resources: 0, offset: 20, isLast: true },
    { resources: 19, offset: 20, isLast: true },
    { resources: 20, offset: 20, isLast: false },
    { resources: 20, offset: 0, isLast: true },
  ])('of $resources of 20 rows with the offset $offset is the last: $isLast', ({ resources, offset, isLast }) => {
    expect(isLastPage({ resources: rows(0, resources), offset }, { limit: 20, offset: 0 })).toBe(isLast);
  });
});
