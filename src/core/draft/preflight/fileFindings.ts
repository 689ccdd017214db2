import * as l10n from '@vscode/l10n';
import type { AppConfig, AppConfigFinding } from '../../appConfig/shape.ts';
import { resolveFromConfig } from '../../appConfig/paths.ts';
import { shortCommit } from '../../git/drift.ts';
import { firstNames } from '../../text/text.ts';
import type { RepositoryDraft } from '../draft.ts';
import { finding, type Finding } from '../findings.ts';
import type { BuildFile } from '../../git/gitState.ts';
import type { PreflightInput } from './preflightInput.ts';

/** Each path takes a git process. */
const mostChecked = 100;

/** The paths in the repository that a build needs. At most 100. */
export function buildPaths(configPath: string, appConfig: AppConfig | AppConfigFinding | undefined): string[] {
  return allBuildPaths(configPath, appConfig).slice(0, mostChecked);
}

function allBuildPaths(configPath: string, appConfig: AppConfig | AppConfigFinding | undefined): string[] {
  const graphs = appConfig?.kind === 'config' ? appConfig.graphs.flatMap(({ file }) => file ?? []) : [];
  return [...new Set([configPath, ...graphs])].filter((path) => resolveFromConfig('', path) !== undefined);
}

/**
 * Checks that the commit to deploy has the config file and the files of its graphs.
 * The remote may have changed since the last fetch, so a missing file is an error only if its state is certain.
 */
export function fileFindings({
  draft,
  git,
  appConfig,
  files = [],
  remoteIsCertain = false,
}: PreflightInput): Finding[] {
  if (draft.source !== 'repohost') return [];
  const ignored = files.filter(({ isIgnored, isInRemote }) => isIgnored && isInRemote !== true);
  const missing = files.filter(({ isIgnored, isInRemote }) => !isIgnored && isInRemote === false);
  const isCertain = remoteIsCertain || draft.ref.kind === 'commit';
  const place = placeOf(draft, git?.remoteName ?? '');
  const [config, graphs] = [missing.filter(isConfigOf(draft)), missing.filter((file) => !isConfigOf(draft)(file))];
  const ignoredMessages = ignored.map(({ path }) =>
    l10n.t("Git ignores {0}, so a push doesn't include it. Remove it from .gitignore, then commit it.", path),
  );
  const missingMessages = [
    ...config.map(({ path }) => missingConfig(path, place, isCertain)),
    ...(graphs.length === 0 ? [] : [missingGraphs(graphs, place, isCertain)]),
  ];
  return [
    // The build of another service may create an ignored file.
    ...ignoredMessages.map((message) => configFinding(remoteIsCertain, message)),
    ...missingMessages.map((message) => configFinding(isCertain, message)),
    ...(files.length === 0 ? [] : uncheckedFindings(allBuildPaths(draft.configPath, appConfig).length)),
  ];
}

/** Why a build will fail that has this config and these files, as a phrase. Undefined if nothing says so. */
export function buildProblem(
  config: AppConfig | AppConfigFinding | undefined,
  files: readonly BuildFile[],
): string | undefined {
  const missing = files.filter(({ isInRemote }) => isInRemote === false).map(({ path }) => path);
  if (missing.length > 0) {
    return missing.length === 1
      ? l10n.t('{0} is missing', firstNames(missing))
      : l10n.t('{0} are missing', firstNames(missing));
  }
  return config?.kind === 'finding' ? l10n.t("{0} can't be used", config.path) : undefined;
}

function uncheckedFindings(all: number): Finding[] {
  if (all <= mostChecked) return [];
  const message = l10n.t('Only the first {0} of {1} files that the build needs were checked.', mostChecked, all);
  return [finding('info', message, 'configPath')];
}

function configFinding(isCertain: boolean, message: string): Finding {
  return finding(isCertain ? 'error' : 'warning', message, 'configPath');
}

function isConfigOf({ configPath }: RepositoryDraft): (file: BuildFile) => boolean {
  return ({ path }) => path === configPath;
}

/** The ref to deploy, as git writes it. */
function placeOf({ ref }: RepositoryDraft, remote: string): string {
  if (ref.kind === 'branch') return `${remote}/${ref.name}`;
  return ref.kind === 'tag' ? ref.name : shortCommit(ref.name);
}

function missingConfig(path: string, place: string, isCertain: boolean): string {
  return isCertain
    ? l10n.t('{0} is not in {1}. Commit and push it, or choose another config file.', path, place)
    : l10n.t(
        'As of the last fetch, {0} is not in {1}. Commit and push it, fetch, or choose another config file.',
        path,
        place,
      );
}

function missingGraphs(files: readonly BuildFile[], place: string, isCertain: boolean): string {
  const list = firstNames(files.map(({ path }) => path));
  return isCertain
    ? l10n.t('Missing from {0}: {1}. A graph needs it, so commit and push it.', place, list)
    : l10n.t('As of the last fetch, missing from {0}: {1}. A graph needs it, so commit and push it.', place, list);
}
