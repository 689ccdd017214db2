import { checkAppConfig, parseAppConfig } from '../../core/appConfig/appConfig.ts';
import { absentGraphs, graphPaths } from '../../core/appConfig/graphFiles.ts';
import type { IsAbsent } from '../../core/appConfig/graphFiles.ts';
import type { AppGraph } from '../../core/appConfig/config.ts';
import { firstNames, shortened } from '../../core/text/text.ts';
import type { RevisionConfig } from '../store/revisions.ts';

/** Writes a line into the log of a build. */
export type Note = (message: string) => void;

/** What the build found in the application. */
export interface AppCheck {
  /** Tells the user in a sentence or two what is wrong and what to do; undefined if the build succeeded. */
  readonly problem: string | undefined;
  /** Where the problem is, if it is at one place. */
  readonly place?: { readonly path: string; readonly line: number };
  /** What may stop the application from running although the build succeeded. */
  readonly warning?: string;
}

/** How a build ended. */
export interface BuildOutcome extends AppCheck {
  /** The config of the revision from now on. */
  readonly config: RevisionConfig;
}

/** The input of a build: the revision's config and values of its deployment. */
export interface BuildRequest {
  readonly source: string;
  readonly config: RevisionConfig;
  /** `source_config.repo_url` of the deployment. */
  readonly repositoryUrl: string | null;
}

/** The path of the config file from the top of the application. */
export function configPathOf(config: RevisionConfig): string {
  return (config.graph_config_path ?? '').replace(/^(?:\.\/)+/, '');
}

/**
 * Checks whether an application can be built.
 * The config file must be readable, and the files of all graphs must exist. Code that a package or the application's
 * own build may provide is only worth a warning. `lookUp` reads which of the paths exist.
 */
export async function checkApp(
  { text, path }: { readonly text: string; readonly path: string },
  lookUp: (paths: readonly string[]) => Promise<IsAbsent>,
  note: Note,
): Promise<AppCheck> {
  note(`Config: ${path}`);
  for (const { severity, message } of checkAppConfig(text, path).findings) note(`Config ${severity}: ${message}`);
  const config = parseAppConfig(text, path);
  if (config.kind === 'finding') {
    const { message: problem, line } = config;
    return { problem, ...(line === undefined ? {} : { place: { path, line } }) };
  }
  note(
    `Graphs: ${firstNames(
      config.graphs.map(({ id }) => shortened(id)),
      mostNames,
    )}`,
  );
  const { missing, doubtful } = absentGraphs(config, await lookUp(graphPaths(config)));
  if (missing.length > 0) {
    const list = namesOf(missing);
    return { problem: `Missing from the application: ${list}. Add each file, or correct its path in ${config.path}.` };
  }
  if (doubtful.length === 0) return { problem: undefined };
  const warning = `Not in the application: ${namesOf(doubtful)}. Installed packages or its own build must provide them.`;
  return { problem: undefined, warning };
}

const longestPath = 250;

const mostNames = 20;

/** Limited, because a config file may be much longer than a reason that someone reads. */
function namesOf(graphs: readonly AppGraph[]): string {
  const names = graphs.map(
    ({ id, file = 'a file outside the application', module }) =>
      `${shortened(module ?? file, longestPath)} (graph "${shortened(id)}")`,
  );
  return firstNames(names, mostNames);
}
