import type { Disposable } from './emitter.ts';

/** Time source for the stores, in milliseconds; tests pass a clock that they advance by hand. */
export interface Clock {
  /** Wall time since 1970, for display and storage. It can be set back or forward. */
  now(): number;
  /** Monotonic time, for due times and durations. It means nothing outside this window. */
  monotonic(): number;
  /** Calls back once, after a delay of any length. */
  schedule(callback: () => void, delay: number): Disposable;
}

/** The longest delay that a timer accepts; a longer one overflows and fires at once. */
const longestTimer = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  schedule: (callback, delay) => {
    const dueAt = performance.now() + delay;
    const wait = (): NodeJS.Timeout => {
      const left = dueAt - performance.now();
      return left > longestTimer ? setTimeout(() => (timer = wait()), longestTimer) : setTimeout(callback, left);
    };
    let timer = wait();
    return { dispose: () => clearTimeout(timer) };
  },
};
