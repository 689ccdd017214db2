import { expect, test } from 'vitest';
import { describeDrift, shortCommit } from '../../../../src/core/git/drift.ts';

const commit = '0123456789abcdef0123456789abcdef01234567';

test.each([
  ['the same commit', 0, 0, 0, 'live is HEAD', false],
  ['one commit behind', 0, 1, 0, 'live is 1 commit behind HEAD', true],
  ['several commits behind', 0, 3, 0, 'live is 3 commits behind HEAD', true],
  ['one commit ahead', 1, 0, 0, 'live is 1 commit ahead of HEAD', true],
  ['several commits ahead', 2, 0, 0, 'live is 2 commits ahead of HEAD', true],
  ['more than are counted', 0, 1000, 0, 'live is 1000 or more commits behind HEAD', true],
  [
    'diverged by more than are counted',
    1000,
    999,
    0,
    'live and HEAD have diverged (999 behind, 1000 or more ahead)',
    true,
  ],
  ['both', 2, 3, 0, 'live and HEAD have diverged (3 behind, 2 ahead)', true],
  ['behind and unpushed', 0, 3, 2, 'live is 3 commits behind HEAD, 2 commits unpushed', true],
  ['one unpushed', 0, 1, 1, 'live is 1 commit behind HEAD, 1 commit unpushed', true],
])('drift of %s is said in words', (_, ahead, behind, unpushed, text, differs) => {
  expect(describeDrift({ kind: 'known', commit, ahead, behind, unpushed })).toEqual({ text, differs });
});

test('a live commit that the clone does not have is named', () => {
  expect(describeDrift({ kind: 'unknownCommit', commit })).toEqual({
    text: 'live commit 0123456 is not in this clone',
    differs: true,
  });
});

test('a commit is shortened to seven characters', () => {
  expect(shortCommit(commit)).toBe('0123456');
});
