import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import type { Deployment } from '../../../../src/api/resources/deployments.ts';
import type { ServiceConnection } from '../../../../src/state/connections/connection.ts';
import type { ReadySession } from '../../../../src/state/connections/session.ts';
import { PushedBuilds } from '../../../../src/state/following/pushedBuilds.ts';
import type { RevisionId } from '../../../../src/state/following/polledRevision.ts';
import { Scheduler } from '../../../../src/state/following/scheduler.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const connection: ServiceConnection = {
  kind: 'service',
  name: 'Work',
  baseUrl: 'https://work.example',
  flavor: 'standard',
};
const before: Deployment = { id: 'd1', name: 'agent', latest_revision_id: 'r1' };
const pushed = { connection: 'Work', deployment: before, commit: 'ours' };

let clock: FakeClock;
let present: Deployment | Error | undefined;
let asked: number;
let signal: AbortSignal | undefined;
let session: ReadySession;
let updated: unknown[];
let followed: RevisionId[];
let records: (Deployment | undefined)[];
let scheduler: Scheduler;
let builds: PushedBuilds;

beforeEach(() => {
  clock = new FakeClock();
  present = before;
  asked = 0;
  session = { kind: 'ready', connection, client: () => Promise.reject(new Error('The list asks for nothing.')) };
  updated = [];
  followed = [];
  records = [];
  scheduler = new Scheduler(clock);
  builds = new PushedBuilds({
    connections: {
      get session() {
        return session;
      },
      clientNamed: async () =>
        ({ deployments: { find: async (_id: string, options: { signal: AbortSignal }) => find(options) } }) as never,
    },
    deployments: { update: (id, answer) => void updated.push([id, answer.deployment, answer.at]) },
    follower: {
      follow: async (id, known) => {
        followed.push(id);
        records.push(known?.deployment);
      },
    },
    settings: () => ({ minMilliseconds: 2000, maxMilliseconds: 30_000 }),
    clock,
    scheduler,
  });
});

afterEach(() => {
  builds.dispose();
});

function find(options: { readonly signal: AbortSignal }): Deployment | undefined {
  asked += 1;
  signal = options.signal;
  if (present instanceof Error) throw present;
  return present;
}

/** Lets the running request answer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

async function pass(milliseconds: number): Promise<void> {
  const end = clock.monotonic() + milliseconds;
  while (clock.monotonic() < end) {
    await settle();
    clock.advance(Math.min(clock.pending[0] ?? Infinity, end - clock.monotonic()));
  }
  await settle();
}

describe('what a push starts', () => {
  it('is followed as soon as the service has it', async () => {
    const outcome = builds.follow(pushed);
    await pass(4000);
    expect(followed).toEqual([]);
    present = { ...before, latest_revision_id: 'r2' };
    await pass(2000);
    expect(await outcome).toEqual({ kind: 'followed' });
    expect(followed).toEqual([{ connection: 'Work', deploymentId: 'd1', revisionId: 'r2' }]);
    expect(records).toEqual([present]);
    expect(updated).toEqual([['d1', present, clock.monotonic()]]);
    expect(clock.pending).toEqual([]);
  });

  it("is still awaited while the service builds another author's push", async () => {
    const built = (latest_revision_id: string, repo_commit_sha: string): Deployment => ({
      ...before,
      latest_revision_id,
      source_revision_config: { repo_commit_sha },
    });
    const outcome = builds.follow(pushed);
    present = built('r2', 'theirs');
    await pass(4000);
    expect(followed.map(({ revisionId }) => revisionId)).toEqual(['r2']);
    present = built('r3', 'ours');
    await pass(2000);
    expect(await outcome).toEqual({ kind: 'followed' });
    expect(followed.map(({ revisionId }) => revisionId)).toEqual(['r2', 'r3']);
    expect(clock.pending).toEqual([]);
  });

  it('counts as built if only a later push was built within five minutes', async () => {
    const outcome = builds.follow(pushed);
    present = { ...before, latest_revision_id: 'r2', source_revision_config: { repo_commit_sha: 'later' } };
    await pass(300_000);
    expect(await outcome).toEqual({ kind: 'followed' });
    expect(followed).toHaveLength(1);
  });

  it('is not shown in the list of another connection', async () => {
    session = { ...session, connection: { ...connection, name: 'Home' } };
    const outcome = builds.follow(pushed);
    present = { ...before, latest_revision_id: 'r2' };
    await pass(2000);
    expect(await outcome).toEqual({ kind: 'followed' });
    expect(updated).toEqual([]);
  });

  it('is the first newer revision if git does not say what was pushed', async () => {
    const outcome = builds.follow({ ...pushed, commit: undefined });
    present = { ...before, latest_revision_id: 'r2', source_revision_config: { repo_commit_sha: 'any' } };
    await pass(2000);
    expect(await outcome).toEqual({ kind: 'followed' });
  });

  it('is given up after five minutes, at a slowing pace', async () => {
    const outcome = builds.follow(pushed);
    await pass(299_000);
    expect(clock.pending).toHaveLength(1);
    await pass(1000);
    expect(await outcome).toEqual({ kind: 'none' });
    expect(asked).toBe(18);
    expect(clock.pending).toEqual([]);
  });

  it('is asked for more slowly after each failed request', async () => {
    present = new Error('The network is down.');
    void builds.follow(pushed);
    await pass(60_000);
    expect(asked).toBe(5);
  });

  it('is not followed if the window closes during the request, which is cancelled', async () => {
    present = { ...before, latest_revision_id: 'r2' };
    const outcome = builds.follow(pushed);
    await Promise.resolve();
    builds.dispose();
    expect(await outcome).toEqual({ kind: 'stopped' });
    expect(followed).toEqual([]);
    expect(signal?.aborted).toBe(true);
  });

  it('is awaited for each deployment of the pushed branch', async () => {
    const other = { ...pushed, deployment: { ...before, id: 'd2' } };
    const outcomes = Promise.all([builds.follow(pushed), builds.follow(other)]);
    await pass(300_000);
    expect(await outcomes).toEqual([{ kind: 'none' }, { kind: 'none' }]);
  });

  it('is awaited although requests fail or the record is missing', async () => {
    present = new Error('The network is down.');
    const outcome = builds.follow(pushed);
    await pass(20_000);
    present = undefined;
    await pass(20_000);
    present = { ...before, latest_revision_id: 'r2' };
    await pass(30_000);
    expect(await outcome).toEqual({ kind: 'followed' });
  });

  it('is asked for slowly while nobody looks', async () => {
    scheduler.setAttention({ focused: false, visible: false });
    void builds.follow(pushed);
    await pass(60_000);
    expect(asked).toBe(3);
  });

  it('is asked for only when the service allows', async () => {
    present = new ApiError({ kind: 'rateLimited', message: 'Too many requests', sent: true, retryAfterMs: 60_000 });
    void builds.follow(pushed);
    await pass(59_000);
    expect(asked).toBe(1);
    await pass(1_000);
    expect(asked).toBe(2);
  });

  it.each([60_000, 600_000])(
    'is unknown if the service says to wait for %i ms and nothing else',
    async (retryAfterMs) => {
      present = new ApiError({ kind: 'rateLimited', message: 'Too many requests', sent: true, retryAfterMs });
      const outcome = builds.follow(pushed);
      await pass(300_000);
      expect(await outcome).toEqual({ kind: 'unknown', error: present });
      expect(asked).toBe(retryAfterMs === 60_000 ? 6 : 1);
      expect(clock.pending).toEqual([]);
    },
  );

  it('is asked for soon when the user returns', async () => {
    scheduler.setAttention({ focused: false, visible: false });
    void builds.follow(pushed);
    await pass(5_000);
    expect(asked).toBe(1);
    scheduler.setAttention({ focused: true, visible: false });
    await pass(1);
    expect(asked).toBe(2);
  });

  it('is awaited once: a later push takes over, and closing the window ends it', async () => {
    const first = builds.follow(pushed);
    await settle();
    const second = builds.follow(pushed);
    expect(await first).toEqual({ kind: 'stopped' });
    await settle();
    expect(clock.pending).toHaveLength(1);
    builds.dispose();
    expect(await second).toEqual({ kind: 'stopped' });
    expect(clock.pending).toEqual([]);
  });
});
