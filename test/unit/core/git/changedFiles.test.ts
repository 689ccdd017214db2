import { describe, expect, it } from 'vitest';
import { joinChanges, type ChangedFile } from '../../../../src/core/git/changedFiles.ts';

const added = (path: string): ChangedFile => ({ before: undefined, after: path });
const deleted = (path: string): ChangedFile => ({ before: path, after: undefined });
const changed = (path: string): ChangedFile => ({ before: path, after: path });
const renamed = (before: string, after: string): ChangedFile => ({ before, after });

describe('the files that differ between two commits', () => {
  it.each<[string, readonly ChangedFile[], readonly ChangedFile[], readonly ChangedFile[]]>([
    ['none', [], [], []],
    [
      'those that the second commit changed',
      [added('a'), changed('b'), deleted('c'), renamed('d', 'e')],
      [],
      [added('a'), changed('b'), deleted('c'), renamed('d', 'e')],
    ],
    [
      'those that only the first commit changed, the other way round',
      [],
      [added('a'), changed('b'), deleted('c'), renamed('d', 'e')],
      [deleted('a'), changed('b'), added('c'), renamed('e', 'd')],
    ],
    ['those that both changed', [changed('a')], [changed('a')], [changed('a')]],
    ['a file that both added', [added('a')], [added('a')], [changed('a')]],
    ['none that both deleted', [deleted('a')], [deleted('a')], []],
    ['a file that one changed and the other deleted', [changed('a')], [deleted('a')], [added('a')]],
    ['a file that one renamed and the other changed', [renamed('a', 'b')], [changed('a')], [renamed('a', 'b')]],
    ['a file that both renamed', [renamed('a', 'b')], [renamed('a', 'c')], [renamed('c', 'b')]],
  ])('are %s', (_which, ahead, behind, expected) => {
    expect(joinChanges(ahead, behind)).toEqual(expected);
  });

  it('are sorted by path', () => {
    const joined = joinChanges([changed('c'), deleted('a')], [added('b')]);
    expect(joined.map(({ before, after }) => after ?? before)).toEqual(['a', 'b', 'c']);
  });
});
