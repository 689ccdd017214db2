import { describe, expect, it } from 'vitest';
import { watchForStall } from '../../runner/stallWatch.ts';
import { FakeClock } from '../../support/fakeClock.ts';

const minute = 60_000;

/** A watch with a limit of three minutes, and how many minutes had passed when it told of a stall. */
function watch() {
  const clock = new FakeClock();
  const begin = clock.now();
  const told: number[] = [];
  const { stalled, ...rest } = watchForStall(3 * minute, clock);
  const seen = stalled.then(() => told.push((clock.now() - begin) / minute));
  return { clock, told, seen, ...rest };
}

describe('The watch for a stall', () => {
  it('lets everything take its time that reports something every now and then', async () => {
    const { clock, told, seen, reported } = watch();
    for (let minutes = 0; minutes < 60; minutes += 2) {
      clock.advance(2 * minute);
      reported();
    }
    clock.advance(3 * minute - 1);
    expect(clock.pending).toEqual([1]);
    clock.advance(1);
    await seen;
    expect(told).toEqual([63]);
  });

  it('tells of a stall where nothing was ever reported', async () => {
    const { clock, told, seen } = watch();
    clock.advance(3 * minute);
    await seen;
    expect(told).toEqual([3]);
  });

  it('waits for nothing where nothing is ever reported on purpose', () => {
    const clock = new FakeClock();
    watchForStall(undefined, clock).reported();
    expect(clock.pending).toEqual([]);
  });

  it('waits for nothing after its end, also when a last line comes late', () => {
    const { clock, reported, end } = watch();
    end();
    reported();
    expect(clock.pending).toEqual([]);
  });
});
