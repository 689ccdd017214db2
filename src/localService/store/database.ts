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

export type DatabaseRow = Record<string, SQLOutputValue>;

/** The file cannot be used; the message says why and what to do. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
}

/** Another process has the file: one service serves a data folder. */
export class DatabaseInUseError extends Error {
  override readonly name = 'DatabaseInUseError';
}

/**
 * The one SQLite file of a service, held exclusively from opening to closing. The lock belongs to the process and
 * ends with it, however it ends, so that a stale lock cannot exist.
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

  /** Gives the number of rows that were changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#statement(sql).run(...values).changes);
  }

  /** Runs all writes of `work` or none. Inside another transaction it becomes a part of that one. */
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
      // After some failures, such as a full disk, SQLite has rolled back by itself.
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
 * Opens the file, makes it when it is not there, closes it to everybody else, and takes it exclusively.
 * @throws {DatabaseInUseError} another process has it
 * @throws {DatabaseError} it is no database of this service or of a version that this one does not know
 */
export function openDatabase(sqlite: Sqlite, file: string): Database {
  closeToOthers(file);
  const connection = connect(sqlite, file);
  try {
    // The order matters: the mode must be exclusive before the first read, so that the lock is never given back.
    connection.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    connection.exec('BEGIN IMMEDIATE');
    createSchema(connection, file);
    connection.exec('COMMIT');
    return new Database(connection);
  } catch (error) {
    connection.close();
    throw explain(error, file);
  }
}

/** Before SQLite opens it, which gives the files beside it the same mode. */
function closeToOthers(file: string): void {
  try {
    closeSync(openSync(file, 'a', 0o600));
    chmodSync(file, 0o600);
  } catch {
    // SQLite fails for the same reason, and its codes are told in words.
  }
}

function connect(sqlite: Sqlite, file: string): DatabaseSync {
  try {
    return new sqlite.DatabaseSync(file, { timeout: 0, enableForeignKeyConstraints: true });
  } catch (error) {
    throw explain(error, file);
  }
}

function createSchema(connection: DatabaseSync, file: string): void {
  const version = connection.prepare('PRAGMA user_version').get()?.['user_version'];
  const tables = connection.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()?.['tables'];
  if (version === schemaVersion) {
    // Earlier versions stored which folders windows had open.
    connection.exec('DROP TABLE IF EXISTS repository_folders');
    return;
  }
  if (version === 0 && tables === 0) {
    connection.exec(`${schema} PRAGMA user_version = ${schemaVersion};`);
    return;
  }
  throw new DatabaseError(
    `${file} has version ${String(version)}, and this local service knows version ${schemaVersion} only. Use the extension that made it, or another data folder (--data).`,
  );
}

/** The primary result codes of SQLite that mean something to a person. */
const busy = 5;
const reasons = new Map([
  [8, 'may not be written to'],
  [11, 'is not a readable database'],
  [13, 'cannot grow, because the disk is full'],
  [14, 'cannot be opened'],
  [26, 'is not a readable database'],
]);

function explain(error: unknown, file: string): unknown {
  const code = resultCode(error);
  if (code === busy) return new DatabaseInUseError(`${file} is in use.`, { cause: error });
  const reason = code === undefined ? undefined : reasons.get(code);
  if (reason === undefined) return error;
  return new DatabaseError(`${file} ${reason}. Put that right, or use another data folder (--data).`, { cause: error });
}

/** Tells a row that breaks a UNIQUE or PRIMARY KEY rule from other failures. */
export function isUniqueViolation(error: unknown): boolean {
  const constraintPrimaryKey = 1555;
  const constraintUnique = 2067;
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return code === constraintUnique || code === constraintPrimaryKey;
}

function resultCode(error: unknown): number | undefined {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof code === 'number' ? code & 0xff : undefined;
}
