import type { Clock } from '../clock.ts';
import { parseConnection, type ServiceConnection } from './connection.ts';

/** A connection that is not in the settings as this window saved it, or that is there although it was removed here. */
export interface LostSave {
  readonly name: string;
  readonly wasRemoved: boolean;
}

/**
 * What this window saved a moment ago. Another window that saves at the same time writes the list as it was before, with
 * a change of its own. Later it knows of our save, and what it changes then is meant.
 */
export class RecentSaves {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** By the name of the connection; undefined for one that was removed. */
  readonly #saves = new Map<string, Save>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Notes that a connection was saved, or without one that it was removed, and what the settings held before. */
  note(name: string, connection: ServiceConnection | undefined, before: readonly ServiceConnection[]): void {
    this.#saves.set(name, { connection, before, at: this.#clock.monotonic() });
  }

  /** Forgets a name that this window itself has replaced. */
  forget(name: string): void {
    this.#saves.delete(name);
  }

  /** What another window wrote over, each told once. */
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

/** Whether both are stored alike; a connection is parsed again, so that its fields are in one order. */
function isSame(a: Stored, b: Stored): boolean {
  return JSON.stringify(inOrder(a)) === JSON.stringify(inOrder(b));
}

type Stored = ServiceConnection | readonly ServiceConnection[] | undefined;

function inOrder(stored: Stored): unknown {
  if (stored === undefined) return undefined;
  return 'name' in stored ? parseConnection(stored) : stored.map(parseConnection);
}
