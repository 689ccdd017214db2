import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { codeOf } from '../../api/errors.ts';

/** The longest part that is kept of a line that the service writes, in characters. */
const longestLine = 2000;

/** Reads the lines of a stream. Keeps only the beginning of a long one. */
export function readLines(stream: Readable | null, onLine: (line: string) => void): void {
  let rest = '';
  stream?.setEncoding('utf8');
  stream?.on('data', (chunk: string) => {
    const [last = '', ...lines] = `${rest}${chunk}`.split('\n').toReversed();
    for (const line of lines.toReversed()) onLine(line.trimEnd().slice(0, longestLine));
    rest = last.slice(0, longestLine);
  });
  stream?.on('end', () => rest === '' || onLine(rest));
}

/** The environment without variables that change how Node.js, VS Code or the service starts. */
export function serviceEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(([name]) => !/^(NODE_|VSCODE_|DEPLOYMENT_MANAGER_)/.test(name));
  // Keeps Windows from searching the working folder for programs that the service runs.
  return { ...Object.fromEntries(kept), NoDefaultCurrentDirectoryInExePath: '1' };
}

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
    if (codeOf(error) !== 'ESRCH') throw error;
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
