import { parseAppConfig, tooLargeConfig } from '../../core/appConfig/appConfig.ts';
import type { AppConfig, AppConfigFinding } from '../../core/appConfig/config.ts';
import { buildPaths, buildProblem } from '../../core/draft/preflight/fileFindings.ts';
import type { WorkspaceRepository } from '../workspace/workspaceRepository.ts';

/** The deployed commit as this clone knows it. */
interface Deployed {
  readonly configPath: string;
  /** Undefined if this clone doesn't have it. */
  readonly commit: string | undefined;
  /** Whether the working copy shows what the commit will become. */
  readonly isOpenHere: boolean;
}

/**
 * Reads the config file that will be deployed: the one in the commit, whatever the working copy has.
 * Reads the working copy's file if the commit is unknown or lacks it, because a push may add it.
 */
export async function readDeployedConfig(
  repository: Pick<WorkspaceRepository, 'textAt' | 'textHere'>,
  { configPath, commit, isOpenHere }: Deployed,
): Promise<AppConfig | AppConfigFinding | undefined> {
  if (configPath === '') return undefined;
  const read = async (text: Promise<string | undefined>): Promise<AppConfig | AppConfigFinding | undefined> =>
    text.then(
      (known) => (known === undefined ? tooLargeConfig(configPath) : parseAppConfig(known, configPath)),
      // A separate finding covers a missing file.
      () => undefined,
    );
  const deployed = commit === undefined ? undefined : await read(repository.textAt(commit, configPath));
  return deployed ?? (isOpenHere ? read(repository.textHere(configPath)) : undefined);
}

/** The dotenv file that a config file names, if it is in the repository. */
export function dotenvPath(config: AppConfig | AppConfigFinding | undefined): string | undefined {
  if (config?.kind !== 'config' || config.env.kind !== 'file' || !config.env.insideRepository) return undefined;
  return config.env.path;
}

/** Why a build of a commit will fail, as a phrase. Undefined if nothing says so. */
export async function buildProblemAt(
  repository: Pick<WorkspaceRepository, 'textAt' | 'textHere' | 'buildFiles'>,
  { commit, configPath }: { readonly commit: string; readonly configPath: string },
): Promise<string | undefined> {
  const config = await readDeployedConfig(repository, { configPath, commit, isOpenHere: false });
  const files = await repository.buildFiles(commit, buildPaths(configPath, config));
  return buildProblem(configPath, config, files);
}
