import type { Settings } from './store/settings.ts';

const settingName = 'clock_offset_ms';

/**
 * The time of the service in milliseconds since 1970. Development controls can advance it; how far is stored, so
 * that time does not run backwards over a restart.
 */
export class Clock {
  readonly #settings: Settings;
  #offset: number;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#offset = Number(settings.get(settingName) ?? 0);
  }

  now(): number {
    return Date.now() + this.#offset;
  }

  advance(milliseconds: number): void {
    this.#settings.set(settingName, String(this.#offset + milliseconds));
    this.#offset += milliseconds;
  }
}
