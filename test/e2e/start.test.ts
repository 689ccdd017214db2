import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startBrowser } from '../host/browser.mts';
import { hireJanitor } from '../host/janitor.mts';
import { createRepository, sampleFiles } from '../support/gitRepositories.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../support/temporaryFolder.ts';
import { words } from '../support/words.ts';
import { processesWith } from './support/processes.ts';
import { screenOf } from './support/screen.ts';

const root = path.resolve(import.meta.dirname, '../..');

describe('npm start', () => {
  let temporary: TemporaryFolder;
  /** What the person has already. */
  let home: TemporaryFolder;
  let started: ChildProcess;
  let output: string;

  beforeEach(async () => {
    [temporary, home] = await Promise.all([temporaryFolder(), temporaryFolder()]);
  });

  afterEach(async () => {
    started.kill('SIGKILL');
    await Promise.all([temporary.remove(), home.remove()]);
  });

  /** Starts what `npm start -- …` starts, with temporary files of its own, until it has printed the text. */
  async function start(parameters: readonly string[], text: string, env: NodeJS.ProcessEnv = {}): Promise<void> {
    const scripts = ['test/host/bootstrap.mjs', 'test/host/start.mts'].map((name) => path.join(root, name));
    started = spawn(process.execPath, [...scripts, ...parameters], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, TMPDIR: temporary.path, ...env },
    });
    output = '';
    for (const stream of [started.stdout, started.stderr]) stream?.on('data', (data) => (output += String(data)));
    await expect
      .poll(() => output.includes(text) || started.exitCode !== null, { timeout: 60_000, interval: 20 })
      .toBe(true);
    expect(output).toContain(text);
  }

  /** Presses Ctrl+C. */
  async function interrupt(): Promise<void> {
    const exited = once(started, 'exit');
    started.kill('SIGINT');
    expect(await exited).toEqual([0, null]);
    expect(await leftovers()).toEqual([]);
  }

  async function leftovers(): Promise<string[]> {
    return [...(await readdir(temporary.path)), ...(await processesWith(temporary.path))];
  }

  it('prints one address, which opens the sample for whoever has the token, until Ctrl+C is pressed', async () => {
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
    await screen.openContainer(words.container);
    await screen.page.getByRole('button', { name: words.useLocalService }).click();
    const live = words.row.live('');
    await expect
      .poll(() => screen.tree(words.views.deployments))
      .toMatch(
        new RegExp(
          `^▾ ${words.row.workspaceGroup}\\n {2}▸ sample-agent-staging .*${live}.*\\n▸ weather-agent .*${live}.*$`,
        ),
      );
    await screen.page.locator('.pane-header', { hasText: words.views.agents }).click();
    await screen.row(words.views.agents, 'sample-agent').click();
    await expect.poll(() => screen.tree(words.views.agents)).toMatch(/ada@acme\.example[^]*team@acme\.example/);
    await screen.screenshot('start');

    address.searchParams.delete('tkn');
    expect((await fetch(address)).status).toBe(403);
    await interrupt();
  });

  it.for(['Made a sample repository', 'Built and packaged'])(
    'leaves no process and no folder behind when Ctrl+C is pressed after "%s"',
    async (text) => {
      await start(['--no-open'], text);
      expect(await leftovers()).not.toEqual([]);
      await interrupt();
    },
  );

  it("opens the user's own folder, and leaves no process and no folder behind when it is killed", async () => {
    const own = await createRepository(home.path, { name: 'own-agent', files: sampleFiles });
    await start(['--no-open', '--folder', own.folder], 'Press Ctrl+C');
    expect(output).toContain(`/?folder=${own.folder}&tkn=`);
    expect(output).not.toContain('sample');
    const folder = (await readdir(temporary.path)).find((name) => name.startsWith('dm-')) ?? '';
    const content = await readFile(path.join(temporary.path, folder, 'local-service/service.json'), 'utf8');
    const { url, apiKey } = JSON.parse(content) as { url: string; apiKey: string };
    const headers = { 'x-api-key': apiKey };
    const answer = await fetch(`${url}/v2/auth/agents/sample-agent/connections`, { headers });
    expect(await answer.json()).toEqual({ data: [] });
    started.kill('SIGKILL');
    await expect.poll(leftovers).toEqual([]);
  });

  it("says so if the user's folder is in no repository", async () => {
    await start(['--no-open', '--folder', home.path], 'is not in a git repository');
  });

  it.skipIf(process.platform === 'win32')('opens the desktop program, and ends when its window is closed', async () => {
    const calls = path.join(temporary.path, 'calls');
    const program = `#!/bin/sh\nprintf '%s\\n' "$*" >> ${calls}\n`;
    await writeFile(path.join(temporary.path, 'code'), program, { mode: 0o755 });
    await start(['--desktop'], 'VS Code has ended.', { PATH: `${temporary.path}:${process.env['PATH']}` });
    expect(await readFile(calls, 'utf8')).toMatch(
      /^--user-data-dir \S+ --extensions-dir \S+ --install-extension \S+\.vsix\n.*--wait .*\/sample-agent\n$/,
    );
  });
});
