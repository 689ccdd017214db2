import { isRecord } from '../../api/schema/json.ts';
import { toWallTime, type Clock } from '../clock.ts';
import type { Rename } from '../connections/connectionMemory.ts';
import { isStoredText, mostRemembered, type Memory } from '../memory.ts';
import type { RevisionId } from './answers.ts';

/** What a window stores for the next one: ids, a name, a status and a time, no other data of the service. */
export interface StoredAnswer extends RevisionId {
  readonly name: string;
  readonly status: string;
  /** When it was received. */
  readonly at: number;
}

/** How old the stored time of an unchanged status may be, in milliseconds. */
const storedFor = 60_000;

const slot = 'answers';

/** The last answers about what is followed or the workspace's own, as the next window of the workspace will know them. */
export class StoredAnswers {
  readonly #memory: Memory;
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  /** By revision, the newest last. The next window can't use monotonic time, so the times are wall time. */
  readonly #stored: Map<string, StoredAnswer>;
  #isWritten = true;

  constructor(memory: Memory, clock: Pick<Clock, 'now' | 'monotonic'>) {
    this.#memory = memory;
    this.#clock = clock;
    const value = memory.get(slot);
    const stored = Array.isArray(value) ? value.slice(0, mostRemembered).filter(isStoredAnswer) : [];
    this.#stored = new Map(stored.map((each) => [keyOf(each), each]));
  }

  /** What an earlier window was told of a revision, with its time in monotonic time. */
  of(connection: string, revisionId: string | undefined): StoredAnswer | undefined {
    const stored = this.#stored.get(keyOf({ connection, revisionId: revisionId ?? '' }));
    // The clock may have been set back since.
    return stored && { ...stored, at: this.#clock.monotonic() - Math.max(0, this.#clock.now() - stored.at) };
  }

  /** The revision of a deployment that was stored last. */
  lastOf(connection: string, deploymentId: string): string | undefined {
    const stored = [...this.#stored.values()];
    return stored.findLast((each) => each.connection === connection && each.deploymentId === deploymentId)?.revisionId;
  }

  /** Notes an answer, received at a monotonic time. The same status is stored once a minute. */
  note(answer: Omit<StoredAnswer, 'name'> & { readonly name: string | undefined }): void {
    const before = this.#stored.get(keyOf(answer));
    const at = Math.round(toWallTime(this.#clock, answer.at));
    const stored = { ...answer, name: answer.name ?? before?.name ?? answer.deploymentId, at };
    const isSame = before?.status === stored.status && before.name === stored.name;
    if (isSame && Math.abs(at - before.at) < storedFor) return;
    this.#stored.delete(keyOf(stored));
    this.#stored.set(keyOf(stored), stored);
    this.#isWritten = false;
  }

  drop(isMeant: (stored: StoredAnswer) => boolean): void {
    for (const [key, stored] of this.#stored) {
      if (isMeant(stored)) this.#isWritten = !this.#stored.delete(key);
    }
  }

  rename({ from, to }: Rename): void {
    for (const [key, stored] of this.#stored) {
      if (stored.connection !== from) continue;
      const renamed = { ...stored, connection: to };
      this.#stored.delete(key);
      this.#stored.set(keyOf(renamed), renamed);
      this.#isWritten = false;
    }
    this.write();
  }

  /** Writes what was noted or dropped since the last time. */
  write(): void {
    if (this.#isWritten) return;
    this.#isWritten = true;
    const stored = [...this.#stored.values()].slice(-mostRemembered);
    void this.#memory.update(slot, stored.length > 0 ? stored : undefined);
  }
}

function isStoredAnswer(value: unknown): value is StoredAnswer {
  if (!isRecord(value)) return false;
  const { connection, deploymentId, revisionId, name, status, at } = value;
  return [connection, deploymentId, revisionId, name, status].every(isStoredText) && Number.isFinite(at);
}

function keyOf({ connection, revisionId }: Pick<RevisionId, 'connection' | 'revisionId'>): string {
  return JSON.stringify([connection, revisionId]);
}
