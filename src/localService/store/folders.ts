import type { Database } from '../database.ts';
import { integer, text } from '../rows.ts';

export interface RegisteredFolder {
  readonly id: number;
  readonly folder: string;
}

/** The folders whose repositories the service offers. They are remembered with the data folder. */
export class Folders {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Registering again keeps the id and makes the folder the most recent one. */
  register(folder: string, now: number): void {
    this.#database.run(
      `INSERT INTO repository_folders (folder, registered_at) VALUES (?, ?)
       ON CONFLICT (folder) DO UPDATE SET registered_at = excluded.registered_at`,
      folder,
      now,
    );
  }

  remove(folder: string): void {
    this.#database.run('DELETE FROM repository_folders WHERE folder = ?', folder);
  }

  /** All folders, the most recently registered first. */
  list(): RegisteredFolder[] {
    return this.#database
      .all('SELECT id, folder FROM repository_folders ORDER BY registered_at DESC, id DESC')
      .map((row) => ({ id: integer(row, 'id'), folder: text(row, 'folder') }));
  }
}
