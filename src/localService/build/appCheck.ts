import type { AppConfig, AppConfigFinding } from '../../core/appConfig/appConfig.ts';

/**
 * Explains why an application can't be built; undefined when it can.
 * The config must be readable, and the file of at least one graph must exist. `existing` returns the paths that are
 * files.
 */
export async function findAppProblem(
  config: AppConfig | AppConfigFinding,
  existing: (paths: readonly string[]) => Promise<readonly string[]>,
): Promise<string | undefined> {
  if (config.kind === 'finding') return config.message;
  const files = config.graphs.flatMap(({ file }) => (file === undefined ? [] : [file]));
  if ((await existing([...new Set(files)])).length > 0) return undefined;
  const graph = config.graphs[0];
  return graph?.file === undefined
    ? `No graph of ${config.path} names a file of the repository.`
    : `No graph of ${config.path} has a file: ${graph.file} of the graph "${graph.id}" does not exist.`;
}
