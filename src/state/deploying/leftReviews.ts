import type { Clock } from '../clock.ts';
import type { Disposable } from '../emitter.ts';

/** How long what was left waits to be continued, in milliseconds. */
const longestKept = 60 * 60_000;

interface Left<Review> {
  readonly review: Review;
  readonly expiry: Disposable;
}

/**
 * The reviews and typed secrets that were left in this window, each by what started it. They hold values, so they are never
 * stored, and are forgotten after an hour.
 */
export class LeftReviews<Review> {
  readonly #clock: Pick<Clock, 'schedule'>;
  readonly #left = new Map<string, Left<Review>>();

  constructor(clock: Pick<Clock, 'schedule'>) {
    this.#clock = clock;
  }

  /** Keeps a review, instead of an older one with the same start. */
  leave(start: string, review: Review): void {
    this.take(start);
    this.#left.set(start, { review, expiry: this.#clock.schedule(() => this.#left.delete(start), longestKept) });
  }

  /** The review to continue, which is no longer kept. */
  take(start: string): Review | undefined {
    const left = this.#left.get(start);
    left?.expiry.dispose();
    this.#left.delete(start);
    return left?.review;
  }

  dispose(): void {
    for (const start of this.#left.keys()) this.take(start);
  }
}
