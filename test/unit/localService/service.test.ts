import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isRunning } from '../../host/processState.mts';
import { createLocalRepository } from '../../support/gitRepositories.ts';
import { ServiceInProcess } from './serviceInProcess.ts';

let local: ServiceInProcess;

beforeEach(async () => {
  local = await ServiceInProcess.create();
});

afterEach(async () => local.remove());

const step = { stepMilliseconds: 1 };

const repositoryBody = (app: string, integration: string) => ({
  name: 'agent',
  source: 'repohost',
  source_config: { integration_id: integration, repo_url: app },
  source_revision_config: { repo_ref: 'main', graph_config_path: 'graph.json' },
});

/** Starts a service whose git hangs once the file `hang` exists, and then writes its id to `pid`. */
async function withHangingGit() {
  const { folder } = local;
  const app = path.join(folder.path, 'app');
  await createLocalRepository(app, { 'graph.json': '{}' });
  const at = (name: string): string => path.join(folder.path, name);
  const [git, hang, pid] = [at('slow-git'), at('hang'), at('pid')];
  await writeFile(git, `#!/bin/sh\n[ -e '${hang}' ] && { echo $$ >'${pid}'; exec sleep 60; }\nexec git "$@"\n`);
  await chmod(git, 0o755);
  const service = local.open({ ...step, git });
  expect(await service.repositories.update({ folders: [app] })).toEqual([]);
  const hung = async () => vi.waitUntil(async () => Number(await readFile(pid, 'utf8').catch(() => '')));
  return { service, hang, hung, integration: service.integrationId, body: repositoryBody(app, service.integrationId) };
}

describe('a full disk', () => {
  it('is said in words, leaves what is stored readable, and passes', async () => {
    local.open();
    const { database } = local;
    const register = async (id: string) =>
      local.ask('/v2/listeners', { compute_type: 'k8s', compute_id: id, version: 'v'.repeat(100_000) });
    expect((await register('first')).status).toBe(201);
    // SQLite reports a file that can't grow like a disk without space.
    database.run(`PRAGMA max_page_count = ${Number(database.get('PRAGMA page_count')?.['page_count'])}`);
    expect(await register('second')).toEqual({
      status: 507,
      body: {
        detail: expect.stringMatching(/service\.sqlite can't be written, because its disk is full\. Free some space/),
      },
    });
    expect(local.errors).toEqual([]);
    expect((await local.ask('/v2/listeners')).body['resources']).toMatchObject([{ compute_id: 'first' }]);
    database.run('PRAGMA max_page_count = 1000000');
    expect((await register('second')).status).toBe(201);
  });
});

// A shell script stands in the place of git.
describe.skipIf(process.platform === 'win32')('a stop', () => {
  it('ends git for a build, and the build runs again later', { timeout: 60_000 }, async () => {
    const { service, hang, hung, body } = await withHangingGit();
    const created = await local.ask('/v2/deployments', body);
    const { id, latest_revision_id: revisionId } = created.body;
    await writeFile(hang, '');
    service.start();
    const running = await hung();
    await service.stop();
    await vi.waitUntil(() => !isRunning(running));
    const revision = await local.ask(`/v2/deployments/${String(id)}/revisions/${String(revisionId)}`);
    expect(revision.body).toMatchObject({ status: 'BUILDING' });
    expect(local.errors).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('git of a request that its client gave up', () => {
  it.each(['GET', 'POST'])('ends with it: %s', async (method) => {
    const { hang, hung, integration, body } = await withHangingGit();
    await writeFile(hang, '');
    const client = new AbortController();
    const repositories = `/v1/integrations/forge/repohost/${integration}/repos`;
    const call = method === 'GET' ? ([repositories] as const) : (['/v2/deployments', body] as const);
    const answered = local.ask(call[0], call[1], { signal: client.signal });
    const running = await hung();
    const start = performance.now();
    client.abort();
    await answered;
    // Git ends by itself after ten seconds.
    expect(performance.now() - start).toBeLessThan(5000);
    await vi.waitUntil(() => !isRunning(running));
    expect((await local.ask('/v2/deployments')).body).toMatchObject({ resources: [] });
    expect(local.errors).toEqual([]);
  });
});

describe('a failure of the service itself', () => {
  it('to keep the result of a build starts that ever more rarely', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const service = local.open(step);
    await local.deploy();
    const { database } = local;
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
    const service = local.open(step);
    await local.deploy();
    service.start();
    const failing = vi.spyOn(local.database, 'all').mockImplementation(() => {
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
    expect(local.errors).toHaveLength(1);
    failing.mockRestore();
    vi.advanceTimersByTime(60_000);
    vi.useRealTimers();
  });
});
