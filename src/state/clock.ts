import type { Disposable } from './emitter.ts';

/** Time as the stores see it; tests pass one that they move by hand. Milliseconds throughout. */
export interface Clock {
  /** Wall time since 1970, for what people read and what is stored. Anyone can set it back or forward. */
  now(): number;
  /** Time that only runs forward, for due times and durations. It means nothing outside of this window. */
  monotonic(): number;
  /** Calls back once, after a delay of any length. */
  schedule(callback: () => void, delay: number): Disposable;
}

/** A timer with a longer delay than this would overflow and fire at once. */
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
