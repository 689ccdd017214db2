import { packageFiles } from './namedPaths.ts';
import { sourceLanguage } from './paths.ts';

/** The graphs that a file defines. */
interface GraphFile {
  /** Relative to the folder of the config file. */
  readonly path: string;
  readonly names: readonly string[];
}

/** Writes a config file for what a folder contains: its graphs, and its files that name packages. */
export function newConfigText(graphFiles: readonly GraphFile[], packages: readonly string[]): string {
  const graphs = new Map<string, string>();
  for (const { path, names } of graphFiles) {
    for (const name of names) graphs.set(freeId(idOf(path, name), graphs), `./${path}:${name}`);
  }
  const isJavaScript =
    graphFiles.length === 0
      ? packages.length > 0 && packages.every((path) => path.endsWith('package.json'))
      : graphFiles.every(({ path }) => sourceLanguage(path) === 'javascript');
  // An example where nothing was found.
  if (graphs.size === 0) graphs.set('agent', isJavaScript ? './src/agent.ts:graph' : './src/agent.py:graph');
  const needs = isJavaScript ? { node_version: '20' } : { dependencies: dependenciesOf(graphFiles, packages) };
  return `${JSON.stringify({ ...needs, graphs: Object.fromEntries(graphs) }, undefined, 2)}\n`;
}

/** The folders of the Python packages that the graphs are in: the innermost one of each. */
function dependenciesOf(graphFiles: readonly GraphFile[], packages: readonly string[]): readonly string[] {
  const folders = packages
    .filter((path) => !path.endsWith('package.json'))
    .map((path) => path.split('/').slice(0, -1).join('/'))
    .toSorted((left, right) => right.length - left.length);
  const around = graphFiles
    .filter(({ path }) => sourceLanguage(path) === 'python')
    .map(({ path }) => folders.find((folder) => folder === '' || path.startsWith(`${folder}/`)) ?? '');
  const needed = around.length > 0 ? around : folders.slice(-1);
  const written = needed.map((folder) => (folder === '' ? '.' : `./${folder}`));
  return written.length > 0 ? [...new Set(written)] : ['.'];
}

/** What tells graphs apart: a name that says something, or else that of the file or its folder. */
function idOf(path: string, name: string): string {
  const steps = path
    .replace(/\.\w+$/, '')
    .split('/')
    .toReversed();
  return (
    [name, ...steps].find((word) => !/^(?:graph|app|agent|workflow|default|main|index|src|__init__)$/.test(word)) ??
    'agent'
  );
}

function freeId(id: string, taken: ReadonlyMap<string, string>): string {
  let free = id;
  for (let count = 2; taken.has(free); count += 1) free = `${id}-${count}`;
  return free;
}

/** Whether a file names the packages that the folder around it needs. */
export function namesPackages(path: string): boolean {
  return packageFiles.some((name) => path === name || path.endsWith(`/${name}`));
}
