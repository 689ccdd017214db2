import type { Clock } from '../clock.ts';
import { parseConnection, type ServiceConnection } from './connection.ts';

/** A connection that another window overwrote after this window saved or removed it. */
export interface LostSave {
  readonly name: string;
  readonly wasRemoved: boolean;
}

/**
 * Recent saves of this window, used to detect those that another window overwrote.
 * Another window that saves at the same time writes its older list with its own change. A later save of that window is
 * intentional, because by then it knows ours.
 */
export class RecentSaves {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** By connection name; `connection` is undefined for a removed one. */
  readonly #saves = new Map<string, Save>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Notes a saved connection, or a removed one if it is undefined, and the settings before the write. */
  note(name: string, connection: ServiceConnection | undefined, before: readonly ServiceConnection[]): void {
    this.#saves.set(name, { connection, before, at: this.#clock.monotonic() });
  }

  /** Forgets a name that this window itself has replaced. */
  forget(name: string): void {
    this.#saves.delete(name);
  }

  /** Returns the saves that another window overwrote, each one once. */
  takeLost(present: readonly ServiceConnection[]): readonly LostSave[] {
    const lost: LostSave[] = [];
    for (const [name, { connection, before, at }] of this.#saves) {
      const isRecent = this.#clock.monotonic() - at <= millisecondsWatched;
      const found = present.find((other) => other.name === name);
      if (isRecent && isSame(found, connection)) continue;
      this.#saves.delete(name);
      const wasBefore = before.find((other) => other.name === name);
      const isTakenBack = isSame(found, wasBefore) && !isSame(present, before);
      if (isRecent && isTakenBack) lost.push({ name, wasRemoved: connection === undefined });
    }
    return lost;
  }
}

interface Save {
  readonly connection: ServiceConnection | undefined;
  readonly before: readonly ServiceConnection[];
  readonly at: number;
}

const millisecondsWatched = 10_000;

/** Whether both are stored alike; parsing puts their fields into the same order. */
function isSame(a: Stored, b: Stored): boolean {
  return JSON.stringify(inOrder(a)) === JSON.stringify(inOrder(b));
}

type Stored = ServiceConnection | readonly ServiceConnection[] | undefined;

function inOrder(stored: Stored): unknown {
  if (stored === undefined) return undefined;
  return 'name' in stored ? parseConnection(stored) : stored.map((item) => parseConnection(item));
}
