import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hireJanitor } from '../../host/janitor.mts';
import { isRunning } from '../../host/processState.mts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

const janitorScript = path.resolve(import.meta.dirname, '../../host/janitor.mts');

/** A program that starts another one, both of which would run for ever, and says both ids. */
const twoPrograms = `
  const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  console.log(JSON.stringify([process.pid, child.pid]));
  setInterval(() => {}, 1000);
`;

/** One that runs for ever too, and is deaf to polite requests. */
const stubborn = `process.on('SIGTERM', () => {}); console.log(JSON.stringify([process.pid])); setInterval(() => {}, 1000);`;

const patience = { timeout: 60_000 };

describe('The janitor', () => {
  it('ends what was spawned, with what that has started itself, and removes the folder', async () => {
    const janitor = await hireJanitor();
    const programs = await idsFrom(janitor.spawn(process.execPath, ['-e', twoPrograms]));
    await writeFile(path.join(janitor.folder, 'file'), 'text');
    expect(programs.map(isRunning)).toEqual([true, true]);
    await janitor.end();
    expect(programs.map(isRunning)).toEqual([false, false]);
    expect(existsSync(janitor.folder)).toBe(false);
    await janitor.end();
  });

  it('starts nothing any more once its end has begun, and ends what others start then', async () => {
    const janitor = await hireJanitor();
    const ended = janitor.end();
    expect(() => janitor.spawn(process.execPath, ['-e', twoPrograms])).toThrow('everything is being ended');
    const late = spawn(process.execPath, ['-e', stubborn]);
    const exited = once(late, 'exit');
    janitor.watch(late);
    await exited;
    await ended;
  });

  it('ends one program and keeps the rest', async () => {
    await using janitor = await hireJanitor();
    const child = janitor.spawn(process.execPath, ['-e', twoPrograms]);
    const programs = await idsFrom(child);
    const others = await idsFrom(janitor.spawn(process.execPath, ['-e', twoPrograms]));
    await janitor.stop(child);
    await expect.poll(() => programs.some(isRunning), patience).toBe(false);
    expect(others.map(isRunning)).toEqual([true, true]);
    expect(existsSync(janitor.folder)).toBe(true);
  });

  it('ends what a program left running when it ended', async () => {
    await using janitor = await hireJanitor();
    const leaving = twoPrograms.replace(/setInterval[^;]*;\s*$/, 'process.exit();');
    const [, left = 0] = await idsFrom(janitor.spawn(process.execPath, ['-e', leaving]));
    await expect.poll(() => isRunning(left), patience).toBe(false);
  });

  it('ends a program that does not listen to the polite request', async () => {
    const janitor = await hireJanitor(100);
    const [program = 0] = await idsFrom(janitor.spawn(process.execPath, ['-e', stubborn]));
    await janitor.end();
    expect(isRunning(program)).toBe(false);
  });

  it('cleans up after a process that was killed', async () => {
    await using temporary = await temporaryFolder();
    const script = path.join(temporary.path, 'host.mts');
    await writeFile(
      script,
      `import { hireJanitor } from ${JSON.stringify(janitorScript)};
       const janitor = await hireJanitor();
       const child = janitor.spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
       console.log(JSON.stringify([janitor.folder, child.pid]));
       setInterval(() => {}, 1000);`,
    );
    const host = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [folder, program] = JSON.parse(String(await once(host.stdout, 'data')));
    expect([existsSync(folder), isRunning(program)]).toEqual([true, true]);
    host.kill('SIGKILL');
    await expect.poll(() => [existsSync(folder), isRunning(program)], patience).toEqual([false, false]);
  });

  it('ends the process whose id a file holds at the end', async () => {
    const janitor = await hireJanitor();
    const program = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore', detached: true });
    const file = path.join(janitor.folder, 'program.lock');
    janitor.watchFile(file);
    await writeFile(file, String(program.pid));
    expect(await readFile(file, 'utf8')).toBe(String(program.pid));
    const exited = once(program, 'exit');
    await janitor.end();
    expect(await exited).toEqual([null, 'SIGTERM']);
  });
});

async function idsFrom(child: ReturnType<typeof spawn>): Promise<number[]> {
  if (child.stdout === null) throw new Error('The program was started without its output.');
  return JSON.parse(String(await once(child.stdout, 'data')));
}
