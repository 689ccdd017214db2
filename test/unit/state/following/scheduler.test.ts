import { beforeEach, describe, expect, it } from 'vitest';
import { Scheduler, type Attention } from '../../../../src/state/following/scheduler.ts';
import { FakeClock } from '../../../support/fakeClock.ts';

let clock: FakeClock;
let scheduler: Scheduler;
let done: string[];

beforeEach(() => {
  clock = new FakeClock();
  scheduler = new Scheduler(clock);
  done = [];
});

/** Adds a task that is due once, after these milliseconds. */
function add(name: string, delay: number) {
  let dueAt = clock.monotonic() + delay;
  const run = (): void => {
    done.push(name);
    dueAt = Infinity;
  };
  return scheduler.add({ dueAt: () => dueAt, run });
}

describe('scheduled tasks', () => {
  it('run when each is due, with one timer', () => {
    add('later', 3_000);
    add('first', 1_000);
    add('with it', 1_000);
    expect(clock.pending).toEqual([1_000]);
    clock.advance(999);
    expect(done).toEqual([]);
    clock.advance(1);
    expect(done).toEqual(['first', 'with it']);
    expect(clock.pending).toEqual([2_000]);
    clock.advance(2_000);
    expect(done).toEqual(['first', 'with it', 'later']);
    expect(clock.pending).toEqual([]);
  });

  it('run at once if they were due in the past', () => {
    add('late', -5_000);
    expect(clock.pending).toEqual([0]);
  });

  it("don't run once they are removed, also by another one", () => {
    const removed = add('removed', 1_000);
    removed.dispose();
    expect(clock.pending).toEqual([]);
    const first = scheduler.add({
      dueAt: () => 0,
      run: () => {
        done.push('first');
        first.dispose();
        second.dispose();
      },
    });
    const second = add('second', 0);
    clock.advance(0);
    expect(done).toEqual(['first']);
  });

  it('are planned again when a due time or the attention has changed', () => {
    let dueAt = clock.monotonic() + 30_000;
    scheduler.add({ dueAt: () => (scheduler.attention.focused ? dueAt : Infinity), run: () => undefined });
    dueAt = clock.monotonic() + 2_000;
    scheduler.schedule();
    expect(clock.pending).toEqual([2_000]);
    scheduler.setAttention({ focused: false, visible: true });
    expect(clock.pending).toEqual([]);
  });
});

describe('the attention', () => {
  it('is that of a focused window until it is known, and each change tells the earlier one', () => {
    const told: [Attention, Attention][] = [];
    scheduler.onDidChangeAttention((before) => told.push([before, scheduler.attention]));
    const away = { focused: false, visible: false };
    scheduler.setAttention(away);
    expect(told).toEqual([[{ focused: true, visible: false }, away]]);
  });
});
