import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasEnded, nextPollDelay } from '../../../../src/core/status/pollDelay.ts';
import type { PollSituation } from '../../../../src/core/status/pollDelay.ts';

const watched: PollSituation = {
  phase: 'working',
  millisecondsInPhase: 0,
  failures: 0,
  focused: true,
  minMilliseconds: 2_000,
  maxMilliseconds: 30_000,
};

describe('the next poll of work that is watched', () => {
  test.each([
    ['right after a change', 0, 2_000],
    ['after four seconds', 4_000, 2_000],
    ['after 20 seconds', 20_000, 10_000],
    ['after a minute', 60_000, 30_000],
    ['after an hour', 3_600_000, 30_000],
  ])('%s', (_, millisecondsInPhase, expected) => {
    expect(nextPollDelay({ ...watched, millisecondsInPhase })).toBe(expected);
  });

  test.each([
    [1, 4_000],
    [2, 8_000],
    [3, 16_000],
    [4, 30_000],
    [5_000, 30_000],
  ])('comes later after %i failures', (failures, expected) => {
    expect(nextPollDelay({ ...watched, failures })).toBe(expected);
  });
});

describe("the service's Retry-After", () => {
  test('overrides pace and failures', () => {
    expect(nextPollDelay({ ...watched, failures: 9, retryAfterMs: 5_000 })).toBe(5_000);
    expect(nextPollDelay({ ...watched, retryAfterMs: 120_000 })).toBe(120_000);
  });

  test('never polls faster than the setting or the attention allow', () => {
    expect(nextPollDelay({ ...watched, retryAfterMs: 0 })).toBe(2_000);
    expect(nextPollDelay({ ...watched, focused: false, retryAfterMs: 0 })).toBe(30_000);
  });

  test('is limited to an hour, and ignored if it is invalid', () => {
    expect(nextPollDelay({ ...watched, retryAfterMs: 1e12 })).toBe(3_600_000);
    expect(nextPollDelay({ ...watched, retryAfterMs: Number.NaN })).toBe(2_000);
    expect(nextPollDelay({ ...watched, retryAfterMs: Number.POSITIVE_INFINITY })).toBe(2_000);
  });
});

test('without the focus, polls only work in progress, slowly', () => {
  const unwatched = { ...watched, focused: false };
  expect(nextPollDelay(unwatched)).toBe(30_000);
  expect(nextPollDelay({ ...unwatched, phase: 'unknown' })).toBeUndefined();
  expect(nextPollDelay({ ...unwatched, phase: 'stopped' })).toBeUndefined();
});

describe('the end', () => {
  test.each(['success', 'failed', 'superseded'] as const)('%s is never polled', (phase) => {
    expect(nextPollDelay({ ...watched, phase })).toBeUndefined();
    expect(hasEnded(phase, 0)).toBe(true);
  });

  test('polls a stopped revision slowly for five minutes, because it may continue', () => {
    expect(nextPollDelay({ ...watched, phase: 'stopped', millisecondsInPhase: 299_999 })).toBe(30_000);
    expect(nextPollDelay({ ...watched, phase: 'stopped', millisecondsInPhase: 300_000 })).toBeUndefined();
    expect(hasEnded('stopped', 299_999)).toBe(false);
    expect(hasEnded('stopped', 300_000)).toBe(true);
  });

  test('polls an unknown status slowly for an hour', () => {
    expect(nextPollDelay({ ...watched, phase: 'unknown', millisecondsInPhase: 3_599_999 })).toBe(30_000);
    expect(nextPollDelay({ ...watched, phase: 'unknown', millisecondsInPhase: 3_600_000 })).toBeUndefined();
  });
});

describe('any situation', () => {
  const situations = fc.record({
    phase: fc.constantFrom('working', 'success', 'failed', 'superseded', 'stopped', 'unknown'),
    millisecondsInPhase: fc.nat(1e10),
    failures: fc.nat(2_000),
    focused: fc.boolean(),
    minMilliseconds: fc.integer({ min: 1, max: 600_000 }),
    maxMilliseconds: fc.integer({ min: 1, max: 600_000 }),
  });

  test('keeps the delay between the two settings, in any order', () => {
    fc.assert(
      fc.property(situations, (situation) => {
        const delay = nextPollDelay(situation);
        const { minMilliseconds, maxMilliseconds } = situation;
        return delay === undefined || (delay >= minMilliseconds && delay <= Math.max(minMilliseconds, maxMilliseconds));
      }),
    );
  });

  test('never polls sooner because of time or failures', () => {
    fc.assert(
      fc.property(situations, fc.nat(1e6), fc.nat(10), (situation, more, worse) => {
        const now = nextPollDelay(situation) ?? Number.POSITIVE_INFINITY;
        const later = nextPollDelay({ ...situation, millisecondsInPhase: situation.millisecondsInPhase + more });
        const worn = nextPollDelay({ ...situation, failures: situation.failures + worse });
        return (later ?? Number.POSITIVE_INFINITY) >= now && (worn ?? Number.POSITIVE_INFINITY) >= now;
      }),
    );
  });
});
