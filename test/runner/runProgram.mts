import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Janitor } from '../host/janitor.mts';
import { RunningTests } from '../support/progress.ts';
import { stallFolderVariable } from '../support/stall.ts';
import { systemTimers, watchForStall } from './stallWatch.ts';
import type { Timers } from './stallWatch.ts';

/** How long a program may report nothing. */
const stallMinutes = 6;

/** How long the windows of a program that stalled have to say what they show. */
const answerMilliseconds = 10_000;

export interface ProgramOptions {
  readonly janitor: Janitor;
  /** What its messages call it. */
  readonly name: string;
  readonly command: string;
  readonly parameters: readonly string[];
  readonly shell?: boolean;
  /** Where it runs, and in whose `test-results` its windows leave what they show when it stalls. */
  readonly folder: string;
  /** Receives each line of its output. */
  readonly show: (line: string) => void;
  /** Whether it reports its progress: one that does not is never taken for one that stalled. */
  readonly reports: boolean;
  /** Whether it opens windows of VS Code. */
  readonly windows?: boolean;
  readonly timers?: Timers;
}

/**
 * Runs a program, and says whether it succeeded. It may take as long as it likes: only one that has printed nothing
 * and reported no test for three minutes is ended, after telling which tests were running and what its windows showed.
 */
export async function runProgram(options: ProgramOptions): Promise<boolean> {
  const { janitor, name, show, timers = systemTimers } = options;
  const stallFolder = path.join(options.folder, 'test-results', `stalled-${name}`);
  await rm(stallFolder, { recursive: true, force: true });
  const child = janitor.spawn(options.command, options.parameters, {
    cwd: options.folder,
    shell: options.shell ?? false,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }), [stallFolderVariable]: stallFolder },
  });
  const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));

  const running = new RunningTests();
  // A program without tests, such as a type check, is silent until it ends.
  const { stalled, ...watch } = watchForStall(options.reports ? stallMinutes * 60_000 : undefined, timers);
  for (const input of [child.stdout, child.stderr]) {
    if (!input) continue;
    createInterface({ input }).on('line', (line) => {
      watch.reported();
      if (!running.read(line)) show(line);
    });
  }
  const outcome = await Promise.race([ended, stalled]).finally(watch.end);
  if (outcome !== 'stalled') return outcome === 0;
  show(`\n${name} has reported nothing for ${stallMinutes} minutes and is ended.`);
  for (const test of running.names) show(`Running: ${test}`);
  if (options.windows) await askWindows(stallFolder, timers).then(show);
  await janitor.stop(child);
  return false;
}

/** Makes the folder that open windows wait for, and gives what they say there. How many they are is not known. */
async function askWindows(folder: string, timers: Timers): Promise<string> {
  await mkdir(folder, { recursive: true });
  await new Promise<void>((resolve) => timers.schedule(resolve, answerMilliseconds));
  const answers = (await readdir(folder)).filter((file) => file.endsWith('.txt'));
  const texts = await Promise.all(answers.map((file) => readFile(path.join(folder, file), 'utf8')));
  if (texts.length === 0) return 'No window answered.';
  return texts.map((text) => `A window showed:\n${text}`.replaceAll('\n', '\n  ')).join('\n');
}
