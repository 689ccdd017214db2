import { parseArgs } from 'node:util';
import { UsageError } from '../host/startOptions.mts';
import { importsOf } from './sourceFiles.ts';
import type { SourceFile } from './sourceFiles.ts';

/** A source file that is going to be changed, and the tests that should notice. */
export interface MutationTarget {
  readonly file: SourceFile;
  readonly tests: readonly string[];
}

/** What Stryker says of one change. */
export interface Mutant {
  readonly status: string;
  readonly location: { readonly start: Position; readonly end: Position };
  readonly replacement: string;
}

/** Counts from 1. */
interface Position {
  readonly line: number;
  readonly column: number;
}

export const usage = `npm run test:mutation -- FILE… [--threshold PERCENT]
  FILE                 a source file; unit tests named beside it replace the ones that are found
  --threshold PERCENT  fail if the score of a file is lower`;

/** @throws {UsageError} a parameter that means nothing, or a source file without a test. */
export function parseMutationOptions(parameters: readonly string[], files: readonly SourceFile[]) {
  const { values, positionals } = read(parameters);
  const threshold = Number(values.threshold);
  if (!(threshold >= 0 && threshold <= 100)) throw new UsageError('--threshold takes a number from 0 to 100.');
  const named = positionals.map((name) => {
    const wanted = name.replaceAll('\\', '/').replace(/^\.\//, '');
    const file = files.find(({ path }) => path === wanted && !path.startsWith('test/support/'));
    if (!file) throw new UsageError(`${name} is not a source file or unit test here.`);
    return file;
  });
  const chosen = named.map(({ path }) => path).filter((path) => path.endsWith('.test.ts'));
  const targets = named
    .filter(({ path }) => path.startsWith('src/'))
    .map((file): MutationTarget => {
      const tests = chosen.length > 0 ? chosen : unitTestsOf(file.path, files);
      if (tests.length === 0) throw new UsageError(`No unit test runs ${file.path}.`);
      return { file, tests };
    });
  if (targets.length === 0) throw new UsageError('Name a source file.');
  return { targets, threshold };
}

/** How many of the mutants the tests noticed, in percent. A mutant that cannot run at all doesn't count. */
export function scoreOf(mutants: readonly Mutant[]): number {
  const noticed = mutants.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
  const missed = mutants.filter(isSurvivor).length;
  return noticed + missed === 0 ? 100 : (100 * noticed) / (noticed + missed);
}

/** A line for each mutant that no test noticed: its place, the code there, and its replacement. */
export function describeSurvivors({ path, text }: SourceFile, mutants: readonly Mutant[]): readonly string[] {
  return mutants.filter(isSurvivor).map(({ location: { start, end }, replacement }) => {
    const original = text.slice(offsetOf(text, start), offsetOf(text, end));
    return `${path}:${start.line}:${start.column}  ${inOneLine(original)}  →  ${inOneLine(replacement)}`;
  });
}

function read(parameters: readonly string[]) {
  try {
    return parseArgs({
      args: [...parameters],
      allowPositionals: true,
      options: { threshold: { type: 'string', default: '0' } },
    });
  } catch (error) {
    const [sentence] = (error instanceof Error ? error.message : String(error)).split('. ');
    throw new UsageError(`${sentence}.`, { cause: error });
  }
}

/** The unit test that mirrors a source file, else the tests that reach it with the fewest imports. */
function unitTestsOf(file: string, files: readonly SourceFile[]): readonly string[] {
  const mirror = file.replace(/^src\/(.*)\.ts$/, 'test/unit/$1.test.ts');
  if (files.some(({ path }) => path === mirror)) return [mirror];
  const reached = new Set([file]);
  for (let ring = [file]; ring.length > 0;) {
    ring = importersOf(ring, files).filter((path) => !reached.has(path));
    const tests = ring.filter((path) => path.endsWith('.test.ts'));
    if (tests.length > 0) return tests;
    for (const path of ring) reached.add(path);
  }
  return [];
}

function importersOf(targets: readonly string[], files: readonly SourceFile[]): string[] {
  return files
    .filter((file) => importsOf(file).some(({ target, isTypeOnly }) => !isTypeOnly && targets.includes(target)))
    .map(({ path }) => path);
}

function isSurvivor({ status }: Mutant): boolean {
  return status === 'Survived' || status === 'NoCoverage';
}

function offsetOf(text: string, { line, column }: Position): number {
  const before = text.split('\n').slice(0, line - 1);
  return before.join('\n').length + (line > 1 ? 1 : 0) + column - 1;
}

function inOneLine(code: string): string {
  const line = code.replaceAll(/\s+/g, ' ');
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
