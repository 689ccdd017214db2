import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import type { Deployment } from '../../../../src/api/resources/deployments.ts';
import { longestWait, PushedBuilds, type AwaitedBuild } from '../../../../src/state/following/pushedBuilds.ts';
import { InMemoryMemory } from '../../../support/editorStorage.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { followingStores, type FollowingStores } from '../../../support/followingStores.ts';
import { InstantService } from '../../../support/instantService.ts';
import { home, readySession, TestConnections, work } from '../../../support/testConnections.ts';

const before: Deployment = { id: 'd1', name: 'agent', latest_revision_id: 'r1' };

let clock: FakeClock;
let service: InstantService;
let workspaceMemory: InMemoryMemory;
let connections: TestConnections;
let stores: FollowingStores;
let builds: PushedBuilds;
let pushed: AwaitedBuild;
/** The revisions that were followed, each once. */
let followed: Set<string>;

beforeEach(() => {
  clock = new FakeClock();
  service = new InstantService();
  service.records.set('d1', before);
  workspaceMemory = new InMemoryMemory();
  connections = new TestConnections(readySession(work, service.client), async () => service.client);
  pushed = {
    connection: 'Work',
    deploymentId: 'd1',
    name: 'agent',
    revisionId: 'r1',
    commit: 'ours',
    until: clock.now() + longestWait,
  };
  openWindow();
});

afterEach(() => {
  closeWindow();
});

function openWindow(isOn = false): void {
  const following = { isOn: () => isOn, onDidChange: () => ({ dispose: () => undefined }) };
  stores = followingStores({ connections, clock, workspaceMemory, following });
  builds = new PushedBuilds({ ...stores, workspaceMemory, clock });
  followed = new Set();
  stores.follower.onDidChange(() => {
    for (const { revisionId } of stores.follower.followed) followed.add(revisionId);
  });
}

function closeWindow(): void {
  builds.dispose();
  stores.dispose();
}

/** The service has built a push: a revision of a commit, which is in progress. */
function build(revisionId: string, repo_commit_sha?: string): void {
  service.deploy('d1', revisionId, 'BUILDING', repo_commit_sha ? { source_revision_config: { repo_commit_sha } } : {});
}

/** How often the record was asked for. */
function askedForRecord(id = 'd1'): number {
  return service.asked.filter((asked) => asked === id).length;
}

/** Moves the clock from one due time to the next, and lets each request answer. */
async function pass(milliseconds: number): Promise<void> {
  const end = clock.monotonic() + milliseconds;
  await setImmediate();
  while (clock.monotonic() < end || (clock.pending[0] ?? Infinity) <= 0) {
    clock.advance(Math.min(Math.max(0, clock.pending[0] ?? Infinity), end - clock.monotonic()));
    await setImmediate();
  }
}

describe('what a push starts', () => {
  it('is followed as soon as the service has it', async () => {
    const outcome = builds.follow(pushed);
    await pass(4000);
    expect(stores.follower.followed).toEqual([]);
    build('r2');
    await pass(2000);
    expect(await outcome).toEqual({ kind: 'followed' });
    expect(stores.follower.followed).toMatchObject([{ connection: 'Work', deploymentId: 'd1', revisionId: 'r2' }]);
    expect(stores.answers.record('Work', 'd1')).toEqual(service.records.get('d1'));
    expect(builds.stored).toEqual([]);
    const asked = askedForRecord();
    await pass(60_000);
    expect(askedForRecord()).toBe(asked);
  });

  it('is followed at once if a record that names it is known already', async () => {
    const times = { askedAt: clock.monotonic(), receivedAt: clock.monotonic() };
    const record = { ...before, latest_revision_id: 'r2' };
    stores.answers.put({ connection: 'Work', deploymentId: 'd1', record, ...times });
    expect(await builds.follow(pushed)).toEqual({ kind: 'followed' });
    expect(followed).toEqual(new Set(['r2']));
  });

  it('is any revision of a deployment that had none', async () => {
    service.records.set('d1', { id: 'd1', name: 'agent' });
    const { revisionId: _revisionId, ...first } = pushed;
    const outcome = builds.follow(first);
    await pass(4000);
    expect(followed.size).toBe(0);
    build('r1');
    await pass(2000);
    expect(await outcome).toEqual({ kind: 'followed' });
  });

  it("is still awaited while the service builds another author's push", async () => {
    const outcome = builds.follow(pushed);
    build('r2', 'theirs');
    await pass(4000);
    expect(followed).toEqual(new Set(['r2']));
    build('r3', 'ours');
    await pass(30_000);
    expect(await outcome).toEqual({ kind: 'followed' });
    expect([...followed]).toEqual(['r2', 'r3']);
    expect(builds.stored).toEqual([]);
  });

  it('counts as built if only a later push was built within five minutes', async () => {
    const outcome = builds.follow(pushed);
    build('r2', 'later');
    await pass(300_000);
    expect(await outcome).toEqual({ kind: 'followed' });
    expect(followed.size).toBe(1);
  });

  it('is the first newer revision if git does not say what was pushed', async () => {
    const outcome = builds.follow({ ...pushed, commit: undefined });
    build('r2', 'any');
    await pass(2000);
    expect(await outcome).toEqual({ kind: 'followed' });
  });

  it.each([true, false])('is asked for every two seconds for five minutes, with follow.workspace %s', async (isOn) => {
    closeWindow();
    openWindow(isOn);
    const outcome = builds.follow(pushed);
    await pass(299_000);
    expect(builds.stored).toEqual([pushed]);
    expect(askedForRecord()).toBe(150);
    await pass(1000);
    expect(await outcome).toEqual({ kind: 'none' });
    expect(askedForRecord()).toBe(151);
    expect(clock.pending).toEqual([]);
  });

  it('is asked for as often while its deployment is followed, and twice a minute while nobody looks', async () => {
    build('r1');
    void builds.follow(pushed);
    await stores.follower.follow({ connection: 'Work', deploymentId: 'd1', revisionId: 'r1' });
    await pass(200_000);
    service.asked.length = 0;
    await pass(30_000);
    expect(askedForRecord()).toBe(15);
    stores.scheduler.setAttention({ focused: false, visible: false });
    await pass(30_000);
    service.asked.length = 0;
    await pass(30_000);
    expect(askedForRecord()).toBe(1);
  });

  it('is awaited for each deployment of the pushed branch', async () => {
    service.records.set('d2', { ...before, id: 'd2' });
    const outcomes = Promise.all([builds.follow(pushed), builds.follow({ ...pushed, deploymentId: 'd2' })]);
    await pass(300_000);
    expect(await outcomes).toEqual([{ kind: 'none' }, { kind: 'none' }]);
    expect(askedForRecord('d2')).toBeGreaterThan(1);
  });

  it('is awaited although requests fail or the record is missing', async () => {
    service.failure = new Error('The network is down.');
    const outcome = builds.follow(pushed);
    await pass(20_000);
    service.failure = undefined;
    service.records.clear();
    await pass(20_000);
    build('r2');
    await pass(30_000);
    expect(await outcome).toEqual({ kind: 'followed' });
  });

  it.each([
    [60_000, 6],
    [600_000, 1],
  ])('is unknown if the service says to wait for %i ms and nothing else', async (retryAfterMs, requests) => {
    service.failure = tooMany(retryAfterMs);
    const outcome = builds.follow(pushed);
    await pass(300_000);
    expect(await outcome).toEqual({ kind: 'unknown', error: service.failure });
    expect(askedForRecord()).toBe(requests);
    expect(clock.pending).toEqual([]);
  });

  it('is awaited once: a later push takes over', async () => {
    const first = builds.follow(pushed);
    await pass(1_000);
    const later = { ...pushed, commit: 'later' };
    void builds.follow(later);
    expect(await first).toEqual({ kind: 'stopped' });
    expect(builds.stored).toEqual([later]);
  });

  it('is still awaited after a switch of the connection, and not shown in the other list', async () => {
    const outcome = builds.follow(pushed);
    await pass(200_000);
    connections.connect(readySession(home, service.client));
    service.asked.length = 0;
    await pass(30_000);
    expect(askedForRecord()).toBe(1 + 15);
    build('r2');
    await pass(4_000);
    expect(await outcome).toEqual({ kind: 'followed' });
    expect(stores.follower.followed).toMatchObject([{ connection: 'Work', revisionId: 'r2' }]);
    expect(stores.answers.record('Home', 'd1')).toBeUndefined();
    expect(stores.deployments.state.entries).toEqual([]);
  });
});

describe('a window that closes', () => {
  it('follows nothing more, cancels the request, and ends the wait', async () => {
    build('r2');
    const outcome = builds.follow(pushed);
    clock.advance(0);
    while (service.signal === undefined) await Promise.resolve();
    closeWindow();
    expect(await outcome).toEqual({ kind: 'stopped' });
    await setImmediate();
    expect(followed.size).toBe(0);
    expect(service.signal.aborted).toBe(true);
    expect(clock.pending).toEqual([]);
  });

  it('leaves the wait to the next one, for the rest of its time', async () => {
    void builds.follow(pushed);
    await pass(200_000);
    closeWindow();
    openWindow();
    expect(builds.stored).toEqual([pushed]);
    const [stored = pushed] = builds.stored;
    service.asked.length = 0;
    const outcome = builds.follow(stored);
    await pass(99_000);
    expect(askedForRecord()).toBe(50);
    expect(builds.stored).toEqual([pushed]);
    await pass(1_000);
    expect(await outcome).toEqual({ kind: 'none' });
    expect(builds.stored).toEqual([]);
  });

  it('leaves a wait that is over by then to be asked for once', async () => {
    void builds.follow(pushed);
    closeWindow();
    clock.advance(3_600_000);
    service.asked.length = 0;
    openWindow();
    const [stored = pushed] = builds.stored;
    const outcome = builds.follow(stored);
    await pass(0);
    expect(await outcome).toEqual({ kind: 'none' });
    expect(askedForRecord()).toBe(1);
  });
});

describe('a stored wait', () => {
  it('is no longer than another one', async () => {
    const outcome = builds.follow({ ...pushed, until: clock.now() + 3_600_000 });
    await pass(longestWait);
    expect(await outcome).toEqual({ kind: 'none' });
  });

  it.each<unknown>(['text', { 0: 1 }, [null, 7, 'text', {}], [{ connection: 'Work', deploymentId: 'd1' }]])(
    'is ignored if it is %j',
    async (value) => {
      await workspaceMemory.update('awaitedBuilds', value);
      expect(builds.stored).toEqual([]);
    },
  );

  it.each([
    ['connection', ''],
    ['deploymentId', 7],
    ['name', 'x'.repeat(501)],
    ['revisionId', null],
    ['commit', {}],
    ['until', 'then'],
  ])('is ignored if its %s is %j', async (field, value) => {
    await workspaceMemory.update('awaitedBuilds', [{ ...pushed, [field]: value }, pushed]);
    expect(builds.stored).toEqual([pushed]);
  });
});

function tooMany(retryAfterMs: number): ApiError {
  return new ApiError({ kind: 'rateLimited', message: 'Too many requests', sent: true, status: 429, retryAfterMs });
}
