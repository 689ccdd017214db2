import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localConnection } from '../../../../src/state/connections/connection.ts';
import type { Disposable } from '../../../../src/state/emitter.ts';
import { gatherEndings } from '../../../../src/state/following/gatherEndings.ts';
import { InMemoryMemory } from '../../../support/editorStorage.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { followingStores, type FollowingStores } from '../../../support/followingStores.ts';
import { InstantService } from '../../../support/instantService.ts';
import { readySession, TestConnections } from '../../../support/testConnections.ts';

const connection = localConnection.name;

let clock: FakeClock;
let service: InstantService;
let workspaceMemory: InMemoryMemory;
let stores: FollowingStores;
let gathering: Disposable;
/** What is told at once, as revisions. */
let told: string[][];

beforeEach(() => {
  clock = new FakeClock();
  service = new InstantService();
  workspaceMemory = new InMemoryMemory();
  told = [];
  openWindow();
});

afterEach(() => {
  closeWindow();
});

function openWindow(): void {
  const connections = new TestConnections(readySession(localConnection, service.client), async () => service.client);
  stores = followingStores({ connections, clock, workspaceMemory });
  gathering = gatherEndings({ follower: stores.follower, clock }, (ended) =>
    told.push(ended.map(({ revisionId }) => revisionId)),
  );
}

function closeWindow(): void {
  gathering.dispose();
  stores.dispose();
}

/** Follows a revision that the service has deployed already. */
async function end(deploymentId: string, revisionId: string): Promise<void> {
  service.deploy(deploymentId, revisionId, 'DEPLOYED');
  await stores.follower.follow({ connection, deploymentId, revisionId });
  await answered();
}

/** Lets a request that is due be answered. */
async function answered(): Promise<void> {
  clock.advance(0);
  await setImmediate();
}

describe('endings', () => {
  it('of one deployment are one', async () => {
    await end('a', 'a1');
    await end('a', 'a2');
    expect(told).toEqual([]);
    clock.advance(2_000);
    expect(told).toEqual([['a2']]);
  });

  it('are told together if they come within a few seconds, and later ones for themselves', async () => {
    await end('a', 'a1');
    clock.advance(1_500);
    await end('b', 'b1');
    expect(told).toEqual([]);
    clock.advance(500);
    expect(told).toEqual([['a1', 'b1']]);
    clock.advance(60_000);
    await end('c', 'c1');
    clock.advance(2_000);
    expect(told).toEqual([['a1', 'b1'], ['c1']]);
  });

  it('are not told once they were dismissed', async () => {
    await end('dismissed', 'd1');
    await stores.follower.stop(connection, 'dismissed');
    clock.advance(2_000);
    expect(told).toEqual([]);
    await end('dismissed', 'd2');
    await end('kept', 'k1');
    await stores.follower.stop(connection, 'dismissed');
    clock.advance(2_000);
    expect(told).toEqual([['k1']]);
  });

  it('that a window does not come to are told by the next one, and others are not', async () => {
    await end('told', 't1');
    clock.advance(2_000);
    await setImmediate();
    await end('left', 'l1');
    closeWindow();
    expect(clock.pending).toEqual([]);
    openWindow();
    stores.follower.resume();
    await answered();
    clock.advance(2_000);
    expect(told).toEqual([['t1'], ['l1']]);
  });
});
