import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as sqlite from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { flavors } from '../../../src/api/flavor.ts';
import type { Http } from '../../../src/api/http/http.ts';
import { createDeployments } from '../../../src/api/resources/deployments.ts';
import { listenerReader } from '../../../src/api/resources/listeners.ts';
import { isUnreadable } from '../../../src/api/resources/page.ts';
import { readList } from '../../../src/api/resources/reading.ts';
import { revisionReader } from '../../../src/api/resources/revisions.ts';
import { createService } from '../../../src/localService/service.ts';
import type { Service } from '../../../src/localService/service.ts';
import { openDatabase } from '../../../src/localService/store/database.ts';
import type { Database } from '../../../src/localService/store/database.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

const step = 1000;
const unused = () => Promise.reject(new Error('unused'));
const http: Http = {
  origin: 'http://127.0.0.1',
  flavor: flavors.standard,
  get: async (route, query = {}) => {
    const parameters = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
    return (await ask(`${route}?${new URLSearchParams(parameters).toString()}`)).body;
  },
  send: unused,
  describe: unused,
};

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let file: string;
let database: Database | undefined;
let running: Service | undefined;
let reported: string[];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] });
  folder = await temporaryFolder();
  file = path.join(folder.path, 'service.sqlite');
  start();
});

afterEach(async () => {
  await stop();
  vi.useRealTimers();
  await folder[Symbol.asyncDispose]();
});

function start(): void {
  reported = [];
  database = openDatabase(sqlite, file) as Database;
  running = createService(database, {
    dataFolder: folder.path,
    git: undefined,
    stepMilliseconds: step,
    sample: false,
    apiKey: 'key',
    onError: (error) => reported.push(String(error)),
    onStop: () => {},
  });
  running.start();
}

async function stop(): Promise<void> {
  await running?.stop();
  database?.close();
  [running, database] = [undefined, undefined];
}

/** Changes the database while the service is stopped, as another program would. */
async function damage(sql: string): Promise<void> {
  await stop();
  const connection = new sqlite.DatabaseSync(file);
  connection.exec(sql);
  connection.close();
  start();
}

async function ask(route: string, body?: object): Promise<{ status: number; body: { [field: string]: unknown } }> {
  const response = await (running as Service).app.request(`http://127.0.0.1${route}`, {
    headers: { host: '127.0.0.1', 'x-api-key': 'key', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as { [field: string]: unknown } };
}

async function deploy(name: string): Promise<{ id: string; latest_revision_id: string }> {
  const source = { source: 'external_docker', source_revision_config: { image_uri: 'registry.example/agent:1' } };
  const { body } = await ask('/v2/deployments', { name, source_config: {}, secrets: [], ...source });
  return body as { id: string; latest_revision_id: string };
}

async function names(): Promise<unknown> {
  const { status, body } = await ask('/v2/deployments');
  expect(status).toBe(200);
  return (body['resources'] as { name?: string }[]).map(({ name }) => name ?? 'unreadable');
}

describe('a damaged row', () => {
  it.each([
    `source_config_json = '{'`,
    `secret_names_json = ''`,
    'created_at = 9000000000000000',
    'updated_at = 9223372036854775807',
  ])('of a deployment with %s is listed as unreadable, and the others as they are', async (change) => {
    const { id } = await deploy('broken');
    await deploy('whole');
    await damage(`UPDATE deployments SET ${change} WHERE id = '${id}'`);
    expect((await names()) as string[]).toEqual(expect.arrayContaining(['whole', 'unreadable']));
    const client = createDeployments(http);
    const { resources } = await client.list();
    expect(resources.filter(isUnreadable)).toMatchObject([{ id }]);
    await client.list();
    expect(reported).toEqual([expect.stringContaining(`${file} has an entry that can't be read: ${id}`)]);
    await expect(client.find(id)).rejects.toThrow(/unknown format/);
  });

  it('of a revision or a listener is listed as unreadable, and the others as they are', async () => {
    const { id, latest_revision_id: revision } = await deploy('agent');
    await ask('/v2/listeners', { compute_type: 'k8s', compute_id: 'one' });
    await ask('/v2/listeners', { compute_type: 'k8s', compute_id: 'two' });
    await damage(`UPDATE revisions SET config_json = '['; UPDATE listeners SET compute_config_json = '' WHERE
      compute_id = 'one'`);
    const revisions = (await ask(`/v2/deployments/${id}/revisions`)).body['resources'];
    expect(readList(http, revisionReader, revisions)).toMatchObject([{ unreadable: true, id: revision }]);
    const listeners = (await ask('/v2/listeners')).body['resources'];
    const read = readList(http, listenerReader, listeners);
    expect(read.map((row) => isUnreadable(row))).toContain(true);
    expect(read).toEqual(expect.arrayContaining([expect.objectContaining({ compute_id: 'two' })]));
    const single = await ask(`/v2/deployments/${id}/revisions/${revision}`);
    expect(single).toMatchObject({ status: 500, body: { detail: expect.stringContaining(file) } });
  });

  it('stops no other deployment, and is reported once', async () => {
    const broken = await deploy('broken');
    const whole = await deploy('whole');
    await damage(`UPDATE revisions SET config_json = '[' WHERE id = '${broken.latest_revision_id}'`);
    await vi.advanceTimersByTimeAsync(20 * step);
    const { body } = await ask(`/v2/deployments/${whole.id}/revisions/${whole.latest_revision_id}`);
    expect(body['status']).toBe('DEPLOYED');
    expect(reported).toEqual([expect.stringContaining(broken.latest_revision_id)]);
  });

  it('whose build cannot begin fails it', async () => {
    const { id, latest_revision_id: revision } = await deploy('agent');
    await damage(`UPDATE deployments SET source_config_json = '7' WHERE id = '${id}'`);
    await vi.advanceTimersByTimeAsync(20 * step);
    const { body } = await ask(`/v2/deployments/${id}/revisions/${revision}`);
    expect(body).toMatchObject({ status: 'BUILD_FAILED' });
    expect(reported).toHaveLength(1);
  });
});

it('tries a failed step again less and less often, and reports the failure once', async () => {
  const { id, latest_revision_id: revision } = await deploy('agent');
  const run = vi.spyOn(database as Database, 'run').mockImplementation(() => {
    throw new Error('The disk fails.');
  });
  await vi.advanceTimersByTimeAsync(600 * step);
  const { length } = run.mock.calls;
  expect(length).toBeGreaterThan(5);
  expect(length).toBeLessThan(60);
  expect(reported).toEqual(['Error: The disk fails.']);
  run.mockRestore();
  await vi.advanceTimersByTimeAsync(120 * step);
  expect((await ask(`/v2/deployments/${id}/revisions/${revision}`)).body['status']).toBe('DEPLOYED');
});

describe('a damaged page', () => {
  it('is said with the path and what to do, and leaves readable what is elsewhere', { timeout: 60_000 }, async () => {
    for (let count = 0; count < 12; count += 1) await deploy(`agent-${count}`);
    await ask('/v2/listeners', { compute_type: 'k8s', compute_id: 'one' });
    const { id } = await deploy('last');
    await stop();
    const whole = await readFile(file);
    const pageSize = whole.readUInt16BE(16);
    let served = 0;
    for (let page = 0; page < whole.length; page += pageSize) {
      await writeFile(file, Buffer.from(whole).fill(0xa5, page, page + pageSize));
      try {
        start();
      } catch (error) {
        expect(String(error)).toMatch(/service\.sqlite (?:is damaged|isn't a readable database)\. Move it away/);
        await stop();
        continue;
      }
      for (const route of ['/v2/deployments', '/v2/listeners', `/v2/deployments/${id}/revisions`]) {
        const { status, body } = await ask(`${route}?limit=100`);
        if (status === 200 && Array.isArray(body['resources']) && body['resources'].length > 0) served += 1;
        else
          expect([status, body]).toEqual([
            500,
            { detail: expect.stringContaining(`${file} is damaged. Move it away`) },
          ]);
      }
      await ask('/v2/deployments', { name: 'new', source: 'external_docker', source_revision_config: {} });
      await vi.advanceTimersByTimeAsync(5 * step);
      // Said, and not again with each retry.
      expect(reported.length).toBeLessThan(5);
      expect(new Set(reported).size).toBe(reported.length);
      for (const words of reported) expect(words).toContain(file);
      await stop();
    }
    expect(served).toBeGreaterThan((2 * whole.length) / pageSize);
    await writeFile(file, whole);
    start();
  });
});
