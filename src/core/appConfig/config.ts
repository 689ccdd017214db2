import * as z from 'zod/mini';
import { resolveFromConfig, sourceLanguage } from './paths.ts';
import { isAbsent, isSpecList, isSpecMap, valueAt } from '../yaml/value.ts';
import type { SpecValue } from '../yaml/value.ts';
import { builtFields, codePlace, graphEntry } from './schema.ts';

/**
 * One graph of an application: `./src/agent.py:graph` is the attribute `graph` of the file `src/agent.py`, and
 * `src.agent:graph` of the module `src.agent`.
 */
export interface AppGraph {
  id: string;
  /** Relative to the repository's root. Undefined for a module or a file outside the repository. */
  file: string | undefined;
  /** As written. Undefined for a file. */
  module: string | undefined;
  /** What the file or module defines. */
  attribute: string;
}

/** The source of the application's environment. A deployment from a repository reads none of it. */
type AppEnvironment =
  /** A dotenv file. `path` is relative to the repository's root, or as written if it's outside. */
  { kind: 'file'; path: string; insideRepository: boolean } | { kind: 'inline'; names: string[] } | { kind: 'none' };

export interface AppConfig {
  kind: 'config';
  path: string;
  graphs: AppGraph[];
  /** The folders among the dependencies, as written: relative to the config's folder. */
  localDependencies: string[];
  env: AppEnvironment;
  language: 'python' | 'javascript' | 'unknown';
  /** What may be wrong although the service can build it, in sentences. */
  warnings: string[];
}

/** Explains why a file isn't an application config. The message names the file and, if known, the location. */
export interface AppConfigFinding {
  kind: 'finding';
  path: string;
  message: string;
  /** Both count from 1. */
  line?: number;
  column?: number;
}

/** Reads an application config from its content. Undefined if a build refuses it. */
export function readAppConfig(content: SpecValue, path: string): Omit<AppConfig, 'warnings'> | undefined {
  const { data } = built.safeParse(content);
  if (data === undefined) return undefined;
  const graphs = Object.entries(data.graphs).map(([id, entry]) =>
    readGraph(id, typeof entry === 'string' ? entry : entry.path, path),
  );
  return {
    kind: 'config',
    path,
    graphs,
    localDependencies: readLocalDependencies(valueAt(content, ['dependencies'])),
    env: readEnvironment(data.env, path),
    language: languageOf(content, graphs),
  };
}

const built = z.object(builtFields);

/** Whether parsed content has a map of graphs. */
export function hasGraphMap(content: SpecValue): boolean {
  return isSpecMap(valueAt(content, ['graphs']));
}

/** Whether parsed content names the code of a graph. */
export function namesGraphCode(content: SpecValue): boolean {
  const graphs = valueAt(content, ['graphs']);
  return isSpecMap(graphs) && Object.values(graphs).some((entry) => graphEntry.safeParse(entry).success);
}

function readGraph(id: string, target: string, path: string): AppGraph {
  const { code = '', attribute = '', isFile = false } = readTarget(target) ?? {};
  return {
    id,
    file: isFile ? resolveFromConfig(path, code) : undefined,
    module: isFile ? undefined : code,
    attribute,
  };
}

/** Where a graph's code is, as written: a file or a module, and what it defines. Undefined if written otherwise. */
export function readTarget(target: string): { code: string; attribute: string; isFile: boolean } | undefined {
  const [, code, attribute] = codePlace.exec(target.trim()) ?? [];
  if (code === undefined || attribute === undefined) return undefined;
  return { code, attribute, isFile: /[\\/]/.test(code) || sourceLanguage(code) !== undefined };
}

/** Modules are looked for in each. */
export const mostLocalDependencies = 50;

function readLocalDependencies(value: SpecValue | undefined): string[] {
  const entries = isSpecList(value) ? value : [];
  const local = entries.filter((entry) => typeof entry === 'string').filter((entry) => entry.startsWith('.'));
  return [...new Set(local)].slice(0, mostLocalDependencies);
}

function readEnvironment(value: z.infer<typeof built>['env'], path: string): AppEnvironment {
  if (value === undefined || value === null || value === '') return { kind: 'none' };
  if (typeof value === 'string') {
    const resolved = resolveFromConfig(path, value);
    return { kind: 'file', path: resolved ?? value, insideRepository: resolved !== undefined };
  }
  const names = Array.isArray(value) ? value.map(variableName) : Object.keys(value);
  const known = [...new Set(names)].filter((name) => !Array.isArray(value) || name !== '');
  return known.length === 0 ? { kind: 'none' } : { kind: 'inline', names: known };
}

/** An entry of a list may be `NAME=value`, whose value may be secret. */
function variableName(entry: string): string {
  return entry.replace(/=.*/s, '').trim();
}

function languageOf(content: SpecValue, graphs: readonly AppGraph[]): AppConfig['language'] {
  const languages = new Set(graphs.flatMap(({ file = '' }) => sourceLanguage(file) ?? []));
  const [first, second] = languages;
  if (first !== undefined && second === undefined) return first;
  if (hasContent(content, 'node_version')) return 'javascript';
  return hasContent(content, 'python_version') || languages.has('python') ? 'python' : 'unknown';
}

/** Whether a key has a value that isn't empty. */
export function hasContent(content: SpecValue, key: string): boolean {
  const value = valueAt(content, [key]);
  return isSpecList(value) || typeof value === 'string' ? value.length > 0 : !isAbsent(value);
}
