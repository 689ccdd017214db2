import { globSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { hireJanitor } from './host/janitor.mts';
import { readCommandLine } from './runner/commandLine.ts';
import { prepare, runTier } from './runner/runTier.mts';
import { selectTiers, tierGroups, windowGroups } from './runner/tiers.ts';
import type { Lane, Tier } from './runner/tiers.ts';
import { testsNotRun } from './support/claims.ts';
import { describeCounts, failedTier, sumOf } from './support/testCounts.ts';
import type { TestCounts } from './support/testCounts.ts';

const root = path.resolve(import.meta.dirname, '..');

await main(process.argv.slice(2));

/**
 * Runs everything that CI checks, or what the names choose of it, and ends with the line `N passed, N failed`.
 * `--late=SEED` runs the tiers with windows in a build that delays prompts, rows and answers.
 */
async function main(words: readonly string[]): Promise<void> {
  const { names, lateSeed } = readCommandLine(words);
  const isLate = lateSeed !== undefined;
  const chosenFrom = isLate ? windowGroups : tierGroups;
  const tiers = chosenFrom.flat(2);
  const patterns = tiers.flatMap(({ tests }) => (tests ? [`${tests.folder}/**/*.test.ts`] : []));
  const testFiles = globSync(patterns, { cwd: root }).map((file) => file.replaceAll('\\', '/'));
  const { groups, unmatched } = selectTiers(names, testFiles, chosenFrom);
  if (unmatched.length > 0) {
    for (const name of unmatched) console.error(`"${name}" is neither a tier nor a part of the path of a test file.`);
    console.error(`The tiers are ${tiers.map(({ name }) => name).join(', ')}.`);
    process.exitCode = 1;
    return;
  }

  if (isLate) console.log(`Prompts, rows and answers are late. Repeat this run with --late=${lateSeed}.`);
  await mkdir(path.join(root, 'test-results'), { recursive: true });
  await using janitor = await hireJanitor();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));
  const counted: TestCounts[] = [];
  const summary: string[] = [];
  const run = async (tier: Tier, prepared: Promise<void>, show: (line: string) => void): Promise<void> => {
    let begin = performance.now();
    const counting = prepared.then(() => {
      begin = performance.now();
      return runTier(janitor, tier, show);
    });
    const counts = await counting.catch((error: unknown) => {
      show(String(error));
      return failedTier;
    });
    const seconds = ((performance.now() - begin) / 1_000).toFixed(0);
    summary.push(
      `${counts.failed > 0 ? '✗' : '✓'} ${tier.name}: ${describeCounts(counts)} in ${seconds} s`,
      ...counts.failures.map((failure) => `    ✗ ${failure}${isLate ? ` (--late=${lateSeed})` : ''}`),
    );
    counted.push(counts);
  };
  for (const group of groups) {
    const all = group.flat();
    console.log(`\n> ${all.map(({ name }) => name).join(', ')}`);
    const prepared = prepare(janitor, all, console.log, isLate ? [`--late=${lateSeed}`] : []);
    const runLane = async (lane: Lane): Promise<void> => {
      for (const tier of lane) await run(tier, prepared, all.length === 1 ? console.log : named(tier));
    };
    await Promise.all(group.map(runLane));
  }
  // A claim of SECURITY.md holds only if its tests were run.
  const security = await readFile(path.join(root, 'SECURITY.md'), 'utf8');
  const left = words.length === 0 ? testsNotRun(security, sumOf(counted).titles) : [];
  if (left.length > 0) {
    summary.push('✗ SECURITY.md names tests that were not run:', ...left.map((test) => `    ✗ ${test}`));
    counted.push({ ...failedTier, failed: left.length });
  }
  const total = sumOf(counted);
  console.log(`\n${summary.join('\n')}\n\n${describeCounts(total)}`);
  if (total.failed > 0) process.exitCode = 1;
}

/** Shows the lines of a tier that runs beside others. */
function named({ name }: Tier): (line: string) => void {
  return (line) => console.log(`${name}: ${line}`.trimEnd());
}
