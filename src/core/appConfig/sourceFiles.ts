import { distance } from 'fastest-levenshtein';
import { sourceLanguage } from './paths.ts';

/** Files with code, as a glob. */
export const sourceFiles = '**/*.{py,js,jsx,mjs,cjs,ts,tsx,mts,cts}';

/** The names of a file that hold compiled graphs, or else of its functions that make one. */
export function compiledGraphs(text: string, path: string): readonly string[] {
  if (!/langgraph|langchain/i.test(text)) return [];
  const isPython = sourceLanguage(path) === 'python';
  const making = text.split(statementStart).filter((statement) => makesGraph.test(statement));
  const held = isPython ? /^(\w+)\s*(?::[^=\n]*)?=(?!=)/ : /^export\s+(?:const|let|var)\s+([\w$]+)/;
  const factory = isPython ? /^(?:async\s+)?def\s+(\w+)/ : /^export\s+(?:async\s+)?function\s+([\w$]+)/;
  // A name may be given twice.
  const namesIn = (pattern: RegExp): readonly string[] => [
    ...new Set(making.flatMap((statement) => pattern.exec(statement)?.[1] ?? [])),
  ];
  const names = namesIn(held);
  return names.length > 0 ? names : namesIn(factory).filter((name) => !name.startsWith('_'));
}

/** A line begins a top-level statement if it isn't indented and doesn't close a bracket. */
const statementStart = /^(?![\s)\]}]|$)/m;

/** Compiling a regular expression is something else. */
const makesGraph = /(?<!\bre)\.compile\(|\bcreate_?(?:react_?|deep_?)?agent\(/i;

/** Whether a file may define graphs of the application, by its name. Tests define their own. */
export function mayDefineGraphs(path: string): boolean {
  return (
    sourceLanguage(path) !== undefined &&
    !/(?:^|\/)(?:tests?|__tests__|dist|build|out)\/|(?:^|\/)(?:test_|conftest\.)|[._](?:test|spec|d)\.\w+$/.test(path)
  );
}

/** The files of the same language that a missing file of a graph may be, at most three, the likeliest first. */
export function similarFiles(missing: string, files: readonly string[]): readonly string[] {
  const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
  const language = sourceLanguage(missing);
  const isSimilar = (path: string): boolean => language === undefined || sourceLanguage(path) === language;
  return files
    .filter((path) => mayDefineGraphs(path) && isSimilar(path) && nameOf(path) !== '__init__.py')
    .slice(0, mostCompared)
    .map((path) => {
      // A file with the same name may have been moved, one with a similar path renamed.
      const isMoved = nameOf(path) === nameOf(missing);
      return { path, apart: isMoved ? 0 : distance(path.slice(0, longestCompared), missing.slice(0, longestCompared)) };
    })
    .toSorted((left, right) => left.apart - right.apart)
    .slice(0, 3)
    .map(({ path }) => path);
}

/** More files than this are compared only in huge repositories, where the first ones are near to the root. */
const mostCompared = 5_000;

/** In characters, because the time grows with the product of both lengths. */
const longestCompared = 100;
