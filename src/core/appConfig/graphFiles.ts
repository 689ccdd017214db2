import { resolveFromConfig } from './paths.ts';
import type { AppConfig, AppGraph } from './config.ts';

/** Whether a path that `graphPaths` lists is known not to be this in the commit to build. */
export type IsAbsent = (path: string, kind: 'file' | 'folder') => boolean;

interface AbsentGraphs {
  /** Their files are missing, so the build fails. */
  readonly missing: readonly AppGraph[];
  /** An installed package may have their module, or the application's own build may make their file. */
  readonly doubtful: readonly AppGraph[];
}

/** Where an application says that its graphs are. */
interface NamedGraphs extends Pick<AppConfig, 'path' | 'localDependencies'> {
  readonly graphs: readonly Pick<AppGraph, 'file' | 'module'>[];
}

/** The paths to look up before asking for the absent graphs: the files first, then every place of a module. */
export function graphPaths(config: NamedGraphs): string[] {
  const files = config.graphs.flatMap(({ file }) => file ?? []);
  const places = [...modulePlaces(config).values()].flat();
  return [...new Set([...files, ...places.flatMap((path) => [`${path}.py`, path])])];
}

/** The graphs of a config whose code isn't in the commit to build. */
export function absentGraphs(config: AppConfig, isAbsent: IsAbsent): AbsentGraphs {
  const places = modulePlaces(config);
  const absent = config.graphs.filter((graph) => {
    const { module, file } = graph;
    if (module === undefined) return file === undefined || isAbsent(file, 'file');
    return (places.get(module) ?? []).every((path) => isAbsent(`${path}.py`, 'file') && isAbsent(path, 'folder'));
  });
  const isDoubtful = ({ module, file = '' }: AppGraph): boolean => module !== undefined || isBuilt(file);
  return { missing: absent.filter((graph) => !isDoubtful(graph)), doubtful: absent.filter(isDoubtful) };
}

/** Whether it is JavaScript in a folder that compilers write to and that is seldom committed. */
function isBuilt(file: string): boolean {
  return /(?:^|\/)(?:dist|build|out)\//i.test(file) && /\.[cm]?js$/i.test(file);
}

/** Modules beyond these aren't looked for, and so are doubtful. */
const mostModules = 100;

/**
 * Where each module of a config may be, without `.py`: below the config's folder or a local dependency, or in their
 * `src`. A dependency may also be the package itself.
 */
function modulePlaces({ path, graphs, localDependencies }: NamedGraphs): ReadonlyMap<string, readonly string[]> {
  const folders = ['.', ...localDependencies].flatMap((folder) => [folder, `${folder}/src`]);
  const roots = [...folders, ...localDependencies.map((folder) => `${folder}/..`)];
  const modules = [...new Set(graphs.flatMap(({ module }) => module ?? []))].slice(0, mostModules);
  return new Map(
    modules.map((module) => {
      const places = roots.map((root) => resolveFromConfig(path, `${root}/${module.replaceAll('.', '/')}`));
      return [module, [...new Set(places.filter((place) => place !== undefined))]];
    }),
  );
}
