import { resolveFromConfig } from './paths.ts';
import type { AppConfig, AppGraph } from './shape.ts';

/** Whether a path that `graphPaths` lists is known not to be this in the commit to build. */
export type IsAbsent = (path: string, kind: 'file' | 'folder') => boolean;

interface AbsentGraphs {
  /** Their files are missing, so the build fails. */
  readonly missing: readonly AppGraph[];
  /** An installed package may have their module, or the application's own build may make their file. */
  readonly doubtful: readonly AppGraph[];
}

/** The paths to look up before asking for the absent graphs: the files first, then every place of a module. */
export function graphPaths(config: AppConfig): string[] {
  const files = config.graphs.flatMap(({ file }) => file ?? []);
  const modules = config.graphs.flatMap((graph) => modulePaths(config, graph).flatMap((path) => [`${path}.py`, path]));
  return [...new Set([...files, ...modules])];
}

/** The graphs of a config whose code isn't in the commit to build. */
export function absentGraphs(config: AppConfig, isAbsent: IsAbsent): AbsentGraphs {
  const absent = config.graphs.filter((graph) => {
    if (graph.module === undefined) return graph.file === undefined || isAbsent(graph.file, 'file');
    return modulePaths(config, graph).every((path) => isAbsent(`${path}.py`, 'file') && isAbsent(path, 'folder'));
  });
  const isDoubtful = ({ module, file = '' }: AppGraph): boolean => module !== undefined || builtFile.test(file);
  return { missing: absent.filter((graph) => !isDoubtful(graph)), doubtful: absent.filter(isDoubtful) };
}

/** JavaScript in a folder that compilers write to and that is seldom committed. */
const builtFile = /(?:^|\/)(?:dist|build|out)\/.*\.[cm]?js$/i;

/**
 * Where a graph's module may be, without `.py`: below the config's folder or a local dependency, or in their `src`.
 * A dependency may also be the package itself.
 */
function modulePaths({ path, localDependencies }: AppConfig, { module = '' }: AppGraph): string[] {
  if (module === '') return [];
  const folders = ['.', ...localDependencies].flatMap((folder) => [folder, `${folder}/src`]);
  const parents = localDependencies.map((folder) => `${folder}/..`);
  const paths = [...folders, ...parents].map((root) =>
    resolveFromConfig(path, `${root}/${module.replaceAll('.', '/')}`),
  );
  return [...new Set(paths.filter((found) => found !== undefined))];
}
