import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefName } from '../../../../src/core/draft/fieldProblem.ts';
import { fullNames } from '../../../../src/localService/git/refs.ts';

describe('a ref name', () => {
  it.each(['main', 'feature/one', 'refs/tags/v1.0.0', 'v1.0.0', 'ünïcode', 'a@b', 'a{b}', 'release-1.x', '0123abc'])(
    'can be %s',
    (name) => {
      expect(isRefName(name)).toBe(true);
    },
  );

  it.each([
    '',
    '-',
    '--all',
    '.a',
    '/a',
    'a/',
    'a.',
    'a..b',
    'a//b',
    'a/.b',
    'a.lock',
    'a.lock/b',
    '@',
    '@{u}',
    'a@{1}',
    'a b',
    'a~1',
    'a^',
    'a:b',
    'a?',
    'a*',
    'a[b',
    String.raw`a\b`,
    'a\nb',
    'a\0',
    'a\u007f',
    'x'.repeat(256),
  ])("can't be %j", (name) => {
    expect(isRefName(name)).toBe(false);
  });

  it('is one that git accepts', () => {
    const text = fc.string({
      unit: fc.constantFrom(...Array.from('ab/.-@{}~^:*?[\\ \t\n\u007f')),
      minLength: 1,
      maxLength: 12,
    });
    const accepted = fc.sample(text, { numRuns: 5000, seed: 1 }).filter(isRefName).slice(0, 60);
    expect(accepted.length).toBeGreaterThan(30);
    for (const name of accepted) {
      // The command fails for a name that git refuses.
      execFileSync('git', ['check-ref-format', `refs/heads/${name}`]);
    }
  });
});

describe('the full names of a ref', () => {
  it.each([
    ['main', 'origin', ['refs/remotes/origin/main', 'refs/tags/main']],
    ['refs/heads/main', 'origin', ['refs/remotes/origin/main']],
    ['refs/tags/v1', 'origin', ['refs/tags/v1']],
    ['main', undefined, ['refs/heads/main', 'refs/tags/main']],
    ['main~1', 'origin', []],
  ])('are known for %s at the remote %s', (ref, remote, names) => {
    expect(fullNames(ref, remote)).toEqual(names);
  });
});
