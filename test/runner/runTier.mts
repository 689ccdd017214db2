import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { findChromium } from '../host/chromium.mts';
import { installCodeServer } from '../host/codeServerInstall.mts';
import type { Janitor } from '../host/janitor.mts';
import { npmCommand } from '../host/npm.mts';
import { releases } from '../host/releases.mts';
import { failedTier } from '../support/testCounts.ts';
import type { TestCounts } from '../support/testCounts.ts';
import { runProgram } from './runProgram.mts';
import type { Tier } from './tiers.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Runs a tier, gives each line of its output to `show`, and says how many of its tests did what. */
export async function runTier(janitor: Janitor, tier: Tier, show: (line: string) => void): Promise<TestCounts> {
  const { name, program, parameters, tests } = tier;
  const report = tests && path.join(root, tests.report);
  if (report) await rm(report, { force: true });
  const { command, first, shell } = npmCommand();
  const script = { command, parameters: [...first, 'run', '--silent', program, '--', ...parameters], shell };
  const succeeded = await runProgram({
    janitor,
    name,
    ...(tests ? ofNode(program, parameters) : script),
    folder: root,
    show,
    reports: tests !== undefined,
    windows: tests?.needs === 'windows',
  });
  if (!tests) return succeeded ? { passed: 1, failed: 0, skipped: 0, failures: [], titles: [] } : failedTier;
  if (!report || !existsSync(report)) return failedTier;
  const counts = tests.read(await readFile(report, 'utf8'));
  // A tier that ran no test, or failed without a failed test, has not shown what it should.
  if (counts.passed + counts.failed === 0 || (!succeeded && counts.failed === 0)) {
    return { ...counts, failed: counts.failed + 1 };
  }
  return counts;
}

/**
 * Makes what the tiers of a group need: one build, because a second one would take it away from running tests, and VS
 * Code and the browser, because a download reports nothing and may take minutes.
 * @throws Error if something can't be made.
 */
export async function prepare(
  janitor: Janitor,
  group: readonly Tier[],
  show: (line: string) => void,
  buildFlags: readonly string[] = [],
): Promise<void> {
  const needs = group.flatMap(({ tests }) => (tests ? [tests.needs] : []));
  if (needs.every((need) => need === 'nothing')) return;
  const build = { janitor, name: 'build', ...ofNode('esbuild.mjs', buildFlags), folder: root, show, reports: false };
  if (!(await runProgram(build))) throw new Error('The build failed.');
  if (!needs.includes('windows')) return;
  for (const release of Object.values(releases)) await installCodeServer(release);
  await findChromium();
}

function ofNode(program: string, parameters: readonly string[]) {
  return { command: process.execPath, parameters: [path.join(root, program), ...parameters] };
}
