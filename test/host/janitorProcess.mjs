// Outlives the program that started it just long enough to end that program's processes and remove its folder,
// however the program ended: finished, failed, interrupted or killed. Started by janitor.mts and by nothing else.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const graceMilliseconds = 3_000;
const windows = process.platform === 'win32';

const folder = mkdtempSync(path.join(realpathSync(tmpdir()), 'deployment-manager-'));
const watched = new Set();
const watchedFiles = new Set();

process.on('message', ({ watch, watchFile, ended }) => {
  if (watch) watched.add(watch);
  if (watchFile) watchedFiles.add(watchFile);
  if (ended) void endTree(ended).then(() => watched.delete(ended));
});
process.on('disconnect', cleanUp);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
process.send({ folder });

async function cleanUp() {
  const named = [...watchedFiles].map(processIn).filter((pid) => pid > 0);
  await Promise.all([...watched, ...named].map((pid) => endTree(pid)));
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

function processIn(file) {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
}

/** Ends a process and its descendants: first politely, so that they can save and tidy up, then not. */
async function endTree(pid) {
  if (windows) return endTreeOnWindows(pid);
  signalTree(pid, 'SIGTERM');
  if (await isGone(pid)) return;
  signalTree(pid, 'SIGKILL');
  await isGone(pid);
}

async function isGone(pid) {
  const deadline = Date.now() + graceMilliseconds;
  while (signalTree(pid, 0)) {
    if (Date.now() > deadline) return false;
    await delay(20);
  }
  return true;
}

/** Says whether there was anything to receive the signal; the signal 0 only asks. */
function signalTree(pid, signal) {
  // A process that was started without a group of its own is the only one that is ended.
  return trySignal(-pid, signal) || trySignal(pid, signal);
}

function trySignal(target, signal) {
  try {
    return process.kill(target, signal);
  } catch {
    return false;
  }
}

function endTreeOnWindows(pid) {
  try {
    execFileSync('taskkill', ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore' });
  } catch {
    // The process had already ended.
  }
}
