import { fork, spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

export interface Janitor extends AsyncDisposable {
  /** A folder of our own among the temporary files. */
  readonly folder: string;
  /**
   * Starts a program in a process group of its own, which is ended with everything it started.
   * @throws Error once the end has begun
   */
  spawn(command: string, parameters: readonly string[], options?: SpawnOptions): ChildProcess;
  /** At the end, also ends a process that somebody else has started; at once where the end has begun. */
  watch(child: ChildProcess): void;
  /** At the end, also ends the process whose id is in this file by then. */
  watchFile(file: string): void;
  /** Ends a spawned program with everything it started, and waits until it is gone. */
  stop(child: ChildProcess): Promise<void>;
  /** Ends everything and removes the folder. A second call does nothing. */
  end(): Promise<void>;
}

/** What the janitor's process is told: one of these at a time. */
export interface JanitorOrder {
  /** End this process, and its group, at the end. */
  readonly watch?: number;
  /** End the process whose id is in this file at the end. */
  readonly watchFile?: string;
  /** This process has ended or is to end: end what is left of its group now. */
  readonly ended?: number;
}

/**
 * Hires a small process that cleans up after this one: it ends what was spawned and removes the folder when `end` is
 * called, and also when this process fails, is interrupted, or is killed so hard that it can do nothing itself.
 * @param politeMilliseconds how long a process has to end before it is killed
 */
export async function hireJanitor(politeMilliseconds = 3_000): Promise<Janitor> {
  // Its own session keeps a Ctrl+C in the terminal from reaching it before it has done its work.
  const worker = fork(path.join(import.meta.dirname, 'janitorProcess.mts'), [String(politeMilliseconds)], {
    detached: true,
    execArgv: [],
    windowsHide: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const folder = await folderOf(worker);
  worker.unref();
  worker.channel?.unref();

  const end = async () => {
    if (worker.exitCode !== null) return;
    worker.ref();
    const exited = once(worker, 'exit');
    if (worker.connected) worker.disconnect();
    await exited;
    if (worker.exitCode !== 0) throw new Error(`${folder} could not be removed; the reason is shown above.`);
  };

  const tell = (order: JanitorOrder) => {
    if (worker.connected) worker.send(order);
  };
  const watch = (child: ChildProcess) => {
    const { pid } = child;
    if (pid === undefined) return;
    // Nobody would end it any more: the janitor has ended, or is about to.
    if (!worker.connected) child.kill('SIGKILL');
    tell({ watch: pid });
    child.on('exit', () => tell({ ended: pid }));
  };

  return {
    folder,
    spawn(command, parameters, options = {}) {
      if (!worker.connected) throw new Error(`${command} is not started: everything is being ended.`);
      const child = spawn(command, parameters, { ...options, detached: process.platform !== 'win32' });
      watch(child);
      return child;
    },
    watch,
    watchFile: (file) => tell({ watchFile: file }),
    async stop(child) {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      tell({ ended: child.pid });
      await exited;
    },
    end,
    [Symbol.asyncDispose]: end,
  };
}

async function folderOf(worker: ChildProcess): Promise<string> {
  const [message] = await Promise.race([
    once(worker, 'message'),
    once(worker, 'exit').then(() => {
      throw new Error('The process that cleans up ended at once; the reason is shown above.');
    }),
  ]);
  return message.folder;
}
