import { isMap, isScalar, isSeq, type Scalar } from 'yaml';
import { composeYaml } from '../yaml/document.ts';
import { mostLocalDependencies, readTarget } from './config.ts';
import { graphPaths } from './graphFiles.ts';
import { resolveFromConfig } from './paths.ts';

/** A path in the text of an application config file. */
export interface NamedPath {
  readonly kind: 'graph' | 'module' | 'environment' | 'dependency';
  /** As written, without the attribute of a graph. */
  readonly path: string;
  /** The name in a graph's file. */
  readonly attribute: string | undefined;
  /** Offsets of the whole value, without its quotes. */
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the paths that a config file names: the graphs, the dotenv file and the folders among the dependencies.
 * Reads as much of a text as it can, because it's being edited. Takes JSON too, which is also YAML.
 */
export function namedPaths(text: string): readonly NamedPath[] {
  const root = composeYaml(text, { uniqueKeys: false, prettyErrors: false })?.contents;
  if (!isMap(root)) return [];
  const graphs = root.get('graphs', true);
  const dependencies = root.get('dependencies', true);
  const targets = (isMap(graphs) ? graphs.items : []).map(({ value }) =>
    isMap(value) ? value.get('path', true) : value,
  );
  const entries: readonly unknown[] = isSeq(dependencies) ? dependencies.items : [];
  return [
    ...targets.flatMap((target) => readPath(target, graphOf)),
    ...readPath(root.get('env', true), (path) => ({ kind: 'environment', path, attribute: undefined })),
    ...entries.flatMap((entry) =>
      // Any other dependency is the name of a package.
      readPath(entry, (path) =>
        path.startsWith('.') ? { kind: 'dependency', path, attribute: undefined } : undefined,
      ),
    ),
  ];
}

type Meaning = Pick<NamedPath, 'kind' | 'path' | 'attribute'>;

function graphOf(value: string): Meaning | undefined {
  const target = readTarget(value);
  return target && { kind: target.isFile ? 'graph' : 'module', path: target.code, attribute: target.attribute };
}

function readPath(node: unknown, read: (value: string) => Meaning | undefined): readonly NamedPath[] {
  if (!isScalar(node) || typeof node.value !== 'string') return [];
  const meaning = read(node.value);
  const place = placeOf(node);
  return meaning === undefined || place === undefined ? [] : [{ ...meaning, ...place }];
}

/** Undefined for a text that spans lines, or has no place. */
function placeOf({ type, range }: Scalar): Pick<NamedPath, 'start' | 'end'> | undefined {
  if (!range) return undefined;
  const [start, end] = range;
  if (type === 'PLAIN') return { start, end };
  return type?.startsWith('QUOTE_') === true ? { start: start + 1, end: end - 1 } : undefined;
}

/** Files that tell which packages a folder needs, the most telling first. */
export const packageFiles = ['pyproject.toml', 'setup.py', 'requirements.txt', 'package.json'] as const;

/** The files that a named path may mean, the likeliest first; relative to the repository's root, and never outside it. */
export function filesOf(named: NamedPath, all: readonly NamedPath[], configPath: string): readonly string[] {
  const { kind, path } = named;
  const resolved = (...written: readonly string[]): readonly string[] =>
    written.flatMap((file) => resolveFromConfig(configPath, file) ?? []);
  if (kind === 'dependency') return resolved(...packageFiles.map((name) => `${path}/${name}`));
  if (kind !== 'module') return resolved(path);
  const dependencies = all.flatMap((each) => (each.kind === 'dependency' ? each.path : []));
  const localDependencies = [...new Set(dependencies)].slice(0, mostLocalDependencies);
  const graphs = [{ id: '', file: undefined, module: path }];
  const places = graphPaths({ path: configPath, graphs, localDependencies });
  return places.map((place) => (place.endsWith('.py') ? place : `${place}/__init__.py`));
}
