import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiError, type ApiErrorKind } from '../../../../src/api/errors.ts';
import type { Revision } from '../../../../src/api/resources/revisions.ts';
import type { Answers } from '../../../../src/state/answers/answers.ts';
import { StoppedServiceError } from '../../../../src/state/connections/localService.ts';
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

beforeEach(async () => {
  service = await startSmallService();
  client = testClient({ baseUrl: service.url });
  clock = new FakeClock();
  ({ answers } = testAnswers({ workspaceMemory: new InMemoryMemory(), clock }));
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

/** An answer about the revision comes with another request. */
function know(revision: Revision): void {
  const at = clock.monotonic();
  answers.put({ connection: 'Work', deploymentId: 'd1', revision, askedAt: at, receivedAt: at });
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
        json(isRecord ? { resources: [], offset: 0 } : revision)(response, request);
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

  it('is polled by the time in its status', async () => {
    const { due, poll } = polling('followed');
    await poll(revisionOf('BUILDING', 20 * second));
    // Half of the 21 seconds that it has been building when the poll ended.
    expect(due()).toBe(10_500);
  });

  it('is polled by the time in a status that another request brought', () => {
    know(revisionOf('BUILDING', 40 * second));
    const { due, fail } = polling('listed');
    fail();
    expect(due()).toBe(20 * second);
  });

  it('has not ended by an answer that the machine slept through', async () => {
    const { poll } = polling('followed');
    const { hasEnded } = await poll(revisionOf('INTERRUPTED'), 60 * minute);
    expect(hasEnded).toBe(false);
    expect((await poll(revisionOf('INTERRUPTED', 60 * minute))).hasEnded).toBe(true);
  });

  it('needs an answer to end a follow: a stopped status is polled however long ago it was', async () => {
    know(revisionOf('INTERRUPTED', 60 * minute));
    expect(polling('followed').due()).toBe(0);
    expect(polling('listed').due()).toBeUndefined();
    know(revisionOf('BUILDING'));
    const { due, poll } = polling('followed');
    await poll(revisionOf('INTERRUPTED'));
    expect([due(), due(away)]).toEqual([30 * second, undefined]);
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
    [new Error('A bug.'), undefined, true],
    [undefined, undefined, true],
    [{ name: 'ApiError', kind: 'unauthorized' }, undefined, true],
  ])('%o says whether a key is refused and whether the service answered', (error, refusal, isUnanswered) => {
    expect([refusalIn(error), hasNoAnswer(error)]).toEqual([refusal, isUnanswered]);
  });
});
