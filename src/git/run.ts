import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';

export interface RunOptions {
  /** The working folder. Without programs, because some systems look for them there first. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The time after which the program is killed, in milliseconds. */
  readonly timeLimit: number;
  /** The most that the program may print, in bytes. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** How a program ended. */
export interface ProgramRun {
  /** The exit code, or why there is none. */
  readonly end: number | 'notFound' | 'failed' | 'aborted' | 'tooLarge' | 'tooSlow';
  readonly stdout: string;
  readonly stderr: string;
}

const hasGroups = process.platform !== 'win32';

/**
 * Runs a program without input and without a terminal to ask on. If it is stopped, everything it started ends too.
 * Looks for it, and lets it look for others, only in absolute folders of the PATH.
 */
export async function runProgram(program: string, args: readonly string[], options: RunOptions): Promise<ProgramRun> {
  const { cwd, env, timeLimit, maxBytes, signal } = options;
  if (signal?.aborted === true) return { end: 'aborted', stdout: '', stderr: '' };
  return new Promise((resolve) => {
    const child: ChildProcess = spawn(program, args, {
      cwd,
      env: withAbsolutePath(env),
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      detached: hasGroups,
    });
    const printed: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
    let bytes = 0;
    const finish = (end: ProgramRun['end']): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      const [stdout, stderr] = [printed.stdout, printed.stderr].map((parts) => Buffer.concat(parts).toString());
      resolve({ end, stdout: stdout ?? '', stderr: stderr ?? '' });
    };
    const stop = (end: ProgramRun['end']): void => {
      finish(end);
      // Otherwise, a program of another group that holds a pipe would keep it open.
      child.stdout?.destroy();
      child.stderr?.destroy();
      endTree(child);
    };
    const abort = (): void => stop('aborted');
    const timer = setTimeout(() => stop('tooSlow'), timeLimit);
    signal?.addEventListener('abort', abort);
    for (const name of ['stdout', 'stderr'] as const) {
      // Without a pipe, the program couldn't be started.
      child[name]?.on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes > maxBytes) stop('tooLarge');
        else printed[name].push(part);
      });
    }
    child.once('error', (error) => finish('code' in error && error.code === 'ENOENT' ? 'notFound' : 'failed'));
    child.once('close', (code) => finish(code ?? 'failed'));
  });
}

/** Ends a program with all programs that it started, even if it has exited itself, where the system can tell. */
function endTree(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (hasGroups) {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // All have ended.
    }
  } else if (child.exitCode === null) {
    const taskkill = path.join(process.env['SystemRoot'] ?? String.raw`C:\Windows`, 'System32', 'taskkill.exe');
    spawn(taskkill, ['/T', '/F', '/PID', String(pid)], { stdio: 'ignore', windowsHide: true }).once('error', () =>
      child.kill(),
    );
  }
}

/** Drops PATH entries such as "." and "", which mean the working folder. Windows allows quotes around an entry. */
function withAbsolutePath(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const variables = Object.entries(env).map(([name, value = '']) => {
    if (name.toUpperCase() !== 'PATH') return [name, value];
    const entries = value.split(path.delimiter).filter((entry) => path.isAbsolute(entry.replace(/^"/, '')));
    return [name, entries.join(path.delimiter)];
  });
  return Object.fromEntries(variables);
}
