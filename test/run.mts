import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { hireJanitor } from './host/janitor.mts';
import type { Janitor } from './host/janitor.mts';
import { npmCommand } from './host/npm.mts';
import { countsOfMocha, countsOfVitest, describeCounts, failedTier } from './support/testCounts.ts';
import type { TestCounts } from './support/testCounts.ts';

/** One part of `npm test`: a script of package.json, and where it leaves its counts if it runs tests. */
interface Tier {
  readonly name: string;
  readonly script: string;
  readonly parameters?: readonly string[];
  readonly report?: { readonly file: string; readonly read: (text: string) => TestCounts };
}

const root = path.resolve(import.meta.dirname, '..');
const results = path.join(root, 'test-results');

/** A healthy tier takes a fraction of this; one that hangs is ended. */
const limitMilliseconds = 600_000;

const tiers: readonly Tier[] = [
  { name: 'types', script: 'check:types' },
  { name: 'lint', script: 'check:lint' },
  { name: 'format', script: 'check:format' },
  { name: 'production build', script: 'build', parameters: ['--production'] },
  vitestTier('unit'),
  vitestTier('service'),
  {
    name: 'vscode',
    script: 'test:vscode',
    report: { file: path.join(results, 'vscode.json'), read: countsOfMocha },
  },
  vitestTier('e2e'),
];

await main();

/** Runs everything that CI checks, one tier after the other, and ends with the line `N passed, N failed`. */
async function main(): Promise<void> {
  await mkdir(results, { recursive: true });
  await using janitor = await hireJanitor();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));
  const total: TestCounts = { passed: 0, failed: 0, skipped: 0 };
  const summary: string[] = [];
  for (const tier of tiers) {
    const begin = performance.now();
    const counts = await runTier(janitor, tier);
    const seconds = ((performance.now() - begin) / 1_000).toFixed(0);
    summary.push(`${counts.failed > 0 ? '✗' : '✓'} ${tier.name}: ${describeCounts(counts)} in ${seconds} s`);
    total.passed += counts.passed;
    total.failed += counts.failed;
    total.skipped += counts.skipped;
  }
  console.log(`\n${summary.join('\n')}\n\n${describeCounts(total)}`);
  if (total.failed > 0) process.exitCode = 1;
}

function vitestTier(project: string): Tier {
  const file = path.join(results, `${project}.json`);
  const parameters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  return { name: project, script: `test:${project}`, parameters, report: { file, read: countsOfVitest } };
}

async function runTier(janitor: Janitor, { name, script, parameters = [], report }: Tier): Promise<TestCounts> {
  console.log(`\n> ${name}: npm run ${script}`);
  if (report) await rm(report.file, { force: true });
  const succeeded = await runScript(janitor, script, parameters);
  if (!report) return succeeded ? { passed: 1, failed: 0, skipped: 0 } : failedTier;
  if (!existsSync(report.file)) return failedTier;
  const counts = report.read(await readFile(report.file, 'utf8'));
  // A tier that ran no test, or failed without a failed test, has not shown what it should.
  if (counts.passed + counts.failed === 0 || (!succeeded && counts.failed === 0)) {
    return { ...counts, failed: counts.failed + 1 };
  }
  return counts;
}

/** Runs a script of package.json with its output on the terminal, and says whether it succeeded. */
async function runScript(janitor: Janitor, script: string, parameters: readonly string[]): Promise<boolean> {
  const { command, first, shell } = npmCommand();
  const child = janitor.spawn(command, [...first, 'run', '--silent', script, '--', ...parameters], {
    cwd: root,
    shell,
    stdio: 'inherit',
  });
  const limit = setTimeout(() => {
    console.error(`"npm run ${script}" did not end within ten minutes and is ended.`);
    void janitor.stop(child);
  }, limitMilliseconds);
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('exit', resolve));
  clearTimeout(limit);
  return code === 0;
}
