import { describe, expect, it } from 'vitest';
import {
  commitListText,
  describeDrift,
  mostCommitsListed,
  type ListedCommit,
  joinChanges,
  type ChangedFile,
  subjectOf,
} from '../../../../src/core/git/comparison.ts';
import { formatMoment } from '../../../../src/core/status/duration.ts';

const date = '2026-03-02T12:00:00.000Z';
const moment = formatMoment(date).replaceAll(/\s/g, ' ');
const commit = (message: string, origin: Partial<ListedCommit> = {}): ListedCommit => ({
  hash: '0123456789abcdef',
  message,
  ...origin,
});
const lines = (ahead: readonly ListedCommit[], behind: readonly ListedCommit[] = []) =>
  commitListText({ to: 'HEAD', ahead, behind })?.split('\n');

describe('the commits between two revisions', () => {
  it.each([
    ['Write notes\n\nAt length.', 'Write notes'],
    ['\n\n  Write notes', 'Write notes'],
    ['', ''],
    ['Sent to https://me:canary@code.example', 'Sent to https://code.example'],
  ])('have a first line: %j', (message, expected) => {
    expect(subjectOf({ message })).toBe(expected);
  });

  it('are listed with their subject, author and date', () => {
    const origin = { authorName: 'Ada', authorDate: new Date(date) };
    expect(lines([commit('\nAdd a graph\n\nBecause.', origin), commit('Begin')])).toEqual([
      'Not live yet:',
      `0123456 Add a graph (Ada, ${moment})`,
      '0123456 Begin',
      '',
    ]);
  });

  it('are listed in both directions after the two have diverged', () => {
    expect(lines([commit('Here')], [commit('There')])).toEqual([
      'Not live yet:',
      '0123456 Here',
      '',
      'Live, but not in HEAD:',
      '0123456 There',
      '',
    ]);
  });

  it('are those that only one of two revisions has', () => {
    const between = { from: '1234567', to: '89abcde', ahead: [commit('New')], behind: [commit('Old')] };
    expect(commitListText(between)?.split('\n')).toEqual([
      'Only in 89abcde:',
      '0123456 New',
      '',
      'Only in 1234567:',
      '0123456 Old',
      '',
    ]);
  });

  it('are nothing to show where there are none', () => {
    expect(lines([])).toBeUndefined();
  });

  it('are cut off, and that is said', () => {
    const all = Array.from({ length: mostCommitsListed + 1 }, (_, index) => commit(`Change ${index}`));
    expect(lines(all)?.slice(-3)).toEqual(['0123456 Change 199', 'Only the newest 200 are listed.', '']);
    expect(lines(all.slice(0, -1))?.at(-2)).toBe('0123456 Change 199');
  });

  it('stay on one short line each, whatever their authors wrote', () => {
    const hostile = commit(`\u202Eesrever\u001B[31m ${'long '.repeat(100_000)}`, {
      authorName: 'A\nB',
      authorDate: new Date(Number.NaN),
    });
    const [, line = '', ...rest] = lines([hostile]) ?? [];
    expect(rest).toEqual(['']);
    expect(line.length).toBeLessThan(600);
    expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});

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

describe('drift', () => {
  it.each([
    ['of the same commit', 0, 0, 0, 'up to date'],
    ['of commits behind', 0, 3, 0, '3 behind'],
    ['of commits ahead', 2, 0, 0, 'live is 2 ahead'],
    ['of more commits than are counted', 0, 1000, 0, '1000 or more behind'],
    ['of commits on both sides, more than are counted', 1000, 999, 0, '999 behind, 1000 or more ahead'],
    ['of commits behind and unpushed', 0, 3, 2, '3 behind, 2 unpushed'],
  ])('%s is said in short', (_, ahead, behind, unpushed, text) => {
    expect(describeDrift({ kind: 'known', ahead, behind, unpushed })).toBe(text);
  });

  it('names a live commit that the clone does not have', () => {
    const relation = { kind: 'unknownCommit', commit: '0123456789abcdef0123456789abcdef01234567' } as const;
    expect(describeDrift(relation)).toBe('live commit 0123456 not in this clone');
  });
});
