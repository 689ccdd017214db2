import { hash } from 'node:crypto';
import type { Connection } from './connection.ts';
import type { Rename } from './connectionMemory.ts';
import { UnreadableKeyError } from './session.ts';

/** Tells which connections were replaced since the last reading, by their names. */
export class ConnectionChanges {
  /** Without the name, so that a renamed connection with other settings is another one too. */
  #settings: Map<string, string> = new Map();
  /** Digests of the keys, which are enough to detect a new one. */
  readonly #keys = new Map<string, string>();

  /**
   * The names of those that were removed or have other settings.
   * @param isNameTaken whether an item that can't be used for a moment, such as with a half-typed address, has a name:
   * it is neither removed nor another one yet
   */
  replaced(connections: readonly Connection[], isNameTaken: (name: string) => boolean): Set<string> {
    const before = this.#settings;
    this.#settings = new Map(connections.map((each) => [each.name, JSON.stringify({ ...each, name: '' })]));
    for (const [name, text] of before) {
      if (this.#settings.has(name)) continue;
      if (isNameTaken(name)) this.#settings.set(name, text);
      else this.#keys.delete(name);
    }
    return new Set([...before.keys()].filter((name) => before.get(name) !== this.#settings.get(name)));
  }

  /** Whether a connection has another key than the last time. One that can't be read now may well be the same. */
  hasOtherKey(name: string, key: string | UnreadableKeyError | undefined): boolean {
    if (key instanceof UnreadableKeyError) return false;
    const before = this.#keys.get(name);
    const digest = hash('sha256', String(key));
    this.#keys.set(name, digest);
    return before !== undefined && before !== digest;
  }

  rename({ from, to }: Rename): void {
    for (const known of [this.#settings, this.#keys]) {
      const text = known.get(from);
      if (text !== undefined) known.set(to, text);
    }
  }
}
