import { describe, expect, it } from 'vitest';
import type { Followed } from '../../../../src/state/following/follower.ts';
import { followTimes } from '../../../../src/state/following/followTimes.ts';

const minute = 60_000;
const wall = Date.parse('2026-03-04T12:00:00Z');
const clock = { now: () => wall, monotonic: () => 10 * minute };

const followed: Followed = {
  connection: 'Work',
  deploymentId: 'd1',
  revisionId: 'r1',
  phase: 'working',
  phaseSince: 4 * minute,
  waited: 0,
  failures: 0,
  resumed: false,
};
const answered: Followed = { ...followed, revision: { id: 'r1' }, revisionAt: 9 * minute };

function timesOf(each: Followed, nextPollAt?: number) {
  return followTimes(each, { clock, poller: { nextPollAt: () => nextPollAt } });
}

describe('the times of a follow', () => {
  it('are those of its answers and of the next poll, by the clock on the wall', () => {
    expect(timesOf(answered, 11 * minute)).toEqual({
      since: wall - 6 * minute,
      checkedAt: wall - minute,
      nextCheckAt: wall + minute,
    });
  });

  it('are unknown before the first answer, and while it is polled', () => {
    expect(timesOf(followed)).toEqual({ since: undefined, checkedAt: undefined, nextCheckAt: undefined });
  });

  it('are those of an earlier window until the first answer', () => {
    const lastAnswer = { name: 'agent', status: 'BUILDING', at: -5 * minute };
    expect(timesOf({ ...followed, lastAnswer }).checkedAt).toBe(wall - 15 * minute);
  });

  it('have no next check in the past, and none after the end', () => {
    expect(timesOf(answered, 2 * minute).nextCheckAt).toBe(wall);
    expect(timesOf({ ...answered, outcome: 'ended' }, 11 * minute).nextCheckAt).toBeUndefined();
  });
});
