import { chmodSync, closeSync, openSync } from 'node:fs';
import type * as sqlite from 'node:sqlite';
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { schema, schemaVersion } from './schema.ts';

export type Sqlite = typeof sqlite;

/** The runtime has no built-in SQLite. */
export class SqliteMissingError extends Error {
  override readonly name = 'SqliteMissingError';
}

/**
 * Loads the runtime's built-in SQLite.
 * The import is dynamic, so a missing SQLite gets a helpful message.
 * @throws {SqliteMissingError} the runtime is too old
 */
export async function loadSqlite(): Promise<Sqlite> {
  const original = Object.getOwnPropertyDescriptor(process, 'emitWarning');
  // Node 22 warns on each load that its SQLite is experimental, which is noise in the service's log.
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

export type DatabaseRow = Record<string, SQLOutputValue>;

/** The database file can't be used; the message says why and what to do. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
}

/**
 * The SQLite file of a service, locked exclusively until it is closed.
 * The lock ends with the process, however that ends, so it can't go stale.
 */
export class Database {
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #inTransaction = false;

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
  }

  all(sql: string, ...values: SQLInputValue[]): DatabaseRow[] {
    return this.#statement(sql).all(...values);
  }

  get(sql: string, ...values: SQLInputValue[]): DatabaseRow | undefined {
    return this.#statement(sql).get(...values);
  }

  run(sql: string, ...values: SQLInputValue[]): void {
    this.#statement(sql).run(...values);
  }

  /** Runs all writes of `work` or none. Joins a transaction that is already running. */
  transaction<Result>(work: () => Result): Result {
    if (this.#inTransaction) return work();
    this.#connection.exec('BEGIN IMMEDIATE');
    this.#inTransaction = true;
    try {
      const result = work();
      this.#connection.exec('COMMIT');
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    } finally {
      this.#inTransaction = false;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#connection.close();
  }

  #rollBack(): void {
    try {
      this.#connection.exec('ROLLBACK');
    } catch {
      // After some failures, such as a full disk, SQLite has already rolled back.
    }
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#connection.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/**
 * Opens or creates the database file, restricts it to its owner, and locks it. Undefined if another process holds it.
 * @throws {DatabaseError} it can't be opened or written, isn't a database of this service, or has an unknown version
 */
export function openDatabase(sqlite: Sqlite, file: string): Database | undefined {
  closeToOthers(file);
  try {
    return lock(new sqlite.DatabaseSync(file, { timeout: 0, enableForeignKeyConstraints: true }), file);
  } catch (error) {
    const code = (resultCode(error) ?? 0) & 0xff;
    if (code === busy) return undefined;
    const reason = reasons.get(code);
    if (reason === undefined) throw error;
    throw new DatabaseError(`${file} ${reason}. Fix this, or use another data folder (--data).`, {
      cause: error,
    });
  }
}

function lock(connection: DatabaseSync, file: string): Database {
  try {
    // Exclusive mode must be set before the first read, so the lock is never given back.
    connection.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    connection.exec('BEGIN IMMEDIATE');
    createSchema(connection, file);
    connection.exec('COMMIT');
    return new Database(connection);
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Restricts the file to its owner before SQLite opens it and copies the mode to its side files. */
function closeToOthers(file: string): void {
  try {
    closeSync(openSync(file, 'a', 0o600));
    chmodSync(file, 0o600);
  } catch {
    // SQLite fails for the same reason, and reports it.
  }
}

function createSchema(connection: DatabaseSync, file: string): void {
  const version = connection.prepare('PRAGMA user_version').get()?.['user_version'];
  const tables = connection.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()?.['tables'];
  if (version === schemaVersion) {
    // Earlier versions stored the folders that windows had open.
    connection.exec('DROP TABLE IF EXISTS repository_folders');
    return;
  }
  if (version === 0 && tables === 0) {
    connection.exec(`${schema} PRAGMA user_version = ${schemaVersion};`);
    return;
  }
  throw new DatabaseError(
    `${file} has version ${String(version)}, but this local service supports only version ${schemaVersion}. Use the version of the extension that created it, or another data folder (--data).`,
  );
}

/** SQLite's primary result codes that the user can act on. */
const busy = 5;
const full = 13;
const reasons = new Map([
  [8, "can't be written"],
  [11, "isn't a readable database"],
  [full, "can't grow, because the disk is full"],
  [14, "can't be opened"],
  [26, "isn't a readable database"],
]);

/** SQLite's result codes for a violated PRIMARY KEY or UNIQUE constraint. */
const uniqueViolations = new Set<unknown>([1555, 2067]);

export function isUniqueViolation(error: unknown): boolean {
  return uniqueViolations.has(resultCode(error));
}

export const diskFullWords =
  'The disk that holds the data folder of the local service is full, and nothing was stored. Free some space on it.';

/** Whether a write failed because the disk is full, in the database or in another file. */
export function isDiskFull(error: unknown): boolean {
  const isFileError = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
  return isFileError || ((resultCode(error) ?? 0) & 0xff) === full;
}

function resultCode(error: unknown): number | undefined {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof code === 'number' ? code : undefined;
}

/** Reads a column that always holds text. */
export function text(row: DatabaseRow, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new TypeError(`The column ${column} contains no text.`);
  return value;
}

/** Reads a text column that may be null. */
export function optionalText(row: DatabaseRow, column: string): string | null {
  return row[column] === null ? null : text(row, column);
}

/** Reads a column that always holds a whole number. */
export function integer(row: DatabaseRow, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw new TypeError(`The column ${column} contains no number.`);
  return value;
}

/** Reads a time as the API writes it (ISO 8601, UTC). */
export function isoTime(row: DatabaseRow, column: string): string {
  return new Date(integer(row, column)).toISOString();
}

/** Reads a JSON column, which was validated before it was stored. */
export function json(row: DatabaseRow, column: string): unknown {
  return JSON.parse(text(row, column));
}

/** Converts a comma-separated filter to a value for SQLite's `json_each`; undefined when it names nothing. */
export function jsonList(text: string | null | undefined): string | undefined {
  const items = (text ?? '').split(',').map((item) => item.trim());
  const given = items.filter((item) => item !== '');
  return given.length === 0 ? undefined : JSON.stringify(given);
}
