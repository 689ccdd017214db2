import { beforeEach, describe, expect, it } from 'vitest';
import { LateCreates } from '../../../../src/state/deploying/lateCreates.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

const seconds = 1_000;

describe('a create whose answer was not read', () => {
  let clock: FakeClock;
  let creates: LateCreates;
  let looks: number[];

  beforeEach(() => {
    clock = new FakeClock();
    creates = new LateCreates(clock);
    looks = [];
  });

  /** Looks, and finds something from a number of looks on. */
  function look(key: string, foundFrom: number, failsUntil = 0) {
    const start = clock.monotonic();
    return creates.look(key, async () => {
      looks.push(clock.monotonic() - start);
      if (looks.length <= failsUntil) throw new Error('The service is out of order.');
      return looks.length >= foundFrom ? 'agent' : undefined;
    });
  }

  /** Moves on a second at a time, so that each look can begin the next wait. */
  async function pass(duration: number): Promise<void> {
    for (let passed = 0; passed < duration; passed += seconds) {
      clock.advance(seconds);
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    }
  }

  it('is looked for three times within 30 seconds', async () => {
    const late = look('agent', 4);
    await pass(60 * seconds);
    expect(await late).toEqual({ kind: 'notFound' });
    expect(looks).toEqual([3 * seconds, 12 * seconds, 30 * seconds]);
    expect(creates.isOpen('agent')).toBe(false);
  });

  it('is found by the first look that has it, after ones that failed', async () => {
    const late = look('agent', 2, 1);
    await pass(20 * seconds);
    expect(await late).toEqual({ kind: 'found', found: 'agent' });
    expect(looks).toHaveLength(2);
  });

  it('is no longer looked for once it is sent again', async () => {
    const late = look('agent', 1);
    expect(creates.isOpen('agent')).toBe(true);
    creates.stop('agent');
    await pass(60 * seconds);
    expect(await late).toEqual({ kind: 'stopped' });
    expect(looks).toEqual([]);
  });

  it('leaves no timer behind', async () => {
    const late = look('agent', 1);
    creates.dispose();
    expect(await late).toEqual({ kind: 'stopped' });
    expect(clock.pending).toEqual([]);
  });
});
