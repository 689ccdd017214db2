import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startBrowser } from '../host/browser.mts';
import { hireJanitor } from '../host/janitor.mts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../support/temporaryFolder.ts';
import { processesWith } from './support/processes.ts';
import { screenOf } from './support/screen.ts';

const root = path.resolve(import.meta.dirname, '../..');

describe('npm start', () => {
  let temporary: TemporaryFolder;
  let started: ChildProcess;
  let output: string;

  beforeEach(async () => {
    temporary = await temporaryFolder();
  });

  afterEach(async () => {
    started.kill('SIGKILL');
    await temporary.remove();
  });

  /** Starts what `npm start -- …` starts, with temporary files of its own, until it has printed the text. */
  async function start(parameters: readonly string[], text: string): Promise<void> {
    const scripts = ['test/host/bootstrap.mjs', 'test/host/start.mts'].map((name) => path.join(root, name));
    started = spawn(process.execPath, [...scripts, ...parameters], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, TMPDIR: temporary.path },
    });
    output = '';
    for (const stream of [started.stdout, started.stderr]) stream?.on('data', (data) => (output += String(data)));
    await expect
      .poll(() => output.includes(text) || started.exitCode !== null, { timeout: 60_000, interval: 20 })
      .toBe(true);
    expect(output).toContain(text);
  }

  async function leftovers(): Promise<string[]> {
    return [...(await readdir(temporary.path)), ...(await processesWith(temporary.path))];
  }

  it('prints one address, which opens the sample in a VS Code with the extension for whoever has the token', async () => {
    await start(['--no-open'], 'Press Ctrl+C');
    const addresses = output.match(/http:\S+tkn=\S+/g) ?? [];
    expect(addresses).toHaveLength(1);
    const address = new URL(addresses[0] ?? '');

    await using janitor = await hireJanitor();
    await using browser = await startBrowser({ janitor });
    const screen = screenOf(await browser.newPage());
    await screen.page.goto(address.href);
    await screen.usable();
    await expect.poll(() => screen.tree('Files Explorer')).toContain('- graph.json');
    await screen.openContainer('Deployments');
    // What VS Code shows in a view until the extension has started.
    const placeholder = 'no data provider registered';
    await expect.poll(() => screen.page.locator('.part.sidebar').innerText()).not.toContain(placeholder);
    await screen.screenshot('start');

    address.searchParams.delete('tkn');
    expect((await fetch(address)).status).toBe(403);
  });

  it.for(['Built and packaged', 'Started the local service', 'Press Ctrl+C'])(
    'leaves no process and no folder behind when Ctrl+C is pressed after "%s"',
    async (text) => {
      await start(['--no-open'], text);
      expect(await leftovers()).not.toEqual([]);
      const exited = once(started, 'exit');
      started.kill('SIGINT');
      expect(await exited).toEqual([0, null]);
      expect(await leftovers()).toEqual([]);
    },
  );

  it('leaves no process and no folder behind when it is killed', async () => {
    await start(['--no-open'], 'Press Ctrl+C');
    started.kill('SIGKILL');
    await expect.poll(leftovers).toEqual([]);
  });

  it('says what is wrong with an option, and how the options are', async () => {
    await start(['--fodler', '.'], '--folder PATH');
    expect(output).toContain("Unknown option '--fodler'");
  });
});
