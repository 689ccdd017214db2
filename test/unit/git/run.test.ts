import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runProgram, type RunOptions } from '../../../src/git/run.ts';
import { isRunning } from '../../host/processState.mts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporaryFolder.ts';

let folder: TemporaryFolder;

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(async () => folder[Symbol.asyncDispose]());

async function run(script: string, options: Partial<RunOptions> = {}) {
  const { env } = process;
  const limits = { timeLimit: 20_000, maxBytes: 1000 };
  return runProgram(process.execPath, ['-e', script], { cwd: folder.path, env, ...limits, ...options });
}

describe('a program', () => {
  it('is told apart by its output and its exit code', async () => {
    const script = "process.stdout.write('ä'); process.stderr.write('no'); process.exitCode = 3";
    expect(await run(script)).toEqual({ end: 3, stdout: 'ä', stderr: 'no' });
  });

  it('has no input', async () => {
    expect(await run("process.stdin.resume().on('end', () => console.log('end'))")).toMatchObject({ stdout: 'end\n' });
  });

  it('is not started if there is none of the name, or if it was stopped before', async () => {
    const options = { cwd: folder.path, env: {}, timeLimit: 20_000, maxBytes: 10 };
    expect(await runProgram(path.join(folder.path, 'absent'), [], options)).toMatchObject({ end: 'notFound' });
    expect(await run('', { signal: AbortSignal.abort() })).toMatchObject({ end: 'aborted' });
  });

  it('is stopped if it prints too much', async () => {
    expect(await run("setInterval(() => console.log('a line'))", { maxBytes: 100 })).toMatchObject({ end: 'tooLarge' });
  });
});

describe.skipIf(process.platform === 'win32')('everything that a program started', () => {
  /** A shell that starts another program, which ignores the polite signal and holds its parent's pipes. */
  async function start(end: string, options: Partial<RunOptions>) {
    await writeFile(path.join(folder.path, 'wrapper'), `(trap '' TERM; sleep 600) & echo $! > child; ${end}`);
    const { env } = process;
    const limits = { timeLimit: 20_000, maxBytes: 1000 };
    const ran = runProgram('sh', ['wrapper'], { cwd: folder.path, env, ...limits, ...options });
    const child = await vi.waitUntil(async () => {
      const started = await readFile(path.join(folder.path, 'child'), 'utf8').catch(() => '');
      return started.endsWith('\n') ? Number(started) : undefined;
    });
    return { ran, child };
  }

  it.each([
    ['waits', 'wait'],
    ['has exited', 'exit 0'],
  ])('ends with the time while the program %s', async (_, end) => {
    const { ran, child } = await start(end, { timeLimit: 500 });
    expect(await ran).toMatchObject({ end: 'tooSlow' });
    await vi.waitUntil(() => !isRunning(child));
  });

  it('ends if the caller needs the program no more', async () => {
    const stopping = new AbortController();
    const { ran, child } = await start('wait', { signal: stopping.signal });
    expect(isRunning(child)).toBe(true);
    stopping.abort();
    expect(await ran).toMatchObject({ end: 'aborted' });
    await vi.waitUntil(() => !isRunning(child));
  });
});
