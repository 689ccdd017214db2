import { describe, expect, it } from 'vitest';
import { Emitter } from '../../../../src/state/emitter.ts';
import type { Followed } from '../../../../src/state/following/follower.ts';
import { gatherEndings } from '../../../../src/state/following/gatherEndings.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const endedOf = (deploymentId: string, revisionId = 'r1'): Followed => ({
  connection: 'Work',
  deploymentId,
  revisionId,
  waited: 0,
  failures: 0,
  resumed: false,
  outcome: 'ended',
});

let forgotten = 0;
const forgetEnded = async (): Promise<void> => void (forgotten += 1);
const isShown = { find: (_: string, deploymentId: string): Followed => endedOf(deploymentId), forgetEnded };

describe('endings', () => {
  it('of one deployment are one', () => {
    const clock = new FakeClock();
    const ends = new Emitter<Followed>();
    const told: string[] = [];
    gatherEndings({ follower: { ...isShown, onDidEnd: ends.event }, clock }, (ended) =>
      told.push(...ended.map(({ revisionId }) => revisionId)),
    );
    ends.fire(endedOf('a'));
    ends.fire(endedOf('a', 'r2'));
    // The next window tells what this one doesn't come to.
    expect(forgotten).toBe(0);
    clock.advance(2_000);
    expect(forgotten).toBe(1);
    expect(told).toEqual(['r2']);
  });

  it('are told together if they come within a few seconds, and later ones for themselves', () => {
    const clock = new FakeClock();
    const ends = new Emitter<Followed>();
    const told: string[][] = [];
    const gathering = gatherEndings({ follower: { ...isShown, onDidEnd: ends.event }, clock }, (ended) =>
      told.push(ended.map(({ deploymentId }) => deploymentId)),
    );
    ends.fire(endedOf('a'));
    clock.advance(1_500);
    ends.fire(endedOf('b'));
    expect(told).toEqual([]);
    clock.advance(500);
    expect(told).toEqual([['a', 'b']]);
    clock.advance(60_000);
    ends.fire(endedOf('c'));
    clock.advance(2_000);
    expect(told).toEqual([['a', 'b'], ['c']]);
    ends.fire(endedOf('a', 'r2'));
    gathering.dispose();
    expect(clock.pending).toEqual([]);
  });

  it('are not told once they were dismissed', () => {
    const clock = new FakeClock();
    const ends = new Emitter<Followed>();
    const told: string[][] = [];
    const find = (_: string, deploymentId: string) => (deploymentId === 'kept' ? endedOf('kept', 'r2') : undefined);
    gatherEndings({ follower: { find, forgetEnded, onDidEnd: ends.event }, clock }, (ended) =>
      told.push(ended.map(({ deploymentId }) => deploymentId)),
    );
    ends.fire(endedOf('dismissed'));
    clock.advance(2_000);
    expect(told).toEqual([]);
    ends.fire(endedOf('dismissed'));
    ends.fire(endedOf('kept'));
    clock.advance(2_000);
    expect(told).toEqual([['kept']]);
  });
});
