import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import type * as sqlite from 'node:sqlite';
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { additions, schema, schemaVersion } from './schema.ts';

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

/** A file of the data folder can't be used; the message has its path, the reason and what to do. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
}

/** A row that couldn't be read. No reader of the interface accepts its time, so clients list it as unreadable. */
interface UnreadableRow {
  readonly id: string;
  readonly created_at: { readonly unreadable: string };
}

/**
 * The SQLite file of a service, locked exclusively until it is closed.
 * The lock ends with the process, however that ends, so it can't go stale.
 */
export class Database {
  /** What to tell the user about the file, if anything. */
  readonly warning: string | undefined;
  readonly #connection: DatabaseSync;
  readonly #file: string;
  readonly #statements = new Map<string, StatementSync>();
  #inTransaction = false;
  #report: (error: Error) => void = () => {};

  constructor(connection: DatabaseSync, file: string, warning?: string) {
    this.warning = warning;
    this.#connection = connection;
    this.#file = file;
  }

  /** Sets the listener for unreadable values. Everything else is still served. */
  reportTo(report: (error: Error) => void): void {
    this.#report = report;
  }

  /** Reports such a value in words that follow the path of the file. */
  complain(words: string): DatabaseError {
    const error = new DatabaseError(`${this.#file} ${words}`);
    this.#report(error);
    return error;
  }

  all(sql: string, ...values: SQLInputValue[]): DatabaseRow[] {
    return this.#explained(() => this.#statement(sql).all(...values));
  }

  get(sql: string, ...values: SQLInputValue[]): DatabaseRow | undefined {
    return this.#explained(() => this.#statement(sql).get(...values));
  }

  run(sql: string, ...values: SQLInputValue[]): void {
    this.#explained(() => this.#statement(sql).run(...values));
  }

  /** Reads each found row (its `rowid` and `id`) with a statement of its own: a damaged one doesn't hide the others. */
  readRows<Read>(
    found: readonly DatabaseRow[],
    sqlOfRow: string,
    read: (row: DatabaseRow) => Read,
  ): (Read | UnreadableRow)[] {
    return found.map(({ rowid = null, id = null }) => {
      try {
        return read(this.get(sqlOfRow, rowid) ?? {});
      } catch (error) {
        return { id: String(id), created_at: { unreadable: this.#unreadable(String(id), error).message } };
      }
    });
  }

  /**
   * Reads one row, if there is one.
   * @throws {DatabaseError} it can't be read, which is also reported
   */
  readRow<Read>(row: DatabaseRow | undefined, id: string, read: (row: DatabaseRow) => Read): Read | undefined {
    try {
      return row && read(row);
    } catch (error) {
      throw this.#unreadable(id, error);
    }
  }

  /** Reports a row that can't be read. */
  #unreadable(id: string, error: unknown): DatabaseError {
    if (error instanceof DatabaseError) {
      if (codeOf(error.cause) === damaged) return this.complain(`is damaged, and some of it can't be read. ${restore}`);
      this.#report(error);
      return error;
    }
    const reason = error instanceof Error ? error.message : String(error);
    return this.complain(`has an entry that can't be read: ${id} (${reason}). ${restore}`);
  }

  /** Runs all writes of `work` or none. Joins a transaction that is already running. */
  transaction<Result>(work: () => Result): Result {
    if (this.#inTransaction) return work();
    this.run('BEGIN IMMEDIATE');
    this.#inTransaction = true;
    try {
      const result = work();
      this.run('COMMIT');
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

  #explained<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw explainFileError(error, this.#file);
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

/** What reads and writes a part of the database. */
export abstract class Table {
  protected readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }
}

/**
 * Opens or creates the database file, restricts it to its owner, and locks it. Undefined if another process holds it.
 * @throws {DatabaseError} it can't be opened or written, isn't a database of this service, or has an unknown version
 */
export function openDatabase(sqlite: Sqlite, file: string): Database | undefined {
  try {
    // Opening a pipe would wait for its other end.
    const present = statSync(file, { throwIfNoEntry: false });
    if (present?.isFile() === false) throw cannotBeUsed(file, notAFile);
    closeToOthers(file);
    const connection = new sqlite.DatabaseSync(file, { timeout: 0, enableForeignKeyConstraints: true });
    return lock(connection, file, present?.size === 0);
  } catch (error) {
    if (codeOf(error) === busy) return undefined;
    throw explainFileError(error, file);
  }
}

function lock(connection: DatabaseSync, file: string, wasEmpty: boolean): Database {
  try {
    // Exclusive mode must be set before the first read, so the lock is never given back.
    connection.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    connection.exec('BEGIN IMMEDIATE');
    const isNew = createSchema(connection, file);
    connection.exec('COMMIT');
    // Not an error, because a start that was killed leaves an empty file too.
    return new Database(connection, file, isNew && wasEmpty ? `${file} ${emptied}` : undefined);
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

/** Creates the tables that a file lacks. False if it isn't new. */
function createSchema(connection: DatabaseSync, file: string): boolean {
  const version = connection.prepare('PRAGMA user_version').get()?.['user_version'];
  const tables = connection.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()?.['tables'];
  if (version === schemaVersion) {
    // Earlier versions stored the folders that windows had open.
    connection.exec(`DROP TABLE IF EXISTS repository_folders; ${additions}`);
    return false;
  }
  if (version === 0 && tables === 0) {
    connection.exec(`${schema} ${additions} PRAGMA user_version = ${schemaVersion};`);
    return true;
  }
  throw new DatabaseError(
    `${file} has version ${String(version)}, but this local service supports only version ${schemaVersion}. Use the version of the extension that created it, or another data folder.`,
  );
}

const busy = 5;

const restore = 'Everything else is served. To get the rest back, stop the service and restore the file from a backup.';

const emptied =
  'was empty, so there are no deployments. If there were some, stop the service and restore the file from a backup.';

/** Why a file can't be used, and what to do. */
type Reason = readonly [reason: string, remedy: string];

const full: Reason = ["can't be written, because its disk is full", 'Free some space on it'];
const notWritable: Reason = ["can't be written", 'Make it and its folder writable'];
const notOpened: Reason = ["can't be opened", 'Make it and its folder readable and writable'];
const notAFile: Reason = ["isn't a file", 'Remove it'];

/** SQLite's result code for a damaged file. */
const damaged = 11;

/** The primary result codes of SQLite and the system's codes that the user can act on. */
const reasons = new Map<unknown, Reason>([
  // The service's own statements are valid, so the tables aren't those that it made.
  [1, ['has missing or changed tables', 'Move it away to start with an empty one']],
  [8, notWritable],
  [10, ["can't be read or written", 'Check its disk']],
  [damaged, ['is damaged', 'Move it away to start with an empty one']],
  [13, full],
  [14, notOpened],
  [26, ["isn't a readable database", 'Move it away to start with an empty one']],
  ['EACCES', notOpened],
  ['EDQUOT', full],
  ['EISDIR', notAFile],
  ['ELOOP', notAFile],
  ['ENOSPC', full],
  ['EPERM', notOpened],
  ['EROFS', notWritable],
]);

/** The error in words, if the user can act on it. */
export function explainFileError(error: unknown, file: string): unknown {
  const reason = reasons.get(codeOf(error));
  return reason === undefined ? error : cannotBeUsed(file, reason, error);
}

function cannotBeUsed(file: string, [reason, remedy]: Reason, cause?: unknown): DatabaseError {
  return new DatabaseError(`${file} ${reason}. ${remedy}, or use another data folder.`, { cause });
}

/** SQLite's result codes for a violated PRIMARY KEY or UNIQUE constraint. */
const uniqueViolations = new Set<unknown>([1555, 2067]);

export function isUniqueViolation(error: unknown): boolean {
  return uniqueViolations.has(resultCode(error));
}

/** Whether a write failed because the disk is full. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof DatabaseError && reasons.get(codeOf(error.cause)) === full;
}

/** The primary result code of SQLite, or the system's code. */
function codeOf(error: unknown): unknown {
  const code = resultCode(error);
  if (code !== undefined) return code & 0xff;
  return error instanceof Error && 'code' in error ? error.code : undefined;
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
