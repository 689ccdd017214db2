import { beforeEach, describe, expect, it } from 'vitest';
import { LeftSecrets } from '../../../../src/state/deploying/leftSecrets.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const minutes = 60_000;

describe('what was typed for a page that is not open', () => {
  const typed = new Map([['TOKEN', 'value']]);
  let clock: FakeClock;
  let left: LeftSecrets;

  beforeEach(() => {
    clock = new FakeClock();
    left = new LeftSecrets(clock);
  });

  it('goes back to its page once', () => {
    left.leave('page', typed);
    expect(left.take('other')).toEqual(new Map());
    expect(left.take('page')).toBe(typed);
    expect(left.take('page')).toEqual(new Map());
  });

  it('is forgotten after an hour, counted from when the page was closed last', () => {
    left.leave('page', new Map());
    clock.advance(40 * minutes);
    left.leave('page', typed);
    clock.advance(40 * minutes);
    expect(left.take('page')).toBe(typed);
    left.leave('page', typed);
    clock.advance(60 * minutes);
    expect(left.take('page')).toEqual(new Map());
  });

  it('stays beside what is typed for it elsewhere', () => {
    left.leave('page', new Map([...typed, ['KEY', 'before']]));
    const later = new Map([['KEY', 'later']]);
    left.leave('page', later);
    expect(left.take('page')).toBe(later);
    expect(later).toEqual(new Map([...typed, ['KEY', 'later']]));
  });

  it('is gone if it is sent meanwhile', () => {
    const sent = new Map(typed);
    left.leave('page', sent);
    sent.clear();
    expect(left.take('page')).toEqual(new Map());
  });

  it('leaves no timer behind', () => {
    left.leave('page', typed);
    left.dispose();
    expect(left.take('page')).toEqual(new Map());
    expect(clock.pending).toEqual([]);
  });
});
