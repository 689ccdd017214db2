import type { Clock } from '../clock.ts';
import type { Disposable } from '../emitter.ts';

/** How long values wait for their page, in milliseconds. */
const longestKept = 60 * 60_000;

interface Left {
  readonly typed: Map<string, string>;
  readonly expiry: Disposable;
}

/**
 * The values of secrets that were typed for pages which aren't open, by what each page shows. They are never stored, and
 * are forgotten after an hour.
 */
export class LeftSecrets {
  readonly #clock: Pick<Clock, 'schedule'>;
  readonly #left = new Map<string, Left>();

  constructor(clock: Pick<Clock, 'schedule'>) {
    this.#clock = clock;
  }

  /** Keeps values until their page opens, which get those that were kept for it before. What is deleted later is gone. */
  leave(page: string, typed: Map<string, string>): void {
    for (const [name, value] of this.take(page)) if (!typed.has(name)) typed.set(name, value);
    this.#left.set(page, { typed, expiry: this.#clock.schedule(() => this.#left.delete(page), longestKept) });
  }

  /** What was typed for a page, which is no longer kept. */
  take(page: string): Map<string, string> {
    const left = this.#left.get(page);
    left?.expiry.dispose();
    this.#left.delete(page);
    return left?.typed ?? new Map<string, string>();
  }

  dispose(): void {
    for (const page of this.#left.keys()) this.take(page);
  }
}
