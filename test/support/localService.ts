import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** The available sources: "cloud" and "self-hosted" follow the API document, "any" allows all. */
export type Mode = 'any' | 'cloud' | 'self-hosted';

export interface LocalServiceOptions {
  /** Without one, a temporary folder is made and removed by `stop` and `kill`. */
  readonly dataFolder?: string;
  readonly repositories?: readonly string[];
  /** How long a revision stays in each state, in milliseconds. */
  readonly stepMs?: number;
  /** Like development controls, only in the tests' build of the service. */
  readonly mode?: Mode;
  readonly sample?: boolean;
  readonly devControls?: boolean;
  readonly env?: NodeJS.ProcessEnv;
  /** The absolute path of git, where it is not looked up on the PATH. */
  readonly git?: string;
  /** The built service; needed where this file itself runs from a bundle. */
  readonly script?: string;
}

export interface RunningLocalService extends AsyncDisposable {
  readonly url: string;
  readonly apiKey: string;
  readonly dataFolder: string;
  readonly process: ChildProcess;
  /** What the service has written to standard error so far. */
  errors(): string;
  /** Ends the service as the extension does, and gives its exit code. */
  stop(): Promise<number | null>;
  /** Ends the service without a warning, as a crash would. */
  kill(): Promise<void>;
}

/**
 * Runs the built service as a process of its own and waits until it listens: the product's, or the tests' build where
 * the test needs development controls or a mode. It ends with this process in any case, because it watches the channel
 * between the two.
 * @throws the service ended before it listened; the message holds what it wrote
 */
export async function startLocalService(options: LocalServiceOptions = {}): Promise<RunningLocalService> {
  const dataFolder = options.dataFolder ?? (await mkdtemp(path.join(tmpdir(), 'local-service-')));
  const { mode, devControls = false } = options;
  const built = devControls || mode !== undefined ? 'dist/test/localService.js' : 'dist/localService.js';
  const script = options.script ?? path.join(import.meta.dirname, '../..', built);
  const child = fork(script, commandLine(dataFolder, options), {
    silent: true,
    execArgv: [],
    env: options.env ?? process.env,
  });
  const ended = once(child, 'exit');
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    await ended;
    if (options.dataFolder === undefined) await rm(dataFolder, { recursive: true, force: true });
    return child.exitCode;
  };
  const line = await firstLine(child);
  if (line === undefined) {
    await end('SIGKILL');
    throw new Error(`The local service ended with code ${child.exitCode}: ${errors}`);
  }
  const { url, apiKey } = JSON.parse(line) as { url: string; apiKey: string };
  return {
    url,
    apiKey,
    dataFolder,
    process: child,
    errors: () => errors,
    stop: async () => end('SIGTERM'),
    kill: async () => {
      await end('SIGKILL');
    },
    [Symbol.asyncDispose]: async () => {
      await end('SIGTERM');
    },
  };
}

function commandLine(dataFolder: string, options: LocalServiceOptions): string[] {
  const { repositories = [], git, stepMs, mode, sample = false } = options;
  return [
    '--data',
    dataFolder,
    ...repositories.flatMap((folder) => ['--repository', folder]),
    ...(git === undefined ? [] : ['--git', git]),
    ...(stepMs === undefined ? [] : ['--step-ms', String(stepMs)]),
    ...(mode === undefined ? [] : ['--mode', mode]),
    ...(sample ? ['--sample'] : []),
  ];
}

async function firstLine(child: ChildProcess): Promise<string | undefined> {
  if (child.stdout === null) return undefined;
  for await (const line of createInterface({ input: child.stdout })) return line;
  return undefined;
}
