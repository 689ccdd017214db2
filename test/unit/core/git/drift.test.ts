import { expect, test } from 'vitest';
import { shortCommit } from '../../../../src/core/git/drift.ts';
import { describeDrift } from '../../../../src/core/git/comparison.ts';

const commit = '0123456789abcdef0123456789abcdef01234567';

test.each([
  ['the same commit', 0, 0, 0, 'up to date'],
  ['one commit behind', 0, 1, 0, '1 behind'],
  ['several commits behind', 0, 3, 0, '3 behind'],
  ['several commits ahead', 2, 0, 0, 'live is 2 ahead'],
  ['more than are counted', 0, 1000, 0, '1000 or more behind'],
  ['diverged by more than are counted', 1000, 999, 0, '999 behind, 1000 or more ahead'],
  ['both', 2, 3, 0, '3 behind, 2 ahead'],
  ['behind and unpushed', 0, 3, 2, '3 behind, 2 unpushed'],
])('drift of %s is said in short', (_, ahead, behind, unpushed, text) => {
  expect(describeDrift({ kind: 'known', ahead, behind, unpushed })).toBe(text);
});

test('a live commit that the clone does not have is named', () => {
  expect(describeDrift({ kind: 'unknownCommit', commit })).toBe('live commit 0123456 not in this clone');
});

test('a commit is shortened to seven characters', () => {
  expect(shortCommit(commit)).toBe('0123456');
});
