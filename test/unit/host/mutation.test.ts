import { describe, expect, it } from 'vitest';
import { UsageError } from '../../host/startOptions.mts';
import { describeSurvivors, parseMutationOptions, scoreOf } from '../../support/mutation.ts';
import type { Mutant } from '../../support/mutation.ts';
import { parseSourceFile } from '../../support/sourceFiles.ts';

const imports = (...targets: string[]) => targets.map((target) => `import { a } from '${target}';`).join('\n');
const files = [
  parseSourceFile('src/core/mirrored.ts', 'export const a = 1;'),
  parseSourceFile('src/core/imported.ts', imports('./mirrored.ts')),
  parseSourceFile('src/core/inner.ts', imports('./inner.ts')),
  parseSourceFile('src/core/outer.ts', imports('./inner.ts')),
  parseSourceFile('src/core/types.ts', 'export type a = 1;'),
  parseSourceFile('test/support/helper.ts', imports('../../src/core/inner.ts')),
  parseSourceFile('test/unit/core/mirrored.test.ts', imports('../../../src/core/imported.ts')),
  parseSourceFile('test/unit/core/first.test.ts', imports('../../../src/core/imported.ts', '../../support/helper.ts')),
  parseSourceFile('test/unit/core/second.test.ts', imports('../../../src/core/outer.ts')),
  parseSourceFile('test/unit/core/third.test.ts', `import type { a } from '../../../src/core/types.ts';`),
];
const testsOf = (...parameters: string[]) =>
  parseMutationOptions(parameters, files).targets.map(({ file, tests }) => [file.path, ...tests]);

describe('The options of mutation testing', () => {
  it('find the test that mirrors a file, else the tests that the fewest imports lead to', () => {
    expect(testsOf('./src/core/mirrored.ts', 'src/core/imported.ts', String.raw`src\core\inner.ts`)).toEqual([
      ['src/core/mirrored.ts', 'test/unit/core/mirrored.test.ts'],
      ['src/core/imported.ts', 'test/unit/core/mirrored.test.ts', 'test/unit/core/first.test.ts'],
      ['src/core/inner.ts', 'test/unit/core/first.test.ts', 'test/unit/core/second.test.ts'],
    ]);
  });

  it('take the tests that are named instead', () => {
    expect(testsOf('src/core/mirrored.ts', 'test/unit/core/third.test.ts', 'src/core/types.ts')).toEqual([
      ['src/core/mirrored.ts', 'test/unit/core/third.test.ts'],
      ['src/core/types.ts', 'test/unit/core/third.test.ts'],
    ]);
  });

  it('take a threshold, which is 0 where none is given', () => {
    expect(parseMutationOptions(['src/core/mirrored.ts'], files).threshold).toBe(0);
    expect(parseMutationOptions(['src/core/mirrored.ts', '--threshold', '92.5'], files).threshold).toBe(92.5);
  });

  it.each([
    [[], 'Name a source file.'],
    [['test/unit/core/first.test.ts'], 'Name a source file.'],
    [['src/core/mirored.ts'], 'src/core/mirored.ts is not a source file or unit test here.'],
    [['test/support/helper.ts'], 'test/support/helper.ts is not a source file or unit test here.'],
    [['src/core/types.ts'], 'No unit test runs src/core/types.ts.'],
    [['src/core/mirrored.ts', '--threshold', 'high'], '--threshold takes a number from 0 to 100.'],
    [['src/core/mirrored.ts', '--threshold', '101'], '--threshold takes a number from 0 to 100.'],
    [['--treshold', '90'], "Unknown option '--treshold'."],
  ])('refuse %j in words', (parameters, message) => {
    expect(() => parseMutationOptions(parameters, files)).toThrow(new UsageError(message));
  });
});

describe('The score', () => {
  const location = { start: { line: 1, column: 1 }, end: { line: 1, column: 2 } };
  const mutants = (...statuses: string[]) => statuses.map((status): Mutant => ({ status, location, replacement: '' }));

  it('is the share that was noticed of what could run', () => {
    expect(scoreOf(mutants('Killed', 'Timeout', 'Survived', 'NoCoverage'))).toBe(50);
    expect(scoreOf(mutants('Killed', 'RuntimeError', 'CompileError', 'Ignored'))).toBe(100);
  });

  it('is full where there is nothing to change', () => {
    expect(scoreOf([])).toBe(100);
  });
});

describe('A survivor', () => {
  const file = parseSourceFile('src/core/a.ts', 'if (a < b) {\n  throw b;\n}\na = b + 1;\n');
  const survivor = (start: [number, number], end: [number, number], replacement: string): Mutant => ({
    status: 'Survived',
    location: { start: { line: start[0], column: start[1] }, end: { line: end[0], column: end[1] } },
    replacement,
  });

  it('is a line with its place, the code there and its replacement', () => {
    const found = [
      survivor([1, 5], [1, 10], 'a <= b'),
      survivor([1, 12], [3, 2], '{}'),
      survivor([4, 9], [4, 10], '2'),
    ];
    expect(describeSurvivors(file, found)).toEqual([
      'src/core/a.ts:1:5  a < b  →  a <= b',
      'src/core/a.ts:1:12  { throw b; }  →  {}',
      'src/core/a.ts:4:9  1  →  2',
    ]);
  });

  it('is cut where its code is long', () => {
    const [line] = describeSurvivors(file, [survivor([4, 9], [4, 10], 'x'.repeat(200))]);
    expect(line).toBe(`src/core/a.ts:4:9  1  →  ${'x'.repeat(99)}…`);
  });

  it('is no mutant that was noticed', () => {
    expect(describeSurvivors(file, [{ ...survivor([4, 9], [4, 10], '2'), status: 'Killed' }])).toEqual([]);
  });
});
