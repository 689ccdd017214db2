import * as l10n from '@vscode/l10n';
import { shortened } from '../text/text.ts';
import { resolveFromConfig } from './paths.ts';

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
}

/** The source of the application's environment. A deployment from a repository reads none of it. */
export type AppEnvironment =
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

/** A problem with the content, and the keys that lead to it. */
export interface ShapeFinding {
  kind: 'shapeFinding';
  message: string;
  at: string[];
}

/** Reads an application config from its parsed content. */
export function readAppConfigShape(content: unknown, path: string): AppConfig | ShapeFinding {
  if (!isObject(content)) {
    return shapeFinding([], l10n.t('an application config is an object with "graphs" in it'));
  }
  const graphs = readGraphs(member(content, 'graphs'), path);
  if (!Array.isArray(graphs)) {
    return graphs;
  }
  const env = readEnvironment(member(content, 'env'), path);
  if (env.kind === 'shapeFinding') {
    return env;
  }
  const language = languageOf(content, graphs);
  const runnable = hasContent(member(content, 'dependencies')) || hasContent(member(content, 'source'));
  if (!runnable && !hasContent(member(content, 'node_version')) && language !== 'javascript') {
    const message = l10n.t('"dependencies" is missing; list the packages to install there, such as ["."]');
    return shapeFinding([], message);
  }
  const localDependencies = readLocalDependencies(member(content, 'dependencies'));
  return { kind: 'config', path, graphs, localDependencies, env, language };
}

/** Whether parsed content has a map of graphs. */
export function hasGraphMap(content: unknown): boolean {
  return isObject(content) && isObject(member(content, 'graphs'));
}

function readGraphs(value: unknown, path: string): AppGraph[] | ShapeFinding {
  if (value === undefined) {
    return shapeFinding([], l10n.t('"graphs" is missing; it names the graphs of the application'));
  }
  if (!isObject(value) || Object.keys(value).length === 0) {
    return shapeFinding(['graphs'], l10n.t('"graphs" must map at least one name to "./path/file.py:attribute"'));
  }
  const graphs: AppGraph[] = [];
  for (const [id, entry] of Object.entries(value)) {
    const graph = readGraph(id, entry, path);
    if ('kind' in graph) {
      return graph;
    }
    graphs.push(graph);
  }
  return graphs;
}

function readGraph(id: string, entry: unknown, path: string): AppGraph | ShapeFinding {
  const target = isObject(entry) ? member(entry, 'path') : entry;
  if (unsafeKeys.has(id)) {
    return shapeFinding(['graphs', id], l10n.t('a graph can\'t be called "{0}"', id));
  }
  const parts = typeof target === 'string' ? /^(.+):[^:\\/]+$/.exec(target.trim()) : null;
  const code = parts?.[1];
  if (code === undefined) {
    const message = l10n.t('the graph "{0}" must be written as "./path/file.py:attribute"', shortened(id));
    return shapeFinding(['graphs', id], message);
  }
  const isFile = /[\\/]/.test(code) || sourceFileEnding.test(code);
  return {
    id,
    file: isFile ? resolveFromConfig(path, code) : undefined,
    module: isFile ? undefined : code,
  };
}

/** Modules are looked for in each. */
const mostLocalDependencies = 50;

function readLocalDependencies(value: unknown): string[] {
  const entries: unknown[] = Array.isArray(value) ? value : [];
  const local = entries.filter((entry) => typeof entry === 'string').filter((entry) => entry.startsWith('.'));
  return [...new Set(local)].slice(0, mostLocalDependencies);
}

function readEnvironment(value: unknown, path: string): AppEnvironment | ShapeFinding {
  if (value === undefined || value === null || value === '') {
    return { kind: 'none' };
  }
  if (typeof value === 'string') {
    const resolved = resolveFromConfig(path, value);
    return { kind: 'file', path: resolved ?? value, insideRepository: resolved !== undefined };
  }
  const names = environmentNames(value);
  if (names === undefined) {
    const message = l10n.t('"env" must be the path of a dotenv file, a list of names or a map of names to values');
    return shapeFinding(['env'], message);
  }
  const unsafe = names.find((name) => unsafeKeys.has(name));
  if (unsafe !== undefined) {
    return shapeFinding(['env', unsafe], l10n.t('an environment variable can\'t be called "{0}"', unsafe));
  }
  return names.length === 0 ? { kind: 'none' } : { kind: 'inline', names };
}

/** The names in a map or a list. An entry of a list may be `NAME=value`, whose value may be secret. */
function environmentNames(value: unknown): string[] | undefined {
  if (isObject(value)) return Object.keys(value);
  if (!Array.isArray(value)) return undefined;
  const entries: unknown[] = value;
  const texts = entries.filter((entry) => typeof entry === 'string');
  if (texts.length < entries.length) return undefined;
  const names = texts.map((text) => text.replace(/=.*/s, '').trim());
  return [...new Set(names)].filter((name) => name !== '');
}

function languageOf(content: object, graphs: readonly AppGraph[]): AppConfig['language'] {
  const endings = new Set(
    graphs.map(({ file }) => (file === undefined ? '' : (sourceFileEnding.exec(file)?.[0] ?? ''))),
  );
  const python = endings.has('.py');
  const javascript = [...endings].some((ending) => ending !== '' && ending !== '.py');
  if (python !== javascript) {
    return python ? 'python' : 'javascript';
  }
  if (hasContent(member(content, 'node_version'))) {
    return 'javascript';
  }
  return hasContent(member(content, 'python_version')) || python ? 'python' : 'unknown';
}

const sourceFileEnding = /\.(?:py|[cm]?[jt]sx?)$/i;

/** Names with a special meaning in JavaScript. No real config uses them. */
const unsafeKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

function shapeFinding(at: string[], message: string): ShapeFinding {
  return { kind: 'shapeFinding', at, message };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function member(value: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}

function hasContent(value: unknown): boolean {
  if (Array.isArray(value) || typeof value === 'string') {
    return value.length > 0;
  }
  return value !== undefined && value !== null;
}
