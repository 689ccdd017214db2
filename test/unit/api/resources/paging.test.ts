import { describe, expect } from 'vitest';
import { isLastPage, isUnreadable } from '../../../../src/api/resources/page.ts';
import { MAX_VALUES } from '../../../../src/api/schema/limits.ts';
import { failureOf } from '../../../support/faultClient.ts';
import type { Fault } from '../../../support/faultServer.ts';
import { json } from '../../../support/faults.ts';
import { it } from '../clientTest.ts';

const rows = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: String(from + index), name: `agent-${from + index}` }));

/** A service with `total` deployments that pages as the interface says. Some have too many values for an answer. */
function paged(total: number, large: readonly number[] = []): Fault {
  return (response, request) => {
    const query = new URL(request.url ?? '', 'http://localhost').searchParams;
    const offset = Number(query.get('offset'));
    const resources = rows(offset, Math.max(0, Math.min(Number(query.get('limit')), total - offset)));
    const isTooLarge = resources.some(({ id }) => large.includes(Number(id)));
    const values = isTooLarge ? Array.from({ length: MAX_VALUES }, () => 0) : [];
    json({ resources, offset: offset + resources.length, values })(response, request);
  };
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('listAll', () => {
  it.for([
    { total: 0, requests: 1 },
    { total: 7, requests: 3 },
    { total: 9, requests: 4 },
  ])(
    'returns all $total deployments in order with $requests requests',
    async ({ total, requests }, { server, client }) => {
      server.answer(paged(total));
      expect(await collect(client.deployments.listAll({ limit: 3 }))).toEqual(rows(0, total));
      expect(server.seen).toHaveLength(requests);
    },
  );

  it('requests the largest pages, and passes on the filters and the returned offset', async ({ server, client }) => {
    server.answer(json({ resources: rows(0, 100), offset: 517 }), json({ resources: [], offset: 517 }));
    await collect(client.deployments.listAll({ name_contains: 'a', offset: 5 }));
    expect(server.seen.map(({ path }) => path)).toEqual([
      '/v2/deployments?name_contains=a&offset=5&limit=100',
      '/v2/deployments?name_contains=a&offset=517&limit=100',
    ]);
  });

  it.for([
    { name: 'stays the same', offset: 2 },
    { name: 'goes back', offset: 0 },
    { name: 'is missing', offset: undefined },
    { name: 'is no number', offset: 'two' },
  ])('ends when the offset $name', async ({ offset }, { server, client }) => {
    server.answer(json({ resources: rows(0, 2), offset: 2 }), json({ resources: rows(2, 2), offset }));
    expect(await collect(client.deployments.listAll({ limit: 2 }))).toEqual(rows(0, 4));
    expect(server.seen).toHaveLength(2);
  });

  it('counts a page with unreadable rows as full', async ({ server, client }) => {
    server.answer(json({ resources: [{ id: 'x' }, null], offset: 2 }), json({ resources: [], offset: 2 }));
    const items = await collect(client.deployments.listAll({ limit: 2 }));
    expect(items.map(isUnreadable)).toEqual([true, true]);
    expect(server.seen).toHaveLength(2);
  });

  it('requests a page only when its first item is needed', async ({ server, client }) => {
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

  it('fails with the failing page, after the items before it', async ({ server, client }) => {
    server.answer(json({ resources: rows(0, 2), offset: 2 }), json({ detail: 'gone' }, 500));
    const items = client.deployments.listAll({ limit: 2 });
    await items.next();
    await items.next();
    expect((await failureOf(items.next())).kind).toBe('server');
  });
});

describe('a page that is too large', () => {
  const tooLarge = { unreadable: true, reason: 'too large to read' };

  it.for([
    { total: 100, large: [42] },
    { total: 100, large: [0, 1, 99] },
    { total: 101, large: [100] },
    { total: 1, large: [0] },
    { total: 30, large: [0, 29] },
    { total: 250, large: Array.from({ length: 60 }, (_, index) => 40 + index) },
  ])('loses only its rows that are too large: $large of $total', async ({ total, large }, { server, client }) => {
    server.answer(paged(total, large));
    const expected = rows(0, total).map((row) => (large.includes(Number(row.id)) ? tooLarge : row));
    expect(await collect(client.deployments.listAll())).toEqual(expected);
  });

  it('is read in smaller parts, with the filters', async ({ server, client }) => {
    server.answer(paged(20, [2]));
    const page = await client.deployments.list({ name_contains: 'a', limit: 8, offset: 0 });
    expect(page).toEqual({ resources: [...rows(0, 2), tooLarge, ...rows(3, 5)], offset: 8 });
    expect(server.seen.map(({ path }) => path.replace('/v2/deployments?name_contains=a&', ''))).toEqual([
      'limit=8&offset=0',
      'limit=4&offset=0',
      'limit=2&offset=0',
      'limit=4&offset=2',
      'limit=2&offset=2',
      'limit=1&offset=2',
      'limit=1&offset=3',
      'limit=2&offset=4',
      'limit=2&offset=6',
    ]);
  });

  it('loses only the row with a text of 9 MB', async ({ server, client }) => {
    const long = { id: '0', name: 'a', status: 'x'.repeat(9 * 1024 * 1024) };
    server.answer(
      json({ resources: [long, ...rows(1, 1)], offset: 2 }),
      json({ resources: [long], offset: 1 }),
      json({ resources: rows(1, 1), offset: 2 }),
    );
    expect(await client.deployments.list({ limit: 2 })).toEqual({ resources: [tooLarge, ...rows(1, 1)], offset: 2 });
  });

  it('fails if the service ignores the limit', async ({ server, client }) => {
    server.answer(json(Array.from({ length: MAX_VALUES }, () => 0)));
    const { kind, status } = await failureOf(collect(client.deployments.listAll()));
    expect({ kind, status }).toEqual({ kind: 'unexpectedResponse', status: 200 });
    expect(server.seen.length).toBeLessThan(20);
  });

  it('fails for another reason if a part does', async ({ server, client }) => {
    server.answer(json(Array.from({ length: MAX_VALUES }, () => 0)), json({ detail: 'gone' }, 500));
    expect((await failureOf(client.deployments.list())).kind).toBe('server');
  });

  it("isn't taken for the absence of the one deployment that was asked for", async ({ server, client }) => {
    server.answer(paged(1, [0]));
    expect((await failureOf(client.deployments.find('0'))).message).toContain('too large to read');
    expect(server.seen).toHaveLength(1);
  });
});

describe('a page', () => {
  it('returns an unreadable item with its ID and the reason, next to the other items', async ({ server, client }) => {
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

  it('ends at the requested number of rows, and says that there were more', async ({ server, client }) => {
    server.answer(json({ resources: rows(0, 300), offset: 300 }));
    const reason = 'The service sent 300 entries. Only the first 2 are shown';
    expect((await client.deployments.list({ limit: 2 })).resources).toEqual([
      ...rows(0, 2),
      { unreadable: true, reason },
    ]);
    expect((await client.listeners.list()).resources).toHaveLength(101);
  });

  it('of a list without pages ends at 10,000 rows, and says that there were more', async ({ server, client }) => {
    const agents = rows(0, 10_001);
    server.answer(json(agents), json(agents), json({ data: agents }));
    const reason = 'The service sent 10001 entries. Only the first 10000 are shown';
    const cut = { unreadable: true, reason };
    expect((await client.integrations.listInstallations()).at(-1)).toEqual(cut);
    expect((await client.integrations.listRepositories('i')).at(-1)).toMatchObject({ unreadable: true });
    expect((await client.agentConnections.list('a')).data.at(-1)).toEqual(cut);
  });

  it.for([{}, [[]], null, { resources: null }, { resources: {} }, 'text', 1])(
    'and the other lists reject a response of the shape %o',
    async (answer, { server, client }) => {
      server.answer(json(answer));
      const lists = [client.deployments.list(), client.revisions.list('d'), client.listeners.list()];
      for (const list of [...lists, client.agentConnections.list('a')]) {
        expect((await failureOf(list)).kind).toBe('unexpectedResponse');
      }
    },
  );

  it('stays at the requested offset if the response has none', async ({ server, client }) => {
    server.answer(json({ resources: [] }));
    expect(await client.deployments.list({ offset: 40 })).toEqual({ resources: [], offset: 40 });
    expect(await client.deployments.list()).toEqual({ resources: [], offset: 0 });
  });

  it('is not used for integrations, which are plain lists', async ({ server, client }) => {
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
