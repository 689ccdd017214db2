import { setTimeout as wait } from 'node:timers/promises';

/**
 * Ends a process: waits for it if it has agreed to end, and sends it signals if it stays.
 * On Windows, a signal kills. False if a signal was needed.
 */
export async function endProcess(pid: number, hasAgreed: boolean, limitMs: number): Promise<boolean> {
  if (hasAgreed && (await hasEnded(pid, limitMs))) return true;
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    send(pid, signal);
    if (await hasEnded(pid, limitMs)) break;
  }
  return false;
}

/** Sends a signal to a process; ignores one that has already exited. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

async function hasEnded(pid: number, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (isRunning(pid)) {
    if (performance.now() > deadline) return false;
    await wait(10);
  }
  return true;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // Another user's process may have the id by now.
    return false;
  }
}
