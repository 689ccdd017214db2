import { beforeEach, describe, expect, it } from 'vitest';
import type { Deployment } from '../../../../src/api/resources/deployments.ts';
import type { Revision } from '../../../../src/api/resources/revisions.ts';
import type { Observed } from '../../../../src/state/answers/answers.ts';
import { Activity } from '../../../../src/state/activity/activity.ts';
import { parseActivity } from '../../../../src/state/activity/activityLines.ts';
import type { Followed } from '../../../../src/state/following/follower.ts';
import { begun } from '../../../support/begunFollow.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const id = { connection: 'Work', deploymentId: 'd1', revisionId: 'r1' };
const commit = '0123456789abcdef';
const revision: Revision = {
  id: 'r1',
  status: 'DEPLOYED',
  created_at: '2026-03-02T11:00:00Z',
  updated_at: '2026-03-02T11:06:00Z',
  source_revision_config: { repo_ref: 'main', repo_commit_sha: commit },
};
const deployment: Deployment = {
  id: 'd1',
  name: 'agent',
  url: 'https://agent.example/',
  source_revision_config: { repo_ref: 'main' },
};

let clock: FakeClock;
let text: string;
let warnings: unknown[];
let failure: Error | undefined;

beforeEach(() => {
  clock = new FakeClock();
  text = '';
  warnings = [];
  failure = undefined;
});

/** A window that uses the one file of the machine. */
function openWindow(): Activity {
  const touch = async (act: () => string): Promise<string> => {
    if (failure !== undefined) throw failure;
    return act();
  };
  return new Activity({
    clock,
    log: { warn: (message) => void warnings.push(message) },
    file: {
      read: async () => touch(() => text),
      append: async (line) => void (await touch(() => (text += `${line}\n`))),
      remove: async () => void (await touch(() => (text = ''))),
    },
  });
}

const ended: Followed = { ...begun, outcome: 'ended' };
const written = Promise.resolve();

/** What is known when a follow ends: the revision, and a record that names it as the live one. */
function observed(said: Partial<Revision> = {}, record = deployment): Observed {
  const shown = { ...revision, ...said };
  return { revisionId: shown.id, revision: shown, deployment: { ...record, active_revision_id: shown.id } };
}

describe('a deployment that was created here', () => {
  it('is written when it starts, and again when it ends', async () => {
    const activity = openWindow();
    await activity.begin('created', id, deployment);
    const at = clock.now();
    const start = { ...id, kind: 'created', at, name: 'agent', title: 'main' };
    expect(await activity.list()).toEqual({ entries: [{ ...start, end: undefined }], changes: [], unreadable: 0 });
    clock.advance(1000);
    await activity.end(ended, observed(), written);
    const [entry] = (await activity.list()).entries;
    expect(entry).toEqual({
      ...start,
      end: {
        deploymentId: 'd1',
        revisionId: 'r1',
        at: at + 1000,
        outcome: 'ended',
        verdict: 'live',
        status: 'DEPLOYED',
        title: 'main @ 0123456',
        milliseconds: 360_000,
        link: 'https://agent.example/',
      },
    });
    expect(text.split('\n')).toHaveLength(3);
  });

  it('is in a list as it ended, also where its start is still being written', async () => {
    const activity = openWindow();
    let write: () => void = () => undefined;
    void activity.end(ended, observed(), new Promise<void>((resolve) => (write = resolve)));
    const listed = activity.list();
    await activity.begin('pushed', id, deployment);
    write();
    expect((await listed).entries).toEqual([expect.objectContaining({ kind: 'pushed', end: expect.anything() })]);
  });

  it('ends in another window, once', async () => {
    await openWindow().begin('created', id, deployment);
    const [one, other] = [openWindow(), openWindow()];
    await one.end(ended, observed(), written);
    await other.end(ended, observed({ status: 'BUILD_FAILED' }), written);
    expect(text.split('\n')).toHaveLength(3);
    expect((await other.list()).entries[0]?.end?.verdict).toBe('live');
    // At the same moment, both may write it.
    text += (text.split('\n')[1] ?? '').replace('"live"', '"failed"');
    expect((await other.list()).entries[0]?.end?.verdict).toBe('live');
  });

  it('has no duration if following stopped before its end', async () => {
    const activity = openWindow();
    await activity.begin('created', id, deployment);
    await activity.end({ ...ended, outcome: 'gaveUp' }, observed({ status: 'BUILDING' }), written);
    const { end } = (await activity.list()).entries[0] ?? {};
    expect([end?.outcome, end?.status, end?.milliseconds]).toEqual(['gaveUp', 'BUILDING', undefined]);
  });

  it('holds no secret of its names and addresses', async () => {
    const activity = openWindow();
    const secret: Deployment = {
      ...deployment,
      name: 'https://me:canary@host',
      url: 'https://agent.example/?token=canary',
    };
    await activity.begin('created', id, {
      ...secret,
      source_revision_config: { image_uri: 'https://me:canary@host/a' },
    });
    await activity.end(ended, observed({}, secret), written);
    expect(text).not.toContain('canary');
    expect((await activity.list()).entries[0]?.end?.link).toBeUndefined();
  });

  it('stays out of the file if its line would be too long to be written in one piece', async () => {
    await openWindow().begin('created', { ...id, connection: 'é'.repeat(3000) }, deployment);
    expect(text).toBe('');
  });
});

describe('a deployment that was pushed from here', () => {
  const at = async (activity: Activity) => (await activity.list()).entries.map((entry) => [entry.kind, entry.at]);

  it('began when its revision was created, at the latest now', async () => {
    const activity = openWindow();
    const created = clock.now() - 5000;
    const old = { ...revision, created_at: new Date(created).toISOString() };
    await activity.begin('pushed', id, deployment, old);
    await activity.begin('pushed', { ...id, revisionId: 'r2' }, deployment, revision);
    expect(await at(activity)).toEqual([
      ['pushed', clock.now()],
      ['pushed', created],
    ]);
  });

  it('stays created if an earlier window created it', async () => {
    await openWindow().begin('created', id, deployment);
    const at0 = clock.now();
    clock.advance(1000);
    await openWindow().begin('pushed', id, deployment, { id: 'r1' });
    expect(await at(openWindow())).toEqual([['created', at0]]);
    text += text.replace('"created"', '"pushed"');
    expect(await at(openWindow())).toEqual([['created', at0]]);
  });
});

describe('a deployment that was only followed', () => {
  it('is no activity of this machine', async () => {
    await openWindow().end(ended, observed(), written);
    expect(text).toBe('');
  });
});

describe('the usual duration', () => {
  const end = async (activity: Activity, revisionId: string, status: string, minutes: number) => {
    await activity.begin('pushed', { ...id, revisionId }, deployment);
    const updated = new Date(Date.parse(revision.created_at ?? '') + minutes * 60_000).toISOString();
    await activity.end({ ...ended, revisionId }, observed({ id: revisionId, status, updated_at: updated }), written);
  };

  it('comes from at least three deployments that went live, also of earlier windows', async () => {
    const activity = openWindow();
    await end(activity, 'r1', 'DEPLOYED', 5);
    await end(activity, 'r2', 'DEPLOYED', 6);
    await end(activity, 'r3', 'BUILD_FAILED', 1);
    expect(activity.usual(id)).toBeUndefined();
    await end(activity, 'r4', 'DEPLOYED', 60);
    expect(activity.usual(id)).toBe(360_000);
    expect(activity.usual({ deploymentId: 'd2' })).toBeUndefined();
    const next = openWindow();
    expect(next.usual(id)).toBeUndefined();
    await next.list();
    expect(next.usual(id)).toBe(360_000);
  });
});

describe('the stored activity', () => {
  it('is cleared, and takes entries again', async () => {
    const activity = openWindow();
    await activity.begin('created', id, deployment);
    await activity.clear();
    expect(await activity.list()).toEqual({ entries: [], changes: [], unreadable: 0 });
    await activity.begin('created', id, deployment);
    expect((await activity.list()).entries).toHaveLength(1);
  });

  it('disturbs nothing if the disk fails', async () => {
    const activity = openWindow();
    failure = new Error('The disk is full.');
    await activity.begin('created', id, deployment);
    await activity.end(ended, observed(), written);
    expect(warnings).toEqual([
      'The activity could not be read.',
      'The activity could not be written.',
      'The activity could not be read.',
    ]);
    failure = undefined;
    await activity.begin('created', { ...id, revisionId: 'r2' }, deployment);
    expect((await activity.list()).entries).toHaveLength(1);
  });

  it('has the other changes of this machine, without values that may be secret', async () => {
    const activity = openWindow();
    const secret = 'canary';
    await activity.noteChange({
      kind: 'stopped',
      connection: 'Work',
      name: 'agent',
      title: `https://me:${secret}@host/a`,
    });
    const { entries, changes, unreadable } = await activity.list();
    expect({ entries, unreadable }).toEqual({ entries: [], unreadable: 0 });
    expect(changes).toEqual([
      { kind: 'stopped', at: clock.now(), connection: 'Work', name: 'agent', title: expect.stringContaining('host/a') },
    ]);
    expect(text).not.toContain(secret);
  });

  it('is read around torn and foreign lines, which are counted', async () => {
    await openWindow().begin('created', id, deployment);
    clock.advance(1);
    await openWindow().begin('created', { ...id, revisionId: 'r2' }, deployment);
    const [first = '', second = ''] = text.split('\n');
    const foreign = [
      first.slice(0, 40),
      '[]',
      'null',
      '{"event":"started"}',
      '{"event":"ended","at":1}',
      first.replace('"created"', '"stolen"'),
      first.replace(/"at":\d+/, '"at":1e300'),
      first.replace('"Work"', '7'),
      '{"event":"changed","kind":"stopped","at":1}',
      `{"event":"started","name":"${'a'.repeat(5000)}"}`,
    ];
    const { entries, unreadable } = parseActivity([...foreign, first, '', second].join('\n'));
    expect(entries.map(({ revisionId }) => revisionId)).toEqual(['r2', 'r1']);
    expect(unreadable).toBe(foreign.length);
  });
});
