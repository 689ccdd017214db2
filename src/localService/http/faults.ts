import { setTimeout as wait } from 'node:timers/promises';

export interface Fault {
  /** The number of API requests it applies to. */
  readonly next: number;
  readonly status?: number | undefined;
  readonly delayMilliseconds?: number | undefined;
}

/** Delays or fails the next requests, for tests and demonstrations. A new fault replaces the old one. */
export class Faults {
  #fault: Fault | undefined;
  #left = 0;

  set(fault: Fault): void {
    this.#fault = fault;
    this.#left = fault.next;
  }

  /** Waits for the current fault's delay. Returns the status to answer with; undefined for the real answer. */
  async next(signal: AbortSignal): Promise<number | undefined> {
    if (this.#left === 0) return undefined;
    this.#left--;
    const { status, delayMilliseconds = 0 } = this.#fault ?? {};
    await wait(delayMilliseconds, undefined, { signal, ref: false });
    return status;
  }
}
