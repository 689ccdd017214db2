import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as sqlite from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createService } from '../../../src/localService/service.ts';
import type { Service } from '../../../src/localService/service.ts';
import { openDatabase } from '../../../src/localService/store/database.ts';
import type { Database } from '../../../src/localService/store/database.ts';
import { isRunning } from '../../host/processState.mts';
import { createLocalRepository } from '../../support/gitRepositories.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let database: Database;
let service: Service;
let errors: unknown[];

beforeEach(async () => {
  folder = await temporaryFolder();
  database = openDatabase(sqlite, path.join(folder.path, 'service.sqlite')) as Database;
  errors = [];
  service = serviceWith(undefined);
});

const serviceWith = (git: string | undefined) =>
  createService(database, {
    dataFolder: folder.path,
    git,
    stepMilliseconds: 1,
    sample: true,
    apiKey: 'key',
    onError: (error) => errors.push(error),
    onStop: () => {},
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

/** Starts a service whose git hangs once the file `hang` exists, and then writes its id to `pid`. */
async function withHangingGit() {
  const app = path.join(folder.path, 'app');
  await createLocalRepository(app, { 'graph.json': '{}' });
  const at = (name: string): string => path.join(folder.path, name);
  const [git, hang, pid] = [at('slow-git'), at('hang'), at('pid')];
  await writeFile(git, `#!/bin/sh\n[ -e '${hang}' ] && { echo $$ >'${pid}'; exec sleep 60; }\nexec git "$@"\n`);
  await chmod(git, 0o755);
  service = serviceWith(git);
  expect(await service.repositories.take({ folders: [app] })).toEqual([]);
  const [integration] = (await (await ask('GET', '/v1/integrations/forge/repohost/install')).json()) as {
    id: string;
  }[];
  return { app, hang, pid, integration: integration?.id };
}

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

// A shell script stands in the place of git.
describe.skipIf(process.platform === 'win32')('a stop', () => {
  it('ends git for a build, and the build runs again later', { timeout: 8_000 }, async () => {
    const { app, hang, pid, integration } = await withHangingGit();
    const created = await ask('POST', '/v2/deployments', {
      name: 'agent',
      source: 'repohost',
      source_config: { integration_id: integration, repo_url: app },
      source_revision_config: { repo_ref: 'main', graph_config_path: 'graph.json' },
      secrets: [],
    });
    const { id, latest_revision_id: revisionId } = (await created.json()) as Record<string, string>;
    await writeFile(hang, '');
    service.start();
    const running = await vi.waitUntil(async () => Number(await readFile(pid, 'utf8').catch(() => '')));
    await service.stop();
    await vi.waitUntil(() => !isRunning(running));
    const revision = await ask('GET', `/v2/deployments/${id}/revisions/${revisionId}`);
    expect(await revision.json()).toMatchObject({ status: 'BUILDING' });
    expect(errors).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('git of a request that its client gave up', () => {
  it.each([
    ['GET', (id: string) => `/v1/integrations/forge/repohost/${id}/repos`],
    ['POST', () => '/v2/deployments'],
  ])('ends with it: %s', async (method, route) => {
    const { app, hang, pid, integration = '' } = await withHangingGit();
    await writeFile(hang, '');
    const client = new AbortController();
    const body = {
      name: 'agent',
      source: 'repohost',
      source_config: { integration_id: integration, repo_url: app },
      source_revision_config: { repo_ref: 'main', graph_config_path: 'graph.json' },
      secrets: [],
    };
    const answered = service.app.request(`http://localhost${route(integration)}`, {
      method,
      headers: { host: 'localhost', 'x-api-key': 'key', 'content-type': 'application/json' },
      ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
      signal: client.signal,
    });
    const running = await vi.waitUntil(async () => Number(await readFile(pid, 'utf8').catch(() => '')));
    const start = performance.now();
    client.abort();
    await answered;
    // Git ends by itself after ten seconds.
    expect(performance.now() - start).toBeLessThan(5000);
    await vi.waitUntil(() => !isRunning(running));
    expect((await (await ask('GET', '/v2/deployments')).json()) as object).toMatchObject({ resources: [] });
    expect(errors).toEqual([]);
  });
});

describe('a failure of the service itself', () => {
  it('to keep the result of a build starts that ever more rarely', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    service = serviceWith(undefined);
    const body = {
      name: 'agent',
      source: 'internal_docker',
      source_config: {},
      source_revision_config: { image_uri: 'registry.example/agent:1' },
      secrets: [],
    };
    expect((await ask('POST', '/v2/deployments', body)).status).toBe(201);
    let tries = 0;
    const run = database.run.bind(database);
    const failing = vi.spyOn(database, 'run').mockImplementation((statement, ...values) => {
      if (/ SET .*config/.test(statement)) {
        tries += 1;
        throw new Error('disk I/O error');
      }
      return run(statement, ...values);
    });
    service.start();
    await vi.advanceTimersByTimeAsync(300_000);
    expect(tries).toBeGreaterThan(3);
    expect(tries).toBeLessThan(14);
    failing.mockRestore();
    vi.useRealTimers();
  });

  it('is reported once, and tried again ever more rarely', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    service = serviceWith(undefined);
    const body = {
      name: 'agent',
      source: 'internal_source',
      source_config: {},
      source_revision_config: {},
      secrets: [],
    };
    expect((await ask('POST', '/v2/deployments', body)).status).toBe(201);
    service.start();
    const failing = vi.spyOn(database, 'all').mockImplementation(() => {
      throw new Error('disk I/O error');
    });
    const triesIn = async (milliseconds: number): Promise<number> => {
      failing.mockClear();
      await vi.advanceTimersByTimeAsync(milliseconds);
      return failing.mock.calls.filter(([statement]) => statement.includes('step_due_at <= ?')).length;
    };
    const tries = [];
    for (const milliseconds of [500, 1000, 2000, 4000, 8000, 120_000]) tries.push(await triesIn(milliseconds));
    expect(tries).toEqual([1, 1, 1, 1, 1, 3]);
    expect(errors).toHaveLength(1);
    failing.mockRestore();
    vi.advanceTimersByTime(60_000);
    vi.useRealTimers();
  });
});
