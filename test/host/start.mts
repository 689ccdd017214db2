import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createSampleRepository } from '../support/gitRepositories.ts';
import { startLocalService } from '../support/localService.ts';
import { startCodeServer } from './codeServer.mts';
import { openDesktop } from './desktop.mts';
import { hireJanitor } from './janitor.mts';
import type { Janitor } from './janitor.mts';
import { openBrowser } from './openBrowser.mts';
import { packageExtension } from './packageExtension.mts';
import { releases } from './releases.mts';
import { createSampleDeployments } from './sampleDeployments.mts';
import { parseStartOptions, usage, UsageError } from './startOptions.mts';
import type { StartOptions } from './startOptions.mts';

/** How long a revision of the local service stays in each state: long enough to watch. */
const stepMilliseconds = 1_000;

/** How long what was interrupted, such as a download, is waited for. */
const patienceMilliseconds = 3_000;

await main(process.argv.slice(2));

async function main(parameters: readonly string[]): Promise<void> {
  try {
    const options = parseStartOptions(parameters);
    if (options.help) console.log(usage);
    else await runUntilEnded(options);
  } catch (error) {
    const expected = error instanceof UsageError;
    console.error(expected ? `${error.message}\n\n${usage}` : String(error instanceof Error ? error.message : error));
    // The channel to the process that started this one would keep a failed start alive.
    process.exit(expected ? 2 : 1);
  }
}

/** Starts everything and waits for Ctrl+C or for the person to close the window; nothing is left behind. */
async function runUntilEnded(options: StartOptions): Promise<void> {
  const interrupted = new Promise<'interrupted'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve('interrupted'));
    // The process that this one was started for has been killed.
    process.on('disconnect', () => resolve('interrupted'));
  });
  const janitor = await hireJanitor();
  const work = run(janitor, options);
  try {
    const outcome = await Promise.race([interrupted, work]);
    console.log(outcome === 'interrupted' ? '\nEnding…' : 'VS Code has ended.');
  } finally {
    await janitor.end();
    // What was under way stops at its next program, and may have written into the folder until then.
    await Promise.race([work.catch(() => undefined), delay(patienceMilliseconds)]);
    await rm(janitor.folder, { recursive: true, force: true });
  }
  process.exit();
}

async function run(janitor: Janitor, options: StartOptions): Promise<'ended'> {
  const folder = options.folder === undefined ? await makeSample(janitor) : await ownRepository(options.folder);
  const { vsix, folder: built } = await packageExtension(janitor);
  step('Built and packaged the extension');

  const dataFolder = path.join(janitor.folder, 'local-service');
  const service = {
    dataFolder,
    repositories: [folder],
    script: path.join(built, 'dist/localService.js'),
    // Its agent would be shown as one of the person's own repository.
    sample: options.folder === undefined,
  };
  if (options.folder === undefined) {
    const quick = await startLocalService({ ...service, stepMs: 20 });
    janitor.watch(quick.process);
    await createSampleDeployments(quick);
    await quick.stop();
  }
  const running = await startLocalService({ ...service, stepMs: stepMilliseconds });
  janitor.watch(running.process);
  step(
    `Started the local service at ${running.url}${options.folder === undefined ? ', with two deployments and the agent "sample-agent"' : ''}`,
  );

  const settings = {
    'deploymentManager.localService.dataFolder': dataFolder,
    'deploymentManager.localService.stepMilliseconds': stepMilliseconds,
  };
  if (options.desktop) {
    const window = await openDesktop({ janitor, folder, vsix, settings });
    step('Opened VS Code');
    console.log('\nClose its window or press Ctrl+C here to end everything.');
    await window.closed;
  } else {
    const server = await startCodeServer({ janitor, driver: 'person', machineSettings: settings, vsix: [vsix] });
    step(`Started VS Code ${releases.newest.vscode}`);
    const address = server.addressOf(folder);
    console.log(`\n  ${address}\n\nOpen this address in a browser. Press Ctrl+C to end everything.`);
    if (options.open) openBrowser(address);
    await server.ended;
  }
  return 'ended';
}

async function makeSample(janitor: Janitor): Promise<string> {
  const { folder, url } = await createSampleRepository(janitor.folder);
  step(`Made a sample repository with the remote ${url}`);
  return folder;
}

/** @throws {UsageError} the folder is not in a git repository. */
async function ownRepository(folder: string): Promise<string> {
  await promisify(execFile)('git', ['-C', folder, 'rev-parse', '--show-toplevel']).catch((error: unknown) => {
    throw new UsageError(`${folder} is not in a git repository; "git init" makes one.`, { cause: error });
  });
  return folder;
}

function step(text: string): void {
  console.log(`✓ ${text}`);
}
