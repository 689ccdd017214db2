import { globSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { selectTiers, tierGroups, windowGroups } from '../../runner/tiers.ts';
import type { Tier } from '../../runner/tiers.ts';
import { compatibilitySuites, suites } from '../../support/vscodeTestRun.ts';

const files = [
  'test/unit/state/following/follower.test.ts',
  'test/unit/state/lists.test.ts',
  'test/service/lists.test.ts',
  'test/vscode/workspace.test.ts',
  'test/e2e/browse.test.ts',
];

/** The names of the chosen tiers, each with the files that it runs where it does not run all. */
function chosen(...names: string[]) {
  const { groups, unmatched } = selectTiers(names, files);
  const tiers = groups.map((group) => group.flat().map((tier) => [tier.name, ...addedTo(tier)].join(' ')));
  return { tiers, unmatched };
}

/** The parameters that a tier has only because of the names. */
function addedTo({ name, parameters }: Tier): readonly string[] {
  const whole = tierGroups.flat(2).find((tier) => tier.name === name);
  return parameters.slice(whole?.parameters.length);
}

describe('The names after "npm test --"', () => {
  it('choose tiers, in the order in which they always run', () => {
    expect(chosen('unit', 'lint', 'types')).toEqual({ tiers: [['types', 'lint'], ['unit']], unmatched: [] });
  });

  it('choose test files of any tier by a part of their path', () => {
    expect(chosen('lists')).toEqual({
      tiers: [['unit test/unit/state/lists.test.ts', 'service test/service/lists.test.ts']],
      unmatched: [],
    });
    expect(chosen('e2e/browse').tiers).toEqual([['e2e test/e2e/browse.test.ts']]);
    expect(chosen('./test/unit/state/').tiers).toEqual([
      ['unit test/unit/state/following/follower.test.ts test/unit/state/lists.test.ts'],
    ]);
    expect(chosen('unit\\state\\following\\follower').tiers).toEqual([
      ['unit test/unit/state/following/follower.test.ts'],
    ]);
  });

  it('choose suites inside VS Code by the name of their file', () => {
    expect(chosen('vscode/workspace').tiers).toEqual([['vscode workspace']]);
  });

  it('choose files of a tier by both names', () => {
    expect(chosen('lists', 'unit')).toEqual({ tiers: [['unit test/unit/state/lists.test.ts']], unmatched: [] });
    expect(chosen('vscode', 'browse')).toEqual({ tiers: [], unmatched: ['browse'] });
  });

  it('are given back where they match nothing', () => {
    expect(chosen('follower', 'folower', 'nothing')).toEqual({
      tiers: [['unit test/unit/state/following/follower.test.ts']],
      unmatched: ['folower', 'nothing'],
    });
  });

  it('may be left out, which chooses everything', () => {
    const all = [
      ['types', 'lint', 'format', 'build'],
      ['unit', 'service'],
      ['vscode', 'e2e'],
    ];
    expect(chosen().tiers).toEqual(all);
  });

  it('choose only among the tiers with windows in a late run', () => {
    const names = (...given: string[]) =>
      selectTiers(given, files, windowGroups).groups.map((group) => group.flat().map(({ name }) => name));
    expect(names()).toEqual([['vscode', 'e2e']]);
    expect(names('lists')).toEqual([]);
    expect(names('e2e')).toEqual([['e2e']]);
  });
});

describe('The suites inside VS Code', () => {
  const files = globSync('*.test.ts', { cwd: 'test/vscode' });

  it('are all files of their folder, each once', () => {
    expect(suites.flat().toSorted()).toEqual(files.map((file) => path.basename(file, '.test.ts')).toSorted());
  });

  it('are some of them for the oldest VS Code', () => {
    const chosen = files.filter((file) => compatibilitySuites.some((name) => file.includes(name)));
    expect(compatibilitySuites.filter((name) => !chosen.some((file) => file.includes(name)))).toEqual([]);
    expect(chosen.length).toBeLessThan(files.length);
  });
});
