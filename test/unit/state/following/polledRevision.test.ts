import { describe, expect, it } from 'vitest';
import { ApiError, type ApiErrorKind } from '../../../../src/api/errors.ts';
import { StoppedServiceError } from '../../../../src/state/connections/localService.ts';
import {
  hasNoAnswer,
  isApiError,
  millisecondsSinceChange,
  PolledRevision,
  refusalIn,
  statusOf,
  type Circumstances,
  type KnownStatus,
  type Reason,
} from '../../../../src/state/following/polledRevision.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const id = { connection: 'Work', deploymentId: 'd1', revisionId: 'r1' };
const second = 1_000;
const minute = 60 * second;
const settings = { minMilliseconds: 2 * second, maxMilliseconds: 30 * second };
const looking: Circumstances = { ...settings, attention: { focused: true, visible: true } };
const away: Circumstances = { ...settings, attention: { focused: false, visible: true } };
const hidden: Circumstances = { ...settings, attention: { focused: true, visible: false } };

function errorOf(
  kind: ApiErrorKind,
  further: { readonly status?: number; readonly retryAfterMs?: number } = {},
): ApiError {
  return new ApiError({ kind, message: 'no', sent: true, ...further });
}

interface Polling {
  readonly clock: FakeClock;
  readonly polled: PolledRevision;
  /** When the next poll is due, from now on; undefined if none is. */
  readonly due: (circumstances?: Circumstances) => number | undefined;
  /** A poll that takes a second and brings a status, which the service has had since some wall time. */
  readonly poll: (status?: string, updated?: number) => ReturnType<PolledRevision['compare']>;
  readonly fail: (error?: unknown) => void;
}

function polling(reasons: readonly Reason[] = ['followed'], known?: KnownStatus): Polling {
  const clock = new FakeClock();
  const polled = new PolledRevision(id, known, clock);
  polled.setReasons(new Set(reasons));
  return {
    clock,
    polled,
    due: (circumstances = looking) => {
      const at = polled.dueAt(circumstances);
      return at === undefined ? undefined : at - clock.monotonic();
    },
    poll: (status, updated) => {
      polled.begin(looking);
      clock.advance(second);
      const updated_at = updated === undefined ? undefined : new Date(updated).toISOString();
      const revision = { id: 'r1', ...(status && { status }), ...(updated_at && { updated_at }) };
      const movement = polled.compare(revision);
      polled.accept({ ...movement, revision });
      return movement;
    },
    fail: (error = errorOf('network')) => {
      polled.begin(looking);
      polled.fail(error);
    },
  };
}

describe('a polled revision', () => {
  it('is due at once, and not while it is being asked for', () => {
    const { polled, due } = polling();
    expect(polled.id).toBe(id);
    expect([due(), polled.isAsked, polled.failures, polled.error]).toEqual([0, false, 0, undefined]);
    const signal = polled.begin(looking);
    expect([due(), polled.isAsked, signal.aborted]).toEqual([undefined, true, false]);
    polled.cancel();
    expect([due(), polled.isAsked, signal.aborted]).toEqual([0 + 2 * second, false, true]);
    // Nothing is running, which is fine too.
    polled.cancel();
  });

  it('is due again after the delay of its status, which counts from the end of the poll', () => {
    const { clock, due, poll } = polling();
    poll('BUILDING', 1_000_000);
    expect(due()).toBe(2 * second);
    clock.advance(1_500);
    expect(due()).toBe(500);
    expect(due(away)).toBe(28_500);
  });

  it('is polled by the time in its status', () => {
    const { due, poll } = polling();
    poll('BUILDING', 1_000_000 - 20 * second);
    // Half of the 21 seconds that it has been building when the poll ended.
    expect(due()).toBe(10_500);
  });

  it('is known since the time that the list knows', () => {
    const { polled, clock, due } = polling(['listed'], { status: 'BUILDING', phase: 'working', since: -35 * second });
    expect(polled.since).toBe(-35 * second);
    polled.begin(looking);
    polled.fail(errorOf('network'));
    expect(due()).toBe(20 * second);
    expect(polled.compare({ id: 'r1', status: 'BUILDING' })).toMatchObject({ isFirst: false, since: -35 * second });
    expect(polling().polled.since).toBe(clock.monotonic());
  });
});

describe('what an answer changes', () => {
  it('is first since the service says, or since now', () => {
    const said = polling();
    expect(said.poll('BUILDING', 990_000)).toEqual({
      since: 5_000 - 10 * second,
      phase: 'working',
      hasEnded: false,
      hasMoved: false,
      isFirst: true,
    });
    const unsaid = polling();
    expect(unsaid.poll('BUILDING').since).toBe(unsaid.clock.monotonic());
    expect(polling().poll(undefined).phase).toBe('unknown');
  });

  it('is a movement since the service says, if that is after the last answer', () => {
    const { clock, polled, poll } = polling();
    poll('BUILDING', 1_000_000);
    clock.advance(10 * second);
    const { since, hasMoved, isFirst } = poll('DEPLOYING', clock.now() - 3 * second);
    expect([since, hasMoved, isFirst]).toEqual([clock.monotonic() - 4 * second, true, false]);
    expect(polled.since).toBe(since);
  });

  it('is a movement since it was seen, if the clock of the service is behind', () => {
    const { clock, poll } = polling();
    poll('BUILDING', 1_000_000);
    clock.advance(10 * second);
    expect(poll('DEPLOYING', 900_000).since).toBe(clock.monotonic());
  });

  it('is nothing if the status is the same, whatever the service says', () => {
    const { clock, poll } = polling();
    const { since } = poll('BUILDING', 990_000);
    clock.advance(minute);
    expect(poll('BUILDING', 1_050_000)).toMatchObject({ since, hasMoved: false });
  });

  it.each<[string, readonly Reason[], string, number, boolean]>([
    ['a final status', ['listed'], 'BUILD_FAILED', 0, true],
    ['a stopped one at first', ['followed'], 'INTERRUPTED', 4 * minute, false],
    ['a stopped one after five minutes', ['followed'], 'INTERRUPTED', 5 * minute, true],
    ['an unknown one in the list after an hour', ['listed'], 'UNKNOWN', 60 * minute, true],
    ['an unknown one that is followed', ['followed'], 'UNKNOWN', 60 * minute, false],
    ['one in progress', ['listed'], 'BUILDING', 600 * minute, false],
  ])('is the end, or not, with %s', (_, reasons, status, age, hasEnded) => {
    expect(polling(reasons).poll(status, 1_000_000 - age).hasEnded).toBe(hasEnded);
  });
});

describe('an answer that the machine slept through', () => {
  it("says nothing about the time of the sleep, so a stopped revision hasn't ended", () => {
    const { clock, polled } = polling();
    polled.begin(looking);
    clock.advance(60 * minute);
    expect(
      polled.compare({ id: 'r1', status: 'INTERRUPTED', updated_at: new Date(940_000).toISOString() }).hasEnded,
    ).toBe(false);
  });
});

describe('the polls after an end', () => {
  it('are none', () => {
    const { due, poll } = polling();
    poll('BUILD_FAILED', 1_000_000);
    expect(due()).toBeUndefined();
  });

  it('go on like those of something in progress while the record is behind', () => {
    const { polled, clock, due } = polling();
    polled.begin(looking);
    const revision = { id: 'r1', status: 'DEPLOYED' };
    polled.accept({ revision, since: clock.monotonic(), hasEnded: false });
    expect(due()).toBe(2 * second);
    polled.begin(looking);
    polled.accept({ revision, since: clock.monotonic(), hasEnded: true });
    expect(due()).toBeUndefined();
  });

  it('need an answer for a follow: a stopped status goes on being asked for however long ago that was', () => {
    const stopped: KnownStatus = { status: 'INTERRUPTED', phase: 'stopped', since: -60 * minute };
    expect(polling(['followed'], stopped).due()).toBe(0);
    expect(polling(['listed'], stopped).due()).toBeUndefined();
    const { due, poll } = polling();
    poll('INTERRUPTED', 1_000_000);
    expect([due(), due(away)]).toEqual([30 * second, undefined]);
  });
});

describe('attention', () => {
  it.each<[readonly Reason[], number | undefined, number | undefined, number | undefined]>([
    [['followed'], 0, 0, 0],
    [['document'], 0, 0, undefined],
    [['listed'], 0, undefined, undefined],
    [['listed', 'document'], 0, 0, undefined],
    [['listed', 'followed'], 0, 0, 0],
  ])('is what %o needs', (reasons, whenLooking, whenHidden, whenAway) => {
    const { due } = polling(reasons);
    expect([due(looking), due(hidden), due(away)]).toEqual([whenLooking, whenHidden, whenAway]);
  });

  it('makes a follow or a document fast although the view is hidden', () => {
    for (const reason of ['followed', 'document'] as const) {
      const { due, poll } = polling([reason]);
      poll('BUILDING', 1_000_000);
      expect(due(hidden)).toBe(2 * second);
    }
    expect(polling(['followed']).polled.isFollowed).toBe(true);
    expect(polling(['document']).polled.isFollowed).toBe(false);
  });
});

describe('failures', () => {
  it('are counted, slow the polls down, and end with an answer', () => {
    const { polled, due, fail, poll } = polling();
    const error = errorOf('network');
    fail(error);
    expect([polled.failures, polled.error, due()]).toEqual([1, error, 4 * second]);
    fail();
    expect([polled.failures, due()]).toEqual([2, 8 * second]);
    poll('BUILDING', 1_000_000);
    expect([polled.failures, polled.error, due()]).toEqual([0, undefined, 2 * second]);
  });

  it('wait as long as the service asks, until the next poll', () => {
    const { due, fail, poll, polled, clock } = polling();
    fail(errorOf('rateLimited', { retryAfterMs: 50 * second }));
    expect(due()).toBe(50 * second);
    polled.wake();
    expect(due()).toBe(50 * second);
    polled.wake({ isAskedByUser: true });
    expect([due(), polled.failures]).toEqual([0, 0]);
    clock.advance(5 * second);
    fail(new Error('A bug has no time to wait for.'));
    expect(due()).toBe(4 * second);
    fail(errorOf('rateLimited', { retryAfterMs: 50 * second }));
    poll('BUILDING', clock.now());
    expect(due()).toBe(2 * second);
  });

  it('of a key pause the polls until they are woken, which lasts for one poll', () => {
    for (const kind of ['unauthorized', 'forbidden'] as const) {
      const { polled, due, fail, poll } = polling();
      fail(errorOf(kind));
      expect([polled.isPaused, due()]).toEqual([true, undefined]);
      polled.wake();
      expect([polled.isPaused, due()]).toEqual([false, 0]);
      fail(errorOf(kind));
      expect(polled.isPaused).toBe(true);
      polled.wake();
      poll('BUILDING', 1_000_000);
      expect([polled.isPaused, due()]).toEqual([false, 2 * second]);
    }
  });

  it('pause a listed revision that never had an answer, and no other', () => {
    const listed = polling(['listed']);
    listed.fail();
    expect([listed.polled.isPaused, listed.due()]).toEqual([true, undefined]);
    listed.polled.wake();
    expect(listed.polled.isPaused).toBe(false);
    const followed = polling(['listed', 'followed']);
    followed.fail();
    expect(followed.polled.isPaused).toBe(false);
    const known = polling(['listed']);
    known.poll('BUILDING', 1_000_000);
    known.fail();
    expect(known.polled.isPaused).toBe(false);
  });
});

describe('a wake', () => {
  it('makes a poll due now, once', () => {
    const { polled, due, poll } = polling();
    poll('BUILDING', 1_000_000);
    polled.wake();
    expect(due()).toBe(0);
    poll('BUILDING', 1_000_000);
    expect(due()).toBe(2 * second);
  });

  it('by the user starts afresh, except during a poll', () => {
    const { polled, clock, due, poll } = polling();
    poll('BUILD_FAILED', 1_000_000);
    polled.wake();
    expect(due()).toBeUndefined();
    clock.advance(minute);
    polled.wake({ isAskedByUser: true });
    expect(due()).toBe(0);
    expect(polled.compare({ id: 'r1', status: 'BUILD_FAILED' }).isFirst).toBe(true);
    const busy = polling();
    busy.poll('BUILDING', 1_000_000);
    busy.polled.begin(looking);
    busy.polled.wake({ isAskedByUser: true });
    expect(busy.polled.compare({ id: 'r1', status: 'BUILDING' }).isFirst).toBe(false);
  });
});

describe('the wait before a poll', () => {
  it('is the planned delay, and not the hours in which nobody could ask', () => {
    const { clock, polled, poll } = polling();
    poll('BUILDING', 1_000_000);
    clock.advance(8 * 60 * minute);
    polled.begin(looking);
    expect(polled.waited).toBe(2 * second);
  });

  it('is what has passed if it is polled earlier', () => {
    const { clock, polled, poll } = polling();
    expect(polled.waited).toBe(0);
    poll('BUILDING', 1_000_000);
    clock.advance(700);
    polled.begin(looking);
    expect(polled.waited).toBe(700);
  });

  it('is none while the key was refused', () => {
    const { clock, polled, fail } = polling();
    fail(errorOf('unauthorized'));
    clock.advance(minute);
    polled.wake();
    polled.begin(looking);
    expect(polled.waited).toBe(0);
  });

  it('is none where no delay was planned', () => {
    const { clock, polled, poll } = polling();
    poll('BUILD_FAILED', 1_000_000);
    clock.advance(minute);
    polled.begin(looking);
    expect(polled.waited).toBe(0);
  });
});

describe('an error', () => {
  it.each<[unknown, ReturnType<typeof refusalIn>, boolean, boolean]>([
    [errorOf('unauthorized', { status: 401 }), 'unauthorized', true, true],
    [errorOf('forbidden', { status: 403 }), 'forbidden', false, true],
    [errorOf('server', { status: 500 }), undefined, false, true],
    [errorOf('network'), undefined, true, true],
    [new StoppedServiceError(), 'stopped', true, false],
    [new Error('A bug.'), undefined, true, false],
    [undefined, undefined, true, false],
    [{ name: 'ApiError', kind: 'unauthorized' }, undefined, true, false],
  ])('%o says whether a key is refused and whether the service answered', (error, refusal, isUnanswered, isOurs) => {
    expect([refusalIn(error), hasNoAnswer(error), isApiError(error)]).toEqual([refusal, isUnanswered, isOurs]);
  });
});

describe('a revision as it was sent', () => {
  it('has a status and an age', () => {
    expect(statusOf({ id: 'r1' })).toBe('UNKNOWN');
    expect(statusOf({ id: 'r1', status: 'BUILDING' })).toBe('BUILDING');
    expect(millisecondsSinceChange({ updated_at: '1970-01-01T00:00:07Z' }, 9_000)).toBe(2_000);
    expect(millisecondsSinceChange({ updated_at: '1970-01-01T00:00:07Z' }, 5_000)).toBe(0);
    expect(millisecondsSinceChange({ updated_at: 'yesterday' }, 9_000)).toBe(0);
    expect(millisecondsSinceChange({}, 9_000)).toBe(0);
  });
});
