import os from 'node:os';
import type { Disposable } from './emitter.ts';

/** Time source for the stores, in milliseconds; tests pass a clock that they advance by hand. */
export interface Clock {
  /** Wall time since 1970, for display and storage. It can be set back or forward. */
  now(): number;
  /** Monotonic time, for due times and durations, including sleep. It means nothing outside this window. */
  monotonic(): number;
  /** Calls back once, after a delay of any length. */
  schedule(callback: () => void, delay: number): Disposable;
}

/** The wall time of a monotonic time, in milliseconds. */
export function toWallTime(clock: Pick<Clock, 'now' | 'monotonic'>, at: number): number {
  return clock.now() - (clock.monotonic() - at);
}

/** Many systems stop a timer while the machine sleeps, so a longer wait looks again at what is left. */
const longestTimer = 60_000;

/** How far the uptime must be ahead to count as sleep. Some systems tell it only in whole seconds. */
const shortestSleep = 2_000;

/**
 * The clock of this machine.
 * Node's monotonic time stands still during sleep on many systems, and an old answer would seem fresh afterwards. The
 * system's uptime goes on.
 */
export function createSystemClock(uptime: () => number = os.uptime): Clock {
  const ahead = (): number => uptime() * 1_000 - performance.now();
  const origin = ahead();
  let slept = 0;
  let checkedAt = 0;
  const monotonic = (): number => {
    const now = performance.now();
    if (now - checkedAt >= 1_000) {
      checkedAt = now;
      const missing = ahead() - origin - slept;
      if (missing >= shortestSleep) slept += missing;
    }
    return now + slept;
  };
  return {
    now: () => Date.now(),
    monotonic,
    schedule: (callback, delay) => {
      const dueAt = monotonic() + delay;
      const wait = (): NodeJS.Timeout => {
        const left = dueAt - monotonic();
        return left > longestTimer
          ? setTimeout(() => (timer = wait()), longestTimer)
          : setTimeout(callback, Math.max(0, left));
      };
      let timer = wait();
      return { dispose: () => clearTimeout(timer) };
    },
  };
}
