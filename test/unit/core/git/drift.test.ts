import { expect, test } from 'vitest';
import { shortCommit } from '../../../../src/core/git/drift.ts';
import { describeDrift } from '../../../../src/core/git/driftWords.ts';

const commit = '0123456789abcdef0123456789abcdef01234567';

test.each([
  ['the same commit', 0, 0, 0, 'up to date', 'up to date'],
  ['one commit behind', 0, 1, 0, '1 behind', 'live is 1 commit behind HEAD'],
  ['several commits behind', 0, 3, 0, '3 behind', 'live is 3 commits behind HEAD'],
  ['one commit ahead', 1, 0, 0, 'live is 1 ahead', 'live is 1 commit ahead of HEAD'],
  ['several commits ahead', 2, 0, 0, 'live is 2 ahead', 'live is 2 commits ahead of HEAD'],
  ['more than are counted', 0, 1000, 0, '1000 or more behind', 'live is 1000 or more commits behind HEAD'],
  [
    'diverged by more than are counted',
    1000,
    999,
    0,
    '999 behind, 1000 or more ahead',
    'live and HEAD have diverged (999 behind, 1000 or more ahead)',
  ],
  ['both', 2, 3, 0, '3 behind, 2 ahead', 'live and HEAD have diverged (3 behind, 2 ahead)'],
  ['behind and unpushed', 0, 3, 2, '3 behind, 2 unpushed', 'live is 3 commits behind HEAD, 2 commits unpushed'],
  ['one unpushed', 0, 1, 1, '1 behind, 1 unpushed', 'live is 1 commit behind HEAD, 1 commit unpushed'],
])('drift of %s is said in short for a row, and in words', (_, ahead, behind, unpushed, short, text) => {
  expect(describeDrift({ kind: 'known', commit, ahead, behind, unpushed })).toEqual({ short, text });
});

test('a live commit that the clone does not have is named', () => {
  expect(describeDrift({ kind: 'unknownCommit', commit })).toEqual({
    short: 'live commit not in this clone',
    text: 'live commit 0123456 is not in this clone',
  });
});

test('a commit is shortened to seven characters', () => {
  expect(shortCommit(commit)).toBe('0123456');
});
