import type { Clock } from '../../src/state/clock.ts';
import type { Disposable } from '../../src/state/emitter.ts';

/** A clock that stands still until it is moved by hand. Milliseconds throughout. */
export class FakeClock implements Clock {
  readonly #timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  #now = 1_000_000;

  now(): number {
    return this.#now;
  }

  schedule(callback: () => void, delay: number): Disposable {
    const timer = { at: this.#now + delay, callback };
    this.#timers.add(timer);
    return { dispose: () => void this.#timers.delete(timer) };
  }

  /** How long until each waiting callback is due, the next one first. */
  get pending(): readonly number[] {
    return [...this.#timers].map(({ at }) => at - this.#now).toSorted((one, other) => one - other);
  }

  /** Moves on, and calls what becomes due on the way at its own moment. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
    }
    this.#now = end;
  }
}
