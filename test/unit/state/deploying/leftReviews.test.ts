import { beforeEach, describe, expect, it } from 'vitest';
import { LeftReviews } from '../../../../src/state/deploying/leftReviews.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const minutes = 60_000;

describe('a review that was left', () => {
  let clock: FakeClock;
  let left: LeftReviews<string>;

  beforeEach(() => {
    clock = new FakeClock();
    left = new LeftReviews(clock);
  });

  it('is continued once, by what started it', () => {
    left.leave('current agent', 'draft');
    expect(left.take('create')).toBeUndefined();
    expect(left.take('current agent')).toBe('draft');
    expect(left.take('current agent')).toBeUndefined();
  });

  it('is forgotten after an hour, counted from when it was left last', () => {
    left.leave('create', 'old');
    clock.advance(40 * minutes);
    left.leave('create', 'new');
    clock.advance(40 * minutes);
    expect(left.take('create')).toBe('new');
    left.leave('create', 'again');
    clock.advance(60 * minutes);
    expect(left.take('create')).toBeUndefined();
  });

  it('leaves no timer behind', () => {
    left.leave('create', 'draft');
    left.dispose();
    expect(left.take('create')).toBeUndefined();
    expect(clock.pending).toEqual([]);
  });
});
