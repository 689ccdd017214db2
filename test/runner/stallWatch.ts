import type { Clock } from '../../src/state/clock.ts';

/** The part of a clock that waits. */
export type Timers = Pick<Clock, 'schedule'>;

export const systemTimers: Timers = {
  schedule: (callback, delay) => {
    const timer = setTimeout(callback, delay);
    return { dispose: () => clearTimeout(timer) };
  },
};

export interface StallWatch {
  /** Resolves when nothing has been reported for too long. However long everything takes is no matter. */
  readonly stalled: Promise<'stalled'>;
  /** Something was reported. */
  readonly reported: () => void;
  readonly end: () => void;
}

/** Waits for the moment at which nothing has been reported for so many milliseconds; without a number it never comes. */
export function watchForStall(milliseconds: number | undefined, timers: Timers): StallWatch {
  let tell = () => {};
  const stalled = new Promise<'stalled'>((resolve) => (tell = () => resolve('stalled')));
  const begin = () => (milliseconds === undefined ? undefined : timers.schedule(() => tell(), milliseconds));
  let timer = begin();
  return {
    stalled,
    reported() {
      if (!timer) return;
      timer.dispose();
      timer = begin();
    },
    end() {
      timer?.dispose();
      timer = undefined;
    },
  };
}
