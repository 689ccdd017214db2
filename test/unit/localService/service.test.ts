import path from 'node:path';
import * as sqlite from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createService } from '../../../src/localService/service.ts';
import type { Service } from '../../../src/localService/service.ts';
import { openDatabase } from '../../../src/localService/store/database.ts';
import type { Database } from '../../../src/localService/store/database.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let database: Database;
let service: Service;
let errors: unknown[];

beforeEach(async () => {
  folder = await temporaryFolder();
  database = openDatabase(sqlite, path.join(folder.path, 'service.sqlite')) as Database;
  errors = [];
  service = createService(database, {
    dataFolder: folder.path,
    git: undefined,
    mode: 'any',
    stepMilliseconds: 1000,
    sample: true,
    devControls: false,
    apiKey: 'key',
    onError: (error) => errors.push(error),
    onStop: () => {},
  });
});

afterEach(async () => {
  await service.stop();
  database.close();
  await folder[Symbol.asyncDispose]();
});

const ask = async (method: string, route: string, body?: object) =>
  service.app.request(`http://localhost${route}`, {
    method,
    headers: { host: 'localhost', 'x-api-key': 'key', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const register = async (id: string) =>
  ask('POST', '/v2/listeners', { compute_type: 'k8s', compute_id: id, version: 'v'.repeat(100_000) });

describe('a full disk', () => {
  it('is said in words, leaves what is stored readable, and passes', async () => {
    expect((await register('first')).status).toBe(201);
    // SQLite reports a file that can't grow like a disk without space.
    database.run(`PRAGMA max_page_count = ${Number(database.get('PRAGMA page_count')?.['page_count'])}`);
    const refused = await register('second');
    expect(refused.status).toBe(507);
    expect(await refused.json()).toEqual({
      detail: expect.stringMatching(/service\.sqlite can't be written, because its disk is full\. Free some space/),
    });
    expect(errors).toEqual([]);
    const { resources } = (await (await ask('GET', '/v2/listeners')).json()) as { resources: unknown[] };
    expect(resources).toMatchObject([{ compute_id: 'first' }]);
    database.run('PRAGMA max_page_count = 1000000');
    expect((await register('second')).status).toBe(201);
  });
});
