import { describe, expect, it, vi } from 'vitest';
import { localConnection } from '../../../../src/state/connections/connection.ts';
import type { ReadySession } from '../../../../src/state/connections/session.ts';
import type { RevisionId } from '../../../../src/state/answers/answers.ts';
import { startDeploymentsServer } from '../../../support/deploymentsServer.ts';
import type { DeploymentsServer, ServedDeployment, ServedRevision } from '../../../support/deploymentsServer.ts';
import { InMemoryMemory } from '../../../support/editorStorage.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { followingStores, type FollowingStores } from '../../../support/followingStores.ts';
import { testClient } from '../../../support/faultClient.ts';
import type { TestClient } from '../../../support/faultClient.ts';
import { TestConnections } from '../../../support/testConnections.ts';

/** A few seconds after the beginning of time, which is before the fake clock begins. */
const longAgo = '1970-01-01T00:00:07Z';
const settings = { minMilliseconds: 2_000, maxMilliseconds: 30_000, giveUpMilliseconds: 3_600_000 };
/** The latest revision of the first deployment that is being built. */
const shown = { connection: localConnection.name, deploymentId: 'd1', revisionId: 'n1' };
const looking = { focused: true, visible: true };
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

function revision(id: string, status: string): ServedRevision {
  return { id, status, updated_at: longAgo };
}

/** A deployment whose latest revision is live. */
function settled(number: number): ServedDeployment {
  const live = revision(`r${number}`, 'DEPLOYED');
  return { id: `d${number}`, name: `agent-${number}`, active: live, latest: live };
}

/** A deployment whose latest revision is being built while an older one is live. */
function building(number: number): ServedDeployment {
  return {
    id: `d${number}`,
    name: `agent-${number}`,
    active: revision(`r${number}`, 'DEPLOYED'),
    latest: revision(`n${number}`, 'BUILDING'),
  };
}

/** One whose latest revision got its status when it is first polled, so the next poll follows soon. */
function justBuilding(number: number): ServedDeployment {
  return { ...building(number), latest: { id: `n${number}`, status: 'BUILDING' } };
}

interface Watching extends AsyncDisposable, Omit<FollowingStores, 'dispose'> {
  readonly server: DeploymentsServer;
  readonly clock: FakeClock;
  /** The requests for revisions since the last call. */
  asked(): string[];
  /** The delay until the next poll; empty if only the list is to be loaded again. */
  planned(): readonly number[];
  /** Lets the present connection wait for its client, as a local service that is starting does. */
  delayClient(): () => void;
  /** Another connection, to the same server. */
  reconnect(): void;
  /** No connection is selected any more. */
  disconnect(): void;
}

/** The stores as the extension connects them, on a clock that stands still. */
async function watching(served: ServedDeployment[], pageSize = 100): Promise<Watching> {
  const server = await startDeploymentsServer(served);
  const clients: TestClient[] = [];
  let ready = Promise.resolve();
  const session = (): ReadySession => {
    const client = testClient({ baseUrl: server.url });
    clients.push(client);
    return { kind: 'ready', connection: localConnection, client: () => ready.then(() => client) };
  };
  let present = session();
  const connections = new TestConnections(present, () => present.client());
  const clock = new FakeClock();
  const stores = followingStores({ connections, clock, workspaceMemory: new InMemoryMemory(), settings, pageSize });
  return {
    server,
    clock,
    ...stores,
    asked: () => {
      const paths = server.asked().filter((path) => path.includes('/revisions'));
      return paths
        .map((path) => path.replace(/.*\/(\w+)\/revisions\?.*/, 'newest of $1').replace(/.*\//, ''))
        .toSorted();
    },
    planned: () => {
      const { monotonicLoadedAt = Number.NaN } = stores.deployments.state;
      return clock.pending.filter((delay) => clock.monotonic() + delay !== monotonicLoadedAt + minute);
    },
    delayClient: () => {
      let open = (): void => undefined;
      ready = new Promise((resolve) => (open = resolve));
      return () => open();
    },
    reconnect: () => {
      ready = Promise.resolve();
      present = session();
      connections.connect(present);
    },
    disconnect: () => connections.connect({ kind: 'none' }),
    async [Symbol.asyncDispose]() {
      server.release();
      stores.dispose();
      await Promise.all(clients.map((client) => client.close()));
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Waits for something that needs no time on the clock, but answers. */
async function soon({ clock }: Watching, check: () => void): Promise<void> {
  await vi.waitFor(
    () => {
      clock.advance(0);
      check();
    },
    { interval: 5, timeout: 60_000 },
  );
}

/** Since when the shown revision has its status. */
function sinceOf({ answers }: Watching): number | undefined {
  return answers.observe(shown.connection, shown.deploymentId, shown.revisionId).since;
}

/** Advances the clock to the next poll of a revision. */
function advanceToPollOf({ clock, poller }: Watching, id: RevisionId): void {
  const dueAt = poller.nextPollAt(id);
  if (dueAt === undefined) throw new Error(`No poll of ${id.revisionId} is planned.`);
  clock.advance(dueAt - clock.monotonic());
}

/** Waits until every one of these revisions is known. */
async function known(stores: Watching, ...ids: string[]): Promise<void> {
  await soon(stores, () => expect(ids.filter((id) => stores.deployments.revision(id) === undefined)).toEqual([]));
}

/** Opens the list and looks at it until these revisions are known. */
async function lookAtList(stores: Watching, ...ids: string[]): Promise<void> {
  stores.scheduler.setAttention(looking);
  await stores.deployments.load();
  await known(stores, ...ids);
}

/** The first deployment as the server has it, with a latest revision. */
function firstOf({ server }: Watching): ServedDeployment & { readonly latest: ServedRevision } {
  const [served] = server.deployments;
  if (served?.latest === undefined) throw new Error('The server serves something else.');
  return Object.assign(served, { latest: served.latest });
}

/** The latest revision of the first deployment goes live. */
function goLive(stores: Watching): void {
  const served = firstOf(stores);
  served.latest.status = 'DEPLOYED';
  served.active = served.latest;
}

describe('the poller, for the entries of the list', () => {
  it('polls the live revision and, if it differs, the latest one in the same request', async () => {
    const onlyLive: ServedDeployment = { id: 'd4', name: 'old', active: revision('r4', 'DEPLOYED') };
    await using stores = await watching([settled(1), building(2), { id: 'd3', name: 'new' }, onlyLive]);
    await lookAtList(stores, 'r1', 'r2', 'n2', 'r4');
    expect(stores.server.requests).toHaveLength(1 + 3);
    expect(stores.asked()).toEqual(['newest of d2', 'r1', 'r4']);
  });

  it('polls the live revision on its own if many newer ones failed', async () => {
    await using stores = await watching([{ ...building(1), others: [revision('n0', 'BUILD_FAILED')] }]);
    await lookAtList(stores, 'r1', 'n1');
    expect(stores.asked()).toEqual(['newest of d1', 'r1']);
  });

  it('polls from the top, including entries that were added later', async () => {
    await using stores = await watching(Array.from({ length: 20 }, (_, number) => settled(number)));
    await stores.deployments.load();
    stores.server.deployments.unshift(settled(99));
    stores.clock.advance(1);
    await stores.deployments.refresh();
    stores.server.hold();
    stores.scheduler.setAttention(looking);
    await soon(stores, () => expect(stores.server.requests).toHaveLength(2 + 8));
    expect(stores.asked()).toEqual(['r0', 'r1', 'r2', 'r3', 'r4', 'r5', 'r6', 'r99']);
  });

  it('polls what is followed or awaited and what documents show before the list', async () => {
    await using stores = await watching([
      ...Array.from({ length: 20 }, (_, number) => settled(number)),
      building(97),
      building(98),
      building(99),
    ]);
    await stores.deployments.load();
    const idOf = (number: number): RevisionId => ({ ...shown, deploymentId: `d${number}`, revisionId: `n${number}` });
    stores.poller.setShown([idOf(97)]);
    stores.poller.setAwaited([idOf(98)]);
    stores.poller.setFollowed([idOf(99)]);
    stores.server.hold();
    stores.scheduler.setAttention(looking);
    await soon(stores, () => expect(stores.server.requests).toHaveLength(1 + 8));
    expect(stores.asked()).toEqual(['n99', 'newest of d97', 'newest of d98', 'r0', 'r1', 'r2', 'r3', 'r4']);
  });

  it('polls only what is followed or awaited without a connection, also of other ones', async () => {
    await using stores = await watching([building(1), building(2), building(3)]);
    await stores.deployments.load();
    const idOf = (number: number): RevisionId => ({ ...shown, deploymentId: `d${number}`, revisionId: `n${number}` });
    const ids = [1, 2, 3].map(idOf);
    stores.poller.setShown([idOf(1)]);
    stores.poller.setFollowed([idOf(2)]);
    stores.poller.setAwaited([{ ...idOf(3), connection: 'Another' }]);
    stores.disconnect();
    const dueAt = stores.clock.monotonic();
    expect(ids.map((id) => stores.poller.nextPollAt(id))).toEqual([undefined, dueAt, undefined]);
    expect(stores.poller.nextPollAt({ ...idOf(3), connection: 'Another' })).toBe(dueAt);
  });

  it('stops when the view is hidden, and polls only the rest when it is shown again', async () => {
    await using stores = await watching(Array.from({ length: 30 }, (_, number) => settled(number)));
    await stores.deployments.load();
    stores.server.hold();
    stores.scheduler.setAttention(looking);
    await soon(stores, () => expect(stores.server.requests).toHaveLength(1 + 8));
    stores.scheduler.setAttention({ focused: true, visible: false });
    stores.server.release();
    const ids = stores.server.deployments.flatMap(({ active }) => active?.id ?? []);
    await known(stores, ...ids.slice(0, 8));
    // A whole request later, whatever the answers had led to would have been asked for.
    await stores.deployments.refresh();
    expect(stores.asked()).toEqual(ids.slice(0, 8).toSorted());
    expect(stores.clock.pending).toEqual([]);
    stores.scheduler.setAttention(looking);
    await known(stores, ...ids);
    expect(stores.asked()).toEqual(ids.slice(8).toSorted());
    expect(stores.server.mostAtOnce()).toBe(8);
  });

  it('needs one request per hundred entries and one per moving revision for a refresh', async () => {
    const served = Array.from({ length: 230 }, (_, number) => (number < 3 ? building(number) : settled(number)));
    await using stores = await watching(served);
    stores.scheduler.setAttention(looking);
    await stores.deployments.load();
    await stores.deployments.loadMore();
    expect(stores.deployments.state.entries).toHaveLength(200);
    await known(stores, ...served.slice(0, 200).flatMap(({ active, latest }) => [active?.id ?? '', latest?.id ?? '']));
    const before = stores.server.requests.length;
    for (const round of [1, 2]) {
      stores.clock.advance(1);
      await stores.deployments.refresh();
      await soon(stores, () => expect(stores.server.requests.length - before).toBe(round * (2 + 3)));
    }
    expect(stores.server.requests.slice(before).toSorted()).toEqual(
      [
        '/v2/deployments?limit=100&offset=0',
        '/v2/deployments?limit=100&offset=100',
        ...[0, 1, 2].map((number) => `/v2/deployments/d${number}/revisions/n${number}`),
      ]
        .flatMap((path) => [path, path])
        .toSorted(),
    );
  });
});

describe('the list', () => {
  const listed: ServedDeployment[] = [{ id: 'd1', name: 'agent' }];

  it('is reloaded once a minute while the user is looking', async () => {
    await using stores = await watching(listed);
    await lookAtList(stores);
    expect(stores.clock.pending).toEqual([minute]);
    stores.clock.advance(minute - 1);
    expect(stores.server.requests).toHaveLength(1);
    for (const reloads of [1, 2]) {
      stores.clock.advance(minute);
      await soon(stores, () => expect(stores.deployments.state.monotonicLoadedAt).toBe(stores.clock.monotonic()));
      expect(stores.server.requests).toHaveLength(1 + reloads);
      expect(stores.clock.pending).toEqual([minute]);
    }
  });

  it.each([-hour, -30 * day, 30 * day])(
    'is reloaded after a minute even if the wall clock changes by %i ms',
    async (shift) => {
      await using stores = await watching(listed);
      await stores.deployments.load();
      stores.clock.shiftWall(shift);
      stores.scheduler.setAttention(looking);
      expect(stores.clock.pending).toEqual([minute]);
      stores.clock.advance(minute);
      await soon(stores, () => expect(stores.deployments.state.monotonicLoadedAt).toBe(stores.clock.monotonic()));
      expect(stores.server.requests).toHaveLength(2);
      expect(stores.clock.pending).toEqual([minute]);
    },
  );

  it("isn't reloaded while the user is away, and is at once on return if it is old", async () => {
    await using stores = await watching(listed);
    await lookAtList(stores);
    for (const away of [
      { focused: false, visible: true },
      { focused: true, visible: false },
    ]) {
      stores.scheduler.setAttention(away);
      expect(stores.clock.pending).toEqual([]);
    }
    stores.clock.advance(10 * minute);
    stores.scheduler.setAttention(looking);
    expect(stores.clock.pending).toEqual([0]);
    await soon(stores, () => expect(stores.deployments.state.monotonicLoadedAt).toBe(stores.clock.monotonic()));
    expect(stores.server.requests).toHaveLength(2);
  });

  it('is reloaded at once on return, because another window may have deployed', async () => {
    await using stores = await watching(listed);
    await lookAtList(stores);
    stores.clock.advance(10_000);
    stores.scheduler.setAttention({ focused: false, visible: true });
    stores.scheduler.setAttention(looking);
    expect(stores.clock.pending).toEqual([0]);
    stores.clock.advance(0);
    await soon(stores, () => expect(stores.deployments.state.monotonicLoadedAt).toBe(stores.clock.monotonic()));
    stores.scheduler.setAttention({ focused: false, visible: true });
    stores.scheduler.setAttention(looking);
    expect(stores.clock.pending).toEqual([settings.minMilliseconds]);
  });

  it('is reloaded with the first answer after a failure', async () => {
    await using stores = await watching([justBuilding(1)]);
    await stores.follower.follow(shown);
    await lookAtList(stores, 'n1');
    stores.server.failList();
    await stores.deployments.refresh();
    expect(stores.deployments.state.error).toBeDefined();
    stores.server.failRevisionsOf('d1');
    advanceToPollOf(stores, shown);
    await soon(stores, () => expect(stores.follower.followed).toMatchObject([{ failures: 1 }]));
    stores.server.failRevisionsOf(undefined);
    const before = stores.server.requests.length;
    advanceToPollOf(stores, shown);
    await soon(stores, () =>
      expect(stores.server.requests.slice(before)).toContain('/v2/deployments?limit=100&offset=0'),
    );
    expect(stores.clock.monotonic()).toBeLessThan((stores.deployments.state.monotonicLoadedAt ?? 0) + minute);
  });

  it('is reloaded once with the records of another request after a failure', async () => {
    await using stores = await watching([justBuilding(1)]);
    stores.scheduler.setAttention(looking);
    await stores.deployments.load();
    stores.server.failList();
    await stores.deployments.refresh();
    expect(stores.deployments.state.error).toBeDefined();
    stores.clock.advance(1);
    const before = stores.server.requests.length;
    stores.ownDeployments.add([{ id: 'own', name: 'own' }], stores.clock.monotonic());
    const ofList = (): readonly string[] =>
      stores.server.requests.slice(before).filter((path) => path.includes('offset=0'));
    await soon(stores, () => expect(ofList()).toHaveLength(1));
  });

  it("isn't reloaded with an answer after which it is sound, or that nobody looks at", async () => {
    await using stores = await watching([justBuilding(1)]);
    await stores.follower.follow(shown);
    await lookAtList(stores, 'n1');
    const failAndAnswer = async (): Promise<void> => {
      stores.server.failRevisionsOf('d1');
      advanceToPollOf(stores, shown);
      await soon(stores, () => expect(stores.poller.failureOf(shown)?.failures).toBe(1));
      stores.server.failRevisionsOf(undefined);
      advanceToPollOf(stores, shown);
      await soon(stores, () => expect(stores.poller.failureOf(shown)).toBeUndefined());
    };
    await failAndAnswer();
    stores.server.failList();
    await stores.deployments.refresh();
    stores.scheduler.setAttention({ focused: true, visible: false });
    const before = stores.server.requests.length;
    await failAndAnswer();
    expect(stores.server.requests.slice(before).filter((path) => path.includes('limit=100'))).toEqual([]);
    expect(stores.server.requests.filter((path) => path.includes('limit=100'))).toHaveLength(2);
  });

  it("isn't loaded by the poller for the first time", async () => {
    await using stores = await watching(listed);
    stores.scheduler.setAttention(looking);
    stores.clock.advance(10 * minute);
    expect(stores.clock.pending).toEqual([]);
    expect(stores.server.requests).toEqual([]);
  });

  it('is reloaded a minute after a failure too', async () => {
    await using stores = await watching(listed);
    await stores.deployments.load();
    stores.server.failList();
    stores.scheduler.setAttention(looking);
    stores.clock.advance(minute);
    await soon(stores, () => expect(stores.deployments.state.error).toMatchObject({ kind: 'invalid' }));
    expect(stores.clock.pending).toEqual([minute]);
  });
});

describe('a moving revision', () => {
  it('is polled until it ends, and then the record that names the live revision', async () => {
    await using stores = await watching([building(1)]);
    await lookAtList(stores, 'r1', 'n1');
    stores.asked();
    goLive(stores);
    stores.clock.advance(settings.maxMilliseconds);
    await soon(stores, () => expect(stores.deployments.find('d1')?.active_revision_id).toBe('n1'));
    expect(stores.asked()).toEqual(['n1']);
    expect(stores.server.requests.at(-1)).toBe('/v2/deployments?deployment_ids=d1&limit=1');
    expect(stores.planned()).toEqual([]);
  });

  it('is polled once even if it is followed, listed and shown in a document', async () => {
    await using stores = await watching([building(1)]);
    await stores.follower.follow(shown);
    stores.poller.setShown([shown]);
    await lookAtList(stores, 'r1', 'n1');
    expect(stores.asked()).toEqual(['n1', 'r1']);
    await soon(stores, () => expect(stores.clock.pending).toEqual([settings.maxMilliseconds]));
    stores.clock.advance(settings.maxMilliseconds);
    await soon(stores, () => expect(stores.asked()).toEqual(['n1']));
    expect(stores.answers.revision(shown.connection, 'n1')).toMatchObject({ status: 'BUILDING' });
  });

  it('is polled as soon as another request has told that it is new', async () => {
    await using stores = await watching([settled(1)]);
    await lookAtList(stores, 'r1');
    const record = { id: 'd1', name: 'agent-1', active_revision_id: 'r1', latest_revision_id: 'n1' };
    const at = stores.clock.monotonic();
    const { connection, deploymentId } = shown;
    const answer = { connection, deploymentId, askedAt: at, receivedAt: at };
    stores.answers.put({ ...answer, record, revision: { id: 'n1', status: 'BUILDING' } });
    expect(stores.poller.nextPollAt(shown)).toBeDefined();
  });

  it('is polled at once when its successor is awaited, and from then on at the fastest pace', async () => {
    await using stores = await watching([building(1)]);
    await lookAtList(stores, 'r1', 'n1');
    expect(stores.poller.nextPollAt(shown)).toBe(stores.clock.monotonic() + settings.maxMilliseconds);
    stores.poller.setAwaited([shown]);
    expect(stores.poller.nextPollAt(shown)).toBe(stores.clock.monotonic());
    stores.clock.advance(0);
    const next = stores.clock.monotonic() + settings.minMilliseconds;
    await soon(stores, () => expect(stores.poller.nextPollAt(shown)).toBe(next));
    stores.poller.setAwaited([shown]);
    expect(stores.poller.nextPollAt(shown)).toBe(next);
  });

  it('keeps its schedule while it is followed and the list is reloaded', async () => {
    await using stores = await watching([building(1)]);
    await stores.follower.follow(shown);
    await lookAtList(stores, 'r1', 'n1');
    await soon(stores, () => expect(stores.clock.pending).toEqual([settings.maxMilliseconds]));
    stores.clock.advance(1);
    await stores.deployments.refresh();
    expect(stores.clock.pending).toEqual([settings.maxMilliseconds - 1]);
  });

  it('is left out of the list if it is followed on another connection', async () => {
    await using stores = await watching([building(1)]);
    const answered: string[] = [];
    stores.poller.onDidAnswer(({ connection }) => answered.push(connection));
    stores.poller.setFollowed([{ ...shown, connection: 'Another' }]);
    await soon(stores, () => expect(answered).toEqual(['Another']));
    expect(stores.deployments.revision('n1')).toBeUndefined();
  });

  it('is still polled for its list entry after following it was stopped', async () => {
    await using stores = await watching([building(1)]);
    await stores.follower.follow(shown);
    await lookAtList(stores, 'r1', 'n1');
    await stores.follower.stop(localConnection.name, 'd1');
    stores.scheduler.setAttention({ focused: true, visible: false });
    expect(stores.clock.pending).toEqual([]);
    stores.scheduler.setAttention(looking);
    expect(stores.clock.pending).toEqual([settings.maxMilliseconds]);
  });

  it('keeps its due time while the window keeps the focus', async () => {
    await using stores = await watching([building(1)]);
    stores.scheduler.setAttention({ focused: true, visible: false });
    stores.poller.setShown([shown]);
    await known(stores, 'n1');
    await soon(stores, () => expect(stores.poller.nextPollAt(shown)).toBeGreaterThan(stores.clock.monotonic()));
    const dueAt = stores.poller.nextPollAt(shown);
    stores.scheduler.setAttention(looking);
    expect(stores.scheduler.attention).toEqual(looking);
    expect(stores.poller.nextPollAt(shown)).toBe(dueAt);
  });

  it('is polled at once when the focus returns', async () => {
    await using stores = await watching([building(1)]);
    await lookAtList(stores, 'r1', 'n1');
    stores.asked();
    stores.scheduler.setAttention({ focused: false, visible: true });
    expect(stores.clock.pending).toEqual([]);
    stores.scheduler.setAttention(looking);
    await soon(stores, () => expect(stores.asked()).toEqual(['n1']));
  });

  it('keeps its list entry if the poll fails, and is polled again at the next refresh', async () => {
    await using stores = await watching([settled(1)]);
    const failed: string[] = [];
    stores.poller.onDidFail(({ revisionId }) => failed.push(revisionId));
    stores.server.failRevisionsOf('d1');
    stores.scheduler.setAttention(looking);
    await stores.deployments.load();
    await soon(stores, () => expect(failed).toEqual(['r1']));
    expect(stores.planned()).toEqual([]);
    expect(stores.deployments.find('d1')?.name).toBe('agent-1');
    stores.server.failRevisionsOf(undefined);
    await vi.waitFor(async () => {
      stores.clock.advance(1);
      await stores.deployments.refresh();
      expect(stores.deployments.revision('r1')?.status).toBe('DEPLOYED');
    });
  });
});

describe('a stopped revision', () => {
  it("is polled for five minutes if the service doesn't say when it stopped", async () => {
    await using stores = await watching([{ ...building(1), latest: { id: 'n1', status: 'INTERRUPTED' } }]);
    stores.scheduler.setAttention({ focused: true, visible: false });
    stores.poller.setShown([shown]);
    await known(stores, 'n1');
    for (let minutes = 0; minutes < 5; minutes += 0.5) {
      await soon(stores, () => expect(stores.clock.pending).toEqual([30_000]));
      stores.clock.advance(30_000);
    }
    await soon(stores, () => expect(stores.poller.nextPollAt(shown)).toBeUndefined());
    stores.asked();
    stores.poller.setShown([]);
    stores.poller.setShown([shown]);
    expect(stores.clock.pending).toEqual([]);
    await lookAtList(stores, 'r1');
    expect(stores.asked()).toEqual(['r1']);
  });
});

describe('a revision that a follow moves on to', () => {
  it("is polled even if it couldn't be polled as a list entry", async () => {
    await using stores = await watching([building(1)]);
    const failed: string[] = [];
    stores.poller.onDidFail(({ revisionId }) => failed.push(revisionId));
    stores.server.failRevisionsOf('d1');
    stores.scheduler.setAttention(looking);
    await stores.deployments.load();
    await soon(stores, () => expect(failed).toEqual(['n1']));
    expect(stores.planned()).toEqual([]);
    stores.server.failRevisionsOf(undefined);
    stores.poller.setFollowed([{ ...shown }]);
    await known(stores, 'n1');
  });
});

describe('a revision that is followed after it was listed for long', () => {
  it('has waited only since then', async () => {
    await using stores = await watching([building(1)]);
    await lookAtList(stores, 'n1');
    stores.scheduler.setAttention({ focused: false, visible: true });
    stores.clock.advance(hour);
    const waited: number[] = [];
    stores.poller.onDidAnswer((answer) => waited.push(answer.waited));
    await stores.follower.follow(shown);
    await soon(stores, () => expect(waited).toEqual([0]));
  });
});

describe('a revision that is followed after it ended', () => {
  it('is polled once more, because only an answer ends the follow', async () => {
    await using stores = await watching([settled(1)]);
    await lookAtList(stores, 'r1');
    const answered: boolean[] = [];
    stores.poller.onDidAnswer(({ hasEnded }) => answered.push(hasEnded));
    stores.poller.setFollowed([{ ...shown, revisionId: 'r1' }]);
    await soon(stores, () => expect(answered).toEqual([true]));
  });
});

describe('a change of the wall clock', () => {
  it.each([-hour, -30 * day, 30 * day])('by %i ms changes no due time and no age', async (shift) => {
    await using stores = await watching([building(1)]);
    await lookAtList(stores, 'n1');
    await soon(stores, () => expect(stores.clock.pending).toHaveLength(1));
    const [delay = 0] = stores.clock.pending;
    const since = sinceOf(stores);
    stores.asked();
    stores.clock.shiftWall(shift);
    // This looks again for what is due.
    stores.scheduler.setAttention(looking);
    expect(stores.clock.pending).toEqual([delay]);
    expect(sinceOf(stores)).toBe(since);
    stores.clock.advance(delay - 1);
    expect(stores.asked()).toEqual([]);
    stores.clock.advance(1);
    await soon(stores, () => expect(stores.asked()).toEqual(['n1']));
  });
});

describe('a revision shown in a document', () => {
  const hidden = { focused: true, visible: false };

  /** Shows the revision in a document beside a hidden list until it is known. */
  async function openDocument(stores: Watching): Promise<void> {
    stores.scheduler.setAttention(hidden);
    stores.poller.setShown([shown]);
    await known(stores, 'n1');
  }

  it('is polled until it ends, even if the list is neither loaded nor visible', async () => {
    await using stores = await watching([building(1), building(2)]);
    const live: unknown[] = [];
    stores.deployments.onDidChange((change) => {
      if (change.kind === 'deployment') live.push(stores.deployments.find('d1')?.active_revision_id);
    });
    await openDocument(stores);
    goLive(stores);
    await vi.waitFor(() => {
      stores.clock.advance(settings.maxMilliseconds);
      expect(live).toContain('n1');
    });
    expect(stores.server.requests).toEqual([
      '/v2/deployments/d1/revisions/n1',
      '/v2/deployments/d1/revisions/n1',
      '/v2/deployments?deployment_ids=d1&limit=1',
    ]);
    expect(stores.clock.pending).toEqual([]);
  });

  it("isn't polled without its document, the focus or its connection", async () => {
    await using stores = await watching([building(1)]);
    stores.scheduler.setAttention(hidden);
    stores.poller.setShown([{ ...shown, connection: 'Another' }]);
    expect(stores.clock.pending).toEqual([]);
    stores.poller.setShown([shown]);
    await known(stores, 'n1');
    await soon(stores, () => expect(stores.clock.pending).toHaveLength(1));
    stores.scheduler.setAttention({ focused: false, visible: false });
    expect(stores.clock.pending).toEqual([]);
    stores.scheduler.setAttention(hidden);
    expect(stores.clock.pending).toHaveLength(1);
    stores.poller.setShown([]);
    expect(stores.clock.pending).toEqual([]);
    expect(stores.asked()).toEqual(['n1']);
  });

  it("is polled as long as one of them shows it, the document or the workspace's own rows", async () => {
    await using stores = await watching([building(1)]);
    stores.scheduler.setAttention(hidden);
    stores.poller.setShown([shown], 'workspace');
    stores.poller.setShown([shown]);
    await known(stores, 'n1');
    await soon(stores, () => expect(stores.clock.pending).toHaveLength(1));
    stores.poller.setShown([]);
    expect(stores.clock.pending).toHaveLength(1);
    stores.poller.setShown([], 'workspace');
    expect(stores.clock.pending).toEqual([]);
  });
});

describe('revisions whose polls failed', () => {
  const second = { ...shown, deploymentId: 'd2', revisionId: 'n2' };

  /** Waits until no request is under way or due. */
  async function quiet(stores: Watching): Promise<void> {
    await soon(stores, () => {
      const dueTimes = [shown, second].map((id) => stores.poller.nextPollAt(id) ?? 0);
      expect(Math.min(...dueTimes)).toBeGreaterThan(stores.clock.monotonic());
    });
  }

  /** Follows two revisions, of which the second one failed three times. */
  async function failing(): Promise<Watching> {
    const stores = await watching([justBuilding(1), justBuilding(2)]);
    await stores.follower.follow(shown);
    await stores.follower.follow(second);
    await known(stores, 'n1', 'n2');
    stores.server.failRevisionsOf('d2');
    for (const failures of [1, 2, 3]) {
      await quiet(stores);
      advanceToPollOf(stores, second);
      await soon(stores, () => expect(stores.poller.failureOf(second)?.failures).toBe(failures));
    }
    await quiet(stores);
    stores.asked();
    return stores;
  }

  it('are all polled again once one of them is answered after a failure', async () => {
    await using stores = await failing();
    stores.server.failRevisionsOf('d1');
    advanceToPollOf(stores, shown);
    await soon(stores, () => expect(stores.poller.failureOf(shown)?.failures).toBe(1));
    await quiet(stores);
    stores.server.failRevisionsOf(undefined);
    const dueTimes = [shown, second].map((id) => stores.poller.nextPollAt(id) ?? 0);
    const dueAt = Math.min(...dueTimes);
    expect(Math.max(...dueTimes)).toBeGreaterThan(dueAt);
    stores.clock.advance(dueAt - stores.clock.monotonic());
    await soon(stores, () => {
      expect([shown, second].map((id) => stores.poller.failureOf(id))).toEqual([undefined, undefined]);
    });
    expect(stores.clock.monotonic()).toBe(dueAt);
  });

  it('are polled again with the first answer of the list', async () => {
    await using stores = await failing();
    stores.server.failRevisionsOf(undefined);
    await stores.deployments.load();
    await soon(stores, () => expect(stores.poller.failureOf(second)).toBeUndefined());
  });

  it('keep waiting while another one is answered as always', async () => {
    await using stores = await failing();
    const dueAt = stores.poller.nextPollAt(second);
    advanceToPollOf(stores, shown);
    await soon(stores, () => expect(stores.asked()).toEqual(['n1']));
    await quiet(stores);
    expect(stores.poller.nextPollAt(second)).toBe(dueAt);
  });
});

describe('revisions of a service that refuses the key', () => {
  const numbers = Array.from({ length: 12 }, (_, number) => number);
  const first = { ...shown, deploymentId: 'd0', revisionId: 'n0' };

  /** Twelve moving revisions, none of which is polled any more after a refusal. */
  async function refused(): Promise<Watching> {
    const stores = await watching(numbers.map(building));
    await lookAtList(stores, ...numbers.map((number) => `n${number}`));
    stores.server.failRevisionsOf('d0', 401);
    stores.poller.askNow(first);
    await soon(stores, () => expect(stores.poller.failureOf(first)?.failures).toBe(1));
    stores.server.failRevisionsOf(undefined);
    stores.server.hold();
    stores.asked();
    return stores;
  }

  it('are polled again when the key may have changed, one first and the others once it is answered', async () => {
    await using stores = await refused();
    expect(stores.planned()).toEqual([]);
    stores.poller.retry();
    expect(stores.planned()).toEqual([0]);
    await soon(stores, () => expect(stores.asked()).toEqual(['n0']));
    expect(stores.planned()).toEqual([]);
    stores.server.release();
    stores.server.hold();
    await soon(stores, () => expect(stores.server.waiting()).toBe(8));
  });

  it.each<[string, (stores: Watching) => unknown]>([
    ['its service was started', ({ poller }) => poller.askAgain(localConnection.name)],
    [
      'the connection changed',
      async (stores) => {
        stores.reconnect();
        stores.server.release();
        await stores.deployments.load();
        stores.server.hold();
      },
    ],
  ])('are polled eight at a time because %s', async (_why, change) => {
    await using stores = await refused();
    await change(stores);
    await soon(stores, () => expect(stores.server.waiting()).toBe(8));
  });

  it.each([
    ['the key', 401, ['n1', 'n3']],
    ['this revision', 403, ['n1']],
  ] as const)('fail together if %s is refused, but not those of another connection', async (_what, status, ids) => {
    await using stores = await watching([building(1), building(2), building(3)]);
    const elsewhere = { connection: 'Another', deploymentId: 'd2', revisionId: 'n2' };
    const followed = [shown, elsewhere, { ...shown, deploymentId: 'd3', revisionId: 'n3' }];
    const failed: unknown[] = [];
    stores.poller.onDidFail(({ connection: _here, deploymentId: _id, error: _error, ...said }) => failed.push(said));
    stores.poller.setFollowed(followed);
    await soon(stores, () => {
      const dueTimes = followed.map((id) => stores.poller.nextPollAt(id) ?? 0);
      expect(Math.min(...dueTimes)).toBeGreaterThan(stores.clock.monotonic());
    });
    stores.server.failRevisionsOf('d1', status);
    const askedAt = stores.clock.monotonic();
    stores.poller.askNow(shown);
    await soon(stores, () => expect(stores.poller.failureOf(shown)).toBeDefined());
    expect(failed).toEqual(ids.map((revisionId) => ({ revisionId, askedAt, failures: 1, isGone: false })));
    expect(stores.poller.failureOf(elsewhere)).toBeUndefined();
  });
});

describe('a change of connection', () => {
  it('polls for the new list even while all requests to the old service are waiting', async () => {
    await using stores = await watching(Array.from({ length: 20 }, (_, number) => settled(number)));
    await stores.deployments.load();
    const open = stores.delayClient();
    stores.scheduler.setAttention(looking);
    stores.reconnect();
    await stores.deployments.load();
    expect(stores.asked()).toEqual([]);
    open();
    await known(stores, ...stores.server.deployments.flatMap(({ active }) => active?.id ?? []));
    expect(stores.asked()).toHaveLength(20);
  });

  it('polls follows again, because a pending answer may belong to the old key', async () => {
    await using stores = await watching([building(1)]);
    const failed: unknown[] = [];
    stores.poller.onDidFail((failure) => failed.push(failure));
    stores.server.hold();
    await stores.follower.follow(shown);
    await soon(stores, () => expect(stores.asked()).toEqual(['n1']));
    stores.reconnect();
    await soon(stores, () => expect(stores.asked()).toEqual(['n1']));
    stores.server.release();
    await known(stores, 'n1');
    expect(failed).toEqual([]);
  });
});

describe('the poller, when a service is stopped or started', () => {
  it('asks again at once for what was under way, and for nothing of other connections', async () => {
    await using stores = await watching([building(1), settled(2)]);
    await lookAtList(stores, 'n1', 'r1', 'r2');
    stores.asked();
    stores.poller.askAgain('Home');
    expect(stores.planned()).not.toEqual([0]);
    stores.server.hold();
    stores.clock.advance(30_000);
    await soon(stores, () => expect(stores.server.requests.at(-1)).toContain('n1'));
    stores.poller.askAgain(localConnection.name);
    expect(stores.planned()).toEqual([0]);
    await soon(stores, () => expect(stores.server.requests.filter((path) => path.endsWith('n1'))).toHaveLength(2));
    stores.server.release();
    await soon(stores, () => expect(stores.poller.nextPollAt(shown)).toBeGreaterThan(stores.clock.monotonic()));
  });

  it('knows how the last poll failed until an answer', async () => {
    await using stores = await watching([building(1)]);
    await lookAtList(stores, 'n1', 'r1');
    expect(stores.poller.failureOf(shown)).toBeUndefined();
    stores.server.failRevisionsOf('d1');
    stores.poller.askAgain(localConnection.name);
    await soon(stores, () =>
      expect(stores.poller.failureOf(shown)).toMatchObject({ failures: 1, error: { kind: 'invalid' } }),
    );
    stores.server.failRevisionsOf(undefined);
    stores.poller.askAgain(localConnection.name);
    expect(stores.poller.failureOf(shown)).toBeUndefined();
    expect(stores.poller.failureOf({ ...shown, revisionId: 'r0' })).toBeUndefined();
  });
});

describe('the poller, when it is disposed', () => {
  it('has no timer, cancels what is under way, and asks nothing for a new list or connection', async () => {
    await using stores = await watching([building(1), settled(2)]);
    const told: unknown[] = [];
    stores.poller.onDidAnswer((answer) => told.push(answer));
    stores.poller.onDidFail((failure) => told.push(failure));
    stores.scheduler.setAttention(looking);
    stores.server.hold();
    stores.poller.setShown([shown]);
    await soon(stores, () => expect(stores.asked()).toEqual(['n1']));
    stores.poller.dispose();
    stores.poller.askNow(shown);
    expect(stores.clock.pending).toEqual([]);
    expect(stores.poller.nextPollAt(shown)).toBeUndefined();
    stores.server.release();
    stores.reconnect();
    await stores.deployments.load();
    expect(stores.clock.pending).toEqual([]);
    expect(stores.asked()).toEqual([]);
    expect(told).toEqual([]);
  });
});

describe('the poller, for a deployment that is being deleted', () => {
  const leaving = { connection: localConnection.name, deploymentId: 'd1', revisionId: '' };

  it('asks for the record alone, ever more slowly, until the service no longer has it', async () => {
    await using stores = await watching([{ ...building(1), status: 'AWAITING_DELETE' }, settled(2)]);
    await lookAtList(stores, 'r2');
    await soon(stores, () => expect(stores.server.requests).toContain('/v2/deployments?deployment_ids=d1&limit=1'));
    expect(stores.asked()).toEqual(['r2']);
    const delays: number[] = [];
    for (let polls = 2; polls < 7; polls += 1) {
      await soon(stores, () => expect(stores.poller.nextPollAt(leaving)).toBeDefined());
      const before = stores.clock.monotonic();
      advanceToPollOf(stores, leaving);
      delays.push(stores.clock.monotonic() - before);
    }
    expect(delays).toEqual(delays.toSorted((one, other) => one - other));
    expect(delays.at(-1)).toBeGreaterThan(delays[0] ?? Infinity);
    await soon(stores, () => expect(stores.poller.nextPollAt(leaving)).toBeDefined());
    stores.server.deployments.shift();
    advanceToPollOf(stores, leaving);
    await soon(stores, () => expect(stores.deployments.state.entries.map(({ id }) => id)).toEqual(['d2']));
    expect(stores.deployments.isListed('d1')).toBe(false);
    expect(stores.poller.nextPollAt(leaving)).toBeUndefined();
  });

  it('asks again after a failed request, though no answer ever came', async () => {
    await using stores = await watching([{ ...settled(1), status: 'AWAITING_DELETE' }]);
    await stores.deployments.load();
    stores.server.failList();
    stores.scheduler.setAttention(looking);
    await soon(stores, () => expect(stores.poller.failureOf(leaving)?.failures).toBe(1));
    advanceToPollOf(stores, leaving);
    await soon(stores, () => expect(stores.poller.failureOf(leaving)?.failures).toBe(2));
  });

  it('begins when any answer says so, and asks for its revisions no more', async () => {
    await using stores = await watching([justBuilding(1)]);
    await lookAtList(stores, 'r1', 'n1');
    expect(stores.poller.nextPollAt(shown)).toBeDefined();
    const record = stores.answers.record(localConnection.name, 'd1');
    const at = stores.clock.monotonic();
    if (record === undefined) throw new Error('The list has it.');
    firstOf(stores).status = 'AWAITING_FINAL_DELETE';
    const said = { ...record, status: 'AWAITING_FINAL_DELETE' };
    stores.answers.put({ ...shown, record: said, askedAt: at, receivedAt: at });
    await soon(stores, () => expect(stores.poller.nextPollAt(leaving)).toBeDefined());
    expect(stores.poller.nextPollAt(shown)).toBeUndefined();
  });

  it('asks nothing while nobody looks', async () => {
    await using stores = await watching([{ ...settled(1), status: 'AWAITING_DELETE' }]);
    await lookAtList(stores);
    await soon(stores, () => expect(stores.poller.nextPollAt(leaving)).toBeDefined());
    stores.scheduler.setAttention({ focused: false, visible: true });
    expect(stores.poller.nextPollAt(leaving)).toBeUndefined();
  });
});
