import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import type { Revision } from '../../../../src/api/resources/revisions.ts';
import type { Observed } from '../../../../src/state/answers/answers.ts';
import { localConnection } from '../../../../src/state/connections/connection.ts';
import type { Session } from '../../../../src/state/connections/session.ts';
import { Emitter } from '../../../../src/state/emitter.ts';
import {
  followFacts,
  followTimes,
  ShownDeployments,
  type ShownDeployment,
} from '../../../../src/state/following/shownDeployments.ts';
import { WorkspaceDeployments } from '../../../../src/state/workspace/workspaceDeployments.ts';
import { InMemoryMemory } from '../../../support/editorStorage.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { followingStores, type FollowingStores } from '../../../support/followingStores.ts';
import { InstantService } from '../../../support/instantService.ts';
import { readySession, TestConnections } from '../../../support/testConnections.ts';

const connection = localConnection.name;
const idOf = (deploymentId: string, revisionId: string) => ({ connection, deploymentId, revisionId });

let clock: FakeClock;
let service: InstantService;
let workspaceMemory: InMemoryMemory;
let connections: TestConnections;
let ready: Session;
let isFollowing: boolean;
let isStopped: boolean;
let stores: FollowingStores;
let workspaceDeployments: WorkspaceDeployments;
let shown: ShownDeployments;
let changes: number;
const switchedSetting = new Emitter<void>();

beforeEach(() => {
  clock = new FakeClock();
  service = new InstantService();
  workspaceMemory = new InMemoryMemory();
  ready = readySession(localConnection, service.client);
  connections = new TestConnections(ready, async () => service.client);
  isFollowing = true;
  isStopped = false;
  openWindow();
  match('mine');
});

afterEach(() => {
  closeWindow();
});

function openWindow(giveUpMilliseconds = 3_600_000): void {
  const settings = { minMilliseconds: 2_000, maxMilliseconds: 30_000, giveUpMilliseconds };
  stores = followingStores({ connections, clock, workspaceMemory, settings });
  workspaceDeployments = new WorkspaceDeployments({ ...stores, connections, workspaceMemory });
  shown = new ShownDeployments({
    ...stores,
    connections,
    clock,
    workspaceDeployments,
    localService: {
      get isStopped() {
        return isStopped;
      },
    },
    following: { isOn: () => isFollowing, onDidChange: switchedSetting.event },
  });
  changes = 0;
  shown.onDidChange(() => (changes += 1));
}

function closeWindow(): void {
  shown.dispose();
  workspaceDeployments.dispose();
  stores.dispose();
}

/** Git was read: these deployments are built from the open repository. */
function match(...ids: readonly string[]): void {
  const deployments = ids.map((id) => ({ id, name: id }));
  workspaceDeployments.match(connections.session, [{ root: '/r', configFiles: new Set(), deployments }]);
}

/** A request, of whatever store, brings a deployment and its latest revision. */
function deploy(id: string, revisionId: string, status: string): void {
  service.deploy(id, revisionId, status);
  const at = clock.monotonic();
  const [record, revision] = [service.records.get(id), service.revisions.get(revisionId)];
  stores.answers.put({ connection, deploymentId: id, record, revision, askedAt: at, receivedAt: at });
}

/** What the window shows, in its order. */
function seen(): readonly string[] {
  return shown.all.map(({ revisionId, rests, outcome }) =>
    rests === true ? `${revisionId} rests` : `${revisionId} ${outcome ?? 'followed'}`,
  );
}

/** Moves the clock to the next poll, and lets it be answered. */
async function poll(): Promise<void> {
  clock.advance(clock.pending[0] ?? 0);
  await setImmediate();
}

it('changes when the answers of a connection no longer count', () => {
  changes = 0;
  stores.replaced.fire('Elsewhere');
  expect(changes).toBe(1);
});

describe("the workspace's own deployment", () => {
  it('is followed when it starts to move, and no other one is', () => {
    deploy('other', 'o1', 'BUILDING');
    expect(seen()).toEqual([]);
    deploy('mine', 'm1', 'BUILDING');
    expect(seen()).toEqual(['m1 followed']);
    expect(stores.follower.followed).toHaveLength(1);
  });

  it('is shown silently while it rests, and followed from there', () => {
    deploy('mine', 'm1', 'DEPLOYED');
    expect(seen()).toEqual(['m1 rests']);
    expect(shown.all).toEqual([{ ...idOf('mine', 'm1'), failures: 0, outcome: 'ended', isSeen: true, rests: true }]);
    expect(stores.follower.followed).toEqual([]);
    expect(clock.pending).toEqual([]);
    deploy('mine', 'm2', 'QUEUED');
    expect(seen()).toEqual(['m2 followed']);
  });

  it('is shown with its newest record and revision while it rests', () => {
    deploy('mine', 'm1', 'DEPLOYED');
    expect(shown.facts).toMatchObject([{ name: 'mine', verdict: { kind: 'live' }, rests: true }]);
    deploy('mine', 'm2', 'BUILD_FAILED');
    expect(seen()).toEqual(['m2 rests']);
    expect(shown.facts).toMatchObject([{ name: 'mine', verdict: { kind: 'failed', serving: 'another' } }]);
  });

  it("isn't shown before both its record and its revision are known", () => {
    const at = clock.monotonic();
    const record = { id: 'mine', name: 'mine', latest_revision_id: 'm1' };
    stores.answers.put({ connection, deploymentId: 'mine', record, askedAt: at, receivedAt: at });
    expect(seen()).toEqual([]);
    stores.answers.put({ connection, deploymentId: 'mine', revision: { id: 'm1' }, askedAt: at, receivedAt: at });
    expect(seen()).toEqual(['m1 rests']);
  });

  it('has its active and its latest revision polled, unless the setting is off', () => {
    const at = clock.monotonic();
    const record = { id: 'mine', name: 'mine', active_revision_id: 'm1', latest_revision_id: 'm2' };
    stores.answers.put({ connection, deploymentId: 'mine', record, askedAt: at, receivedAt: at });
    const planned = () => ['m1', 'm2'].map((revisionId) => stores.poller.nextPollAt(idOf('mine', revisionId)));
    expect(planned()).toEqual([at, at]);
    isFollowing = false;
    switchedSetting.fire();
    expect(planned()).toEqual([undefined, undefined]);
  });

  it('stays as the last window showed it until git and the service have answered', async () => {
    await workspaceMemory.update(`ownDeployments:${connection}`, ['mine']);
    const stored = { ...idOf('mine', 'm1'), name: 'agent', status: 'DEPLOYED', at: clock.now() };
    await workspaceMemory.update('answers', [stored]);
    closeWindow();
    openWindow();
    expect(seen()).toEqual(['m1 rests']);
    expect(shown.facts).toMatchObject([{ name: 'agent', storedStatus: 'DEPLOYED', verdict: { kind: 'notKnown' } }]);
    match('mine');
    expect(seen()).toEqual(['m1 rests']);
    deploy('mine', 'm1', 'DEPLOYED');
    expect(seen()).toEqual(['m1 rests']);
    expect(shown.facts).toMatchObject([{ name: 'mine', storedStatus: undefined, verdict: { kind: 'live' } }]);
  });

  it("isn't shown any more once the service no longer has it", async () => {
    await workspaceMemory.update(`ownDeployments:${connection}`, ['mine']);
    await workspaceMemory.update('answers', [
      { ...idOf('mine', 'm1'), name: 'agent', status: 'DEPLOYED', at: clock.now() },
    ]);
    closeWindow();
    openWindow();
    await stores.deployments.load();
    stores.scheduler.setAttention({ focused: true, visible: true });
    expect(seen()).toEqual(['m1 rests']);
    await poll();
    expect(seen()).toEqual([]);
  });

  it("stays as it was if the user stopped it, until there's a newer revision", async () => {
    deploy('mine', 'm1', 'BUILDING');
    const [following] = shown.all;
    if (following !== undefined) await shown.dismiss(following);
    deploy('mine', 'm1', 'DEPLOYING');
    expect(seen()).toEqual([]);
    deploy('mine', 'm2', 'QUEUED');
    expect(seen()).toEqual(['m2 followed']);
    await stores.follower.stop(connection, 'mine');
    deploy('mine', 'm2', 'DEPLOYED');
    expect(seen()).toEqual([]);
  });

  it('stays as it was if the user dismissed its end', async () => {
    deploy('mine', 'm1', 'BUILDING');
    service.deploy('mine', 'm1', 'BUILD_FAILED');
    await poll();
    expect(seen()).toEqual(['m1 ended']);
    const [ended] = shown.all;
    if (ended !== undefined) await shown.dismiss(ended);
    deploy('mine', 'm1', 'BUILD_FAILED');
    expect(seen()).toEqual([]);
  });

  it("isn't shown again after it was dismissed while it rests, until there's a newer revision", async () => {
    deploy('mine', 'm1', 'DEPLOYED');
    const [resting] = shown.all;
    changes = 0;
    if (resting !== undefined) await shown.dismiss(resting);
    expect(changes).toBe(1);
    deploy('mine', 'm1', 'DEPLOYED');
    expect(seen()).toEqual([]);
    deploy('mine', 'm2', 'BUILD_FAILED');
    expect(seen()).toEqual(['m2 rests']);
  });

  it.each([
    ['ended', 'BUILD_FAILED', 3_600_000],
    ['gaveUp', 'BUILDING', 1_000],
  ])('is followed again after a follow that %s', async (outcome, status, giveUpMilliseconds) => {
    closeWindow();
    openWindow(giveUpMilliseconds);
    match('mine');
    deploy('mine', 'm1', 'BUILDING');
    service.deploy('mine', 'm1', status);
    while (stores.follower.followed[0]?.outcome === undefined) await poll();
    expect(seen()).toEqual([`m1 ${outcome}`]);
    deploy('mine', 'm2', 'QUEUED');
    expect(seen()).toEqual(['m2 followed']);
  });

  it('leaves a running follow alone', () => {
    deploy('mine', 'm1', 'BUILDING');
    deploy('mine', 'm2', 'QUEUED');
    expect(seen()).toEqual(['m1 followed']);
  });

  it('is shown with the others while several fit, and whatever moves is followed', () => {
    match('mine', 'second');
    deploy('mine', 'm1', 'DEPLOYED');
    deploy('second', 's1', 'BUILDING');
    expect(seen()).toEqual(['s1 followed', 'm1 rests']);
  });

  it('is shown alone once it is the main one, and the others are still followed when they move', async () => {
    match('mine', 'second');
    deploy('mine', 'm1', 'DEPLOYED');
    deploy('second', 's1', 'DEPLOYED');
    expect(seen()).toEqual(['m1 rests', 's1 rests']);
    await workspaceDeployments.choose('second');
    expect(seen()).toEqual(['s1 rests']);
    deploy('mine', 'm2', 'QUEUED');
    expect(seen()).toEqual(['m2 followed', 's1 rests']);
  });

  it("isn't shown any more when its repository is closed, the connection changes or the setting is off", () => {
    deploy('mine', 'm1', 'DEPLOYED');
    match();
    expect(seen()).toEqual([]);
    match('mine');
    expect(seen()).toEqual(['m1 rests']);
    connections.connect({ kind: 'none' });
    expect(seen()).toEqual([]);
    deploy('mine', 'm2', 'QUEUED');
    expect(seen()).toEqual([]);
    deploy('mine', 'm3', 'DEPLOYED');
    connections.connect(ready);
    match('mine');
    expect(seen()).toEqual(['m3 rests']);
    isFollowing = false;
    switchedSetting.fire();
    expect(seen()).toEqual([]);
  });
});

describe('what is shown', () => {
  it('has follows of any connection, the newest first, also without a connection', async () => {
    await stores.follower.follow(idOf('d1', 'r1'));
    await stores.follower.follow({ ...idOf('d2', 'r2'), connection: 'Home' });
    connections.connect({ kind: 'none' });
    expect(seen()).toEqual(['r2 followed', 'r1 followed']);
    expect(shown.find('Home', 'd2')).toMatchObject({ revisionId: 'r2' });
    expect(shown.find(connection, 'd2')).toBeUndefined();
  });

  it("says what is the workspace's own, and what its main one is", async () => {
    match('mine', 'second');
    await stores.follower.follow({ ...idOf('mine', 'm0'), connection: 'Home' });
    await stores.follower.follow(idOf('d1', 'r1'));
    deploy('mine', 'm1', 'BUILDING');
    deploy('second', 's1', 'DEPLOYED');
    const places = () => shown.facts.map(({ name, own: place }) => [name, place]);
    expect(places()).toEqual([
      ['mine', 'other'],
      ['d1', undefined],
      ['mine', undefined],
      ['second', 'other'],
    ]);
    await workspaceDeployments.choose('second');
    expect(places().at(-1)).toEqual(['second', 'main']);
  });

  it('says that the local service is stopped also of what has ended or rests', async () => {
    await stores.follower.follow({ ...idOf('elsewhere', 'e1'), connection: 'Home' });
    service.deploy('elsewhere', 'e1', 'BUILD_FAILED');
    await poll();
    deploy('mine', 'm1', 'DEPLOYED');
    const refusals = () => shown.facts.map(({ refusal }) => refusal);
    expect(refusals()).toEqual([undefined, undefined]);
    isStopped = true;
    expect(refusals()).toEqual([undefined, 'stopped']);
  });

  it('tells of every change until its window closes', async () => {
    const told = async (change: () => unknown): Promise<boolean> => {
      changes = 0;
      await change();
      return changes > 0;
    };
    let matches = 0;
    const all = async (): Promise<boolean[]> => [
      await told(() => deploy('other', 'o1', 'DEPLOYED')),
      await told(async () => stores.follower.follow(idOf('d1', 'r1'))),
      await told(() => match(`mine-${(matches += 1)}`)),
      await told(() => connections.connect(ready)),
      await told(() => switchedSetting.fire()),
    ];
    expect(await all()).toEqual([true, true, true, true, true]);
    shown.dispose();
    expect(await all()).toEqual([false, false, false, false, false]);
  });
});

const minute = 60_000;
const wall = Date.parse('2026-03-04T12:00:00Z');
const revisionOf = (id: string): Revision => ({ id, status: 'DEPLOYED', source_revision_config: { repo_ref: id } });
const recordOf = (active: string) => ({ id: 'd1', name: 'agent', active_revision_id: active });
const running: ShownDeployment = { connection: 'Work', deploymentId: 'd1', revisionId: 'r2', failures: 0 };
const ended: ShownDeployment = { ...running, outcome: 'ended' };
const known: Observed = {
  revisionId: 'r2',
  revision: revisionOf('r2'),
  revisionAt: 1_000,
  since: 1_000,
  deployment: recordOf('r1'),
  deploymentAt: 1_000,
  active: revisionOf('r1'),
};
const unknown: Observed = { revisionId: 'r2' };

const answersOf = (observed: Observed) => ({ observe: () => observed });

function factsAt(now: number, shown: ShownDeployment, observed: Observed) {
  return followFacts(shown, { answers: answersOf(observed), clock: { monotonic: () => now } });
}

describe('the facts about a follow', () => {
  it('are those of an earlier window until the first answer', () => {
    const stored = { name: 'agent', status: 'BUILDING', at: -56_000 };
    expect(factsAt(4_000, running, { ...unknown, stored })).toMatchObject({
      name: 'agent',
      sinceAnswer: 60_000,
      storedStatus: 'BUILDING',
      verdict: { kind: 'notKnown' },
    });
  });

  it('say nothing before any answer', () => {
    const facts = factsAt(4_000, running, unknown);
    expect(facts).toMatchObject({ name: 'd1', inPhase: 0, verdict: { kind: 'notKnown' } });
    expect([facts.sinceAnswer, facts.storedStatus, facts.skipped]).toEqual([undefined, undefined, undefined]);
  });

  it('name no live revision while none is known', () => {
    expect(factsAt(4_000, ended, { ...known, active: undefined }).live).toBeUndefined();
  });

  it('name its own revision as the live one, and the skipped one whose place it took', () => {
    const live = { ...known, deployment: recordOf('r2'), active: revisionOf('r2') };
    expect(factsAt(5_000, { ...ended, skipped: revisionOf('r1') }, live)).toMatchObject({ live: 'r2', skipped: 'r1' });
  });

  it('describe its own answers and name the revision that is live instead', () => {
    expect(factsAt(5_000, ended, known)).toMatchObject({
      verdict: { kind: 'notActive', serving: 'another' },
      live: 'r1',
      inPhase: 4_000,
      sinceAnswer: 4_000,
    });
  });

  it('are as old as the record if that says what is live', () => {
    const live = { ...known, deployment: recordOf('r2'), deploymentAt: 2_000, active: revisionOf('r2') };
    expect(factsAt(5_000, ended, live)).toMatchObject({ verdict: { kind: 'live' }, live: 'r2', sinceAnswer: 3_000 });
  });

  it('mention a refused key only while the follow is running', () => {
    const error = new ApiError({ kind: 'unauthorized', message: 'No', sent: true });
    expect(factsAt(5_000, { ...running, error }, known).refusal).toBe('unauthorized');
    expect(factsAt(5_000, { ...ended, error }, known).refusal).toBeUndefined();
  });
});

describe('the times of a follow', () => {
  const clock = { now: () => wall, monotonic: () => 10 * minute };
  const answered: Observed = { ...known, since: 4 * minute, revisionAt: 9 * minute };

  function timesOf(shown: ShownDeployment, observed: Observed, nextPollAt?: number) {
    return followTimes(shown, { answers: answersOf(observed), clock, poller: { nextPollAt: () => nextPollAt } });
  }

  it('are those of its answers and of the next poll, by the clock on the wall', () => {
    expect(timesOf(running, answered, 11 * minute)).toEqual({
      since: wall - 6 * minute,
      checkedAt: wall - minute,
      nextCheckAt: wall + minute,
    });
  });

  it('are unknown before the first answer, and while it is polled', () => {
    expect(timesOf(running, unknown)).toEqual({ since: undefined, checkedAt: undefined, nextCheckAt: undefined });
  });

  it('are those of an earlier window until the first answer', () => {
    const stored = { name: 'agent', status: 'BUILDING', at: -5 * minute };
    expect(timesOf(running, { ...unknown, stored }).checkedAt).toBe(wall - 15 * minute);
  });

  it('have no next check in the past, and none after the end', () => {
    expect(timesOf(running, answered, 2 * minute).nextCheckAt).toBe(wall);
    expect(timesOf(ended, answered, 11 * minute).nextCheckAt).toBeUndefined();
  });
});
