import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { endProcess } from '../../../../src/state/connections/serviceProcess.ts';

async function start(script: string) {
  const child = spawn(process.execPath, ['-e', `${script}; setInterval(() => {}, 60_000); console.log()`]);
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  await once(child.stdout, 'data');
  return { pid: child.pid ?? 0, ended };
}

it('sends no signal to a process that agreed and ends', async () => {
  const { pid, ended } = await start('');
  const agreed = await start("process.once('SIGUSR2', () => process.exit(7))");
  process.kill(agreed.pid, 'SIGUSR2');
  expect(await endProcess(agreed.pid, true, 5000)).toBe(true);
  expect(await agreed.ended).toEqual([7, null]);
  expect(await endProcess(pid, false, 5000)).toBe(false);
  expect(await ended).toEqual([null, 'SIGTERM']);
});

it('kills a process that agreed but stays, and one that ignores the first signal', async () => {
  const { pid, ended } = await start("process.on('SIGTERM', () => {})");
  expect(await endProcess(pid, true, 50)).toBe(false);
  expect(await ended).toEqual([null, 'SIGKILL']);
});

it('is done with a process that has exited', async () => {
  const { pid, ended } = await start('setTimeout(() => process.exit(0))');
  await ended;
  expect(await endProcess(pid, true, 50)).toBe(true);
  expect(await endProcess(pid, false, 50)).toBe(false);
});
