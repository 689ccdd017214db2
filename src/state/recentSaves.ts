import type { Clock } from './clock.ts';
import { parseConnection, type ServiceConnection } from './connection.ts';

/** A connection that is not in the settings as this window saved it, or that is there although it was removed here. */
export interface LostSave {
  readonly name: string;
  readonly wasRemoved: boolean;
}

/**
 * What this window saved a moment ago. Another window that saves at the same time writes the whole list as it was
 * before. Later it knows of our save, and what it changes then is meant.
 */
export class RecentSaves {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** By the name of the connection; undefined for one that was removed. */
  readonly #saves = new Map<string, { readonly connection: ServiceConnection | undefined; readonly at: number }>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Notes that a connection was saved, or without one that it was removed. */
  note(name: string, connection: ServiceConnection | undefined): void {
    this.#saves.set(name, { connection, at: this.#clock.monotonic() });
  }

  /** Forgets a name that this window itself has replaced. */
  forget(name: string): void {
    this.#saves.delete(name);
  }

  /** What another window wrote over, each told once. */
  takeLost(present: readonly ServiceConnection[]): readonly LostSave[] {
    const lost: LostSave[] = [];
    for (const [name, { connection, at }] of this.#saves) {
      const isRecent = this.#clock.monotonic() - at <= millisecondsWatched;
      const found = present.find((other) => other.name === name);
      if (isRecent && isSame(found, connection)) continue;
      this.#saves.delete(name);
      if (isRecent) lost.push({ name, wasRemoved: connection === undefined });
    }
    return lost;
  }
}

const millisecondsWatched = 10_000;

function isSame(found: ServiceConnection | undefined, saved: ServiceConnection | undefined): boolean {
  // Parsed again, so that both have their fields in one order.
  return JSON.stringify(found) === JSON.stringify(saved === undefined ? undefined : parseConnection(saved));
}
