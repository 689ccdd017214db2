import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRepository, createSampleRepository, sampleFiles } from '../support/gitRepositories.ts';
import { startLocalService } from '../support/localService.ts';
import type { LocalServiceOptions, RunningLocalService } from '../support/localService.ts';
import { callerOf } from './support/caller.ts';
import { stepMs } from './support/fixture.ts';
import { advance, createDeployment, getDeployment, imageBody, integrationId, namesOf } from './support/requests.ts';
import { repositoryBody, statuses, statusWithHost } from './support/requests.ts';
import { runToEnd, script } from './support/runToEnd.ts';

const dataOption = 'The option --data names another data folder.\n';
let folder: string;
let dataFolder: string;
let started: RunningLocalService[];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'service-lifetime-'));
  dataFolder = path.join(folder, 'data');
  started = [];
});

afterEach(async () => {
  for (const service of started) await service.kill();
  await rm(folder, { recursive: true, force: true });
});

describe('a start', () => {
  it('prints one line of JSON with the content of service.json, and nothing else', async () => {
    const service = await start();
    expect(await serviceFile()).toEqual({ url: service.url, apiKey: service.apiKey, pid: service.process.pid });
    expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(service.errors()).toBe('');
  });

  it.skipIf(process.platform === 'win32')('creates a data folder and files for one user only', async () => {
    await start();
    expect(await modeOf(dataFolder)).toBe('700');
    for (const name of await readdir(dataFolder)) expect(await modeOf(path.join(dataFolder, name))).toBe('600');
  });

  it.skipIf(process.platform === 'win32')('restricts a folder that contains only its files', async () => {
    await mkdir(path.join(dataFolder, 'uploads'), { recursive: true });
    for (let time = 0; time < 2; time += 1) {
      await chmod(dataFolder, 0o777);
      await (await start()).stop();
      expect(await modeOf(dataFolder)).toBe('700');
    }
  });

  it.skipIf(process.platform === 'win32')('keeps the mode of a folder with other files', async () => {
    await mkdir(dataFolder);
    await chmod(dataFolder, 0o755);
    await writeFile(path.join(dataFolder, 'notes.txt'), '', { mode: 0o644 });
    await start();
    expect(await modeOf(dataFolder)).toBe('755');
    const own = (await readdir(dataFolder)).filter((name) => name !== 'notes.txt');
    for (const name of own) expect(await modeOf(path.join(dataFolder, name))).toBe('600');
  });

  it.skipIf(process.platform === 'win32').each(['775', '757'])(
    'fails with a reason in a folder with other files and the mode %s, which others can write to',
    async (mode) => {
      await mkdir(dataFolder);
      await writeFile(path.join(dataFolder, 'notes.txt'), '');
      await chmod(dataFolder, Number.parseInt(mode, 8));
      expect(await runToEnd(['--data', dataFolder])).toEqual({
        code: 4,
        stdout: '',
        stderr: `Other users can write to the data folder ${dataFolder}. Run chmod go-w on it, or use another one.\n${dataOption}`,
      });
      expect(await readdir(dataFolder)).toEqual(['notes.txt']);
      expect(await modeOf(dataFolder)).toBe(mode);
    },
  );

  it.skipIf(process.platform === 'win32')("fails with a reason in another user's data folder", async () => {
    const foreign = process.getuid?.() === 0 ? dataFolder : '/usr';
    if (foreign === dataFolder) {
      await mkdir(dataFolder);
      await chown(dataFolder, 12_345, 12_345);
    }
    expect(await runToEnd(['--data', foreign])).toEqual({
      code: 4,
      stdout: '',
      stderr: `The data folder ${foreign} belongs to another user. Use another one.\n${dataOption}`,
    });
    if (foreign === dataFolder) expect(await readdir(dataFolder)).toEqual([]);
  });

  it('creates one key per data folder', async () => {
    const first = await start();
    await first.stop();
    const second = await start();
    expect(first.apiKey).toHaveLength(43);
    expect(second.apiKey).toBe(first.apiKey);
  });

  it('uses the key from the environment', async () => {
    const service = await start({ env: { ...process.env, DEPLOYMENT_MANAGER_API_KEY: 'key-of-the-environment' } });
    expect(service.apiKey).toBe('key-of-the-environment');
    expect((await (await callerOf(service)).get('/v2/deployments')).status).toBe(200);
  });

  it.each([
    [['--port', 'http'], '--port must be a whole number from 0 to 65535, but it is "http".'],
    [['--mode', 'cloud'], "Unknown option '--mode'"],
  ])('exits with code 2 and a reason for %o', async (args, sentence) => {
    const { code, stdout, stderr } = await runToEnd(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(stderr).toContain('Usage: localService.js');
  });

  it('fails with a reason if the port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, stderr } = await runToEnd(['--data', dataFolder, '--port', String(port)]);
    server.close();
    expect(code).toBe(1);
    expect(stderr).toBe(`Port ${port} is in use. Choose another port, or 0 to let the system choose one.\n`);
  });

  it("continues without a folder that isn't a repository, and says so", async () => {
    const service = await start({ repositories: [folder] });
    expect(service.errors()).toBe(`${folder} isn't in a git repository.\n`);
  });
});

describe('an end', () => {
  it.each([
    ['SIGTERM', { stopped: true }],
    ['SIGINT', {}],
  ] as const)('closes everything on %s, and says whether it was stopped', async (signal, stopped) => {
    const service = await start();
    service.process.kill(signal);
    await once(service.process, 'exit');
    expect(service.process.exitCode).toBe(0);
    expect(service.errors()).toBe('');
    expect(await serviceFile()).toEqual({ apiKey: service.apiKey, ...stopped });
  });

  it.each(['POST', 'GET', 'PUT'])('is refused to %s without the key, and to a web page', async (method) => {
    const service = await start();
    const { url } = service;
    const key = { 'x-api-key': service.apiKey };
    const origin = { origin: 'https://evil.example', 'content-type': 'text/plain' };
    for (const headers of [{}, origin, { 'x-api-key': 'wrong' }]) {
      expect((await fetch(`${url}/_control/stop`, { method, headers })).status).toBe(401);
    }
    expect(await statusWithHost(service, 'evil.example', '/_control/stop', method)).toBe(421);
    if (method !== 'POST') expect((await fetch(`${url}/_control/stop`, { method, headers: key })).status).toBe(405);
    expect((await fetch(`${url}/v2/deployments`, { headers: key })).status).toBe(200);
  });

  it('is asked for over HTTP: the answer comes when service.json says so, and a build continues later', async () => {
    const sample = await createSampleRepository(folder);
    const options = { devControls: true, stepMs, repositories: [sample.folder] };
    const service = await start(options);
    const caller = await callerOf(service);
    const { id, latest_revision_id: revisionId } = await createDeployment(caller, await repositoryBody(caller, 'busy'));
    await caller.post(`/_dev/revisions/${revisionId}`, { status: 'BUILDING' });
    const ended = once(service.process, 'exit');
    const { status } = await caller.post('/_control/stop', {});
    expect({ status, file: await serviceFile() }).toEqual({
      status: 200,
      file: { apiKey: service.apiKey, stopped: true },
    });
    expect(await ended).toEqual([0, null]);
    expect(service.errors()).toBe('');
    const again = await callerOf(await start(options));
    await advance(again, 4 * stepMs);
    expect(await getDeployment(again, id)).toMatchObject({ active_revision_id: revisionId });
  });

  it('follows the window that started the service', async () => {
    const service = await start();
    service.process.disconnect();
    await once(service.process, 'exit');
    expect(service.process.exitCode).toBe(0);
    expect(await serviceFile()).toEqual({ apiKey: service.apiKey });
  });

  it('removes the address from service.json before running requests have ended', async () => {
    const service = await start({ devControls: true });
    const pending = (await holdRequest(service)).answer.catch(async () => serviceFile());
    await service.stop();
    expect(await pending).toEqual({ apiKey: service.apiKey, stopped: true });
  });

  it('follows the window even during the start', async ({ onTestFinished }) => {
    const child = fork(script, ['--data', dataFolder], { silent: true, execArgv: [] });
    onTestFinished(() => void child.kill('SIGKILL'));
    child.disconnect();
    await once(child, 'exit');
    expect(child.exitCode).toBe(0);
  });

  it("doesn't wait for a client that keeps its request open", async () => {
    const service = await start({ devControls: true });
    const pending = (await holdRequest(service)).answer.catch((error: unknown) => error);
    expect(await service.stop()).toBe(0);
    expect(await pending).toBeInstanceOf(TypeError);
    expect(service.errors()).toBe('');
  });
});

describe('a second start on the same data folder', () => {
  it('prints the line of the first one, exits with code 0, and hands over its folders', async () => {
    const sample = await createSampleRepository(folder);
    const other = await createRepository(folder, {
      name: 'other',
      url: 'https://code.example/acme/other',
      files: sampleFiles,
    });
    const first = await start({ repositories: [sample.folder] });
    const second = await runToEnd(['--data', dataFolder, '--repository', other.folder, '--repository', sample.folder]);
    expect(second).toEqual({
      code: 0,
      stdout: `${JSON.stringify({ url: first.url, apiKey: first.apiKey })}\n`,
      stderr: '',
    });
    const caller = await callerOf(first);
    const { body } = await caller.get(`/v1/integrations/repohost/${await integrationId(caller)}/repos`);
    expect(namesOf({ resources: body }).toSorted()).toEqual(['other', 'sample-agent']);
  });

  it('ends even if its parent keeps the channel open', async () => {
    await start();
    const second = await start();
    if (second.process.exitCode === null) await once(second.process, 'exit');
    expect(second.process.exitCode).toBe(0);
  });

  it('waits for the end of the first one and takes over', async () => {
    const first = await start({ devControls: true });
    const pending = (await holdRequest(first)).answer.catch(() => 'broken');
    const stopped = first.stop();
    const second = await start();
    expect(await stopped).toBe(0);
    expect(await pending).toBe('broken');
    expect((await (await callerOf(second)).get('/v2/deployments')).status).toBe(200);
  });

  it('leads to one service, even at the same moment', async () => {
    const services = await Promise.all(Array.from({ length: 4 }, async () => start()));
    expect(new Set(services.map(({ url }) => url)).size).toBe(1);
  });

  it('takes over after a crash, and keeps the key and the data', async () => {
    const first = await start();
    await createDeployment(await callerOf(first), imageBody('before-the-crash'));
    await first.kill();
    const second = await start();
    expect(second.apiKey).toBe(first.apiKey);
    expect(namesOf((await (await callerOf(second)).get('/v2/deployments')).body)).toEqual(['before-the-crash']);
  });

  it("doesn't trust the address and the process ID in a stale file", async () => {
    const first = await start();
    await first.kill();
    const file = path.join(dataFolder, 'service.json');
    const stale = { url: 'http://127.0.0.1:9', apiKey: first.apiKey, pid: process.pid };
    await writeFile(file, JSON.stringify(stale));
    const second = await start();
    expect(second.url).not.toBe(stale.url);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ pid: second.process.pid });
  });

  it('repairs a service.json that cannot be read', async () => {
    await (await start()).stop();
    await writeFile(path.join(dataFolder, 'service.json'), '{');
    expect((await start()).apiKey).toHaveLength(43);
  });
});

describe('a restart', () => {
  it.each(['CREATING', 'QUEUED', 'AWAITING_BUILD', 'BUILDING', 'AWAITING_DEPLOY', 'DEPLOYING'])(
    'continues after a crash in %s',
    async (status) => {
      const sample = await createSampleRepository(folder);
      const options = { devControls: true, stepMs, repositories: [sample.folder] };
      const first = await start(options);
      const caller = await callerOf(first);
      const { id, latest_revision_id: revisionId } = await createDeployment(
        caller,
        await repositoryBody(caller, 'crash'),
      );
      await caller.post(`/_dev/revisions/${revisionId}`, { status });
      await first.kill();
      const again = await callerOf(await start(options));
      expect(await statuses(again, id)).toEqual([status]);
      await advance(again, 7 * stepMs);
      expect(await getDeployment(again, id)).toMatchObject({ status: 'READY', active_revision_id: revisionId });
    },
  );

  it('continues step by step after a long pause', async () => {
    const first = await start({ devControls: true, stepMs });
    const { id } = await createDeployment(await callerOf(first), imageBody('paused'));
    await first.kill();
    // The pause, as the next service sees it.
    const database = new DatabaseSync(path.join(dataFolder, 'service.sqlite'));
    database.exec('UPDATE revisions SET step_due_at = 1000');
    database.close();
    const again = await callerOf(await start({ devControls: true, stepMs }));
    await advance(again, 0);
    expect(await statuses(again, id)).toEqual(['QUEUED']);
  });
});

it('says that git is missing', async () => {
  const sample = await createSampleRepository(folder);
  const service = await start({ env: { PATH: folder }, repositories: [sample.folder] });
  const caller = await callerOf(service);
  expect(service.errors()).toContain("Git wasn't found. Install it, or add it to the PATH.");
  const { status, body } = await caller.get(`/v1/integrations/repohost/${await integrationId(caller)}/repos`);
  expect({ status, body }).toEqual({
    status: 500,
    body: { detail: "Git wasn't found. Install it, or add it to the PATH." },
  });
});

it.skipIf(process.platform === 'win32')('says that git is too old, until it is updated', async () => {
  const sample = await createSampleRepository(folder);
  const program = path.join(folder, 'programs with spaces', 'git');
  await mkdir(path.dirname(program));
  await writeFile(program, '#!/bin/sh\necho git version 2.17.1\n', { mode: 0o755 });
  const service = await start({ git: program, repositories: [sample.folder] });
  const caller = await callerOf(service);
  const detail = 'Git 2.17.1 is too old. Install Git 2.30 or newer.';
  expect(service.errors()).toContain(detail);
  const list = async () => caller.get(`/v1/integrations/repohost/${await integrationId(caller)}/repos`);
  expect(await list()).toMatchObject({ status: 500, body: { detail } });
  await writeFile(program, '#!/bin/sh\nexec git "$@"\n');
  expect(namesOf({ resources: (await list()).body })).toEqual(['sample-agent']);
});

describe('a database', () => {
  it('is rejected with a reason and left unchanged if its version is unknown', async () => {
    const file = await stoppedDatabase();
    const database = new DatabaseSync(file);
    database.exec('PRAGMA user_version = 99');
    database.close();
    const { code, stderr } = await runToEnd(['--data', dataFolder]);
    expect(code).toBe(4);
    expect(stderr).toContain(`${file} has version 99, but this local service supports only version 1.`);
  });

  it('is rejected with a reason and left unchanged if another program made it', async () => {
    const file = await stoppedDatabase();
    await rm(file);
    const database = new DatabaseSync(file);
    database.exec('CREATE TABLE theirs (a)');
    database.close();
    expect(await runToEnd(['--data', dataFolder])).toMatchObject({ code: 4 });
    expect(new DatabaseSync(file).prepare('SELECT name FROM sqlite_schema').all()).toHaveLength(1);
  });

  it("is reported if its folder can't be created", async () => {
    await (await start()).stop();
    const inFile = path.join(dataFolder, 'service.json', 'below');
    const { code, stderr } = await runToEnd(['--data', inFile]);
    expect(code).toBe(4);
    expect(stderr).toContain("Couldn't create the data folder. Use another one.");
  });

  it("is rejected with a reason and left unchanged if it isn't a database", async () => {
    const file = await stoppedDatabase();
    await writeFile(file, 'not a database, but something that somebody may need');
    const { code, stderr } = await runToEnd(['--data', dataFolder]);
    expect(code).toBe(4);
    expect(stderr).toContain(`${file} isn't a readable database.`);
    expect(await readFile(file, 'utf8')).toContain('somebody may need');
  });
});

it('reports a runtime without built-in SQLite in one sentence, with its own exit code', async () => {
  const { code, stderr } = await runToEnd(['--data', dataFolder], { nodeArgs: ['--no-experimental-sqlite'] });
  expect(code).toBe(3);
  expect(stderr).toMatch(/^The local service needs a runtime with built-in SQLite \(.*\); this is Node [\d.]+\.\n$/);
});

async function serviceFile(): Promise<unknown> {
  return JSON.parse(await readFile(path.join(dataFolder, 'service.json'), 'utf8'));
}

/** The path of the database of a service that has ended. */
async function stoppedDatabase(): Promise<string> {
  await (await start()).stop();
  return path.join(dataFolder, 'service.sqlite');
}

async function modeOf(file: string): Promise<string> {
  return ((await stat(file)).mode & 0o777).toString(8);
}

async function start(options: LocalServiceOptions = {}): Promise<RunningLocalService> {
  const service = await startLocalService({ dataFolder, ...options });
  started.push(service);
  return service;
}

/** Has the service delay the answer to a request that has arrived. */
async function holdRequest(service: RunningLocalService): Promise<{ readonly answer: Promise<unknown> }> {
  const caller = await callerOf(service);
  await caller.post('/_dev/faults', { next: 1, delayMs: 600_000 });
  const answer = caller.get('/v2/deployments');
  // The next request is answered while the first one waits, so the first has arrived.
  await caller.get('/v2/listeners');
  return { answer };
}
