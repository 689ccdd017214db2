import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { runTests, TestRunFailedError } from '@vscode/test-electron';
import { createSampleRepository } from '../support/gitRepositories.ts';
import { countsOfMocha, describeCounts, failedTier, sumOf } from '../support/testCounts.ts';
import type { TestCounts } from '../support/testCounts.ts';
import {
  compatibilitySuites,
  dataFolderVariable,
  reportVariable,
  suites,
  suitesVariable,
  windowVariable,
} from '../support/vscodeTestRun.ts';
import { quietSettings, writeSettings } from './codeServerFiles.mts';
import { hireJanitor } from './janitor.mts';
import type { ReleaseName } from './releases.mts';
import { testLines } from './testLines.mts';

const root = path.resolve(import.meta.dirname, '../..');
const results = path.join(root, 'test-results');
/** The sum of all runs, for `npm test`. */
const reportFile = path.join(results, 'vscode.json');

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

/**
 * Runs the suites of `test/vscode`, each VS Code with the sample repository open. Without an option that is the newest VS
 * Code from the npm registry; `--oldest` takes the oldest supported one, `--desktop` downloads the desktop program, and
 * `--both` runs newest and oldest side by side: the newest in two windows, and the oldest only with the suites that can
 * differ there. Further words choose suites by a part of their names, also for both.
 */
async function main(): Promise<void> {
  const { values, positionals: names } = parseArgs({
    allowPositionals: true,
    options: { desktop: { type: 'boolean' }, oldest: { type: 'boolean' }, both: { type: 'boolean' } },
  });
  await mkdir(results, { recursive: true });
  await rm(reportFile, { force: true });
  const windows = (
    values.both ? sideBySide(names) : [{ host: hostOf(values), name: hostOf(values), suites: suites.flat() }]
  )
    .map((window) => ({ ...window, suites: chosenFrom(window.suites, names) }))
    .filter((window) => window.suites.length > 0);
  const counts = await Promise.all(windows.map(runInVscode));
  const total = sumOf(counts);
  await writeFile(reportFile, JSON.stringify(total));
  if (total.failed > 0) process.exitCode = 1;
  console.log(`${describeCounts(total)} inside VS Code. VS Code's own output is in ${results}`);
}

/** A VS Code from the npm registry, or the downloaded desktop program. */
type Host = ReleaseName | 'desktop';

interface TestWindow {
  readonly host: Host;
  /** In its lines, and in the names of its files. */
  readonly name: string;
  readonly suites: readonly string[];
}

function sideBySide(names: readonly string[]): TestWindow[] {
  const all = suites.flat();
  return [
    ...suites.map((part, index) => ({ host: 'newest' as const, name: `newest-${index + 1}`, suites: part })),
    { host: 'oldest', name: 'oldest', suites: names.length > 0 ? all : chosenFrom(all, compatibilitySuites) },
  ];
}

/** The suites that have one of these in their names; all of them if there are none. */
function chosenFrom(suites: readonly string[], parts: readonly string[]): readonly string[] {
  return parts.length === 0 ? suites : suites.filter((suite) => parts.some((part) => suite.includes(part)));
}

function hostOf({ desktop, oldest }: { readonly desktop?: boolean; readonly oldest?: boolean }): Host {
  if (desktop) return 'desktop';
  return oldest ? 'oldest' : 'newest';
}

function ourLauncher(): string {
  return path.join(import.meta.dirname, process.platform === 'win32' ? 'code.cmd' : 'code.mjs');
}

async function runInVscode({ host, name, suites }: TestWindow): Promise<TestCounts> {
  const report = path.join(results, `vscode-${name}.json`);
  const logFile = path.join(results, `vscode-${name}.log`);
  await rm(report, { force: true });
  await using janitor = await hireJanitor();
  const sample = await createSampleRepository(janitor.folder);
  // A workspace takes further folders without a restart of its extensions.
  const workspace = path.join(janitor.folder, 'tests.code-workspace');
  await writeFile(workspace, JSON.stringify({ folders: [{ path: sample.folder }] }));
  const dataFolder = path.join(janitor.folder, 'local-service');
  const userData = path.join(janitor.folder, 'user-data');
  await writeSettings(path.join(userData, 'User'), {
    ...quietSettings,
    'deploymentManager.localService.dataFolder': dataFolder,
    'deploymentManager.localService.stepMilliseconds': 50,
  });
  const log = createWriteStream(logFile);
  try {
    await runTests({
      ...(host !== 'desktop' && { vscodeExecutablePath: ourLauncher() }),
      extensionDevelopmentPath: root,
      extensionTestsPath: path.join(root, 'dist/test/vscode/index.js'),
      extensionTestsEnv: {
        [dataFolderVariable]: dataFolder,
        [reportVariable]: report,
        [windowVariable]: name,
        [suitesVariable]: suites.join(' '),
      },
      launchArgs: [
        workspace,
        `--user-data-dir=${userData}`,
        `--extensions-dir=${path.join(janitor.folder, 'extensions')}`,
        ...(host === 'oldest' ? ['--release=oldest'] : []),
      ],
      stdout: testLines(process.stdout, log),
      stderr: log,
    });
  } catch (error) {
    if (error instanceof TestRunFailedError) return countsIn(report, logFile);
    const reason = error instanceof Error ? error.message : String(error);
    const advice =
      host === 'desktop'
        ? ' The desktop VS Code is downloaded from its vendor; "npm run test:vscode" runs the same tests in the VS Code from the npm registry.'
        : '';
    throw new Error(`VS Code could not be started: ${reason}.${advice}`, { cause: error });
  } finally {
    await finished(log.end());
  }
  return countsIn(report, logFile);
}

/** What the tests left. A VS Code that ended before them counts as a failure, and the end of its output is shown. */
async function countsIn(report: string, logFile: string): Promise<TestCounts> {
  if (existsSync(report)) return countsOfMocha(await readFile(report, 'utf8'));
  const log = await readFile(logFile, 'utf8');
  console.error(`VS Code ended before the tests did. The end of ${logFile}:\n${log.slice(-3_000)}`);
  return failedTier;
}
