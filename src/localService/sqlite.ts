import type * as sqlite from 'node:sqlite';

export type Sqlite = typeof sqlite;

/** The runtime has no built-in SQLite. */
export class SqliteMissingError extends Error {
  override readonly name = 'SqliteMissingError';
}

/**
 * Loads the SQLite of the runtime. It is loaded late, so that its absence can be told in words.
 * @throws {SqliteMissingError} the runtime is too old
 */
export async function loadSqlite(): Promise<Sqlite> {
  const original = Object.getOwnPropertyDescriptor(process, 'emitWarning');
  // Node 22 calls its SQLite experimental each time it is loaded; that is no news for the person who reads our log.
  process.emitWarning = () => {};
  try {
    return await import('node:sqlite');
  } catch (cause) {
    throw new SqliteMissingError(
      `The local service needs a runtime with built-in SQLite (Node 22.13 or newer, VS Code 1.106 or newer); this is Node ${process.versions.node}.`,
      { cause },
    );
  } finally {
    if (original !== undefined) Object.defineProperty(process, 'emitWarning', original);
  }
}
