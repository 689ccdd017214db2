import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Deployment } from '../../../../src/api/resources/deployments.ts';
import { localConnection } from '../../../../src/state/connections/connection.ts';
import { Emitter } from '../../../../src/state/emitter.ts';
import type { SearchedRepository } from '../../../../src/state/workspace/searchDeployments.ts';
import type { OwnDeployments } from '../../../../src/state/workspace/ownDeployments.ts';
import type { Scheduler } from '../../../../src/state/following/scheduler.ts';
import type { Deployments } from '../../../../src/state/lists/deployments.ts';
import { InMemoryMemory } from '../../../support/editorStorage.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { testClient, type TestClient } from '../../../support/faultClient.ts';
import { json, raw } from '../../../support/faults.ts';
import { listingStores } from '../../../support/followingStores.ts';
import { startSmallService, type SmallService } from '../../../support/smallService.ts';
import { readySession, TestConnections } from '../../../support/testConnections.ts';

const slot = `ownDeployments:${localConnection.name}`;
const away = { focused: false, visible: false };
const working = { focused: true, visible: false };
const looking = { focused: true, visible: true };
const byIds = (ids: string): string => `/v2/deployments?deployment_ids=${encodeURIComponent(ids)}&limit=100`;
const byName = '/v2/deployments?name_contains=agent&limit=100&offset=0';
const ours: SearchedRepository = { usualNames: ['agent'], isWanted: ({ id }: Deployment) => id.startsWith('ours') };
const others = (count: number) =>
  Array.from({ length: count }, (_, place) => ({ id: `other-${place}`, name: `other-${place}` }));

let service: SmallService;
let client: TestClient;
let clock: FakeClock;
let workspaceMemory: InMemoryMemory;
let connections: TestConnections;
let isFollowing: boolean;
let repositories: readonly SearchedRepository[];
let stores: ReturnType<typeof listingStores>;
let deployments: Deployments;
let own: OwnDeployments;
let scheduler: Scheduler;
const switched = new Emitter<void>();

beforeEach(async () => {
  service = await startSmallService();
  client = testClient({ baseUrl: service.url });
  clock = new FakeClock();
  workspaceMemory = new InMemoryMemory();
  connections = new TestConnections(readySession(localConnection, client));
  isFollowing = true;
  repositories = [ours];
  const following = { isOn: () => isFollowing, onDidChange: switched.event };
  const asked = { repositories: async () => repositories, following };
  stores = listingStores({ connections, clock, workspaceMemory, pageSize: 2, ...asked });
  ({ deployments, ownDeployments: own, scheduler } = stores);
  scheduler.setAttention(away);
});

afterEach(async () => {
  stores.dispose();
  await client.close();
  await service[Symbol.asyncDispose]();
});

/** Gives requests the time to be sent and answered, and tells which they were. */
async function asked(): Promise<readonly string[]> {
  const before = service.seen.length;
  for (let turn = 0; turn < 200 && service.seen.length === before; turn += 1) await setImmediate();
  for (let turn = 0; turn < 50; turn += 1) await setImmediate();
  return service.asked();
}

/** Comes to the window, and tells which requests that leads to. */
async function startWorking(): Promise<readonly string[]> {
  scheduler.setAttention(working);
  clock.advance(0);
  return asked();
}

function names(): readonly string[] {
  return own.candidates.map(({ name }) => name);
}

describe('a remembered deployment', () => {
  beforeEach(async () => {
    await workspaceMemory.update(slot, ['ours-1']);
    service.deployments = [...others(2), { id: 'ours-1', name: 'agent' }];
  });

  it('is asked for with the focus, and then once a minute', async () => {
    scheduler.setAttention(away);
    expect(clock.pending).toEqual([]);
    expect(await startWorking()).toEqual([byIds('ours-1')]);
    expect(names()).toEqual(['agent']);
    expect(clock.pending).toEqual([60_000]);
    clock.advance(60_000);
    expect(await asked()).toEqual([byIds('ours-1')]);
  });

  it('is asked for at once when the user returns', async () => {
    await startWorking();
    scheduler.setAttention(away);
    expect(clock.pending).toEqual([]);
    clock.advance(10_000);
    expect(await startWorking()).toEqual([byIds('ours-1')]);
    scheduler.setAttention(away);
    scheduler.setAttention(working);
    expect(clock.pending).toEqual([2000]);
  });

  it('is asked for only while the list is visible if the setting is off', async () => {
    isFollowing = false;
    scheduler.setAttention(working);
    expect(clock.pending).toEqual([]);
    isFollowing = true;
    switched.fire();
    expect(clock.pending).toEqual([0]);
  });

  it('is asked for with the visible list, and beside it only if that has another page', async () => {
    repositories = [];
    scheduler.setAttention(looking);
    expect(clock.pending).toEqual([]);
    await deployments.load();
    service.asked();
    own.remember([]);
    clock.advance(0);
    expect(await asked()).toEqual([byIds('ours-1')]);
    await deployments.loadMore();
    expect(clock.pending).toEqual([]);
    scheduler.setAttention(working);
    expect(clock.pending).toEqual([60_000]);
  });

  it('is forgotten once the service no longer has it, but not if the service ignores what it is asked', async () => {
    service.ignoresFilters = true;
    service.deployments = others(2);
    await startWorking();
    expect(own.remembered).toEqual(['ours-1']);
    service.ignoresFilters = false;
    clock.advance(60_000);
    await asked();
    expect(own.remembered).toEqual([]);
    expect(clock.pending).toEqual([]);
  });

  it('is gone once the service no longer lists it, unless it is so new that it may not be listed yet', async () => {
    await startWorking();
    service.deployments = others(2);
    for (const isKnown of [true, false]) {
      clock.advance(60_000);
      await asked();
      expect(own.remembered).toEqual(isKnown ? ['ours-1'] : []);
      expect(names()).toEqual(isKnown ? ['agent'] : []);
      expect(stores.answers.goneAt(localConnection.name, 'ours-1') === undefined).toBe(isKnown);
    }
  });

  it('stays remembered while the service fails, and waits for another key after a refusal', async () => {
    service.fault = raw('out of order', 500);
    await startWorking();
    expect(own.remembered).toEqual(['ours-1']);
    expect(clock.pending).toEqual([60_000]);
    service.fault = json({ detail: 'no' }, 401);
    clock.advance(60_000);
    await asked();
    expect(clock.pending).toEqual([]);
    service.fault = undefined;
    own.retry();
    clock.advance(60_000);
    await asked();
    expect(names()).toEqual(['agent']);
  });

  it('is dropped with the connection, even if the answer comes later', async () => {
    scheduler.setAttention(working);
    clock.advance(0);
    connections.connect({ kind: 'none' });
    await asked();
    expect(names()).toEqual([]);
    expect(clock.pending).toEqual([]);
  });

  it('is asked for on the next connection, even if the former one never answers', async () => {
    const gone: Promise<unknown>[] = [];
    service.fault = (response) => void gone.push(once(response, 'close'));
    expect(await startWorking()).toEqual([byIds('ours-1')]);
    service.fault = undefined;
    connections.connect(readySession(localConnection, client));
    await Promise.all(gone);
    clock.advance(0);
    expect(await asked()).toEqual([byIds('ours-1')]);
    expect(names()).toEqual(['agent']);
    expect(clock.pending).toEqual([60_000]);
  });

  it('stays known while a filter hides it', async () => {
    await deployments.load();
    await deployments.loadMore();
    own.remember(['ours-1']);
    await deployments.setFilter({ name_contains: 'other' });
    expect(names()).toEqual(['other-0', 'other-1', 'agent']);
  });

  it("is forgotten once it's known not to belong to an open repository", async () => {
    own.add([{ id: 'ours-1', name: 'agent' }], 1);
    own.remember(['ours-2']);
    expect(own.remembered).toEqual(['ours-2']);
    own.remember(['ours-3']);
    expect(own.remembered).toEqual(['ours-3', 'ours-2']);
  });
});

describe('the search for deployments of the open repositories', () => {
  it('finds one that the list has on another page, once while the list is visible', async () => {
    service.deployments = [...others(5), { id: 'ours-1', name: 'my-agent' }];
    await deployments.load();
    service.asked();
    scheduler.setAttention(looking);
    expect(await asked()).toEqual([byName]);
    expect(names()).toEqual(['other-0', 'other-1', 'my-agent']);
    expect(own.results).toMatchObject([{ stoppedAt: 'name' }]);
    await deployments.refresh();
    expect(await asked()).toEqual(['/v2/deployments?limit=2&offset=0']);
  });

  it('waits for the list, and asks nothing if that is whole', async () => {
    service.deployments = others(1);
    scheduler.setAttention(looking);
    expect(await asked()).toEqual([]);
    await deployments.load();
    expect(await asked()).toEqual(['/v2/deployments?limit=2&offset=0']);
    expect(own.results).toEqual([]);
  });

  it('runs for each open repository, and again for another one or at the request of the user', async () => {
    service.deployments = others(5);
    await deployments.load();
    repositories = [];
    await own.search();
    service.asked();
    repositories = [ours, { ...ours, usualNames: ['billing'] }];
    service.deployments = [...others(5), { id: 'ours-1', name: 'agent' }, { id: 'ours-2', name: 'billing' }];
    await own.search();
    expect(service.asked()).toEqual([byName, byName.replace('agent', 'billing')]);
    await own.search();
    expect(service.asked()).toEqual([]);
    await own.search({ again: true });
    expect(service.asked()).toHaveLength(2);
  });

  it('ends with its connection', async () => {
    service.deployments = others(5);
    await deployments.load();
    const gone: Promise<unknown>[] = [];
    service.fault = (response) => void gone.push(once(response, 'close'));
    const searching = own.search();
    await service.arrived(2);
    connections.connect({ kind: 'none' });
    await Promise.all([...gone, searching]);
    expect(own.results).toEqual([]);
  });

  it('runs again after a failure when the list is shown again', async () => {
    service.deployments = [...others(5), { id: 'ours-1', name: 'agent' }];
    await deployments.load();
    service.fault = json({ detail: 'no' }, 403);
    scheduler.setAttention(looking);
    await asked();
    scheduler.setAttention(working);
    service.fault = undefined;
    scheduler.setAttention(looking);
    await asked();
    expect(names()).toContain('agent');
  });
});
