import { beforeEach, describe, expect, it } from 'vitest';
import type { Session } from '../../../../src/state/connections/session.ts';
import { Emitter } from '../../../../src/state/emitter.ts';
import { ListStore } from '../../../../src/state/lists/listStore.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { TestConnections, work } from '../../../support/testConnections.ts';

interface Item {
  readonly id: string;
}

/** What was asked for: a connection and the owner of a list. */
let asked: string[];
let connections: TestConnections;
let dropped: Emitter<string>;
let store: ListStore<Item>;
let told: string[];
let hold: Promise<void> | undefined;

beforeEach(() => {
  asked = [];
  told = [];
  hold = undefined;
  connections = new TestConnections(sessionOf('Work'));
  dropped = new Emitter();
  store = createStore(true);
});

function sessionOf(name: string): Session {
  // Each client is known by the name of its connection.
  return { kind: 'ready', connection: { ...work, name }, client: async () => ({ name }) as never };
}

function createStore(isKept: boolean): ListStore<Item> {
  const created = new ListStore<Item>({
    connections,
    fetchPage: async (client, { offset }, signal, owner) => {
      const name = 'name' in client ? String(client.name) : '';
      asked.push(`${name} ${owner}`.trim());
      await hold;
      signal.throwIfAborted();
      return { resources: [{ id: `${name} ${offset}` }], offset: offset + 1 };
    },
    pageSize: () => 1,
    clock: new FakeClock(),
    ...(isKept ? { outlives: dropped.event } : {}),
  });
  created.onDidChange((owner) => told.push(owner));
  return created;
}

function connect(name: string): void {
  connections.connect(sessionOf(name));
}

const ids = (owner = '') => store.of(owner).state.entries.map(({ id }) => id);

describe('a list of another connection', () => {
  it('is kept, and shown again at once after switching back, before it is loaded again', async () => {
    await store.of().load();
    await store.of('d1').load();
    connect('Home');
    expect([ids(), ids('d1')]).toEqual([[], []]);
    await store.of().load();
    expect(ids()).toEqual(['Home 0']);
    told.length = 0;
    connect('Work');
    expect(told).toEqual(['']);
    expect([ids(), ids('d1')]).toEqual([['Work 0'], ['Work 0']]);
    expect(store.of().find('Work 0')).toEqual({ id: 'Work 0' });
    expect(asked).toEqual(['Work', 'Work d1', 'Home']);
    await store.of().load();
    await store.of().load();
    expect(asked).toEqual(['Work', 'Work d1', 'Home', 'Work']);
    connect('Home');
    expect(ids()).toEqual(['Home 0']);
  });

  it('is kept while there is no connection', async () => {
    await store.of().load();
    connections.connect({ kind: 'none' });
    expect(ids()).toEqual([]);
    connect('Work');
    expect(ids()).toEqual(['Work 0']);
  });

  it('takes no answer to a request of before', async () => {
    await store.of().load();
    let release = (): void => undefined;
    hold = new Promise((resolve) => (release = resolve));
    const refreshed = store.of().refresh();
    connect('Home');
    connect('Work');
    expect(store.of().state).toMatchObject({ loading: false, entries: [{ id: 'Work 0' }] });
    release();
    await refreshed;
    expect(store.of().state).toMatchObject({ loading: false, entries: [{ id: 'Work 0' }] });
    expect(store.of().state.error).toBeUndefined();
  });

  it("doesn't ask the new connection for a page that waits for a refresh", async () => {
    await store.of().load();
    let release = (): void => undefined;
    hold = new Promise((resolve) => (release = resolve));
    const refreshed = store.of().refresh();
    const more = store.of().loadMore();
    connect('Home');
    release();
    await Promise.all([refreshed, more]);
    expect(asked).toEqual(['Work', 'Work']);
    connect('Work');
    expect(ids()).toEqual(['Work 0']);
    await store.of().load();
    expect(asked).toHaveLength(3);
  });

  it('is dropped when the answers of its connection are, whether it is present or not', async () => {
    await store.of().load();
    connect('Home');
    await store.of().load();
    dropped.fire('Work');
    expect(ids()).toEqual(['Home 0']);
    dropped.fire('Home');
    expect(ids()).toEqual([]);
    connect('Work');
    expect(ids()).toEqual([]);
  });

  it('is dropped when the same connection changes', async () => {
    await store.of().load();
    connect('Work');
    expect(ids()).toEqual([]);
  });

  it('is dropped by a store that keeps none', async () => {
    store.dispose();
    store = createStore(false);
    await store.of().load();
    connect('Home');
    connect('Work');
    expect(ids()).toEqual([]);
  });
});
