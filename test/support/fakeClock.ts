import type { Clock } from '../../src/state/clock.ts';
import type { Disposable } from '../../src/state/emitter.ts';

/** A clock that stands still until it is moved by hand. Milliseconds throughout. */
export class FakeClock implements Clock {
  readonly #timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  /** Wall time and monotonic time begin apart, so a test fails where one is taken for the other. */
  #wallOffset = 995_000;
  #monotonic = 5_000;

  now(): number {
    return this.#monotonic + this.#wallOffset;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  schedule(callback: () => void, delay: number): Disposable {
    const timer = { at: this.#monotonic + delay, callback };
    this.#timers.add(timer);
    return { dispose: () => void this.#timers.delete(timer) };
  }

  /** How long until each waiting callback is due, the next one first. */
  get pending(): readonly number[] {
    return [...this.#timers].map(({ at }) => at - this.#monotonic).toSorted((one, other) => one - other);
  }

  /** Moves on, and calls what becomes due on the way at its own moment. */
  advance(milliseconds: number): void {
    const end = this.#monotonic + milliseconds;
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#monotonic = Math.max(this.#monotonic, next.at);
      next.callback();
    }
    this.#monotonic = end;
  }

  /** Sets the wall time forward, or back by a negative number. No other time passes. */
  shiftWall(milliseconds: number): void {
    this.#wallOffset += milliseconds;
  }
}
