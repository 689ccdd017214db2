import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Deployment } from '../../../../src/api/resources/deployments.ts';
import type { Revision } from '../../../../src/api/resources/revisions.ts';
import type { Answer, Answers, AnswersChange } from '../../../../src/state/answers/answers.ts';
import type { Rename } from '../../../../src/state/connections/connectionMemory.ts';
import type { Emitter } from '../../../../src/state/emitter.ts';
import { testAnswers } from '../../../support/answers.ts';
import { InMemoryMemory } from '../../../support/editorStorage.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const place = { connection: 'Work', deploymentId: 'd1' };
const id = { ...place, revisionId: 'r1' };
const agent: Deployment = { id: 'd1', name: 'agent', active_revision_id: 'r0', latest_revision_id: 'r1' };
const building: Revision = { id: 'r1', status: 'BUILDING' };
const second = 1_000;
const minute = 60 * second;

let clock: FakeClock;
let workspaceMemory: InMemoryMemory;
let answers: Answers;
let replaced: Emitter<string>;
let renamed: Emitter<Rename>;
let changes: AnswersChange[];

beforeEach(() => {
  clock = new FakeClock();
  workspaceMemory = new InMemoryMemory();
  openWindow();
});

function openWindow(): void {
  ({ answers, replaced, renamed } = testAnswers({ workspaceMemory, clock }));
  changes = [];
  answers.onDidChange((change) => changes.push(change));
}

/** An answer that took no time, to a request of now unless told otherwise. */
function answerOf(said: Pick<Answer, 'record' | 'revision'> & Partial<Answer>): Answer {
  return { ...place, askedAt: clock.monotonic(), receivedAt: clock.monotonic(), ...said };
}

function put(...said: readonly (Pick<Answer, 'record' | 'revision'> & Partial<Answer>)[]): void {
  answers.put(...said.map(answerOf));
}

/** The wall time in so many milliseconds, as a service writes it. */
function timeIn(milliseconds: number): string {
  return new Date(clock.now() + milliseconds).toISOString();
}

describe('what the service said', () => {
  it('is known by its ids, on its connection', () => {
    expect([answers.record('Work', 'd1'), answers.revision('Work', 'r1')]).toEqual([undefined, undefined]);
    put({ record: agent, revision: building });
    expect(answers.record('Work', 'd1')).toBe(agent);
    expect(answers.revision('Work', 'r1')).toBe(building);
    expect([answers.record('Home', 'd1'), answers.revision('Home', 'r1')]).toEqual([undefined, undefined]);
    expect([answers.record('Work', 'd2'), answers.revision('Work', undefined)]).toEqual([undefined, undefined]);
  });

  it('is found by the name that a deployment has by now, on its connection', () => {
    put({ record: agent }, { record: { ...agent, id: 'd2', name: 'other' }, deploymentId: 'd2' });
    expect(answers.named('Work', 'agent')).toBe(agent);
    expect([answers.named('Work', 'none'), answers.named('Home', 'agent')]).toEqual([undefined, undefined]);
    const again: Deployment = { id: 'd3', name: 'agent' };
    put({ record: again, deploymentId: 'd3' });
    expect(answers.named('Work', 'agent')).toBe(again);
  });

  it('is that of the request which was sent later, whichever was answered first', () => {
    const askedAt = clock.monotonic();
    clock.advance(second);
    put({ record: agent, revision: building });
    clock.advance(second);
    put({ record: { ...agent, name: 'old' }, revision: { ...building, status: 'QUEUED' }, askedAt });
    expect(answers.observe('Work', 'd1')).toMatchObject({ deployment: { name: 'agent' }, revision: building });
    put({ record: { ...agent, name: 'new' }, revision: { ...building, status: 'DEPLOYING' } });
    expect(answers.observe('Work', 'd1')).toMatchObject({
      deployment: { name: 'new' },
      revision: { status: 'DEPLOYING' },
    });
  });

  it('counts as behind for two minutes if it changed earlier than what is known', () => {
    put({ record: { ...agent, updated_at: timeIn(0) }, revision: { ...building, updated_at: timeIn(0) } });
    const behind = { name: 'behind', updated_at: timeIn(-1) };
    const old = { record: { ...agent, ...behind }, revision: { id: 'r1', status: 'QUEUED', updated_at: timeIn(-1) } };
    clock.advance(2 * minute - 1);
    put(old);
    expect(answers.observe('Work', 'd1')).toMatchObject({
      deployment: { name: 'agent' },
      revision: { status: 'BUILDING' },
    });
    clock.advance(1);
    put(old);
    expect(answers.observe('Work', 'd1')).toMatchObject({
      deployment: { name: 'behind' },
      revision: { status: 'QUEUED' },
    });
  });

  it.each([undefined, 'yesterday'])('is not behind if its time of change is %s', (updated_at) => {
    put({ record: { ...agent, updated_at: timeIn(0) } });
    put({ record: { ...agent, name: 'new', ...(updated_at === undefined ? {} : { updated_at }) } });
    expect(answers.record('Work', 'd1')?.name).toBe('new');
  });

  it("isn't behind what changed at the same time, or has no time", () => {
    put({ record: { ...agent, updated_at: timeIn(0) } });
    put({ record: { ...agent, name: 'same', updated_at: timeIn(0) } });
    expect(answers.record('Work', 'd1')?.name).toBe('same');
    put({ record: { ...agent, name: 'timeless' } });
    put({ record: { ...agent, name: 'old', updated_at: timeIn(-minute) } });
    expect(answers.record('Work', 'd1')?.name).toBe('old');
  });

  it('is judged for the record and the revision by themselves', () => {
    const askedAt = clock.monotonic();
    clock.advance(second);
    put({ record: agent });
    put({ record: { ...agent, name: 'old' }, revision: building, askedAt });
    expect(answers.observe('Work', 'd1')).toMatchObject({ deployment: { name: 'agent' }, revision: building });
  });
});

describe('a change', () => {
  it('is told once for each connection, with all its deployments', () => {
    put({ record: agent }, { deploymentId: 'd2', revision: { id: 'r2' } }, { connection: 'Home', record: agent });
    expect(changes).toEqual([
      { connection: 'Work', deploymentIds: new Set(['d1', 'd2']) },
      { connection: 'Home', deploymentIds: new Set(['d1']) },
    ]);
  });

  it('is told when all is known', () => {
    const known: unknown[] = [];
    answers.onDidChange(() => known.push([answers.record('Work', 'd1')?.name, answers.revision('Work', 'r2')?.id]));
    put({ record: agent }, { deploymentId: 'd2', revision: { id: 'r2' } });
    expect(known).toEqual([['agent', 'r2']]);
  });

  it("isn't told of an answer that is old or empty, which counts for no version", () => {
    put({ record: agent, revision: building });
    const { version } = answers;
    changes.length = 0;
    put({ record: agent, revision: building, askedAt: clock.monotonic() - 1 }, { record: undefined });
    expect(changes).toEqual([]);
    expect(answers.version).toBe(version);
    put({ record: agent });
    expect(changes).toHaveLength(1);
    expect(answers.version).toBeGreaterThan(version);
  });

  it("isn't told any more in a closed window", () => {
    answers.dispose();
    put({ record: agent });
    expect(changes).toEqual([]);
    replaced.fire('Work');
    expect(answers.record('Work', 'd1')).toBe(agent);
  });
});

describe('the time since when a revision has its status', () => {
  const sinceNow = (): number => clock.monotonic() - (answers.observe('Work', 'd1', 'r1').since ?? Number.NaN);

  it.each([
    ['says', -9 * second, 9 * second],
    ['says, at the latest now', 9 * second, 0],
  ])('is at first what the service %s', (_, updated, expected) => {
    put({ revision: { ...building, updated_at: timeIn(updated) } });
    expect(sinceNow()).toBe(expected);
  });

  it.each([undefined, 'yesterday'])('is the first answer if the service says %s', (updated_at) => {
    put({ revision: { ...building, ...(updated_at === undefined ? {} : { updated_at }) } });
    expect(sinceNow()).toBe(0);
  });

  it('stays with the status, whatever the service says', () => {
    put({ revision: { ...building, updated_at: timeIn(-9 * second) } });
    clock.advance(minute);
    put({ revision: { ...building, updated_at: timeIn(0) } });
    expect(sinceNow()).toBe(9 * second + minute);
  });

  it('is that of a change, but not before the revision was seen with another status', () => {
    put({ revision: building });
    clock.advance(10 * second);
    put({ revision: { ...building, status: 'DEPLOYING', updated_at: timeIn(-3 * second) } });
    expect(sinceNow()).toBe(3 * second);
    put({ revision: { ...building, status: 'DEPLOYED', updated_at: timeIn(-4 * second) } });
    expect(sinceNow()).toBe(3 * second);
  });

  it('is when the change was seen if the clock of the service is behind', () => {
    put({ revision: building });
    clock.advance(10 * second);
    put({ revision: { ...building, status: 'DEPLOYING', updated_at: timeIn(-11 * second) } });
    expect(sinceNow()).toBe(0);
  });

  it('is told in advance of an answer', () => {
    const revision = { ...building, updated_at: timeIn(-9 * second) };
    expect(answers.sinceOf('Work', revision, clock.monotonic())).toBe(clock.monotonic() - 9 * second);
    expect(answers.revision('Work', 'r1')).toBeUndefined();
  });

  it('is the same after the wall clock was set', () => {
    put({ revision: { ...building, updated_at: timeIn(-9 * second) } });
    clock.shiftWall(-24 * 60 * minute);
    put({ revision: building });
    expect(sinceNow()).toBe(9 * second);
  });
});

describe('the observation of a deployment', () => {
  it('is empty before any answer', () => {
    expect(answers.observe('Work', 'd1')).toEqual({});
    expect(answers.observe('Work', 'd1', 'r1')).toEqual({ revisionId: 'r1' });
  });

  it('is that of the latest revision that the record names, with the live one and the times', () => {
    const askedAt = clock.monotonic();
    clock.advance(second);
    put({ record: agent, revision: building, askedAt }, { revision: { id: 'r0', status: 'DEPLOYED' } });
    expect(answers.observe('Work', 'd1')).toEqual({
      revisionId: 'r1',
      revision: building,
      revisionAt: clock.monotonic(),
      since: clock.monotonic(),
      deployment: agent,
      deploymentAt: askedAt,
      active: { id: 'r0', status: 'DEPLOYED' },
    });
  });

  it('is that of another revision on request', () => {
    put({ record: agent, revision: building }, { revision: { id: 'r0', status: 'DEPLOYED' } });
    expect(answers.observe('Work', 'd1', 'r0')).toMatchObject({ revisionId: 'r0', revision: { status: 'DEPLOYED' } });
  });

  it('is of no revision if the record names none', () => {
    put({ record: { id: 'd1', name: 'agent' }, revision: building });
    expect(answers.observe('Work', 'd1').revisionId).toBeUndefined();
  });
});

describe('what is stored for the next window', () => {
  const stored = () => workspaceMemory.get('answers');

  it.each([
    ['follows', 'r1'],
    ['own of Work', 'd1'],
  ] as const)('is of %s', (holder, held) => {
    answers.hold(holder, [held]);
    put({ record: { ...agent, url: 'https://agent.example/' }, revision: building });
    expect(stored()).toEqual([{ ...id, name: 'agent', status: 'BUILDING', at: clock.now() }]);
    answers.hold(holder, []);
    expect(stored()).toBeUndefined();
  });

  it.each(['documents', 'list of Work'] as const)("isn't of %s", (holder) => {
    answers.hold(holder, ['d1', 'r1']);
    put({ record: agent, revision: building });
    expect(stored()).toBeUndefined();
  });

  it('is also of what was known before, and stays while one of both needs it', () => {
    put({ record: agent, revision: building });
    answers.hold('follows', ['r1']);
    expect(stored()).toHaveLength(1);
    answers.hold('own of Work', ['d1']);
    answers.hold('follows', []);
    expect(stored()).toHaveLength(1);
    answers.hold('own of Work', []);
    expect(stored()).toBeUndefined();
  });

  it("is the latest revision of the connection's own deployments, and no other", () => {
    answers.hold('own of Home', ['d1']);
    put({ record: agent, revision: building });
    expect(stored()).toBeUndefined();
    answers.hold('own of Work', ['d1']);
    put({ revision: { id: 'r0', status: 'DEPLOYED' } });
    expect(stored()).toMatchObject([{ connection: 'Work', revisionId: 'r1' }]);
  });

  it('is no longer the revision before, unless that is followed', () => {
    answers.hold('own of Work', ['d1', 'd2']);
    answers.hold('own of Home', ['d1']);
    put({ record: agent, revision: building });
    put({ connection: 'Home', record: agent, revision: building });
    put({ deploymentId: 'd2', record: { id: 'd2', name: 'other', latest_revision_id: 'r9' }, revision: { id: 'r9' } });
    put({ record: { ...agent, latest_revision_id: 'r2' }, revision: { id: 'r2', status: 'QUEUED' } });
    expect(stored()).toMatchObject([{ connection: 'Home' }, { revisionId: 'r9' }, { revisionId: 'r2' }]);
    answers.hold('follows', ['r2']);
    put({ record: { ...agent, latest_revision_id: 'r3' }, revision: { id: 'r3', status: 'QUEUED' } });
    put({ revision: { id: 'r2', status: 'BUILDING' } });
    expect(stored()).toMatchObject([
      { connection: 'Home' },
      { revisionId: 'r9' },
      { revisionId: 'r3' },
      { revisionId: 'r2', status: 'BUILDING' },
    ]);
  });

  it('is written only when there is something new', () => {
    const written = vi.spyOn(workspaceMemory, 'update');
    put({ record: agent, revision: building });
    answers.hold('documents', ['d1', 'r1']);
    renamed.fire({ from: 'Home', to: 'Office' });
    expect(written).not.toHaveBeenCalled();
    answers.hold('follows', ['r1']);
    expect(written).toHaveBeenCalledOnce();
    put({ record: agent, revision: building });
    answers.hold('follows', ['r1', 'r2']);
    expect(written).toHaveBeenCalledOnce();
  });

  it('has the id of the deployment until its name is known', () => {
    answers.hold('follows', ['r1']);
    put({ revision: building });
    expect(stored()).toMatchObject([{ name: 'd1' }]);
    put({ record: agent });
    expect(stored()).toMatchObject([{ name: 'agent' }]);
  });

  it('is written at once for another status or name, else once a minute', () => {
    answers.hold('follows', ['r1']);
    put({ record: agent, revision: building });
    const first = clock.now();
    clock.advance(minute - 1);
    put({ record: agent, revision: building });
    expect(stored()).toMatchObject([{ at: first }]);
    put({ revision: { ...building, status: 'DEPLOYING' } });
    expect(stored()).toMatchObject([{ status: 'DEPLOYING', at: first + minute - 1 }]);
    clock.advance(second);
    put({ record: { ...agent, name: 'renamed' } });
    expect(stored()).toMatchObject([{ name: 'renamed' }]);
    clock.advance(minute);
    put({ revision: { ...building, status: 'DEPLOYING' } });
    expect(stored()).toMatchObject([{ at: clock.now() }]);
  });

  it('is read by the next window, until that has an answer', () => {
    answers.hold('follows', ['r1']);
    put({ record: agent, revision: building });
    clock.advance(minute);
    openWindow();
    expect(answers.observe('Work', 'd1')).toEqual({
      revisionId: 'r1',
      stored: { ...id, name: 'agent', status: 'BUILDING', at: clock.monotonic() - minute },
    });
    expect(answers.observe('Home', 'd1')).toEqual({});
    expect(answers.observe('Work', 'd2')).toEqual({});
    put({ revision: building });
    expect(answers.observe('Work', 'd1', 'r1').stored).toBeUndefined();
  });

  it('is of the revision of a deployment that was answered last', () => {
    answers.hold('follows', ['r1', 'r2']);
    put({ record: agent, revision: { id: 'r2', status: 'QUEUED' } }, { revision: building });
    expect(stored()).toHaveLength(2);
    openWindow();
    expect(answers.observe('Work', 'd1').revisionId).toBe('r1');
  });

  it('stays until the next window holds something else', () => {
    answers.hold('follows', ['r1']);
    put({ record: agent, revision: building });
    openWindow();
    answers.hold('own of Work', ['d2']);
    expect(stored()).toHaveLength(1);
    answers.hold('follows', ['r1']);
    answers.hold('follows', []);
    expect(stored()).toBeUndefined();
  });

  it('is never from the future, also if the clock was set back', () => {
    answers.hold('follows', ['r1']);
    put({ record: agent, revision: building });
    clock.shiftWall(-60 * minute);
    openWindow();
    expect(answers.observe('Work', 'd1').stored?.at).toBe(clock.monotonic());
  });

  const sound = { ...id, name: 'agent', status: 'BUILDING', at: 900_000 };
  it.each([
    'text',
    { 0: sound },
    [null, 7, [], 'text'],
    [{ ...sound, at: 'then' }],
    [{ ...sound, at: Number.NaN }],
    [{ ...sound, name: 7 }],
    [{ ...sound, status: undefined }],
    [{ ...sound, connection: '' }],
    [{ ...sound, revisionId: 'x'.repeat(501) }],
  ])('is ignored if it is %j', async (value) => {
    await workspaceMemory.update('answers', value);
    openWindow();
    expect(answers.observe('Work', 'd1')).toEqual({});
    expect(answers.observe('Work', 'd1', 'r1')).toEqual({ revisionId: 'r1' });
  });

  it('is read beside damaged values, up to a thousand of them', async () => {
    const many = Array.from({ length: 1_000 }, (_, place) => ({
      ...sound,
      deploymentId: `d${place}`,
      revisionId: `r${place}`,
    }));
    await workspaceMemory.update('answers', [null, ...many]);
    openWindow();
    expect(answers.observe('Work', 'd998').stored).toMatchObject({ status: 'BUILDING' });
    expect(answers.observe('Work', 'd999').stored).toBeUndefined();
  });
});

describe('the bounds of what is known', () => {
  /** Puts this many records, and revisions, of other deployments. */
  function fill(count: number, connection = 'Work'): void {
    const times = { askedAt: clock.monotonic(), receivedAt: clock.monotonic() };
    answers.put(
      ...Array.from({ length: count }, (_, place) => ({
        connection,
        deploymentId: `other-${place}`,
        record: { id: `other-${place}`, name: 'other' },
        revision: { id: `of-${place}` },
        ...times,
      })),
    );
  }
  const areKnown = (ids: readonly string[]): boolean[] =>
    ids.map(
      (each) => answers.record('Work', each) !== undefined && answers.revision('Work', `of-${each}`) !== undefined,
    );
  const putEach = (...ids: readonly string[]): void =>
    put(
      ...ids.map((each) => ({ deploymentId: each, record: { id: each, name: each }, revision: { id: `of-${each}` } })),
    );

  it('keep two thousand of a connection, and then the thousand that were looked at last', () => {
    putEach('looked at', 'not');
    fill(1_998);
    expect(areKnown(['not', 'looked at'])).toEqual([true, true]);
    for (let place = 0; place < 999; place += 1) areKnown([`other-${place}`]);
    for (let place = 0; place < 999; place += 1) answers.revision('Work', `of-${place}`);
    areKnown(['looked at']);
    putEach('one more');
    expect(areKnown(['one more', 'looked at', 'not'])).toEqual([true, true, false]);
    expect(answers.record('Work', 'other-1500')).toBeUndefined();
    expect(answers.record('Work', 'other-500')).toBeDefined();
  });

  it('never drop what is held, whoever holds it', () => {
    putEach('followed', 'own', 'open', 'listed', 'free');
    answers.hold('follows', ['followed', 'of-followed']);
    answers.hold('own of Work', ['own', 'of-own']);
    answers.hold('documents', ['open', 'of-open']);
    answers.hold('list of Work', ['listed', 'of-listed']);
    for (const turn of [1, 2]) {
      clock.advance(turn);
      fill(4_000);
    }
    expect(areKnown(['followed', 'own', 'open', 'listed'])).toEqual([true, true, true, true]);
    expect(areKnown(['free'])).toEqual([false]);
  });

  it('are those of each connection', () => {
    putEach('ours');
    fill(3_000, 'Home');
    expect(areKnown(['ours'])).toEqual([true]);
  });
});

describe('a connection', () => {
  beforeEach(() => {
    answers.hold('follows', ['r1']);
    put({ record: agent, revision: building }, { connection: 'Home', record: agent, revision: building });
  });

  it('that is replaced has no answers any more, which is told', () => {
    const dropped: string[] = [];
    answers.onDidDrop((name) => dropped.push(name));
    const { version } = answers;
    replaced.fire('Work');
    expect(dropped).toEqual(['Work']);
    expect(answers.version).toBeGreaterThan(version);
    expect(answers.record('Work', 'd1')).toBeUndefined();
    expect(answers.revision('Work', 'r1')).toBeUndefined();
    expect(answers.observe('Home', 'd1')).toMatchObject({ deployment: agent, revision: building });
  });

  it('that is replaced leaves what was said of follows, and nothing of the rest', () => {
    answers.hold('follows', []);
    answers.hold('own of Work', ['d1']);
    answers.hold('own of Home', ['d1']);
    replaced.fire('Work');
    expect(answers.observe('Work', 'd1')).toEqual({});
    expect(workspaceMemory.get('answers')).toMatchObject([{ connection: 'Home' }]);
    answers.hold('follows', ['r1']);
    replaced.fire('Home');
    expect(answers.observe('Home', 'd1').stored).toMatchObject({ status: 'BUILDING' });
  });

  it('that is replaced or renamed gets no answers to what was asked for before', () => {
    const askedAt = clock.monotonic();
    clock.advance(second);
    replaced.fire('Work');
    renamed.fire({ from: 'Home', to: 'Office' });
    put({ record: agent, askedAt }, { connection: 'Home', record: agent, askedAt });
    answers.remove({ ...place, askedAt });
    expect([answers.record('Work', 'd1'), answers.record('Home', 'd1')]).toEqual([undefined, undefined]);
    expect(answers.goneAt('Work', 'd1')).toBeUndefined();
    put({ record: agent }, { connection: 'Home', record: agent });
    expect([answers.record('Work', 'd1'), answers.record('Home', 'd1')]).toEqual([agent, agent]);
  });

  it('that is renamed keeps its answers', () => {
    const { version } = answers;
    renamed.fire({ from: 'Work', to: 'Office' });
    expect(answers.version).toBeGreaterThan(version);
    expect(answers.observe('Work', 'd1')).toEqual({});
    expect(answers.observe('Office', 'd1')).toMatchObject({ deployment: agent, revision: building });
    expect(workspaceMemory.get('answers')).toMatchObject([{ connection: 'Home' }, { connection: 'Office' }]);
    openWindow();
    expect(answers.observe('Office', 'd1').stored).toMatchObject({ ...id, connection: 'Office', status: 'BUILDING' });
  });
});

describe('a deployment that is gone', () => {
  it('is forgotten with its revisions, also what is stored for the next window', () => {
    answers.hold('own of Work', ['d1']);
    const other = { record: { id: 'd2', name: 'other' }, revision: { id: 'r2' } };
    put({ record: agent, revision: building }, { deploymentId: 'd2', ...other });
    changes = [];
    answers.remove({ ...place, askedAt: clock.monotonic() });
    expect(answers.observe('Work', 'd1')).toMatchObject({
      deployment: undefined,
      revision: undefined,
      stored: undefined,
    });
    expect(answers.revision('Work', 'r1')).toBeUndefined();
    expect([answers.record('Work', 'd2'), answers.revision('Work', 'r2')]).toEqual([other.record, other.revision]);
    expect([answers.goneAt('Work', 'd1'), answers.goneAt('Work', 'd2')]).toEqual([clock.monotonic(), undefined]);
    expect(changes).toEqual([{ connection: 'Work', deploymentIds: new Set(['d1']) }]);
    openWindow();
    expect(answers.observe('Work', 'd1', 'r1').stored).toBeUndefined();
  });

  it('is not forgotten if a later answer has it', () => {
    const askedAt = clock.monotonic();
    clock.advance(second);
    put({ record: agent });
    answers.remove({ ...place, askedAt });
    expect(answers.record('Work', 'd1')).toBe(agent);
    expect(answers.goneAt('Work', 'd1')).toBeUndefined();
    answers.remove({ ...place, askedAt: clock.monotonic() });
    expect(answers.record('Work', 'd1')).toBeUndefined();
  });

  it('is not forgotten while its record is newer than the margin', () => {
    put({ record: agent });
    clock.advance(minute - 1);
    answers.remove({ ...place, askedAt: clock.monotonic() }, minute);
    expect(answers.record('Work', 'd1')).toBe(agent);
    clock.advance(1);
    answers.remove({ ...place, askedAt: clock.monotonic() }, minute);
    expect(answers.record('Work', 'd1')).toBeUndefined();
    answers.remove({ connection: 'Work', deploymentId: 'never-known', askedAt: clock.monotonic() }, minute);
    expect(answers.goneAt('Work', 'never-known')).toBe(clock.monotonic());
  });

  it('is brought back only by what was asked for later', () => {
    const askedAt = clock.monotonic();
    clock.advance(second);
    answers.remove({ ...place, askedAt: clock.monotonic() });
    put({ record: agent, revision: building, askedAt });
    expect(answers.record('Work', 'd1')).toBeUndefined();
    clock.advance(second);
    put({ record: agent });
    expect(answers.record('Work', 'd1')).toBe(agent);
    expect(answers.goneAt('Work', 'd1')).toBeUndefined();
  });

  it('is remembered as gone until a thousand others are', () => {
    for (let place = 0; place <= 1_000; place += 1) {
      const isKnown = answers.goneAt('Work', 'd0') !== undefined;
      expect(isKnown, `${place} before`).toBe(place > 0);
      answers.remove({ connection: 'Work', deploymentId: `d${place}`, askedAt: clock.monotonic() });
    }
    expect(answers.goneAt('Work', 'd0')).toBeUndefined();
    expect(answers.goneAt('Work', 'd1')).toBeDefined();
  });
});
