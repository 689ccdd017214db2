import { availableParallelism } from 'node:os';
import path from 'node:path';
import { countsOfMocha, countsOfVitest } from '../support/testCounts.ts';
import type { TestCounts } from '../support/testCounts.ts';

/** One part of `npm test`. */
export interface Tier {
  readonly name: string;
  /** A script of package.json, or for a tier of tests a program of Node. */
  readonly program: string;
  readonly parameters: readonly string[];
  /** Only for a tier of tests. */
  readonly tests?: {
    /** Where its test files are, relative to the project. */
    readonly folder: string;
    /** Where it leaves its counts. */
    readonly report: string;
    readonly read: (report: string) => TestCounts;
    /** How the program is told to run only these files. */
    readonly only: (files: readonly string[]) => readonly string[];
    /** What must be there before it: nothing, a build of the extension, or a VS Code and a browser as well. */
    readonly needs: 'nothing' | 'build' | 'windows';
  };
}

/** Tiers that run one after the other. */
export type Lane = readonly Tier[];

/** The tiers of tests with windows, beside which nothing else takes the processors away. */
const windowTiers: Lane = [
  {
    name: 'vscode',
    program: 'test/host/runVscodeTests.mts',
    parameters: ['--both'],
    tests: {
      folder: 'test/vscode',
      report: 'test-results/vscode.json',
      read: countsOfMocha,
      only: (files) => files.map((file) => path.posix.basename(file, '.test.ts')),
      needs: 'windows',
    },
  },
  vitestTier('e2e', 'windows'),
];

/** All tiers in the order in which they run; the lanes of one group run side by side. */
export const tierGroups: readonly (readonly Lane[])[] = [
  [
    [{ name: 'types', program: 'check:types', parameters: [] }],
    [{ name: 'lint', program: 'check:lint', parameters: [] }],
    [{ name: 'format', program: 'check:format', parameters: [] }],
    [{ name: 'build', program: 'build', parameters: ['--production'] }],
  ],
  [[vitestTier('unit', 'nothing')], [vitestTier('service', 'build')]],
  // A window often waits, so that both share the processors. On a few, each would be too slow for its waits.
  availableParallelism() < 4 ? [windowTiers] : windowTiers.map((tier) => [tier]),
];

/** The tiers that open windows, for a late run. */
export const windowGroups: typeof tierGroups = tierGroups.flatMap((group) => {
  const lanes = group.map((lane) => lane.filter(({ tests }) => tests?.needs === 'windows'));
  return lanes.some((lane) => lane.length > 0) ? [lanes] : [];
});

function vitestTier(name: string, needs: 'nothing' | 'build' | 'windows'): Tier {
  const report = `test-results/${name}.json`;
  const reporters = ['default', 'json', './test/runner/progressReporter.ts'].map(
    (reporter) => `--reporter=${reporter}`,
  );
  return {
    name,
    program: 'node_modules/vitest/vitest.mjs',
    parameters: ['run', '--project', name, ...reporters, `--outputFile.json=${report}`],
    tests: { folder: `test/${name}`, report, read: countsOfVitest, only: (files) => files, needs },
  };
}

export interface Selection {
  readonly groups: typeof tierGroups;
  /** The names that match nothing. */
  readonly unmatched: readonly string[];
}

/**
 * Chooses what the names mean: a tier by its name, and test files by any part of their path, of the named tiers if there
 * are any. Without a name it is everything.
 * @param testFiles paths relative to the project, with forward slashes
 * @param from the tiers to choose from
 */
export function selectTiers(names: readonly string[], testFiles: readonly string[], from = tierGroups): Selection {
  if (names.length === 0) return { groups: from, unmatched: [] };
  const tierNames = new Set(from.flat(2).map(({ name }) => name));
  const parts = names.filter((name) => !tierNames.has(name)).map((name) => ({ name, part: partOfPath(name) }));
  const isNamed = ({ name }: Tier) => parts.length === names.length || names.includes(name);
  const matched = new Set<string>();

  const select = (tier: Tier): Tier[] => {
    const { tests } = tier;
    if (!isNamed(tier)) return [];
    if (parts.length === 0) return [tier];
    const own = tests ? testFiles.filter((file) => file.startsWith(`${tests.folder}/`)) : [];
    const files = own.filter((file) => parts.some(({ part }) => file.includes(part)));
    for (const { name, part } of parts) if (files.some((file) => file.includes(part))) matched.add(name);
    return tests && files.length > 0 ? [{ ...tier, parameters: [...tier.parameters, ...tests.only(files)] }] : [];
  };
  return {
    groups: from
      .map((group) => group.map((lane) => lane.flatMap(select)).filter((lane) => lane.length > 0))
      .filter((group) => group.length > 0),
    unmatched: parts.map(({ name }) => name).filter((name) => !matched.has(name)),
  };
}

/** A path as a person or their shell writes it, as it is in the list of test files. */
function partOfPath(name: string): string {
  return name.replaceAll('\\', '/').replace(/^\.\//, '');
}
