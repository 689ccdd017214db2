import type { Disposable } from './emitter.ts';

/** Time as the stores see it; tests pass one that they move by hand. Milliseconds throughout. */
export interface Clock {
  now(): number;
  schedule(callback: () => void, delay: number): Disposable;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  schedule: (callback, delay) => {
    const timer = setTimeout(callback, delay);
    return { dispose: () => clearTimeout(timer) };
  },
};
