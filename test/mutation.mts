// Changes source files piece by piece and lists the changes that no unit test notices.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { hireJanitor } from './host/janitor.mts';
import { UsageError } from './host/startOptions.mts';
import { describeSurvivors, parseMutationOptions, scoreOf, usage } from './support/mutation.ts';
import type { Mutant, MutationTarget } from './support/mutation.ts';
import { readSourceFiles } from './support/sourceFiles.ts';

await main(process.argv.slice(2));

async function main(parameters: readonly string[]): Promise<void> {
  try {
    const files = ['src', 'test/unit', 'test/support'].flatMap(readSourceFiles);
    const { targets, threshold } = parseMutationOptions(parameters, files);
    await using janitor = await hireJanitor();
    for (const target of targets) {
      const { file, tests } = target;
      console.log(`\n> ${file.path}: ${tests.join(' ')}`);
      const mutants = await mutate(target, janitor.folder);
      const score = scoreOf(mutants);
      const sign = score < threshold ? '✗' : '✓';
      console.log(`${sign} ${file.path}: ${score.toFixed(1)} % of ${mutants.length} mutants were noticed`);
      for (const line of describeSurvivors(file, mutants)) console.log(`    ${line}`);
      if (score < threshold) process.exitCode = 1;
    }
  } catch (error) {
    const expected = error instanceof UsageError;
    console.error(expected ? `${error.message}\n\n${usage}` : String(error instanceof Error ? error.message : error));
    process.exitCode = expected ? 2 : 1;
  }
}

/** Runs the tests once for each mutant, in a copy of the project among the temporary files. */
async function mutate({ file, tests }: MutationTarget, folder: string): Promise<readonly Mutant[]> {
  // A mutant that makes a test wait forever is noticed after ten seconds.
  const vitest = `"${process.execPath}" node_modules/vitest/vitest.mjs run --project unit --bail 1 --testTimeout 10000`;
  const configFile = path.join(folder, 'stryker.json');
  const config = {
    mutate: [file.path],
    // Stryker's own runner for vitest doesn't run the tests of most mutants under vitest 5.
    testRunner: 'command',
    commandRunner: { command: `${vitest} ${tests.join(' ')}` },
    concurrency: 1,
    // A busy machine must not turn a survivor into a time-out, which counts as noticed.
    timeoutMS: 30_000,
    tempDirName: folder,
    cleanTempDir: 'always',
    ignorePatterns: ['.vscode-test', 'dist', 'test-results'],
    // Stryker edits this file with TypeScript's API, which version 7 doesn't have; a missing file is left alone.
    tsconfigFile: 'none',
    disableTypeChecks: false,
    reporters: ['progress-append-only'],
    logLevel: 'warn',
  };
  await writeFile(configFile, JSON.stringify(config));
  return new Stryker({ configFile }).runMutationTest();
}
