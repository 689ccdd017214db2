import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Deployment } from '../../../../src/api/resources/deployments.ts';
import { revisionStatusView, statusOf, type Phase } from '../../../../src/core/status/status.ts';
import type { Answers, Observed, RevisionId } from '../../../../src/state/answers/answers.ts';
import { RemovedConnectionError } from '../../../../src/state/connections/connection.ts';
import { StoppedServiceError } from '../../../../src/state/connections/localService.ts';
import type { Followed, Follower } from '../../../../src/state/following/follower.ts';
import { refusalIn } from '../../../../src/state/following/poll.ts';
import type { Poller } from '../../../../src/state/following/poller.ts';
import type { Scheduler } from '../../../../src/state/following/scheduler.ts';
import { InMemoryMemory } from '../../../support/editorStorage.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { followingStores, type FollowingStores } from '../../../support/followingStores.ts';
import { testClient } from '../../../support/faultClient.ts';
import type { TestClient } from '../../../support/faultClient.ts';
import { json, raw, stallBeforeHeaders } from '../../../support/faults.ts';
import { startSmallService, until } from '../../../support/smallService.ts';
import type { SmallService } from '../../../support/smallService.ts';
import { readySession, TestConnections, work } from '../../../support/testConnections.ts';

const id = { connection: 'Work', deploymentId: 'd1', revisionId: 'r1' };
const minute = 60_000;

/** A follow and what is known of its revision. */
interface Told extends Followed, Pick<Observed, 'revision' | 'deployment' | 'stored'> {
  readonly phase: Phase | undefined;
}

const agent = { id: 'd1', name: 'agent', latest_revision_id: 'r1' };

let service: SmallService;
let client: TestClient;
let clock: FakeClock;
let workspaceMemory: InMemoryMemory;
let stores: FollowingStores;
let answers: Answers;
let scheduler: Scheduler;
let poller: Poller;
let follower: Follower;
let ended: Told[];
let published: (string | undefined)[];
let isRemoved: boolean;
let isTold: boolean;
let isStopped: boolean;

beforeEach(async () => {
  isTold = true;
  service = await startSmallService();
  client = testClient({ baseUrl: service.url });
  clock = new FakeClock();
  workspaceMemory = new InMemoryMemory();
  service.deployments = [agent];
  become('BUILDING');
  openWindow();
});

afterEach(async () => {
  closeWindow();
  await client.close();
  await service[Symbol.asyncDispose]();
});

describe('a follow', () => {
  it('polls at once, with the record until the name is known', async () => {
    await followAndPoll();
    expect(service.asked()).toEqual(['/v2/deployments/d1/revisions/r1', '/v2/deployments?deployment_ids=d1&limit=1']);
    expect(followed()).toMatchObject([
      { deployment: { name: 'agent' }, revision: { status: 'BUILDING' }, failures: 0 },
    ]);
    await poll();
    expect(service.asked()).toEqual(['/v2/deployments/d1/revisions/r1']);
    expect(published).toEqual(['agent', 'agent']);
  });

  it.each([
    ['DEPLOYED', 'success'],
    ['BUILD_FAILED', 'failed'],
    ['SKIPPED', 'superseded'],
  ])('ends once at %s and polls no more', async (status, phase) => {
    await followAndPoll();
    if (phase === 'success') service.deployments = [{ ...agent, active_revision_id: 'r1' }];
    become(status);
    await poll();
    if (phase === 'superseded') for (let count = 0; ended.length === 0; count += 1) await poll();
    expect(ended).toMatchObject([{ outcome: 'ended', phase, deployment: { name: 'agent' }, resumed: false }]);
    expect(clock.pending).toEqual([]);
    expect(workspaceMemory.get('follows')).toBeUndefined();
    expect(follower.followed).toHaveLength(1);
  });

  it('continues with a newer revision that took over, without announcing the old one', async () => {
    await followAndPoll();
    become('SKIPPED');
    service.deployments = [{ id: 'd1', name: 'agent', latest_revision_id: 'r2' }];
    service.revisions.get('d1')?.unshift({ id: 'r2', status: 'QUEUED' });
    await poll();
    expect(ended).toEqual([]);
    expect(workspaceMemory.get('follows')).toMatchObject([{ ...id, revisionId: 'r2' }]);
    expect(followed()).toMatchObject([{ revisionId: 'r2', revision: undefined }]);
    await poll();
    expect(followed()).toMatchObject([
      { revisionId: 'r2', revision: { status: 'QUEUED' }, skipped: { id: 'r1', status: 'SKIPPED' } },
    ]);
  });

  it("doesn't call a failed revision skipped because a newer one followed it", async () => {
    await follower.follow(id);
    become('BUILD_FAILED');
    service.deployments = [{ ...agent, latest_revision_id: 'r2' }];
    service.revisions.get('d1')?.unshift({ id: 'r2', status: 'BUILDING' });
    await poll();
    await poll();
    expect(followed()).toMatchObject([{ revisionId: 'r2', revision: { status: 'BUILDING' } }]);
    expect(follower.followed[0]?.skipped).toBeUndefined();
  });

  it.each([
    ['DEPLOYED', { ...agent, active_revision_id: 'r0' }, { ...agent, active_revision_id: 'r1' }],
    ['SKIPPED', agent, { ...agent, latest_revision_id: 'r2' }],
  ])('waits at %s for the record to name what follows, but not for long', async (status, behind, present) => {
    service.deployments = [behind];
    await followAndPoll();
    become(status);
    await poll();
    expect(ended).toEqual([]);
    expect(clock.pending).toEqual([2000]);
    service.deployments = [present];
    await poll();
    if (status === 'DEPLOYED') expect(ended).toMatchObject([{ outcome: 'ended', deployment: present }]);
    else expect(follower.followed).toMatchObject([{ revisionId: 'r2' }]);
    service.deployments = [behind];
    await follower.follow(id);
    const began = clock.monotonic();
    ended = [];
    while (ended.length === 0) await poll();
    expect(ended).toMatchObject([{ outcome: 'ended', revisionId: 'r1', revision: { status } }]);
    expect(clock.monotonic() - began).toBeLessThan(3 * minute);
  });

  it("doesn't go back to an older revision that an old record names", async () => {
    const created = { created_at: '2026-11-21T10:00:00Z' };
    service.deployments = [{ ...agent, latest_revision_id: 'r0', updated_at: '2026-11-21T09:00:00Z' }];
    service.revisions.set('d1', [{ id: 'r1', status: 'SKIPPED', ...created }]);
    await followAndPoll();
    await poll();
    expect(followed()).toMatchObject([{ revisionId: 'r1', phase: 'superseded' }]);
    service.deployments = [{ ...agent, latest_revision_id: 'r2', updated_at: '2026-11-21T10:00:01Z' }];
    await poll();
    expect(follower.followed).toMatchObject([{ revisionId: 'r2' }]);
  });

  it('continues after its end if a list learns of a newer revision, but not from an older record', async () => {
    service.deployments = [{ id: 'd1', name: 'agent', latest_revision_id: 'r1', updated_at: '2026-11-21T10:00:00Z' }];
    become('BUILD_FAILED');
    await followAndPoll();
    expect(follower.followed).toMatchObject([{ revisionId: 'r1', outcome: 'ended' }]);
    const record = { id: 'd1', name: 'agent', latest_revision_id: 'r0', updated_at: '2026-11-21T09:00:00Z' };
    await observeAndFollow(record);
    await observeAndFollow({ ...record, latest_revision_id: 'r1', updated_at: '2026-11-21T11:00:00Z' });
    expect(follower.followed).toMatchObject([{ revisionId: 'r1', outcome: 'ended' }]);
    await observeAndFollow({ ...record, latest_revision_id: 'r2', updated_at: '2026-11-21T11:00:00Z' });
    expect(follower.followed).toMatchObject([{ revisionId: 'r2' }]);
    expect(follower.followed[0]).not.toHaveProperty('outcome');
  });

  it('continues after its end with another latest revision of a record without times, unless it is from before', async () => {
    const created_at = '2026-11-21T10:00:00Z';
    service.revisions.set('d1', [{ id: 'r1', status: 'BUILD_FAILED', created_at }]);
    await followAndPoll();
    await observeAndFollow({ ...agent, latest_revision_id: 'r0', updated_at: '2026-11-21T09:59:59Z' });
    expect(followed()).toMatchObject([{ revisionId: 'r1', outcome: 'ended' }]);
    await observeAndFollow({ ...agent, latest_revision_id: 'r2' });
    expect(follower.followed).toMatchObject([{ revisionId: 'r2' }]);
    expect(follower.followed[0]).not.toHaveProperty('outcome');
  });

  it('ends silently once the user has stopped its revision, and goes on if that one does', async () => {
    await followAndPoll();
    await follower.endSilently({ ...id, revisionId: 'another' });
    expect(follower.followed).toMatchObject([{ revisionId: 'r1', failures: 0 }]);
    const answer = (status: string) => {
      const at = clock.monotonic();
      const place = { connection: 'Work', deploymentId: 'd1', askedAt: at, receivedAt: at };
      stores.answers.put({ ...place, revision: { id: 'r1', status } });
    };
    answer('INTERRUPTED');
    await follower.endSilently(id);
    expect(follower.followed).toMatchObject([{ outcome: 'ended', isSeen: true }]);
    expect(ended).toEqual([]);
    expect(clock.pending).toEqual([]);
    answer('BUILDING');
    expect(follower.followed[0]).not.toHaveProperty('outcome');
  });

  it('continues with a newer revision after it was given up', async () => {
    service.deployments = [{ ...agent, updated_at: '2026-11-21T10:00:00Z' }];
    await follower.follow(id);
    while (ended.length === 0) await poll();
    const newer = { ...agent, latest_revision_id: 'r2', updated_at: '2026-11-21T11:00:00Z' };
    await observeAndFollow(newer);
    expect(follower.followed).toMatchObject([{ revisionId: 'r2' }]);
  });

  it('continues with a newer revision that is known when it would give up', async () => {
    await followAndPoll();
    const at = clock.monotonic();
    const record = { ...agent, latest_revision_id: 'r2' };
    answers.put({ connection: 'Work', deploymentId: 'd1', record, askedAt: at, receivedAt: at });
    while (follower.followed[0]?.revisionId === 'r1' && ended.length === 0) await poll();
    expect(follower.followed).toMatchObject([{ revisionId: 'r2' }]);
    expect(ended).toEqual([]);
  });

  it.each([
    ['is not known', undefined],
    ['is the one that it knows', { ...agent, updated_at: '2026-11-21T10:00:00Z' }],
    ['names no revision', { id: 'd1', name: 'agent', updated_at: '2026-11-21T11:00:00Z' }],
  ])("doesn't continue after its end if the record %s", async (_what, record) => {
    service.deployments = [{ ...agent, updated_at: '2026-11-21T10:00:00Z' }];
    become('BUILD_FAILED');
    await followAndPoll();
    if (record !== undefined) await observeAndFollow(record);
    else await follower.followNewer('Work', 'another');
    expect(follower.followed).toMatchObject([{ revisionId: 'r1', outcome: 'ended' }]);
  });

  it('stays as it ended while a document still asks for its revision', async () => {
    await follower.follow(id);
    while (ended.length === 0) await poll();
    const before = follower.followed;
    service.asked();
    poller.setShown([id]);
    clock.advance(clock.pending[0] ?? 0);
    await answersArrived();
    expect(service.asked()).toContain('/v2/deployments/d1/revisions/r1');
    expect(ended).toHaveLength(1);
    expect(follower.followed).toEqual(before);
  });

  it('goes on as it is on another connection, before its end, and after its deployment is gone', async () => {
    const newer = { ...agent, latest_revision_id: 'r2', updated_at: '2026-11-21T11:00:00Z' };
    const older = { ...agent, updated_at: '2026-11-21T10:00:00Z' };
    await follower.follow(id);
    await observeAndFollow(newer);
    service.revisions.delete('d1');
    service.deployments = [];
    await poll();
    expect(ended).toMatchObject([{ outcome: 'gone' }]);
    expect(answers.goneAt('Work', 'd1')).toBeUndefined();
    await observeAndFollow(newer);
    service.deployments = [older];
    await follower.follow({ ...id, connection: 'Home' });
    become('BUILD_FAILED');
    await poll();
    expect(follower.find('Home', 'd1')?.outcome).toBe('ended');
    await observeAndFollow(newer);
    expect(follower.followed.map(({ revisionId }) => revisionId)).toEqual(['r1', 'r1']);
  });

  it('tells of its beginning, its new name, a look at its end, and that it was stopped', async () => {
    let told = 0;
    follower.onDidChange(() => (told += 1));
    await follower.follow(id);
    expect(told).toBe(1);
    become('BUILD_FAILED');
    await poll();
    expect(told).toBe(2);
    follower.markSeen(() => true);
    expect(told).toBe(3);
    follower.markSeen(() => true);
    expect(told).toBe(3);
    await follower.rename('Work', 'Office');
    expect(told).toBe(4);
    await follower.stop('Office', 'd1');
    expect(told).toBe(5);
  });

  it('is polled under its new name', async () => {
    await followAndPoll();
    await follower.rename('Work', 'Office');
    expect(poller.nextPollAt(id)).toBeUndefined();
    expect(poller.nextPollAt({ ...id, connection: 'Office' })).toBe(clock.monotonic());
  });

  it('leaves other polls alone', async () => {
    await followAndPoll();
    service.revisions.set('d2', [{ id: 'r1', status: 'BUILDING' }]);
    poller.setShown([{ ...id, deploymentId: 'd2' }]);
    clock.advance(0);
    await answersArrived();
    service.revisions.delete('d2');
    clock.advance(30_000);
    await answersArrived();
    expect(follower.followed.map(({ deploymentId, failures }) => [deploymentId, failures])).toEqual([['d1', 0]]);
  });

  it('ends with its window', async () => {
    let told = 0;
    follower.onDidChange(() => (told += 1));
    await follower.follow(id);
    expect(told).toBe(1);
    follower.dispose();
    expect(follower.followed).toEqual([]);
    await follower.stop('Work', 'd1');
    expect(told).toBe(1);
    clock.advance(0);
    await answersArrived();
    expect(follower.followed).toEqual([]);
  });

  it("ignores the record of another deployment if the service doesn't filter", async () => {
    service.deployments = [{ id: 'd2', name: 'other', latest_revision_id: 'r9' }];
    service.ignoresFilters = true;
    become('DEPLOYED');
    await followAndPoll();
    expect(ended).toMatchObject([{ ...id, outcome: 'ended', phase: 'success' }]);
    expect(observed().deployment).toBeUndefined();
    expect(published).toEqual([undefined]);
  });

  it('gives up after the configured time without calling it a failure', async () => {
    await follower.follow(id);
    while (ended.length === 0) await poll();
    expect(ended).toMatchObject([{ outcome: 'gaveUp', phase: 'working' }]);
    expect(clock.monotonic() - 5_000).toBeGreaterThan(60 * minute);
    expect(clock.monotonic() - 5_000).toBeLessThan(61 * minute);
    expect(clock.pending).toEqual([]);
  });

  it('gives up an unknown status even if it is older than the follow', async () => {
    service.revisions.set('d1', [{ id: 'r1', status: 'DREAMING', updated_at: '1970-01-01T00:00:00Z' }]);
    clock.shiftWall(24 * 60 * minute);
    await followAndPoll();
    expect(ended).toEqual([]);
    while (ended.length === 0) await poll();
    expect(ended).toMatchObject([{ outcome: 'gaveUp', phase: 'unknown' }]);
  });

  it.each([
    ['sleeps', (): void => clock.advance(0)],
    ['has no network', (): void => void (service.fault = raw('out of order', 500))],
  ])('neither gives up nor counts the time while the machine %s', async (_what, begin) => {
    await followAndPoll();
    begin();
    for (let hours = 0; hours < 8; hours += 1) await poll(60 * minute);
    service.fault = undefined;
    await poll();
    expect(answers.record('Work', 'd1')).toEqual(agent);
    expect(ended).toEqual([]);
    expect(follower.find('Work', 'd1')?.waited).toBeLessThan(10 * minute);
  });

  it.each([
    ['still lists the deployment', (): void => service.revisions.clear()],
    [
      'ignores its filter',
      (): void => {
        service.revisions.clear();
        service.deployments = [{ id: 'd2', name: 'other' }];
        service.ignoresFilters = true;
      },
    ],
    ["doesn't answer", (): void => void (service.fault = raw('<html>', 404))],
  ])('is not gone if something answers "not found" and the list %s', async (_what, begin) => {
    await followAndPoll();
    begin();
    await poll();
    expect(ended).toEqual([]);
    expect(followed()).toMatchObject([{ failures: 1, revision: { status: 'BUILDING' } }]);
  });

  it('finds its deployment gone for all, once that was last seen two minutes ago', async () => {
    await followAndPoll();
    const seenAt = clock.monotonic();
    while (clock.monotonic() < seenAt + 2 * minute) await poll();
    service.revisions.clear();
    service.deployments = [];
    await poll();
    expect(ended).toMatchObject([{ outcome: 'gone' }]);
    expect(answers.goneAt('Work', 'd1')).toBe(clock.monotonic());
  });

  it('is resumed if an answer says after its end that a stopped build goes on', async () => {
    become('INTERRUPTED');
    await followAndPoll();
    while (ended.length === 0) await poll();
    clock.advance(1);
    const at = clock.monotonic();
    const revision = { id: 'r1', status: 'BUILDING' };
    answers.put({ connection: 'Work', deploymentId: 'd1', revision, askedAt: at, receivedAt: at });
    expect(follower.followed).toMatchObject([{ revisionId: 'r1', waited: 0 }]);
    expect(follower.followed[0]).not.toHaveProperty('outcome');
    become('DEPLOYED');
    while (ended.length === 1) await poll();
    expect(ended).toHaveLength(2);
  });

  it.each([
    ['is dropped after its end', 'BUILD_FAILED', []],
    ['keeps the name until it ends', 'BUILDING', [{ revisionId: 'r1', name: 'agent' }]],
  ])('%s if its deployment is deleted', async (_what, status, left) => {
    become(status);
    await followAndPoll();
    answers.remove({ connection: 'Work', deploymentId: 'd1', askedAt: clock.monotonic() });
    const named = follower.followed.map((each) => {
      const { name } = answers.observe('Work', 'd1', each.revisionId).stored ?? {};
      return { revisionId: each.revisionId, name };
    });
    expect(named).toEqual(left);
  });

  it('ends silently if a poll finds its connection removed, along with follows that ended there', async () => {
    become('DEPLOYED');
    await followAndPoll();
    service.revisions.set('d2', [{ id: 'r1', status: 'BUILDING' }]);
    await follower.follow({ ...id, deploymentId: 'd2' });
    ended = [];
    isRemoved = true;
    await poll();
    expect(ended).toEqual([]);
    expect(follower.followed).toEqual([]);
    expect(workspaceMemory.get('follows')).toBeUndefined();
    expect(clock.pending).toEqual([]);
  });

  it('ends silently if its connection was removed while the key was refused', async () => {
    service.fault = json({ detail: 'no' }, 401);
    await followAndPoll();
    isRemoved = true;
    poller.retry();
    await poll();
    expect(follower.followed).toEqual([]);
    expect(ended).toEqual([]);
  });

  it('ends silently when its connection is removed; follows of other connections continue', async () => {
    await follower.follow(id);
    await follower.follow({ ...id, connection: 'Home' });
    await follower.forget('Work');
    expect(ended).toEqual([]);
    expect(follower.followed).toMatchObject([{ ...id, connection: 'Home' }]);
    expect(workspaceMemory.get('follows')).toMatchObject([{ ...id, connection: 'Home' }]);
    expect(clock.pending).toEqual([0]);
  });

  it('continues under the new name of its connection', async () => {
    await followAndPoll();
    await follower.follow({ ...id, connection: 'Home', deploymentId: 'd2' });
    await rename('Work', 'Office');
    expect(followed()).toMatchObject([
      { connection: 'Home' },
      { connection: 'Office', deployment: { name: 'agent' }, revision: { status: 'BUILDING' } },
    ]);
    expect(workspaceMemory.get('follows')).toMatchObject([
      { ...id, connection: 'Office' },
      { ...id, connection: 'Home', deploymentId: 'd2' },
    ]);
    expect(clock.pending).toEqual([0]);
  });

  it('is listed with the newest first, until it is stopped', async () => {
    service.revisions.set('d2', [{ id: 'r9', status: 'BUILDING' }]);
    await follower.follow(id);
    expect(follower.followed).toMatchObject([{ resumed: false }]);
    await follower.follow({ ...id, deploymentId: 'd2', revisionId: 'r9' });
    await follower.stop('Home', 'd1');
    expect(follower.followed.map(({ deploymentId }) => deploymentId)).toEqual(['d2', 'd1']);
    await follower.follow(id);
    expect(follower.followed.map(({ deploymentId }) => deploymentId)).toEqual(['d1', 'd2']);
    await follower.stop('Work', 'd1');
    expect(follower.followed.map(({ deploymentId }) => deploymentId)).toEqual(['d2']);
    expect(workspaceMemory.get('follows')).toMatchObject([{ ...id, deploymentId: 'd2', revisionId: 'r9' }]);
    expect(clock.pending).toHaveLength(1);
  });

  it('ignores an answer that arrives after it was stopped', async () => {
    await follower.follow(id);
    clock.advance(0);
    await follower.stop('Work', 'd1');
    await answersArrived();
    expect(follower.followed).toEqual([]);
    expect(published).toEqual([]);
    expect(clock.pending).toEqual([]);
  });

  it('starts over at once if the deployment is followed again during a poll', async () => {
    await follower.follow(id);
    clock.advance(0);
    await followAndPoll();
    expect(published).toEqual(['agent']);
    expect(clock.pending).toEqual([2000]);
  });
});

describe('a follow whose polls fail', () => {
  it('keeps what is known, counts the failures, and slows down', async () => {
    await followAndPoll();
    service.fault = raw('out of order', 500);
    await poll();
    await poll();
    expect(followed()).toMatchObject([{ failures: 2, revision: { status: 'BUILDING' }, error: { kind: 'server' } }]);
    expect(clock.pending).toEqual([8000]);
    service.fault = undefined;
    await poll();
    expect(follower.find('Work', 'd1')).toMatchObject({ failures: 0 });
    expect(follower.find('Work', 'd1')).not.toHaveProperty('error');
    expect(ended).toEqual([]);
  });

  it('is polled at once if the user follows again, even if the service asked to wait', async () => {
    await followAndPoll();
    service.fault = json({ detail: 'slow down' }, 429, { 'retry-after': '90' });
    await poll();
    await follower.follow(id);
    expect(clock.pending).toEqual([0]);
    await poll();
    expect(follower.find('Work', 'd1')).toMatchObject({ failures: 1 });
  });

  it('waits as long as the service asks and no longer, even if the user returns or changes the key', async () => {
    await followAndPoll();
    service.fault = json({ detail: 'slow down' }, 429, { 'retry-after': '90' });
    await poll();
    clock.advance(30_000);
    scheduler.setAttention({ focused: false, visible: true });
    expect(clock.pending).toEqual([60_000]);
    scheduler.setAttention({ focused: true, visible: true });
    poller.retry();
    expect(clock.pending).toEqual([60_000]);
    service.fault = undefined;
    await poll();
    expect(clock.pending[0]).toBeLessThanOrEqual(30_000);
  });

  it.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
  ])('pauses at %d until the key or the connection changes, whatever the focus', async (status, refusal) => {
    await followAndPoll();
    service.fault = json({ detail: 'no' }, status);
    await poll();
    expect(clock.pending).toEqual([]);
    expect(follower.followed.map(({ error }) => refusalIn(error))).toEqual([refusal]);
    scheduler.setAttention({ focused: false, visible: true });
    scheduler.setAttention({ focused: true, visible: true });
    expect(clock.pending).toEqual([]);
    service.fault = undefined;
    poller.retry();
    await poll();
    expect(follower.find('Work', 'd1')).toMatchObject({ failures: 0 });
    expect(clock.pending).toEqual([2000]);
    clock.advance(500);
    poller.retry();
    expect(clock.pending).toEqual([1500]);
  });
});

/** Follows the same revision of three deployments until each is known. */
async function followThree(): Promise<readonly RevisionId[]> {
  const ids = ['d1', 'd2', 'd3'].map((deploymentId) => ({ ...id, deploymentId }));
  for (const each of ids) {
    service.revisions.set(each.deploymentId, [{ id: 'r1', status: 'BUILDING' }]);
    await follower.follow(each);
  }
  while (ids.some((each) => observedOf(each).revision === undefined)) await poll();
  service.asked();
  return ids;
}

describe('several follows whose polls fail', () => {
  it('get one request at a time while the service is out of reach', async () => {
    await followThree();
    await client.close();
    client = testClient({ baseUrl: 'http://127.0.0.1:9' });
    const running = new Set<object>();
    const most: number[] = [];
    const get = client.revisions.get.bind(client.revisions);
    client.revisions.get = async (...call) => {
      running.add(call);
      most.push(running.size);
      return get(...call).finally(() => running.delete(call));
    };
    while (follower.followed.some(({ failures }) => failures === 0)) await poll();
    most.length = 0;
    for (let count = 0; count < 6; count += 1) await poll(30_000);
    expect(new Set(most)).toEqual(new Set([1]));
  });
});

describe('follows on a service that is stopped', () => {
  it('learn it at once, though a request is waiting and nobody looks, and are asked again when it is started', async () => {
    const others = await followThree();
    scheduler.setAttention({ focused: false, visible: false });
    service.fault = stallBeforeHeaders;
    clock.advance(30_000);
    isStopped = true;
    poller.askAgain('Work');
    await poll(0);
    expect(follower.followed.map(({ error }) => refusalIn(error))).toEqual(['stopped', 'stopped', 'stopped']);
    expect(others.map((other) => poller.failureOf(other)?.failures)).toEqual([1, 1, 1]);
    expect(clock.pending).toEqual([]);
    service.fault = undefined;
    isStopped = false;
    poller.askAgain('Work');
    while (follower.followed.some(({ failures }) => failures > 0)) await poll(0);
    expect(others.map((other) => poller.failureOf(other))).toEqual([undefined, undefined, undefined]);
    expect(clock.pending).toEqual([30_000]);
  });
});

describe('a change of the wall clock', () => {
  it.each([-60 * minute, -30 * 24 * 60 * minute, 30 * 24 * 60 * minute])(
    'by %i ms neither stops nor causes a poll, and ends no follow',
    async (shift) => {
      await followAndPoll();
      service.asked();
      clock.shiftWall(shift);
      // This looks again for what is due.
      await follower.stop('Work', 'another');
      expect(clock.pending).toEqual([2000]);
      clock.advance(1999);
      await answersArrived();
      expect(service.asked().filter((path) => path.includes('/revisions/'))).toEqual([]);
      expect(clock.pending).toEqual([1]);
      await poll();
      expect(service.asked()).toEqual(['/v2/deployments/d1/revisions/r1']);
      expect(ended).toEqual([]);
      expect(clock.pending).toEqual([2000]);
    },
  );
});

describe('the end of a follow', () => {
  it('is noted as seen once, but not before it came', async () => {
    await followAndPoll();
    follower.markSeen(() => true);
    expect(follower.followed[0]?.isSeen).toBeUndefined();
    become('BUILD_FAILED');
    await poll();
    follower.markSeen(() => false);
    expect(follower.followed[0]?.isSeen).toBeUndefined();
    let changes = 0;
    follower.onDidChange(() => (changes += 1));
    follower.markSeen(() => true);
    follower.markSeen(() => true);
    expect(follower.followed[0]?.isSeen).toBe(true);
    expect(changes).toBe(1);
    await follower.follow(id);
    expect(follower.followed[0]?.isSeen).toBeUndefined();
  });
});

describe('a reload of the window', () => {
  it('tells an end that the last window closed before telling', async () => {
    isTold = false;
    await followAndPoll();
    become('BUILD_FAILED');
    await poll();
    expect(ended).toMatchObject([{ outcome: 'ended', resumed: false }]);
    // Another follow that is stored meanwhile takes nothing away.
    await follower.rename('Other', 'Another');
    expect(workspaceMemory.get('follows')).toMatchObject([id]);
    expect(workspaceMemory.get('answers')).toMatchObject([{ ...id, status: 'BUILD_FAILED' }]);
    reload();
    expect(followed()).toMatchObject([{ ...id, stored: { status: 'BUILD_FAILED' } }]);
    isTold = true;
    await poll();
    expect(ended).toMatchObject([{ outcome: 'ended', resumed: true }]);
    expect(workspaceMemory.get('follows')).toBeUndefined();
  });

  it('resumes a follow from its stored ids and duration', async () => {
    await follower.follow(id);
    expect(workspaceMemory.get('follows')).toEqual([{ ...id, waited: 0 }]);
    closeWindow();
    expect(clock.pending).toEqual([]);
    openWindow();
    let changes = 0;
    follower.onDidChange(() => (changes += 1));
    follower.resume();
    // The status bar draws at a change, and must not wait for the first answer.
    expect(changes).toBe(1);
    expect(followed()).toMatchObject([{ ...id, resumed: true, revision: undefined }]);
    await poll();
    expect(followed()).toMatchObject([{ deployment: { name: 'agent' }, resumed: false }]);
  });

  it('remembers the promised commit over a reload, but not for a newer revision', async () => {
    await follower.follow(id, 'c1');
    reload();
    expect(followed()).toMatchObject([{ ...id, promised: 'c1' }]);
    become('SKIPPED');
    service.deployments = [{ ...agent, latest_revision_id: 'r2' }];
    await poll();
    expect(followed()).toMatchObject([{ revisionId: 'r2' }]);
    expect(followed()[0]?.promised).toBeUndefined();
  });

  it('keeps the last answer, with its time, until the first one of the new window', async () => {
    await followAndPoll();
    expect(workspaceMemory.get('follows')).toEqual([{ ...id, waited: 0 }]);
    const stored = { ...id, name: 'agent', status: 'BUILDING', at: clock.now() };
    expect(workspaceMemory.get('answers')).toEqual([stored]);
    clock.advance(90_000);
    closeWindow();
    openWindow();
    follower.resume();
    expect(followed()).toMatchObject([{ stored: { name: 'agent', status: 'BUILDING' } }]);
    expect(clock.monotonic() - (observed().stored?.at ?? 0)).toBe(90_000);
    // A window that got no answer hands on what it was given.
    await rename('Work', 'Home');
    expect(workspaceMemory.get('follows')).toMatchObject([{ connection: 'Home' }]);
    expect(workspaceMemory.get('answers')).toEqual([{ ...stored, connection: 'Home' }]);
    await rename('Home', 'Work');
    await poll();
    expect(followed()).toMatchObject([
      { deployment: { name: 'agent' }, revision: { status: 'BUILDING' }, stored: undefined },
    ]);
  });

  it('stores how long it has waited and the last answer once a minute', async () => {
    await followAndPoll();
    const stored: string[] = [];
    const update = workspaceMemory.update.bind(workspaceMemory);
    workspaceMemory.update = async (key, value) => {
      stored.push(key);
      await update(key, value);
    };
    const end = clock.monotonic() + 3 * minute;
    while (clock.monotonic() < end) await poll();
    expect(stored.toSorted()).toEqual(['answers', 'answers', 'answers', 'follows', 'follows', 'follows']);
  });

  it('announces once that a follow ended meanwhile', async () => {
    await follower.follow(id);
    closeWindow();
    become('BUILD_FAILED');
    openWindow();
    follower.resume();
    await poll();
    expect(ended).toMatchObject([{ outcome: 'ended', resumed: true }]);
    closeWindow();
    openWindow();
    follower.resume();
    expect(follower.followed).toEqual([]);
  });

  it("doesn't make a follow last longer", async () => {
    await follower.follow(id);
    let waited = 0;
    for (let reloads = 0; ended.length === 0; reloads += 1) {
      const before = clock.monotonic();
      for (let count = 0; count < 40 && ended.length === 0; count += 1) await poll();
      waited += clock.monotonic() - before;
      if (ended.length === 0) reload();
    }
    expect(ended).toMatchObject([{ outcome: 'gaveUp', phase: 'working', resumed: false }]);
    // What passed since it was last stored is lost with each reload.
    expect(waited / minute).toBeGreaterThan(60);
    expect(waited / minute).toBeLessThan(66);
  });

  it.each([undefined, 'text', -5, null])('starts the follow over if the stored duration is %o', async (waited) => {
    await workspaceMemory.update('follows', [{ ...id, waited }]);
    follower.resume();
    expect(follower.followed).toMatchObject([{ ...id, waited: 0 }]);
  });

  it.each([undefined, null, 'text', {}, [1, null, {}, { connection: 'Work', deploymentId: 'd1' }]])(
    'resumes nothing if %o was stored',
    async (value) => {
      await workspaceMemory.update('follows', value);
      let changes = 0;
      follower.onDidChange(() => (changes += 1));
      follower.resume();
      expect(changes).toBe(0);
      expect(follower.followed).toEqual([]);
      expect(clock.pending).toEqual([]);
    },
  );
});

function openWindow(): void {
  isRemoved = false;
  isStopped = false;
  ended = [];
  published = [];
  const connections = new TestConnections(readySession(work, client), async (name) => {
    if (isRemoved) throw new RemovedConnectionError(name);
    if (isStopped) throw new StoppedServiceError();
    return client;
  });
  stores = followingStores({ connections, clock, workspaceMemory });
  ({ answers, scheduler, poller, follower } = stores);
  stores.deployments.onDidChange((change) => {
    if (change.kind === 'deployment') published.push(answers.record('Work', 'd1')?.name);
  });
  follower.onDidEnd((followed) => {
    ended.push(told(followed));
    if (isTold) void follower.forgetEnded();
  });
}

function closeWindow(): void {
  stores.dispose();
}

function reload(): void {
  closeWindow();
  openWindow();
  follower.resume();
}

/** What is known of a revision. */
function observedOf({ connection, deploymentId, revisionId }: RevisionId): Observed {
  return answers.observe(connection, deploymentId, revisionId);
}

/** A follow with what is known now. */
function told(followed: Followed): Told {
  const { revision, deployment, stored } = observedOf(followed);
  return { ...followed, revision, deployment, stored, phase: revision && revisionStatusView(statusOf(revision)).phase };
}

/** All follows with what is known of them. */
function followed(): readonly Told[] {
  return follower.followed.map(told);
}

/** Renames a connection, which the memory of answers learns first. */
async function rename(from: string, to: string): Promise<void> {
  stores.renamed.fire({ from, to });
  await follower.rename(from, to);
}

/** What is known of the followed revision. */
function observed(): Observed {
  return observedOf(follower.find('Work', 'd1') ?? id);
}

/** A record arrives, from whatever request. */
async function observeAndFollow(record: Deployment): Promise<void> {
  const at = clock.monotonic();
  answers.put({ connection: 'Work', deploymentId: record.id, record, askedAt: at, receivedAt: at });
  await follower.followNewer('Work', record.id);
}

function become(status: string): void {
  service.revisions.set('d1', [{ id: 'r1', status }]);
}

/** Moves the clock, to the next poll unless told otherwise, and waits for its answer. */
async function poll(milliseconds = clock.pending[0] ?? 0): Promise<void> {
  let isAnswered = false;
  const registration = follower.onDidChange(() => (isAnswered = true));
  const answered = until(follower.onDidChange, () => isAnswered);
  clock.advance(milliseconds);
  await answered;
  registration.dispose();
  // The next poll is planned by what runs right after the change was told.
  await setImmediate();
}

/** Follows the revision, and waits for the first answer. */
async function followAndPoll(): Promise<void> {
  await follower.follow(id);
  await poll();
}

/** Long enough for the answers of a poll that was under way: requests are answered one after the other. */
async function answersArrived(): Promise<void> {
  for (let count = 0; count < 3; count += 1) await client.deployments.list();
}
