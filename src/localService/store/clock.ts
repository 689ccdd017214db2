import type { Settings } from './settings.ts';

const settingName = 'clock_offset_ms';

/**
 * The service's time in milliseconds. Development controls can advance it.
 * The offset is stored, so time doesn't run backward after a restart.
 */
export class ServiceClock {
  readonly #settings: Settings;
  readonly #wallAtOrigin = Date.now() - performance.now();
  #offset: number;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#offset = Number(settings.get(settingName) ?? 0);
  }

  /** Wall time since 1970, for display. It jumps when the system clock is set. */
  now(): number {
    return Date.now() + this.#offset;
  }

  /** Time for the schedule: starts at wall time with the process, then only runs forward. */
  monotonic(): number {
    return Math.trunc(this.#wallAtOrigin + performance.now()) + this.#offset;
  }

  advance(milliseconds: number): void {
    this.#settings.set(settingName, String(this.#offset + milliseconds));
    this.#offset += milliseconds;
  }
}
