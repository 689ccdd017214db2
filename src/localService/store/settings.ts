import { text } from './database.ts';
import type { Database } from './database.ts';

/** Single values of the data folder, such as the ids of its tenant and its integration. */
export class Settings {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get(name: string): string | undefined {
    const row = this.#database.get('SELECT value FROM settings WHERE name = ?', name);
    return row === undefined ? undefined : text(row, 'value');
  }

  set(name: string, value: string): void {
    this.#database.run(
      'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      name,
      value,
    );
  }

  /** Returns the stored value, or stores and returns the one from `make`. */
  getOrMake(name: string, make: () => string): string {
    return this.#database.transaction(() => {
      const known = this.get(name);
      if (known !== undefined) return known;
      const made = make();
      this.set(name, made);
      return made;
    });
  }
}
