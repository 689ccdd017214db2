import path from 'node:path';
import { countsOfMocha, countsOfVitest } from '../support/testCounts.ts';
import type { TestCounts } from '../support/testCounts.ts';

/** One part of `npm test`: a script of package.json. */
export interface Tier {
  readonly name: string;
  readonly script: string;
  readonly parameters: readonly string[];
  /** Only for a tier of tests. */
  readonly tests?: {
    /** Where its test files are, relative to the project. */
    readonly folder: string;
    /** Where it leaves its counts. */
    readonly report: string;
    readonly read: (report: string) => TestCounts;
    /** How the script is told to run only these files. */
    readonly only: (files: readonly string[]) => readonly string[];
    /** Whether it needs a VS Code and a browser. */
    readonly windows: boolean;
  };
}

/** All tiers in the order in which they run; those of one group run side by side. */
export const tierGroups: readonly (readonly Tier[])[] = [
  [
    { name: 'types', script: 'check:types', parameters: [] },
    { name: 'lint', script: 'check:lint', parameters: [] },
    { name: 'format', script: 'check:format', parameters: [] },
    { name: 'build', script: 'build', parameters: ['--production'] },
  ],
  [vitestTier('unit', false)],
  [vitestTier('service', false)],
  [
    {
      name: 'vscode',
      script: 'test:vscode',
      parameters: ['--both'],
      tests: {
        folder: 'test/vscode',
        report: 'test-results/vscode.json',
        read: countsOfMocha,
        only: (files) => files.map((file) => path.posix.basename(file, '.test.ts')),
        windows: true,
      },
    },
  ],
  [vitestTier('e2e', true)],
];

function vitestTier(name: string, windows: boolean): Tier {
  const report = `test-results/${name}.json`;
  const reporters = ['default', 'json', './test/runner/progressReporter.ts'].map(
    (reporter) => `--reporter=${reporter}`,
  );
  return {
    name,
    script: `test:${name}`,
    parameters: [...reporters, `--outputFile.json=${report}`],
    tests: { folder: `test/${name}`, report, read: countsOfVitest, only: (files) => files, windows },
  };
}

export interface Selection {
  readonly groups: readonly (readonly Tier[])[];
  /** The names that match nothing. */
  readonly unmatched: readonly string[];
}

/**
 * Chooses what the names mean: a tier by its name, and test files by any part of their path. Without a name it is
 * everything.
 * @param testFiles paths relative to the project, with forward slashes
 */
export function selectTiers(names: readonly string[], testFiles: readonly string[]): Selection {
  if (names.length === 0) return { groups: tierGroups, unmatched: [] };
  const tierNames = new Set(tierGroups.flat().map(({ name }) => name));
  const parts = names.filter((name) => !tierNames.has(name)).map((name) => ({ name, part: partOfPath(name) }));
  const matches = (file: string) => parts.some(({ part }) => file.includes(part));

  const select = (tier: Tier): Tier[] => {
    if (names.includes(tier.name)) return [tier];
    const { tests } = tier;
    const files = tests ? testFiles.filter((file) => file.startsWith(`${tests.folder}/`) && matches(file)) : [];
    return tests && files.length > 0 ? [{ ...tier, parameters: [...tier.parameters, ...tests.only(files)] }] : [];
  };
  return {
    groups: tierGroups.map((group) => group.flatMap(select)).filter((group) => group.length > 0),
    unmatched: parts.filter(({ part }) => !testFiles.some((file) => file.includes(part))).map(({ name }) => name),
  };
}

/** A path as a person or their shell writes it, as it is in the list of test files. */
function partOfPath(name: string): string {
  return name.replaceAll('\\', '/').replace(/^\.\//, '');
}
