import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Page } from '../../../../src/api/resources/page.ts';
import { PagedList, readableEntries } from '../../../../src/state/lists/pagedList.ts';
import type { PageQuery } from '../../../../src/state/lists/pagedList.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

interface Item {
  readonly id: string;
  readonly name?: string;
}

interface Asked {
  readonly query: PageQuery;
  readonly signal: AbortSignal;
  readonly answer: (page: Page<Item>) => void;
  readonly fail: (error: unknown) => void;
}

const items = (from: number, count: number): Item[] =>
  Array.from({ length: Math.max(0, count) }, (_, index) => ({ id: String(from + index) }));

/** When the rows were confirmed, on a fake clock that stands still. */
const confirmed = { loadedAt: 1_000_000, monotonicLoadedAt: 5_000 };

const failedWith = (error: Error) => ({ loading: false, ...confirmed, error, failedAt: 5_000 });

/** A list over `total` rows that pages as the interface says; `total` may be changed on the way. */
function listOver(service: { total: number }, pageSize = 3) {
  const asked: PageQuery[] = [];
  const changes: number[] = [];
  const list = new PagedList<Item>({
    fetchPage: async (query) => {
      asked.push(query);
      const resources = items(query.offset, Math.min(query.limit, service.total - query.offset));
      return { resources, offset: query.offset + resources.length };
    },
    pageSize: () => pageSize,
    clock: new FakeClock(),
    onChange: () => changes.push(list.state.entries.length),
  });
  return { list, asked, changes };
}

/** A list whose requests are answered by hand. */
function listByHand(pageSize = 2) {
  const asked: Asked[] = [];
  const clock = new FakeClock();
  const list = new PagedList<Item>({
    fetchPage: (query, signal) =>
      new Promise((resolve, reject) => asked.push({ query, signal, answer: resolve, fail: reject })),
    pageSize: () => pageSize,
    clock,
    onChange: () => undefined,
  });
  return { list, asked, clock };
}

/** One whose first page has two items. */
async function loadedByHand() {
  const made = listByHand();
  await settle(made.list.load(), () => made.asked[0]!.answer({ resources: items(0, 2), offset: 2 }));
  return made;
}

/** Waits for a request, which something happens to meanwhile. */
async function settle(loading: Promise<void>, happen: () => void): Promise<void> {
  happen();
  await loading;
}

describe('a list that was put aside', () => {
  it('keeps its entries and takes no answer, until it is loaded again', async () => {
    const { list, asked } = await loadedByHand();
    const refreshing = list.refresh();
    list.pause();
    expect(asked[1]?.signal.aborted).toBe(true);
    asked[1]?.answer({ resources: items(5, 2), offset: 2 });
    await refreshing;
    expect(list.state).toMatchObject({ entries: items(0, 2), loading: false, hasMore: true });
    const again = list.load();
    expect(list.state).toMatchObject({ entries: items(0, 2), loading: true });
    asked[2]?.answer({ resources: items(5, 2), offset: 2 });
    await again;
    expect(list.state.entries).toEqual(items(5, 2));
    await list.load();
    expect(asked).toHaveLength(3);
  });
});

describe('loading a list', () => {
  it('starts empty and tells when the entries were confirmed', async () => {
    const { list, changes } = listOver({ total: 2 });
    expect(list.state).toEqual({ entries: [], hasMore: false, loading: false });
    await list.refresh();
    expect(list.state).toEqual({ entries: items(0, 2), hasMore: false, loading: false, ...confirmed });
    expect(changes).toEqual([0, 2]);
  });

  it('accepts a page with more entries than requested, and than a call has arguments', async () => {
    const { list, asked } = listByHand();
    await settle(list.refresh(), () => asked[0]!.answer({ resources: items(0, 300_000), offset: 300_000 }));
    expect(list.state.error).toBeUndefined();
    expect(list.state.entries).toHaveLength(300_000);
  });

  it('appends the next page and stops at a short one', async () => {
    const { list, asked } = listOver({ total: 7 });
    await list.refresh();
    await list.loadMore();
    expect(list.state.hasMore).toBe(true);
    await list.loadMore();
    expect(list.state.entries).toEqual(items(0, 7));
    expect(list.state.hasMore).toBe(false);
    await list.loadMore();
    expect(asked).toEqual([
      { limit: 3, offset: 0 },
      { limit: 3, offset: 3 },
      { limit: 3, offset: 6 },
    ]);
  });

  it.each([
    ['is empty', { resources: [], offset: 9 }],
    ['is short', { resources: items(2, 1), offset: 9 }],
    ['does not advance', { resources: items(2, 2), offset: 2 }],
  ])('stops at a page that %s', async (_, page) => {
    const { list, asked } = await loadedByHand();
    await settle(list.loadMore(), () => asked[1]!.answer(page));
    expect(list.state.hasMore).toBe(false);
  });

  it('passes on whatever offset the answer has', async () => {
    const { list, asked } = listByHand();
    await settle(list.refresh(), () => asked[0]!.answer({ resources: items(0, 2), offset: 517 }));
    void list.loadMore();
    expect(asked[1]!.query).toEqual({ limit: 2, offset: 517 });
  });

  it('drops entries that a shifted page repeats, and keeps unreadable ones without an id', async () => {
    const { list, asked } = listByHand();
    await settle(list.refresh(), () =>
      asked[0]!.answer({ resources: [{ id: 'a' }, { unreadable: true, reason: 'x' }], offset: 2 }),
    );
    await settle(list.loadMore(), () =>
      asked[1]!.answer({ resources: [{ id: 'a' }, { unreadable: true, reason: 'y' }], offset: 4 }),
    );
    expect(list.state.entries).toHaveLength(3);
    expect(readableEntries(list.state.entries)).toEqual([{ id: 'a' }]);
  });

  it('happens only once, and waits for a running request', async () => {
    const { list, asked } = listByHand();
    const both = Promise.all([list.load(), list.load()]);
    asked[0]!.answer({ resources: [], offset: 0 });
    await both;
    await list.load();
    expect(asked).toHaveLength(1);
  });

  it('is over when the running request has ended', async () => {
    const { list, asked } = listByHand();
    void list.refresh();
    const loaded = list.load().then(() => list.state.entries);
    asked[0]!.answer({ resources: items(0, 1), offset: 1 });
    expect(await loaded).toEqual(items(0, 1));
  });

  it("isn't repeated after a failure", async () => {
    const { list, asked } = listByHand();
    await settle(list.load(), () => asked[0]!.fail(new Error('unreachable')));
    await list.load();
    expect(asked).toHaveLength(1);
  });
});

describe('finding an entry', () => {
  it('gives the readable entry with the id, also after a change', async () => {
    const service = { total: 2 };
    const { list } = listOver(service);
    expect(list.find('1')).toBeUndefined();
    await list.refresh();
    expect(list.find('1')).toEqual({ id: '1' });
    expect(list.find('2')).toBeUndefined();
    list.put({ id: '1', name: 'changed' });
    expect(list.find('1')).toEqual({ id: '1', name: 'changed' });
    service.total = 1;
    await list.refresh();
    expect(list.find('1')).toBeUndefined();
  });

  it('finds no unreadable entry', async () => {
    const { list, asked } = listByHand();
    await settle(list.refresh(), () =>
      asked[0]!.answer({ resources: [{ unreadable: true, id: '0', reason: 'no name' }], offset: 1 }),
    );
    expect(list.find('0')).toBeUndefined();
  });
});

describe('restarting a list', () => {
  it('keeps the entries until the answer, and drops the errors and the next page', async () => {
    const { list, asked } = await loadedByHand();
    await settle(list.loadMore(), () => asked[1]!.fail(new Error('unreachable')));
    const restarted = list.restart();
    expect(list.state).toEqual({ entries: items(0, 2), hasMore: false, loading: true, ...confirmed });
    asked[2]!.fail(new Error('out of order'));
    await restarted;
    expect(list.state).toMatchObject({ entries: items(0, 2), hasMore: false });
    const again = list.restart();
    expect(list.state.error).toBeUndefined();
    asked[3]!.answer({ resources: items(5, 1), offset: 1 });
    await again;
    expect(list.state).toEqual({ entries: items(5, 1), hasMore: false, loading: false, ...confirmed });
  });

  it('requests one page, however many were loaded', async () => {
    const { list, asked } = listOver({ total: 9 });
    await list.refresh();
    await list.loadMore();
    await list.restart();
    expect(asked.at(-1)).toEqual({ limit: 3, offset: 0 });
  });
});

describe('refreshing a list', () => {
  it('finds an entry that was added after a complete list was loaded', async () => {
    const service = { total: 5 };
    const { list, asked } = listOver(service, 5);
    await list.refresh();
    await list.loadMore();
    expect(list.state.hasMore).toBe(false);
    service.total = 6;
    await list.refresh();
    expect(asked.at(-1)).toEqual({ limit: 6, offset: 0 });
    expect(list.state.entries).toEqual(items(0, 6));
  });

  it('loads as many entries as before, in the largest pages that the service allows', async () => {
    const service = { total: 1000 };
    const { list, asked } = listOver(service, 90);
    await list.refresh();
    await list.loadMore();
    asked.length = 0;
    await list.refresh();
    expect(asked).toEqual([
      { limit: 100, offset: 0 },
      { limit: 80, offset: 100 },
    ]);
    expect(list.state.entries).toHaveLength(180);
    expect(list.state.hasMore).toBe(true);
  });

  it('drops entries that no longer exist', async () => {
    const service = { total: 7 };
    const { list } = listOver(service);
    await list.refresh();
    await list.loadMore();
    service.total = 1;
    await list.refresh();
    expect(list.state).toMatchObject({ entries: items(0, 1), hasMore: false });
  });

  it('cancels and replaces a running request, whichever answers first', async () => {
    const { list, asked } = listByHand();
    const old = list.refresh();
    const young = list.refresh();
    expect(asked[0]!.signal.aborted).toBe(true);
    asked[1]!.answer({ resources: [{ id: 'new' }], offset: 1 });
    await young;
    asked[0]!.answer({ resources: [{ id: 'old' }], offset: 1 });
    await old;
    expect(list.state).toMatchObject({ entries: [{ id: 'new' }], loading: false });
  });

  it('ignores the failure of a canceled request', async () => {
    const { list, asked } = listByHand();
    const old = list.refresh();
    const young = list.refresh();
    asked[0]!.fail(new Error('cancelled'));
    await old;
    expect(list.state.loading).toBe(true);
    expect(list.state.error).toBeUndefined();
    asked[1]!.answer({ resources: [], offset: 0 });
    await young;
  });

  it("isn't disturbed by loading more", async () => {
    const { list, asked } = listByHand();
    const refresh = list.refresh();
    const more = list.loadMore();
    expect(asked).toHaveLength(1);
    expect(asked[0]!.signal.aborted).toBe(false);
    asked[0]!.answer({ resources: [], offset: 0 });
    await Promise.all([refresh, more]);
    expect(asked).toHaveLength(1);
  });
});

describe('a list that fails to load', () => {
  it('keeps the entries and their time, and drops the error with the next answer', async () => {
    const { list, asked } = await loadedByHand();
    const error = new Error('unreachable');
    await settle(list.refresh(), () => asked[1]!.fail(error));
    expect(list.state).toEqual({ entries: items(0, 2), hasMore: true, ...failedWith(error) });
    await settle(list.refresh(), () => asked[2]!.answer({ resources: items(0, 1), offset: 1 }));
    expect(list.state.error).toBeUndefined();
  });

  it('loads the next page once, after a running refresh', async () => {
    const { list, asked } = await loadedByHand();
    const second = list.refresh();
    const more = [list.loadMore(), list.loadMore()];
    asked[1]!.answer({ resources: items(0, 2), offset: 2 });
    await second;
    await Promise.resolve();
    asked[2]!.answer({ resources: items(2, 1), offset: 3 });
    await Promise.all(more);
    expect(asked).toHaveLength(3);
    expect(readableEntries(list.state.entries)).toEqual(items(0, 3));
  });

  it('keeps earlier entries valid if a page fails, and requests the same page again', async () => {
    const { list, asked } = await loadedByHand();
    const moreError = new Error('unreachable');
    await settle(list.loadMore(), () => asked[1]!.fail(moreError));
    expect(list.state).toEqual({ entries: items(0, 2), hasMore: true, loading: false, ...confirmed, moreError });
    const third = list.loadMore();
    expect(asked[2]!.query).toEqual({ limit: 2, offset: 2 });
    asked[2]!.answer({ resources: items(2, 1), offset: 3 });
    await third;
    expect(list.state).toEqual({ entries: items(0, 3), hasMore: false, loading: false, ...confirmed });
  });

  it('keeps the age of earlier entries when the next page arrives', async () => {
    const { list, asked, clock } = await loadedByHand();
    const error = new Error('unreachable');
    await settle(list.refresh(), () => asked[1]!.fail(error));
    clock.advance(8);
    await settle(list.loadMore(), () => asked[2]!.answer({ resources: items(2, 1), offset: 3 }));
    expect(list.state).toEqual({ entries: items(0, 3), hasMore: false, ...failedWith(error) });
  });

  it('drops the error of a page if a later refresh fails', async () => {
    const { list, asked } = await loadedByHand();
    await settle(list.loadMore(), () => asked[1]!.fail(new Error('unreachable')));
    const error = new Error('out of order');
    await settle(list.refresh(), () => asked[2]!.fail(error));
    expect(list.state).toEqual({ entries: items(0, 2), hasMore: true, ...failedWith(error) });
  });

  it('changes nothing after it was disposed', async () => {
    const { list, asked } = listByHand();
    const first = list.refresh();
    list.dispose();
    expect(asked[0]!.signal.aborted).toBe(true);
    asked[0]!.answer({ resources: items(0, 2), offset: 2 });
    await first;
    expect(list.state.entries).toEqual([]);
  });

  it('requests no page after it was disposed', async () => {
    const { list, asked } = listOver({ total: 9 });
    await list.refresh();
    list.dispose();
    await list.loadMore();
    expect(asked).toHaveLength(1);
  });
});

it('puts a known entry in its place and an unknown one first', async () => {
  const { list } = listOver({ total: 2 });
  await list.refresh();
  list.put({ id: '1', name: 'changed' });
  list.put({ id: 'new' });
  list.put({ id: 'new' });
  expect(list.state.entries).toEqual([{ id: 'new' }, { id: '0' }, { id: '1', name: 'changed' }]);
});

it('keeps an entry that was put during an older request', async () => {
  const { list, asked } = listByHand();
  const refreshed = list.refresh();
  list.put({ id: 'new', name: 'made meanwhile' });
  asked[0]!.answer({ resources: items(0, 1), offset: 1 });
  await refreshed;
  expect(list.state.entries).toEqual([{ id: 'new', name: 'made meanwhile' }, ...items(0, 1)]);
});

it('drops a removed entry, and misses none of the next page', async () => {
  const service = { total: 9 };
  const { list, asked } = listOver(service);
  await list.refresh();
  list.remove('1');
  expect(list.state.entries).toEqual([{ id: '0' }, { id: '2' }]);
  expect(list.find('1')).toBeUndefined();
  await list.loadMore();
  expect(asked.at(-1)).toEqual({ limit: 3, offset: 2 });
  expect(list.state.entries).toEqual([{ id: '0' }, ...items(2, 3)]);
});

it('takes no entry from an older answer that was removed meanwhile', async () => {
  const { list, asked } = listByHand();
  const refreshed = list.refresh();
  list.remove('1');
  asked[0]!.answer({ resources: [...items(0, 2), { unreadable: true, reason: 'no name' }], offset: 3 });
  await refreshed;
  expect(list.state.entries).toEqual([{ id: '0' }, { unreadable: true, reason: 'no name' }]);
});

it('has each entry once and misses none, however it is loaded and whatever is created meanwhile', async () => {
  const steps = fc.array(fc.constantFrom('refresh', 'more', 'create'), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(fc.nat(40), fc.integer({ min: 1, max: 7 }), steps, async (total, pageSize, wishes) => {
      // Newest first: a created row shifts all others.
      const rows = items(0, total);
      const list = new PagedList<Item>({
        fetchPage: async ({ limit, offset }) => {
          const resources = rows.slice(offset, offset + limit);
          return { resources, offset: offset + resources.length };
        },
        pageSize: () => pageSize,
        clock: new FakeClock(),
        onChange: () => undefined,
      });
      for (const [index, wish] of wishes.entries()) {
        if (wish === 'refresh') await list.refresh();
        else if (wish === 'more') await list.loadMore();
        else rows.unshift({ id: `new ${index}` });
      }
      await list.refresh();
      while (list.state.hasMore) await list.loadMore();
      expect(list.state.entries).toEqual(rows);
    }),
    { numRuns: 200 },
  );
});
