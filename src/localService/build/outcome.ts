import { parseAppConfig } from '../../core/appConfig/appConfig.ts';
import type { RevisionConfig } from '../store/revisions.ts';

/** How a build ended. */
export interface BuildOutcome {
  /** The config of the revision from now on. */
  readonly config: RevisionConfig;
  /** Tells the user in a sentence or two what is wrong and what to do; undefined if the build succeeded. */
  readonly problem: string | undefined;
}

/** The input of a build: the revision's config and values of its deployment. */
export interface BuildRequest {
  readonly source: string;
  readonly config: RevisionConfig;
  /** `source_config.repo_url` of the deployment. */
  readonly repositoryUrl: string | null;
  readonly signal: AbortSignal;
}

/** The path of the config file from the top of the application. */
export function configPathOf(config: RevisionConfig): string {
  return (config.graph_config_path ?? '').replace(/^(?:\.\/)+/, '');
}

/**
 * Explains why an application can't be built; undefined when it can.
 * The config file must be readable, and the file of at least one graph must exist. `existing` returns the paths that
 * are files.
 */
export async function findAppProblem(
  configText: string,
  configPath: string,
  existing: (paths: readonly string[]) => Promise<readonly string[]>,
): Promise<string | undefined> {
  const config = parseAppConfig(configText, configPath);
  if (config.kind === 'finding') return config.message;
  const files = config.graphs.flatMap(({ file }) => (file === undefined ? [] : [file]));
  if ((await existing([...new Set(files)])).length > 0) return undefined;
  const graph = config.graphs[0];
  return graph?.file === undefined
    ? `No graph in ${config.path} refers to a file of the application.`
    : `No graph file in ${config.path} exists. Add ${graph.file} for the graph "${graph.id}", or correct its path.`;
}
