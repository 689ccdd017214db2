// Outlives the program that started it just long enough to end that program's processes and remove its folder,
// however the program ended: finished, failed, interrupted or killed. Started by janitor.mts and by nothing else.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { JanitorOrder } from './janitor.mts';
import { isGroupRunning, isRunning } from './processState.mts';

/** How long a process has to end after the polite request: the first parameter. */
const politeMilliseconds = Number(process.argv[2]);

/** How long the system may take to end a process. */
const killMilliseconds = 3_000;

// Short, because VS Code puts sockets below it, and the path of a socket has little room.
const folder = mkdtempSync(path.join(realpathSync(tmpdir()), 'dm-'));
const watched = new Set<number>();
const watchedFiles = new Set<string>();

process.on('message', ({ watch, watchFile, ended }: JanitorOrder) => {
  if (watch !== undefined) watched.add(watch);
  if (watchFile !== undefined) watchedFiles.add(watchFile);
  if (ended !== undefined) void endTree(ended).then(() => watched.delete(ended));
});
process.on('disconnect', () => void cleanUp());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
process.send?.({ folder });

async function cleanUp(): Promise<void> {
  const named = [...watchedFiles].map(processIn).filter((pid) => pid > 0);
  await Promise.all([...watched, ...named].map(endTree));
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

function processIn(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
}

/** Ends a process and its descendants: first politely, so they can save and tidy up, then not. */
async function endTree(pid: number): Promise<void> {
  if (process.platform === 'win32') return endTreeOnWindows(pid);
  signalTree(pid, 'SIGTERM');
  if (await isGone(pid, politeMilliseconds)) return;
  signalTree(pid, 'SIGKILL');
  await isGone(pid, killMilliseconds);
}

async function isGone(pid: number, patience: number): Promise<boolean> {
  const deadline = Date.now() + patience;
  while (isGroupRunning(pid) || isRunning(pid)) {
    if (Date.now() > deadline) return false;
    await delay(25);
  }
  return true;
}

/** A process that was started without a group of its own is the only one that gets the signal. */
function signalTree(pid: number, signal: NodeJS.Signals): void {
  if (!trySignal(-pid, signal)) trySignal(pid, signal);
}

function trySignal(target: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    return false;
  }
}

function endTreeOnWindows(pid: number): void {
  try {
    execFileSync('taskkill', ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore' });
  } catch {
    // The process had already ended.
  }
}
