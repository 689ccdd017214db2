import type { Settings } from './settings.ts';

const settingName = 'clock_offset_ms';

/**
 * The time of the service in milliseconds. Development controls can advance it; how far is stored, so that time does
 * not run backwards over a restart.
 */
export class ServiceClock {
  readonly #settings: Settings;
  readonly #wallAtOrigin = Date.now() - performance.now();
  #offset: number;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#offset = Number(settings.get(settingName) ?? 0);
  }

  /** Wall time since 1970, for what people read. Anyone can set it back or forward. */
  now(): number {
    return Date.now() + this.#offset;
  }

  /** The time of the schedule: wall time at the start of this process, and then it only runs forward. */
  monotonic(): number {
    return Math.trunc(this.#wallAtOrigin + performance.now()) + this.#offset;
  }

  advance(milliseconds: number): void {
    this.#settings.set(settingName, String(this.#offset + milliseconds));
    this.#offset += milliseconds;
  }
}
