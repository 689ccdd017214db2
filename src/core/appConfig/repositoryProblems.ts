import * as l10n from '@vscode/l10n';
import { firstNames, shortened } from '../text/text.ts';
import type { AppConfig, AppGraph } from './config.ts';
import { findDefinition } from './definitions.ts';
import { absentGraphs, type IsAbsent } from './graphFiles.ts';
import { sourceLanguage } from './paths.ts';
import { mostProblems, type ConfigProblem } from './rules.ts';

/** What the working copy has of the files that a config names. Paths are relative to the root. */
export interface RepositoryFacts {
  readonly isAbsent: IsAbsent;
  /** Whether the root is that of a repository. What lies outside of a folder in one may exist. */
  readonly isRepository: boolean;
  readonly ignored: ReadonlySet<string>;
  /** Whether the config's own text isn't yet in the repository, or on its remote. */
  readonly unshared: 'uncommitted' | 'unpushed' | undefined;
  /** The code of the graphs' files that could be read. */
  readonly code: ReadonlyMap<string, string>;
  /** The names of variables that the config sets. */
  readonly variables: readonly string[];
  readonly reservedNames: readonly string[];
}

export interface RepositoryProblem extends ConfigProblem {
  /** The graph whose file is missing and can be created. */
  readonly missing?: AppGraph & { readonly file: string };
}

/** What is wrong with the files that a config names: at most 100 problems. */
export function repositoryProblems(config: AppConfig, facts: RepositoryFacts): readonly RepositoryProblem[] {
  const { missing, doubtful } = absentGraphs(config, facts.isAbsent);
  const absent = new Set([...missing, ...doubtful]);
  const problems = [
    ...missing.filter(({ file }) => file !== undefined || facts.isRepository).map(missingProblem),
    ...doubtful.map((graph) => graphProblem(graph, 'warning', doubtfulWords(graph))),
    ...config.graphs.filter((graph) => !absent.has(graph)).flatMap((graph) => codeProblem(graph, facts)),
    ...reservedProblem(config, facts),
    ...unsharedProblem(config, facts),
  ];
  return problems.slice(0, mostProblems);
}

function graphProblem({ id }: AppGraph, severity: ConfigProblem['severity'], words: string): RepositoryProblem {
  return { severity, path: ['graphs', id, 'path'], at: 'value', words };
}

function missingProblem(graph: AppGraph): RepositoryProblem {
  const { file } = graph;
  if (file === undefined) {
    return graphProblem(graph, 'error', l10n.t('this file is outside the repository; correct its path'));
  }
  const words = l10n.t("the file {0} doesn't exist; create it, or correct its path", shortened(file, longestPath));
  return { ...graphProblem(graph, 'error', words), missing: { ...graph, file } };
}

const longestPath = 250;

function doubtfulWords({ module, file = '' }: AppGraph): string {
  return module === undefined
    ? l10n.t("the file {0} doesn't exist; the application's own build must make it", shortened(file, longestPath))
    : l10n.t(
        'no folder of "dependencies" has the module {0}; an installed package must provide it',
        shortened(module, longestPath),
      );
}

/**
 * Reads the files of graphs that are searched for their attributes: as many as are searched in a moment.
 * @param read gives the text of a file; undefined if there is none, or if it is too large
 */
export async function readCode(
  graphs: AppConfig['graphs'],
  read: (path: string) => Promise<string | undefined>,
): Promise<ReadonlyMap<string, string>> {
  // A file is searched once for each of its graphs.
  const searches = new Map<string, number>();
  for (const { file } of graphs) if (file !== undefined) searches.set(file, (searches.get(file) ?? 0) + 1);
  const code = new Map<string, string>();
  let rest = mostSearched;
  for (const [path, count] of searches) {
    const text = await read(path);
    const length = (text ?? '').length * count;
    if (text === undefined || length > rest) continue;
    rest -= length;
    code.set(path, text);
  }
  return code;
}

/** In characters. */
const mostSearched = 2_000_000;

function codeProblem(graph: AppGraph, { ignored, code }: RepositoryFacts): readonly RepositoryProblem[] {
  const { file = '', attribute } = graph;
  if (ignored.has(file)) return [graphProblem(graph, 'warning', ignoredWords(file))];
  const text = code.get(file);
  if (text === undefined || findDefinition(text, attribute, file) !== undefined) return [];
  const [place, name] = [shortened(file, longestPath), shortened(attribute)];
  const words =
    sourceLanguage(file) === 'python'
      ? l10n.t('the file {0} doesn\'t define "{1}" at its top level', place, name)
      : l10n.t('the file {0} doesn\'t export "{1}"', place, name);
  return [graphProblem(graph, 'warning', words)];
}

function reservedProblem({ env }: AppConfig, { variables, reservedNames }: RepositoryFacts): readonly ConfigProblem[] {
  const names = variables.filter((name) => reservedNames.includes(name));
  if (names.length === 0 || env.kind === 'none') return [];
  const words =
    names.length === 1
      ? l10n.t("the platform sets {0} itself, so it can't be a secret; remove it here", names.join(''))
      : l10n.t("the platform sets {0} itself, so they can't be secrets; remove them here", firstNames(names));
  return [{ severity: 'warning', path: ['env'], at: 'value', words }];
}

/** What a deployment doesn't have of the config itself. Unfinished work is no mistake, so this is no warning. */
function unsharedProblem({ path }: AppConfig, { ignored, unshared }: RepositoryFacts): readonly ConfigProblem[] {
  const place = { path: ['graphs'], at: 'key' } as const;
  if (ignored.has(path)) return [{ ...place, severity: 'warning', words: ignoredWords(path) }];
  if (unshared === undefined) return [];
  const words =
    unshared === 'uncommitted'
      ? l10n.t("this file isn't committed as it is here; a deployment builds what is pushed")
      : l10n.t("this file isn't pushed as it is committed; a deployment builds what is pushed");
  return [{ ...place, severity: 'info', words }];
}

function ignoredWords(path: string): string {
  return l10n.t("git ignores {0}, so a push doesn't include it; change the rule that ignores it", path);
}
