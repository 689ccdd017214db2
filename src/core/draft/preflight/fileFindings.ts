import * as l10n from '@vscode/l10n';
import type { AppConfig, AppConfigFinding } from '../../appConfig/config.ts';
import { absentGraphs, graphPaths, type IsAbsent } from '../../appConfig/graphFiles.ts';
import { resolveFromConfig } from '../../appConfig/paths.ts';
import { shortCommit } from '../../git/drift.ts';
import { firstNames, shortened } from '../../text/text.ts';
import type { RepositoryDraft } from '../draft.ts';
import { finding, type Finding, type PreflightInput } from '../findings.ts';
import type { BuildFile } from '../../git/gitState.ts';

/** The paths in the repository that a build needs. */
export function buildPaths(configPath: string, appConfig: AppConfig | AppConfigFinding | undefined): string[] {
  const graphs = appConfig?.kind === 'config' ? graphPaths(appConfig) : [];
  return [...new Set([configPath, ...graphs])].filter((path) => resolveFromConfig('', path) !== undefined);
}

/**
 * Checks that the commit to deploy has the config file and the code of its graphs.
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
  const known = new Map(files.map((file) => [file.path, file]));
  const isIgnored = (path: string): boolean => known.get(path)?.isIgnored === true;
  const isAbsent: IsAbsent = (path, kind) =>
    lacks(known.get(path), kind) || (known.get(path)?.inRemote === undefined && isIgnored(path));
  const absent = appConfig?.kind === 'config' ? absentGraphs(appConfig, isAbsent) : { missing: [], doubtful: [] };
  const missing = new Set([
    ...[draft.configPath].filter((path) => isAbsent(path, 'file')),
    ...absent.missing.flatMap(({ file }) => file ?? []),
  ]);
  const [ignored, unpushed] = [[...missing].filter(isIgnored), [...missing].filter((path) => !isIgnored(path))];
  const graphFiles = unpushed.filter((path) => path !== draft.configPath);
  const outside = absent.missing.filter(({ file }) => file === undefined);
  const doubtful = [...new Set(absent.doubtful.flatMap(({ module, file }) => module ?? file ?? []))];
  const isCertain = remoteIsCertain || draft.ref.kind === 'commit';
  const place = placeOf(draft, git?.remoteName ?? '');
  const ignoredMessages = ignored.map((path) =>
    l10n.t("Git ignores {0}, so a push doesn't include it. Remove it from .gitignore, then commit it.", path),
  );
  const outsideMessages = outside.map(({ id }) =>
    l10n.t('The graph "{0}" names a file outside the repository. Correct its path.', shortened(id)),
  );
  const missingMessages = [
    ...(unpushed.includes(draft.configPath) ? [missingConfig(draft.configPath, place, isCertain)] : []),
    ...(graphFiles.length === 0 ? [] : [missingGraphs(graphFiles, place, isCertain)]),
  ];
  return [
    // The build of another service may create a file that is ignored or outside.
    ...[...ignoredMessages, ...outsideMessages].map((message) => configFinding(remoteIsCertain, message)),
    ...missingMessages.map((message) => configFinding(isCertain, message)),
    ...(doubtful.length === 0 ? [] : [configFinding(false, doubtfulGraphs(doubtful, place, isCertain))]),
  ];
}

/** Why a build will fail that has this config and these files, as a phrase. Undefined if nothing says so. */
export function buildProblem(
  configPath: string,
  config: AppConfig | AppConfigFinding | undefined,
  files: readonly BuildFile[],
): string | undefined {
  const known = new Map(files.map((file) => [file.path, file]));
  if (lacks(known.get(configPath), 'file')) return l10n.t('{0} is missing', configPath);
  const isAbsent: IsAbsent = (path, kind) => lacks(known.get(path), kind);
  const graphs = config?.kind === 'config' ? absentGraphs(config, isAbsent).missing : [];
  const missing = [...new Set(graphs.flatMap(({ file }) => file ?? []))];
  if (missing.length > 0) {
    return missing.length === 1
      ? l10n.t('{0} is missing', firstNames(missing))
      : l10n.t('{0} are missing', firstNames(missing));
  }
  const outside = graphs.map(({ id }) => shortened(id));
  if (outside.length > 0) {
    return outside.length === 1
      ? l10n.t('the file of {0} is outside the repository', firstNames(outside))
      : l10n.t('the files of {0} are outside the repository', firstNames(outside));
  }
  return config?.kind === 'finding' ? l10n.t("{0} can't be used", configPath) : undefined;
}

/** Whether the commit is known to have something else at a path, or nothing. */
function lacks(file: BuildFile | undefined, kind: 'file' | 'folder'): boolean {
  return file?.inRemote !== undefined && file.inRemote !== kind;
}

function configFinding(isCertain: boolean, message: string): Finding {
  return finding(isCertain ? 'error' : 'warning', message, 'configPath');
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

function missingGraphs(files: readonly string[], place: string, isCertain: boolean): string {
  const list = firstNames(files);
  return isCertain
    ? l10n.t('Missing from {0}: {1}. A graph needs it, so commit and push it.', place, list)
    : l10n.t('As of the last fetch, missing from {0}: {1}. A graph needs it, so commit and push it.', place, list);
}

function doubtfulGraphs(names: readonly string[], place: string, isCertain: boolean): string {
  const list = firstNames(names.map((name) => shortened(name)));
  return isCertain
    ? l10n.t("{0} doesn't have {1}. An installed package or the application's own build must provide it.", place, list)
    : l10n.t(
        "As of the last fetch, {0} doesn't have {1}. An installed package or the application's own build must provide it.",
        place,
        list,
      );
}
