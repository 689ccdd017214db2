import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as sqlite from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isUniqueViolation, openDatabase } from '../../../../src/localService/store/database.ts';
import { schema } from '../../../../src/localService/store/schema.ts';
import type { Database } from '../../../../src/localService/store/database.ts';

let folder: string;
let database: Database;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'database-'));
  database = openDatabase(sqlite, path.join(folder, 'service.sqlite')) as Database;
});

afterEach(async () => {
  database.close();
  await rm(folder, { recursive: true, force: true });
});

const insert = 'INSERT INTO settings (name, value) VALUES (?, ?)';
const count = () => database.get('SELECT count(*) AS n FROM settings')?.['n'];

it.skipIf(process.platform === 'win32')(
  'restricts its files to their owner, even files that were open to all',
  async () => {
    const modes = async () => {
      const names = await readdir(folder);
      return Promise.all(names.map(async (name) => [name, (await stat(path.join(folder, name))).mode & 0o777]));
    };
    const closed = [
      ['service.sqlite', 0o600],
      ['service.sqlite-wal', 0o600],
    ];
    expect(await modes()).toEqual(closed);
    database.close();
    await chmod(path.join(folder, 'service.sqlite'), 0o644);
    database = openDatabase(sqlite, path.join(folder, 'service.sqlite')) as Database;
    database.run(insert, 'a', '1');
    expect(await modes()).toEqual(closed);
  },
);

it('writes durably and checks foreign keys', () => {
  expect(database.get('PRAGMA journal_mode')).toEqual({ journal_mode: 'wal' });
  expect(database.get('PRAGMA synchronous')).toEqual({ synchronous: 2 });
  expect(() => database.run('INSERT INTO revisions SELECT 1, 2, 3, 4, 5, 6, 7, 8, 9')).toThrow('FOREIGN KEY');
});

it('keeps what a file of the first version has, and adds the tables that it lacks', () => {
  database.close();
  const file = path.join(folder, 'first.sqlite');
  const first = new sqlite.DatabaseSync(file);
  first.exec(`${schema} PRAGMA user_version = 1; INSERT INTO settings VALUES ('a', '1')`);
  first.close();
  database = openDatabase(sqlite, file) as Database;
  expect(count()).toBe(1);
  for (const table of ['log_entries', 'deletions', 'held_tips']) {
    expect(database.all(`SELECT * FROM ${table}`)).toEqual([]);
  }
  expect(database.get('PRAGMA user_version')).toEqual({ user_version: 1 });
});

it('writes all or nothing of a transaction', () => {
  expect(() =>
    database.transaction(() => {
      database.run(insert, 'a', '1');
      throw new Error('stop');
    }),
  ).toThrow('stop');
  expect(count()).toBe(0);
  database.transaction(() => database.run(insert, 'a', '1'));
  expect(count()).toBe(1);
});

it('makes a nested transaction part of the outer one', () => {
  expect(() =>
    database.transaction(() => {
      database.transaction(() => database.run(insert, 'inner', '1'));
      throw new Error('stop');
    }),
  ).toThrow('stop');
  expect(count()).toBe(0);
});

it('runs a transaction after one whose commit failed', () => {
  const breaksAtCommit = () =>
    database.transaction(() => {
      database.run(`INSERT INTO tracing_projects VALUES ('a', 'id', 0)`);
      database.run(`INSERT INTO deployments (id, name, source, source_config_json, build_on_push, secret_names_json,
        secret_references_json, status, remote_reconciled, latest_revision_id, created_at, updated_at)
        VALUES ('d', 'a', 's', '{}', 0, '[]', '[]', 'READY', 0, 'absent', 0, 0)`);
    });
  expect(breaksAtCommit).toThrow('FOREIGN KEY');
  database.transaction(() => database.run(insert, 'a', '1'));
  expect(count()).toBe(1);
});

it('distinguishes a taken name from other failures', () => {
  database.run(insert, 'a', '1');
  const failureOf = (work: () => void): unknown => {
    try {
      work();
    } catch (error) {
      return error;
    }
    return undefined;
  };
  expect(isUniqueViolation(failureOf(() => database.run(insert, 'a', '2')))).toBe(true);
  expect(isUniqueViolation(failureOf(() => database.run(insert, 'b', null)))).toBe(false);
  expect(isUniqueViolation('UNIQUE')).toBe(false);
});

it.each([
  ['a missing table', 'DROP TABLE agents'],
  ['a view instead of a table', 'DROP TABLE agents; CREATE VIEW agents AS SELECT 1 AS id'],
  ['a missing column', 'ALTER TABLE agents RENAME COLUMN connections_json TO other'],
])('names the file and what to do about %s', (_, change) => {
  const file = path.join(folder, 'service.sqlite');
  database.close();
  const connection = new sqlite.DatabaseSync(file);
  connection.exec(change);
  connection.close();
  database = openDatabase(sqlite, file) as Database;
  expect(() => database.get('SELECT connections_json FROM agents')).toThrow(
    `${file} has missing or changed tables. Move it away to start with an empty one, or use another data folder.`,
  );
});

it('warns of a file that lost its content, but not of a new one', async () => {
  expect(database.warning).toBeUndefined();
  database.close();
  const file = path.join(folder, 'empty.sqlite');
  await writeFile(file, '');
  database = openDatabase(sqlite, file) as Database;
  expect(database.warning).toContain(`${file} was empty`);
  database.close();
  database = openDatabase(sqlite, file) as Database;
  expect(database.warning).toBeUndefined();
});
