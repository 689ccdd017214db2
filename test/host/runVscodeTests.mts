import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { runTests, TestRunFailedError } from '@vscode/test-electron';
import { createSampleRepository } from '../support/gitRepositories.ts';
import { countsOfMocha, describeCounts } from '../support/testCounts.ts';
import { dataFolderVariable, namesVariable, reportVariable } from '../support/vscodeTestRun.ts';
import { quietSettings, writeSettings } from './codeServerFiles.mts';
import { hireJanitor } from './janitor.mts';
import { testLines } from './testLines.mts';

const root = path.resolve(import.meta.dirname, '../..');
const results = path.join(root, 'test-results');
const reportFile = path.join(results, 'vscode.json');
const logFile = path.join(results, 'vscode.log');

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

/**
 * Runs the suites of `test/vscode` in one VS Code with the sample repository open. Without an option that is the VS
 * Code from the npm registry; `--oldest` takes the oldest supported one, `--desktop` downloads the desktop program.
 * Further words choose suites by a part of their names.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { desktop: { type: 'boolean' }, oldest: { type: 'boolean' } },
  });
  await mkdir(results, { recursive: true });
  await rm(reportFile, { force: true });
  const passed = await runInVscode(
    values.desktop ? undefined : ourLauncher(),
    values.oldest ? ['--release=oldest'] : [],
    positionals,
  );
  if (!passed) process.exitCode = 1;
  if (!existsSync(reportFile)) return explainMissingReport();
  const counts = countsOfMocha(await readFile(reportFile, 'utf8'));
  console.log(`${describeCounts(counts)} inside VS Code. VS Code's own output is in ${logFile}`);
}

function ourLauncher(): string {
  return path.join(import.meta.dirname, process.platform === 'win32' ? 'code.cmd' : 'code.mjs');
}

async function runInVscode(
  executable: string | undefined,
  parameters: readonly string[],
  names: readonly string[],
): Promise<boolean> {
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
      ...(executable !== undefined && { vscodeExecutablePath: executable }),
      extensionDevelopmentPath: root,
      extensionTestsPath: path.join(root, 'dist/test/vscode/index.js'),
      extensionTestsEnv: {
        [dataFolderVariable]: dataFolder,
        [reportVariable]: reportFile,
        [namesVariable]: names.join(' '),
      },
      launchArgs: [
        workspace,
        `--user-data-dir=${userData}`,
        `--extensions-dir=${path.join(janitor.folder, 'extensions')}`,
        ...parameters,
      ],
      stdout: testLines(process.stdout, log),
      stderr: log,
    });
    return true;
  } catch (error) {
    if (error instanceof TestRunFailedError) return false;
    const reason = error instanceof Error ? error.message : String(error);
    const advice =
      executable === undefined
        ? ' The desktop VS Code is downloaded from its vendor; "npm run test:vscode" runs the same tests in the VS Code from the npm registry.'
        : '';
    throw new Error(`VS Code could not be started: ${reason}.${advice}`, { cause: error });
  } finally {
    await finished(log.end());
  }
}

async function explainMissingReport(): Promise<void> {
  const log = await readFile(logFile, 'utf8');
  console.error(`VS Code ended before the tests did. The end of ${logFile}:\n${log.slice(-3_000)}`);
  process.exitCode = 1;
}
