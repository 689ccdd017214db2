import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiError, type ApiErrorKind } from '../../../../src/api/errors.ts';
import type { Deployment } from '../../../../src/api/resources/deployments.ts';
import type { Revision } from '../../../../src/api/resources/revisions.ts';
import type { Answers } from '../../../../src/state/answers/answers.ts';
import { StoppedServiceError } from '../../../../src/state/connections/localService.ts';
import type { Emitter } from '../../../../src/state/emitter.ts';
import {
  hasNoAnswer,
  PolledRevision,
  refusalIn,
  type AnsweredPoll,
  type Circumstances,
  type Reason,
} from '../../../../src/state/following/poll.ts';
import { testAnswers } from '../../../support/answers.ts';
import { InMemoryMemory } from '../../../support/editorStorage.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { testClient, type TestClient } from '../../../support/faultClient.ts';
import { json } from '../../../support/faults.ts';
import { startSmallService, type SmallService } from '../../../support/smallService.ts';

const id = { connection: 'Work', deploymentId: 'd1', revisionId: 'r1' };
const second = 1_000;
const minute = 60 * second;
const settings = { minMilliseconds: 2 * second, maxMilliseconds: 30 * second };
const looking: Circumstances = { ...settings, attention: { focused: true, visible: true } };
const away: Circumstances = { ...settings, attention: { focused: false, visible: true } };
const hidden: Circumstances = { ...settings, attention: { focused: true, visible: false } };

let service: SmallService;
let client: TestClient;
let clock: FakeClock;
let answers: Answers;
let replaced: Emitter<string>;
/** What the list says of the deployment. */
let served: Deployment | undefined;

beforeEach(async () => {
  service = await startSmallService();
  client = testClient({ baseUrl: service.url });
  clock = new FakeClock();
  served = undefined;
  ({ answers, replaced } = testAnswers({ workspaceMemory: new InMemoryMemory(), clock }));
});

afterEach(async () => {
  await client.close();
  await service[Symbol.asyncDispose]();
});

function errorOf(kind: ApiErrorKind, further: { readonly status?: number } = {}): ApiError {
  return new ApiError({ kind, message: 'no', sent: true, ...further });
}

/** A revision with a status, which the service has had for so long. */
function revisionOf(status: string, age = 0): Revision {
  return { id: 'r1', status, updated_at: new Date(clock.now() - age).toISOString() };
}

/** The record of the deployment. */
function recordOf(active?: string): Deployment {
  return { id: 'd1', name: 'agent', latest_revision_id: 'r1', active_revision_id: active };
}

/** An answer about the revision, or the record, comes with another request. */
function know(revision: Revision | undefined, record?: Deployment): void {
  const at = clock.monotonic();
  answers.put({ connection: 'Work', deploymentId: 'd1', revision, record, askedAt: at, receivedAt: at });
}

/** How often each kind of answer was asked for since the last call. */
function asked(): { readonly revisions: number; readonly records: number } {
  const paths = service.asked();
  const revisions = paths.filter((path) => path.includes('/revisions')).length;
  return { revisions, records: paths.length - revisions };
}

interface Polling {
  readonly polled: PolledRevision;
  /** When the next poll is due, from now on; undefined if none is. */
  readonly due: (circumstances?: Circumstances) => number | undefined;
  /** A poll that takes a second. */
  readonly poll: (revision: Revision, takes?: number) => Promise<AnsweredPoll>;
  readonly fail: (error?: unknown) => void;
}

function polling(...reasons: readonly Reason[]): Polling {
  const polled = new PolledRevision(id, { connections: { clientNamed: async () => client }, answers, clock });
  polled.setReasons(new Set(reasons));
  return {
    polled,
    due: (circumstances = looking) => {
      const at = polled.dueAt(circumstances);
      return at === undefined ? undefined : at - clock.monotonic();
    },
    poll: async (revision, takes = second) => {
      service.fault = (response, request) => {
        const isRecord = request.url?.includes('/revisions') !== true;
        if (!isRecord) clock.advance(takes);
        json(isRecord ? { resources: served === undefined ? [] : [served], offset: 0 } : revision)(response, request);
      };
      const answered = await polled.ask(polled.begin(looking));
      answers.put(...answered.answers);
      polled.accept(answered);
      return answered;
    },
    fail: (error = errorOf('network')) => {
      polled.begin(looking);
      polled.fail(error);
    },
  };
}

describe('a polled revision', () => {
  it('is due again after the delay of its status, which counts from the end of the poll', async () => {
    const { due, poll } = polling('followed');
    await poll(revisionOf('BUILDING', -second));
    expect(due()).toBe(2 * second);
    clock.advance(1_500);
    expect(due()).toBe(500);
    expect(due(away)).toBe(28_500);
  });

  it('is polled by the time in a status that another request brought', () => {
    know(revisionOf('BUILDING', 40 * second));
    const { due, fail } = polling('listed');
    fail();
    expect(due()).toBe(20 * second);
  });

  it('is polled as a new one after the answers of its connection were dropped', async () => {
    const { due, poll } = polling('followed');
    await poll(revisionOf('BUILDING', 20 * second));
    clock.advance(3 * second);
    replaced.fire('Work');
    expect(due()).toBe(-second);
  });

  it('has not ended by an answer that the machine slept through', async () => {
    const { poll } = polling('followed');
    clock.advance(10 * minute);
    const { hasEnded } = await poll(revisionOf('INTERRUPTED'), 60 * minute);
    expect(hasEnded).toBe(false);
    expect((await poll(revisionOf('INTERRUPTED', 60 * minute))).hasEnded).toBe(true);
  });

  it('needs an answer to end a follow: a stopped status is polled however long ago it was', async () => {
    know(revisionOf('INTERRUPTED', 60 * minute));
    expect(polling('followed').due()).toBe(0);
    expect(polling('listed').due()).toBeUndefined();
    know(revisionOf('BUILD_FAILED'));
    expect(polling('listed').due()).toBeUndefined();
    know(revisionOf('BUILDING'));
    const { due, poll } = polling('followed');
    await poll(revisionOf('INTERRUPTED'));
    expect([due(), due(away)]).toEqual([30 * second, undefined]);
  });
});

describe('the record of its deployment', () => {
  /** Known for ten seconds when the revision is polled. */
  const isBefore = 5 * second;
  const isSame = 10 * second;
  const isAfter = 20 * second;

  it.each<[string, readonly Reason[], string, { since?: number; live?: string } | undefined, number]>([
    ['a listed revision that moves', ['listed'], 'BUILDING', undefined, 0],
    ['a listed one that ended after the record', ['listed'], 'BUILD_FAILED', { since: isBefore }, 1],
    ['a listed one that ended with the record', ['listed'], 'BUILD_FAILED', { since: isSame }, 0],
    ['a listed one that ended before the record', ['listed'], 'BUILD_FAILED', { since: isAfter }, 0],
    ['a listed one that the record calls live', ['listed'], 'DEPLOYED', { since: isAfter, live: 'r1' }, 0],
    ['a listed one that may be live', ['listed'], 'DEPLOYED', { since: isAfter, live: 'r0' }, 1],
    ['one of a document that ended, without a record', ['document'], 'BUILD_FAILED', undefined, 1],
    ['a followed one that moves', ['followed'], 'BUILDING', { since: isAfter }, 0],
    ['a followed one without a record', ['followed'], 'BUILDING', undefined, 1],
    ['a followed one that ended', ['followed'], 'BUILD_FAILED', { since: isAfter }, 1],
    ['a followed one whose successor is awaited', ['followed', 'awaited'], 'BUILDING', { since: isAfter }, 1],
  ])('is asked for with %s as often as needed', async (_what, reasons, status, record, records) => {
    if (record !== undefined) know({ id: 'r0', status: 'DEPLOYED' }, recordOf(record.live));
    clock.advance(10 * second);
    await polling(...reasons).poll(revisionOf(status, record?.since));
    expect(asked()).toEqual({ revisions: 1, records });
  });

  it('is all that is asked for while only the next revision is awaited', async () => {
    served = recordOf('r1');
    const { hasEnded, answers: said } = await polling('awaited').poll(revisionOf('DEPLOYED'));
    expect(asked()).toEqual({ revisions: 0, records: 1 });
    expect([hasEnded, said.map(({ record }) => record?.id)]).toEqual([false, ['d1']]);
  });

  it.each([
    [2 * minute - second, true],
    [2 * minute - second - 1, false],
  ])('may name the live revision late: %i ms before the last poll, which takes a second', async (age, isEnd) => {
    served = recordOf('r0');
    const { poll } = polling('followed');
    expect((await poll(revisionOf('DEPLOYED', age))).hasEnded).toBe(isEnd);
  });

  it.each<[string, Reason, unknown, boolean, number]>([
    ['agrees', 'followed', errorOf('notFound'), true, 1],
    ['is not asked for after another error', 'followed', errorOf('network'), false, 0],
    ['is not asked for after a bug', 'followed', Object.assign(new Error('A bug.'), { kind: 'notFound' }), false, 0],
    ['is not asked for without a follow', 'listed', errorOf('notFound'), false, 0],
  ])('%s if a revision is gone', async (_what, reason, error, isGone, records) => {
    const { polled } = polling(reason);
    expect(await polled.isGone(error, polled.begin(looking).signal)).toBe(isGone);
    expect(asked().records).toBe(records);
  });
});

describe('a cancelled poll', () => {
  /** Cancels the poll when its request for the record arrives, which is never answered. */
  function cancelling(reason: Reason, revision: Revision): Polling {
    const found = polling(reason);
    service.fault = (response, request) => {
      if (request.url?.includes('/revisions') === true) json(revision)(response, request);
      else found.polled.cancel();
    };
    return found;
  }

  it.each<Reason>(['awaited', 'followed'])('of one that is %s cancels its request for the record', async (reason) => {
    const { polled } = cancelling(reason, revisionOf('BUILD_FAILED'));
    await expect(polled.ask(polled.begin(looking))).rejects.toMatchObject({ kind: 'cancelled' });
  });

  it('cancels the question whether the deployment is gone', async () => {
    const { polled } = cancelling('followed', revisionOf('BUILDING'));
    expect(await polled.isGone(errorOf('notFound'), polled.begin(looking).signal)).toBe(false);
  });
});

describe('attention', () => {
  it.each<[readonly Reason[], number | undefined, number | undefined, number | undefined]>([
    [['followed'], 0, 0, 0],
    [['awaited'], 0, 0, 0],
    [['document'], 0, 0, undefined],
    [['listed'], 0, undefined, undefined],
    [['listed', 'document'], 0, 0, undefined],
    [['listed', 'followed'], 0, 0, 0],
  ])('is what %o needs', (reasons, whenLooking, whenHidden, whenAway) => {
    const { due } = polling(...reasons);
    expect([due(looking), due(hidden), due(away)]).toEqual([whenLooking, whenHidden, whenAway]);
  });

  it.each<Reason>(['followed', 'awaited', 'document'])('makes %s fast although the view is hidden', (reason) => {
    know(revisionOf('BUILDING'));
    const { due, fail } = polling(reason);
    fail();
    expect(due(hidden)).toBe(4 * second);
  });
});

describe('a failed poll', () => {
  it('pauses a listed revision that never had an answer, and no other', () => {
    const listed = polling('listed');
    listed.fail();
    expect([listed.polled.isPaused, listed.due()]).toEqual([true, undefined]);
    listed.polled.wake();
    expect(listed.polled.isPaused).toBe(false);
    for (const reason of ['followed', 'awaited'] as const) {
      const { polled, fail } = polling('listed', reason);
      fail();
      expect(polled.isPaused).toBe(false);
    }
    know(revisionOf('BUILDING'));
    const known = polling('listed');
    known.fail();
    expect(known.polled.isPaused).toBe(false);
  });

  it.each<Reason>(['followed', 'awaited', 'listed'])('pauses one that is %s while the service is stopped', (reason) => {
    const { polled, due, fail } = polling(reason);
    fail(new StoppedServiceError());
    expect([polled.isPaused, due()]).toEqual([true, undefined]);
  });
});

describe('a wake', () => {
  it('polls one that has ended only if the user asks, and not during a poll', async () => {
    const { polled, due, poll } = polling('listed');
    await poll(revisionOf('BUILD_FAILED'));
    polled.wake();
    expect(due()).toBeUndefined();
    clock.advance(minute);
    polled.begin(looking);
    polled.wake({ isAskedByUser: true });
    polled.cancel();
    expect(due()).toBeUndefined();
    polled.wake({ isAskedByUser: true });
    expect(due()).toBe(0);
  });
});

describe('the wait before a poll', () => {
  it('is the planned delay, and not the hours in which nobody could ask', async () => {
    const { poll } = polling('followed');
    expect((await poll(revisionOf('BUILDING', -second))).waited).toBe(0);
    clock.advance(8 * 60 * minute);
    expect((await poll(revisionOf('BUILDING'))).waited).toBe(2 * second);
  });

  it('is what has passed if it is polled earlier', async () => {
    const { poll } = polling('followed');
    await poll(revisionOf('BUILDING'));
    clock.advance(700);
    expect((await poll(revisionOf('BUILDING'))).waited).toBe(700);
  });

  it('is none while the key was refused', async () => {
    const { polled, poll, fail } = polling('followed');
    fail(errorOf('unauthorized'));
    clock.advance(minute);
    polled.wake();
    expect((await poll(revisionOf('BUILDING'))).waited).toBe(0);
  });

  it('is none where no delay was planned', async () => {
    const { poll } = polling('followed');
    await poll(revisionOf('BUILD_FAILED'));
    clock.advance(minute);
    expect((await poll(revisionOf('BUILD_FAILED'))).waited).toBe(0);
  });
});

describe('an error', () => {
  it.each<[unknown, ReturnType<typeof refusalIn>, boolean]>([
    [errorOf('unauthorized', { status: 401 }), 'unauthorized', true],
    [errorOf('forbidden', { status: 403 }), 'forbidden', false],
    [errorOf('server', { status: 500 }), undefined, false],
    [errorOf('network'), undefined, true],
    [new StoppedServiceError(), 'stopped', true],
    [Object.assign(new Error('A bug.'), { kind: 'unauthorized', status: 500 }), undefined, true],
    [undefined, undefined, true],
    [{ name: 'ApiError', kind: 'unauthorized' }, undefined, true],
  ])('%o says whether a key is refused and whether the service answered', (error, refusal, isUnanswered) => {
    expect([refusalIn(error), hasNoAnswer(error)]).toEqual([refusal, isUnanswered]);
  });
});
