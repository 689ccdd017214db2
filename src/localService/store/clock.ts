import type { Database } from './database.ts';
import type { Settings } from './settings.ts';

const settingName = 'clock_offset_ms';

/** In milliseconds: a hundred years. */
const largestOffset = 100 * 365 * 86_400_000;

/**
 * The service's time in milliseconds. Development controls can advance it.
 * The offset is stored, so time doesn't run backward after a restart.
 */
export class ServiceClock {
  readonly #settings: Settings;
  readonly #wallAtOrigin = Date.now() - performance.now();
  #offset: number;

  constructor(settings: Settings, database: Pick<Database, 'complain'>) {
    this.#settings = settings;
    const stored = settings.get(settingName) ?? '0';
    const isPossible = /^\d{1,13}$/.test(stored) && Number(stored) <= largestOffset;
    if (!isPossible) database.complain("has an impossible clock offset. The service uses this computer's time.");
    this.#offset = isPossible ? Number(stored) : 0;
  }

  /** Wall time since 1970, for display. It jumps when the system clock is set. */
  now(): number {
    return Date.now() + this.#offset;
  }

  /** Time for the schedule: starts at wall time with the process, then only runs forward. */
  monotonic(): number {
    return Math.trunc(this.#wallAtOrigin + performance.now()) + this.#offset;
  }

  /** Returns false if the clock would be too far ahead. */
  advance(milliseconds: number): boolean {
    const offset = this.#offset + milliseconds;
    if (offset > largestOffset) return false;
    this.#settings.set(settingName, String(offset));
    this.#offset = offset;
    return true;
  }
}
