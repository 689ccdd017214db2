import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LocalServiceAddress } from '../../../../src/api/localService.ts';
import { DataFolderError, LocalService, StoppedServiceError } from '../../../../src/state/connections/localService.ts';
import type { LocalServiceOptions } from '../../../../src/state/connections/localService.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { startFaultServer } from '../../../support/faultServer.ts';
import { createRepository, createSampleRepository, sampleFiles } from '../../../support/gitRepositories.ts';
import { silentLog } from '../../../support/silentLog.ts';
import { root } from '../../../support/sourceFiles.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../../../support/temporaryFolder.ts';

/** Whether the system refuses to report changes of files. */
const reports = vi.hoisted(() => ({ isOff: false }));

vi.mock(import('node:fs'), async (original) => {
  const actual = await original();
  const refuse = (): never => {
    throw new Error('ENOSYS');
  };
  return new Proxy(actual, {
    get: (target, name) => (name === 'watch' && reports.isOff ? refuse : Reflect.get(target, name)),
  });
});

let program: TemporaryFolder;
let data: TemporaryFolder;
let windows: LocalService[];

beforeAll(async () => {
  program = await temporaryFolder();
  // Built here, so the test never runs against an old build.
  await build({
    entryPoints: [path.join(root, 'src/localService/main.ts')],
    outfile: path.join(program.path, 'localService.js'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'silent',
  });
}, 30_000);

afterAll(async () => program.remove());

beforeEach(async () => {
  data = await temporaryFolder();
  windows = [];
  reports.isOff = false;
});

afterEach(async () => {
  for (const window of windows) {
    await window.stop();
    window.dispose();
  }
  await data.remove();
});

// Each test starts processes, which takes long on a busy machine.
describe('the local service', { timeout: 120_000 }, () => {
  it('starts at the first use and answers with its key', async () => {
    const window = openWindow();
    const { url, apiKey } = await window.address();
    expect(await statusOf(url, apiKey)).toBe(200);
    expect(await statusOf(url, 'wrong')).toBe(401);
  });

  it('is shared by later and simultaneous uses and by a second window', async () => {
    const window = openWindow();
    const [first, same] = await Promise.all([window.address(), window.address()]);
    expect(same).toEqual(first);
    expect(await window.address()).toEqual(first);
    expect(await openWindow().address()).toEqual(first);
    expect(await openWindow().start()).toEqual(first);
    expect(await statusOf(first.url, first.apiKey)).toBe(200);
  });

  it('is restarted with the same key at the next use after its process died', async () => {
    const window = openWindow();
    const first = await window.address();
    const { pid } = await serviceFile();
    const ended = await endOf(first.url);
    process.kill(pid, 'SIGKILL');
    await ended();
    const second = await window.address();
    expect(second.apiKey).toBe(first.apiKey);
    expect(await statusOf(second.url, second.apiKey)).toBe(200);
    expect((await serviceFile()).pid).not.toBe(pid);
  });

  it('is restarted within two seconds although its port is taken by a program that stays silent', async () => {
    const window = openWindow();
    const { url } = await window.address();
    const ended = await endOf(url);
    process.kill((await serviceFile()).pid, 'SIGKILL');
    await ended();
    // The system may free the port after it has closed the connections.
    const silent = await vi.waitFor(async () => {
      const server = createServer().listen(Number(new URL(url).port), '127.0.0.1');
      await once(server, 'listening');
      return server;
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const address = window.address();
    await once(silent, 'connection');
    vi.advanceTimersByTime(2000);
    vi.useRealTimers();
    expect((await address).url).not.toBe(url);
    silent.close();
  });

  it('stays stopped until it is started again, and starts at once', async () => {
    const window = openWindow();
    await window.start();
    // A second start only tells the running service of further folders.
    await window.start();
    const { pid } = await serviceFile();
    await window.stop();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    await expect(window.address()).rejects.toThrow('The local service was stopped. Start it, then try again.');
    const { url, apiKey } = await window.start();
    expect(await statusOf(url, apiKey)).toBe(200);
  });

  it('is stopped over HTTP, because on Windows no signal lets it say that it was stopped', async () => {
    const window = openWindow();
    const other = openWindow();
    const { apiKey } = await window.address();
    await other.address();
    const kill = vi.spyOn(process, 'kill').mockImplementation((_pid, signal) => {
      if (signal === 0) throw new Error('ESRCH');
      throw new Error('A signal was sent.');
    });
    await other.stop();
    kill.mockRestore();
    expect(await serviceFile()).toEqual({ apiKey, stopped: true });
    await expect(window.address()).rejects.toThrow(StoppedServiceError);
  });

  it('is killed if it knows no other way, and says in every window that it was stopped', async () => {
    const script = path.join(program.path, 'older.cjs');
    await writeFile(script, olderService(path.join(data.path, 'service.json')));
    const [window, using] = [openWindow({ script }), openWindow({ script })];
    await window.address();
    await using.address();
    const { pid } = await serviceFile();
    await window.stop();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(await serviceFile()).toEqual({ apiKey: 'key', stopped: true });
    await expect(using.address()).rejects.toThrow(StoppedServiceError);
  });

  it('can be stopped by another window and during its start', async () => {
    const first = openWindow();
    const { url, apiKey } = await first.address();
    const ended = await endOf(url);
    await openWindow().stop();
    await ended();
    await expect(statusOf(url, apiKey)).rejects.toThrow();
    const window = openWindow();
    const start = window.start();
    await window.stop();
    const address = await start;
    await expect(statusOf(address.url, address.apiKey)).rejects.toThrow();
  });

  it('stays stopped in every window that used it, which hears of the stop and of the next start', async () => {
    const stopping = openWindow();
    const using = openWindow();
    const { apiKey } = await using.address();
    await stopping.address();
    let changes = 0;
    using.onDidChange(() => (changes += 1));
    await stopping.stop();
    await vi.waitFor(() => expect(changes).toBe(1), 2000);
    await expect(using.address()).rejects.toThrow(StoppedServiceError);
    const { url } = await stopping.start();
    await vi.waitFor(() => expect(changes).toBe(2), 2000);
    expect(await using.address()).toEqual({ url, apiKey });
  });

  it('stays stopped at the next use where the system reports no changes of files', async () => {
    reports.isOff = true;
    const using = openWindow();
    await using.address();
    await openWindow().stop();
    await vi.waitFor(async () => expect((await serviceFile()).stopped).toBe(true));
    await expect(using.address()).rejects.toThrow(StoppedServiceError);
  });

  it('is started by a window that is opened after a stop, and by one whose service ended with another window', async () => {
    const first = openWindow();
    await first.address();
    const using = openWindow();
    const { url } = await using.address();
    const ended = await endOf(url);
    first.dispose();
    await ended();
    expect(await statusOf((await using.address()).url, 'wrong')).toBe(401);
    await using.stop();
    expect(await statusOf((await openWindow().address()).url, 'wrong')).toBe(401);
  });

  it('is stopped at once although it answers nobody', async () => {
    const window = openWindow();
    await window.address();
    const { pid } = await serviceFile();
    process.kill(pid, 'SIGSTOP');
    const stop = window.stop();
    await expect(window.address()).rejects.toThrow(StoppedServiceError);
    process.kill(pid, 'SIGKILL');
    await stop;
  });

  it('ends no process if its own exits during the lookup', { timeout: 60_000 }, async () => {
    const window = openWindow();
    await window.address();
    const { pid } = await serviceFile();
    const kill = vi.spyOn(process, 'kill');
    const endIt = async (): Promise<void> => {
      process.kill(pid, 'SIGKILL');
      await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'));
    };
    // A stop may look for the service more than once.
    let ended: Promise<void> | undefined;
    await whileItDoesNotProveItself(
      () => window.stop(),
      () => (ended ??= endIt()),
    );
    expect(kill).not.toHaveBeenCalledWith(pid, 'SIGTERM');
    kill.mockRestore();
  });

  it("isn't started by a request for its address from before the stop", async () => {
    const window = openWindow();
    await window.address();
    let stopped: Promise<unknown> | undefined;
    const stopOnce = async (): Promise<void> => void (stopped ??= window.stop());
    await whileItDoesNotProveItself(async () => {
      await expect(window.address()).rejects.toThrow('The local service was stopped.');
    }, stopOnce);
    await stopped;
  });

  it.each(['', '{"url":', '{"url":"nonsense","apiKey":"a","pid":1}', '[]', '{"url":1,"apiKey":2,"pid":3}'])(
    'is started if service.json contains %s',
    async (content) => {
      await writeFile(path.join(data.path, 'service.json'), content);
      const { url, apiKey } = await openWindow().address();
      expect(await statusOf(url, apiKey)).toBe(200);
    },
  );

  it('sends its key to no other program at its old port, and ends no process with its old id', async () => {
    await using stranger = await startFaultServer();
    // It answers as the service does to who has no key, and to who has one.
    stranger.answer((response, { headers }) => {
      if (headers['x-api-key'] === undefined) response.writeHead(401, { 'www-authenticate': 'Bearer' });
      else response.writeHead(405, { allow: 'POST' });
      response.end('{}');
    });
    const bystander = await startBystander();
    const content = { url: stranger.url, apiKey: 'canary-key', pid: bystander.pid };
    await writeFile(path.join(data.path, 'service.json'), JSON.stringify(content));
    const window = openWindow({ folders: () => [data.path] });
    await window.stop();
    await window.start();
    await window.tellFolders();
    expect(await bystander.end()).toBe('SIGKILL');
    expect(stranger.seen.length).toBeGreaterThan(0);
    expect(JSON.stringify(stranger.seen)).not.toContain('canary-key');
    expect((await window.address()).url).not.toBe(content.url);
  });

  it('ends the process that answers, not the one named in service.json', async () => {
    const window = openWindow();
    const { url } = await window.address();
    const content = await readFile(path.join(data.path, 'service.json'), 'utf8');
    const bystander = await startBystander();
    const changed = JSON.stringify({ ...(JSON.parse(content) as object), pid: bystander.pid });
    await writeFile(path.join(data.path, 'service.json'), changed);
    const ended = await endOf(url);
    await openWindow().stop();
    expect(await bystander.end()).toBe('SIGKILL');
    await ended();
  });

  it('offers the folders of a window that is trusted later, without being started for it', async () => {
    const { folder } = await createSampleRepository(data.path);
    let isTrusted = false;
    const window = openWindow({ folders: () => [folder], isTrusted: () => isTrusted });
    await window.tellFolders();
    await expect(serviceFile()).rejects.toThrow('ENOENT');
    const address = await window.address();
    expect(await repositoriesOf(address)).not.toContain(path.basename(folder));
    isTrusted = true;
    await window.tellFolders();
    expect(await repositoriesOf(address)).toContain(path.basename(folder));
  });

  it('has the sample agent in a new data folder', async () => {
    const address = await openWindow().start();
    const connections = await fetch(`${address.url}/v2/auth/agents/sample-agent/connections`, {
      headers: { 'x-api-key': address.apiKey },
    });
    expect(await connections.text()).toMatch(/ada@acme\.example.*team@acme\.example/);
  });

  it('offers a folder that is sent during its start', async () => {
    const { folder } = await createSampleRepository(data.path);
    const window = openWindow();
    const [address, same] = await Promise.all([window.start(), window.start([folder])]);
    expect(same).toEqual(address);
    expect(await repositoriesOf(address)).toContain(path.basename(folder));
  });

  it('offers the folders of a window that is trusted during its start', async () => {
    const { folder } = await createSampleRepository(data.path);
    let isTrusted = false;
    const window = openWindow({ folders: () => [folder], isTrusted: () => isTrusted });
    const start = window.start();
    isTrusted = true;
    await window.tellFolders();
    expect(await repositoriesOf(await start)).toContain(path.basename(folder));
  });

  it('offers the folders of each window that uses it, even after another one restarted it', async () => {
    const first = await createSampleRepository(data.path);
    const second = await createRepository(data.path, { name: 'second', files: sampleFiles });
    const window = openWindow({ folders: () => [first.folder] });
    const other = openWindow({ folders: () => [second.folder] });
    await window.address();
    const address = await other.address();
    expect(await repositoriesOf(address)).toMatch(/second.*sample-agent/);
    const { pid } = await serviceFile();
    const ended = await endOf(address.url);
    process.kill(pid, 'SIGKILL');
    await ended();
    await other.address();
    expect(await repositoriesOf(await window.address())).toMatch(/sample-agent.*second/);
  });

  it('withdraws the folders of a window in Restricted Mode, without being started for it', async () => {
    const { folder } = await createSampleRepository(data.path);
    const restricted = openWindow({ folders: () => [folder], isTrusted: () => false });
    await restricted.tellFolders();
    await expect(serviceFile()).rejects.toThrow('ENOENT');
    const address = await openWindow({ folders: () => [folder] }).address();
    expect(await repositoriesOf(address)).toContain('sample-agent');
    await restricted.tellFolders();
    expect(await repositoriesOf(address)).toBe('[]');
    // Nor is a folder offered that somebody hands over there.
    await restricted.start([folder]);
    expect(await repositoriesOf(address)).toBe('[]');
  });

  it('gets the folders of a window in Restricted Mode without another process', async () => {
    const { folder } = await createSampleRepository(data.path);
    const address = await openWindow({ folders: () => [folder] }).address();
    const script = path.join(data.path, 'missing.js');
    await openWindow({ script, folders: () => [folder], isTrusted: () => false }).tellFolders();
    expect(await repositoriesOf(address)).toBe('[]');
  });

  it('gets the folders of a window in Restricted Mode again until it has them', async () => {
    const { folder } = await createSampleRepository(data.path);
    const address = await openWindow({ folders: () => [folder] }).address();
    const clock = new FakeClock();
    const warn = vi.fn();
    const restricted = openWindow({
      clock,
      log: { ...silentLog, warn },
      folders: () => [folder],
      isTrusted: () => false,
    });
    await whileItDoesNotProveItself(async () => {
      await restricted.tellFolders();
      expect(clock.pending).toEqual([5000]);
      clock.advance(5000);
      await vi.waitFor(() => expect(clock.pending).toEqual([10_000]));
    });
    expect(warn).toHaveBeenCalledTimes(1);
    clock.advance(10_000);
    await vi.waitFor(async () => expect(await repositoriesOf(address)).toBe('[]'));
    expect(clock.pending).toEqual([]);
  });

  it("doesn't get them again from a window that is trusted meanwhile", async () => {
    await openWindow().address();
    const clock = new FakeClock();
    let isTrusted = false;
    const window = openWindow({ clock, folders: () => [data.path], isTrusted: () => isTrusted });
    await whileItDoesNotProveItself(() => window.tellFolders());
    isTrusted = true;
    const tellFolders = vi.spyOn(window, 'tellFolders');
    clock.advance(5000);
    expect(tellFolders).not.toHaveBeenCalled();
    expect(clock.pending).toEqual([]);
  });

  it('gets the folders again if another service has the id of its process', async () => {
    const window = openWindow({ folders: () => [data.path] });
    // Both are this process, which must not be ended.
    windows = [];
    for (let service = 1; service <= 2; service += 1) {
      await using server = await startFaultServer({ localServiceKey: 'key' });
      server.answer((response) => void response.end());
      await writeFile(path.join(data.path, 'service.json'), JSON.stringify({ url: server.url, apiKey: 'key' }));
      await window.tellFolders();
      await window.tellFolders();
      expect(server.count('POST')).toBe(1);
    }
  });

  it("runs the editor's git, and never a program in its working folder", async () => {
    const script = path.join(program.path, 'told.cjs');
    const told = '[process.env.NoDefaultCurrentDirectoryInExePath, process.argv.at(-1)].join()';
    await writeFile(script, `console.log(JSON.stringify({ url: "http://127.0.0.1:9", apiKey: ${told} }))`);
    const gitPath = path.join(data.path, 'git');
    const { apiKey } = await openWindow({ script, gitPath: async () => gitPath }).address();
    expect(apiKey).toBe(`1,--git=${gitPath}`);
  });

  it("uses git from the PATH if the editor doesn't answer in time", async () => {
    const script = path.join(program.path, 'toldNoGit.cjs');
    await writeFile(script, 'console.log(JSON.stringify({ url: "http://127.0.0.1:9", apiKey: String(process.argv) }))');
    const clock = new FakeClock();
    const gitPath = async (): Promise<undefined> => {
      queueMicrotask(() => clock.advance(5000));
      return new Promise(() => {});
    };
    const { apiKey } = await openWindow({ script, clock, gitPath }).address();
    expect(apiKey).not.toContain('--git');
    expect(clock.pending).toEqual([]);
  });

  it('stays stopped if it was stopped before a folder could be sent', async () => {
    const window = openWindow();
    const starts = [window.start(), window.start([data.path])];
    await window.stop();
    const [address] = await Promise.all(starts);
    await expect(statusOf(address?.url ?? '', 'any')).rejects.toThrow();
  });

  it("says why it doesn't start", async () => {
    const script = path.join(program.path, 'broken.cjs');
    await writeFile(script, "process.stderr.write('The disk is full.\\n'); process.exitCode = 1;");
    await expect(openWindow({ script }).address()).rejects.toThrow("The local service didn't start. The disk is full.");
    await writeFile(script, "process.stdout.write('hello\\n');");
    await expect(openWindow({ script }).address()).rejects.toThrow('The local service sent an unreadable answer.');
    await writeFile(script, 'process.exitCode = 3;');
    await expect(openWindow({ script }).address()).rejects.toThrow('It exited with code 3.');
  });

  it('says what is wrong with its data folder, which its user may have to change', async () => {
    const file = path.join(data.path, 'service.json');
    await mkdir(file);
    const failure = await openWindow()
      .address()
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DataFolderError);
    expect(String(failure)).toMatch(/service\.json isn't a file\. Remove it, or use another data folder\.$/);
    await rm(file, { recursive: true });
  });

  it('keeps little of what it writes to standard error', async () => {
    const script = path.join(program.path, 'talkative.cjs');
    await writeFile(script, "process.stderr.write('x'.repeat(5_000_000)); process.exitCode = 1;");
    const lines: unknown[] = [];
    const log = { ...silentLog, warn: (line: unknown) => lines.push(line) };
    const failure = await openWindow({ script, log })
      .address()
      .catch((error: unknown) => error);
    expect(String(failure).length).toBeLessThan(3000);
    expect(lines.map((line) => String(line).length < 3000)).toEqual([true]);
  });

  it('says whether a stop ended it', async () => {
    const [window, other] = [openWindow(), openWindow()];
    expect(await window.stop()).toBe(false);
    await window.start();
    await other.address();
    expect(await Promise.all([window.stop(), other.stop()])).toEqual([true, true]);
    expect(await window.stop()).toBe(false);
    expect(await openWindow().stop()).toBe(false);
  });

  it('gets no signal if it resets the connection of the second window that stops it', async () => {
    const script = path.join(program.path, 'resetting.cjs');
    const file = JSON.stringify(path.join(data.path, 'service.json'));
    const ends = `require('node:fs').writeFileSync(${file}, '{"apiKey":"key","stopped":true}'); process.exit();`;
    await writeFile(script, resettingService(path.join(data.path, 'service.json'), ends));
    const window = openWindow({ script });
    await window.address();
    const kill = vi.spyOn(process, 'kill');
    expect(await window.stop()).toBe(true);
    expect(kill.mock.calls.filter(([, signal]) => signal !== 0)).toEqual([]);
    kill.mockRestore();
  });
});

function openWindow(options: Partial<LocalServiceOptions> = {}): LocalService {
  const window = new LocalService({
    script: path.join(program.path, 'localService.js'),
    dataFolder: () => data.path,
    stepMilliseconds: () => 10,
    folders: () => [],
    isTrusted: () => true,
    gitPath: async () => undefined,
    clock: new FakeClock(),
    log: silentLog,
    ...options,
  });
  windows.push(window);
  return window;
}

/** A service that can't be asked to stop, and that runs no handler when it is killed, as on Windows. */
function olderService(file: string): string {
  return fakeService(file, '');
}

/** A service that ends because another window stops it, so that it resets the connection of this one. */
function resettingService(file: string, ends: string): string {
  return fakeService(
    file,
    `if (url === '/_control/stop') {
      setTimeout(() => { ${ends} }, 200);
      return socket.resetAndDestroy();
    }`,
  );
}

function fakeService(file: string, onRequest: string): string {
  return `
    const { createHmac } = require('node:crypto');
    const { writeFileSync } = require('node:fs');
    const server = require('node:http').createServer(({ url, socket }, response) => {
      ${onRequest}
      const [, nonce] = url.split('/_control/proof/');
      const text = [nonce, socket.localAddress + ':' + socket.localPort, process.pid].join('\\n');
      const proof = createHmac('sha256', 'key').update(text).digest('base64url');
      response.writeHead(nonce === undefined ? 404 : 204, { proof: process.pid + ' ' + proof }).end();
    });
    server.listen(0, '127.0.0.1', () => {
      const content = { url: 'http://127.0.0.1:' + server.address().port, apiKey: 'key', pid: process.pid };
      writeFileSync(${JSON.stringify(file)}, JSON.stringify(content));
      console.log(JSON.stringify(content));
    });
  `;
}

async function statusOf(url: string, apiKey: string): Promise<number> {
  const response = await fetch(`${url}/v2/deployments`, { headers: { 'X-Api-Key': apiKey } });
  await response.body?.cancel();
  return response.status;
}

/** Lets service.json lead to a program that answers something else, as if the service had no time to answer. */
async function whileItDoesNotProveItself(
  task: () => Promise<unknown>,
  beforeAnswer: () => Promise<void> = async () => undefined,
): Promise<void> {
  const file = path.join(data.path, 'service.json');
  const content = await readFile(file, 'utf8');
  await using other = await startFaultServer();
  other.answer((response) => void beforeAnswer().then(() => response.writeHead(503).end()));
  await writeFile(file, content.replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${other.port}`));
  await task();
  await writeFile(file, content);
}

/** The repositories that the service offers, as it writes them. */
async function repositoriesOf({ url, apiKey }: LocalServiceAddress): Promise<string> {
  const textOf = async (address: string): Promise<string> =>
    (await fetch(`${url}/v1/integrations/${address}`, { headers: { 'X-Api-Key': apiKey } })).text();
  const [{ id }] = JSON.parse(await textOf('forge/repohost/install')) as [{ id: string }];
  return textOf(`repohost/${id}/repos`);
}

/** A process that has nothing to do with the service. `end` gives the signal that ended it: SIGKILL, if none came before. */
async function startBystander() {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000); console.log()']);
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  return {
    pid: child.pid,
    end: async () => {
      child.kill('SIGKILL');
      const [, signal] = (await ended) as [unknown, NodeJS.Signals];
      return signal;
    },
  };
}

/** Connects to the service, and gives a function that waits until its process has ended. */
async function endOf(url: string): Promise<() => Promise<void>> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  // A process that is killed resets its connections.
  const ended = new Promise<void>((resolve) => socket.on('error', () => undefined).once('close', () => resolve()));
  await once(socket.resume(), 'connect');
  return () => ended;
}

async function serviceFile(): Promise<{ readonly pid: number; readonly stopped?: boolean }> {
  return JSON.parse(await readFile(path.join(data.path, 'service.json'), 'utf8')) as { pid: number };
}
