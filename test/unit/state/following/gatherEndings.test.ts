import { beforeEach, describe, expect, it } from 'vitest';
import { Emitter, type Disposable } from '../../../../src/state/emitter.ts';
import type { Followed } from '../../../../src/state/following/follower.ts';
import { gatherEndings } from '../../../../src/state/following/gatherEndings.ts';
import { begun } from '../../../support/begunFollow.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const endedOf = (deploymentId: string, revisionId = 'r1'): Followed => ({
  ...begun,
  deploymentId,
  revisionId,
  outcome: 'ended',
});

let clock: FakeClock;
let ends: Emitter<Followed>;
/** What is told at once, as deployment and revision. */
let told: string[][];
let dismissed: Set<string>;
let forgotten: number;
let gathering: Disposable;

beforeEach(() => {
  clock = new FakeClock();
  ends = new Emitter();
  told = [];
  dismissed = new Set();
  forgotten = 0;
  const find = (_: string, id: string) => (dismissed.has(id) ? undefined : endedOf(id, 'r2'));
  const forgetEnded = async (): Promise<void> => void (forgotten += 1);
  gathering = gatherEndings({ follower: { find, forgetEnded, onDidEnd: ends.event }, clock }, (ended) =>
    told.push(ended.map(({ deploymentId, revisionId }) => `${deploymentId} ${revisionId}`)),
  );
});

describe('endings', () => {
  it('of one deployment are one', () => {
    ends.fire(endedOf('a'));
    ends.fire(endedOf('a', 'r2'));
    // The next window tells what this one doesn't come to.
    expect(forgotten).toBe(0);
    clock.advance(2_000);
    expect(forgotten).toBe(1);
    expect(told).toEqual([['a r2']]);
  });

  it('are told together if they come within a few seconds, and later ones for themselves', () => {
    ends.fire(endedOf('a'));
    clock.advance(1_500);
    ends.fire(endedOf('b'));
    expect(told).toEqual([]);
    clock.advance(500);
    expect(told).toEqual([['a r1', 'b r1']]);
    clock.advance(60_000);
    ends.fire(endedOf('c'));
    clock.advance(2_000);
    expect(told).toEqual([['a r1', 'b r1'], ['c r1']]);
    ends.fire(endedOf('a', 'r2'));
    gathering.dispose();
    expect(clock.pending).toEqual([]);
  });

  it('are not told once they were dismissed', () => {
    dismissed.add('dismissed');
    ends.fire(endedOf('dismissed'));
    clock.advance(2_000);
    expect(told).toEqual([]);
    ends.fire(endedOf('dismissed'));
    ends.fire(endedOf('kept'));
    clock.advance(2_000);
    expect(told).toEqual([['kept r1']]);
  });
});
