import * as vscode from 'vscode';
import { largestConfig, parseAppConfig, tooLargeConfig } from '../../../core/appConfig/appConfig.ts';
import type { AppConfig, AppConfigFinding } from '../../../core/appConfig/config.ts';
import { resolveFromConfig } from '../../../core/appConfig/paths.ts';
import type { DeploymentDraft } from '../../../core/draft/draft.ts';
import { finding, type Finding } from '../../../core/draft/findings.ts';
import { buildPaths, buildProblem } from '../../../core/draft/preflight/fileFindings.ts';
import type { BuildFile } from '../../../core/git/gitState.ts';
import type { ReadVariables } from '../../../core/secrets/importedSecrets.ts';
import { withoutIcons } from '../../../core/text/text.ts';
import { fileLists, filesWords, folderFindings } from '../../../core/upload/folderWords.ts';
import type { UploadedCheckout } from '../../../core/upload/uploadNote.ts';
import { parentsOf } from '../../../git/tree.ts';
import { readFolder, type FolderContents } from '../../../state/deploying/folder/folderContents.ts';
import { relativePath } from '../../window/files.ts';
import { readFileText } from '../../window/fileText.ts';
import { nameOf } from '../../window/specNames.ts';
import { askChoice } from '../../window/steps.ts';
import { unlessAborted } from '../../window/waiting.ts';
import { findFolderConfigs, openFolderOnDisk, type FolderOnDisk } from '../../workspace/folderOnDisk.ts';
import { dotenvPath } from '../deployedConfig.ts';
import { readConfigEnv } from '../secrets/importSecrets.ts';

/** A folder as it is on disk. */
export interface FolderReading {
  readonly place: FolderOnDisk;
  readonly contents: FolderContents;
  /** The config files that are uploaded, the likeliest first. */
  readonly configPaths: readonly string[];
  readonly checkout: UploadedCheckout | undefined;
}

/** A folder to upload, with what is known of it for one of its config files. */
export interface CheckedFolder extends FolderReading {
  /** Undefined if it can't be used, which a finding says. */
  readonly appConfig: AppConfig | undefined;
  /** What the application's dotenv file has, which is never uploaded. */
  readonly configEnv: ReadVariables | undefined;
  readonly findings: readonly Finding[];
}

/**
 * Reads a folder, with the files that git ignores left out.
 * @throws {UserError} Restricted Mode
 */
export async function readFolderOnDisk(folder: vscode.Uri, title: string, signal: AbortSignal): Promise<FolderReading> {
  const place = await openFolderOnDisk(folder, title);
  const read = async (): Promise<FolderReading> => {
    const contents = await readFolder(folder.fsPath, place.git?.until(signal), signal);
    const [found, checkout] = await Promise.all([findFolderConfigs(place, contents.isFromGit), place.checkout()]);
    const uploaded = new Set(contents.files.map(({ path }) => path));
    return { place, contents, configPaths: found.filter((path) => uploaded.has(path)), checkout };
  };
  return unlessAborted(read(), signal);
}

/**
 * Checks what a draft uploads of a folder. The dotenv file that the application config names isn't uploaded.
 * @param envFiles the files that values of secrets come from, relative to the folder, which aren't uploaded either
 */
export async function checkFolder(
  reading: FolderReading,
  draft: DeploymentDraft,
  envFiles: readonly string[],
): Promise<CheckedFolder> {
  const { place, checkout } = reading;
  const configPath = 'configPath' in draft ? draft.configPath : '';
  const config = await readConfig(reading, configPath);
  const envPath = dotenvPath(config);
  const own = envFiles.flatMap((file) => resolveFromConfig('', file) ?? []);
  const contents = withoutFiles(reading.contents, new Set([envPath, ...own]));
  const { files } = contents;
  const uploaded = new Set(files.map(({ path }) => path));
  const folders = new Set(files.flatMap(({ path }) => parentsOf(path)));
  const kindOf = (path: string): BuildFile['inRemote'] => {
    if (uploaded.has(path)) return 'file';
    return folders.has(path) ? 'folder' : 'nothing';
  };
  const needed = config && buildPaths(configPath, config);
  const name = nameOf(place.folder);
  const findings = folderFindings({
    ...contents,
    name,
    place: place.folder.fsPath,
    checkout,
    gitProblem: place.gitProblem,
    unsaved: unsavedFiles(place.folder, uploaded),
    outside: outsideDependencies(configPath, config),
    buildProblem:
      config?.kind === 'config' && needed
        ? buildProblem(
            configPath,
            config,
            needed.map((path) => ({ path, isIgnored: false, inRemote: kindOf(path) })),
          )
        : undefined,
  });
  const missing =
    configPath === ''
      ? vscode.l10n.t('Choose the config file, which tells the service which graphs to run.')
      : vscode.l10n.t('{0} has no file "{1}" that is uploaded. Choose the config file.', name, configPath);
  const otherSource = vscode.l10n.t('A folder can only be uploaded. Set "source" to {0}.', 'internal_source');
  return {
    ...reading,
    contents,
    appConfig: config?.kind === 'config' ? config : undefined,
    configEnv: await readConfigEnv(place.folder, envPath, draft),
    findings: [
      ...(draft.source === 'internal_source' ? [] : [finding('error', otherSource, 'source')]),
      ...(config === undefined ? [finding('error', missing, 'configPath')] : []),
      ...(config?.kind === 'finding' ? [finding('warning', config.message, 'configPath')] : []),
      ...findings,
    ],
  };
}

/** Undefined if the file isn't uploaded. */
async function readConfig(
  { place: { folder }, contents }: FolderReading,
  configPath: string,
): Promise<AppConfig | AppConfigFinding | undefined> {
  if (contents.files.every(({ path }) => path !== configPath)) return undefined;
  const text = await readFileText(vscode.Uri.joinPath(folder, configPath), largestConfig, folder);
  return text === undefined ? tooLargeConfig(configPath) : parseAppConfig(text, configPath);
}

function withoutFiles(contents: FolderContents, secret: ReadonlySet<string | undefined>): FolderContents {
  const left = contents.files.filter(({ path }) => secret.has(path));
  return {
    ...contents,
    files: contents.files.filter(({ path }) => !secret.has(path)),
    leftOut: [...contents.leftOut, ...left.map(({ path }) => ({ path, reason: 'secrets' as const }))],
  };
}

/** A file in a dependency would lie outside the folder. */
function outsideDependencies(configPath: string, config: AppConfig | AppConfigFinding | undefined): readonly string[] {
  const dependencies = config?.kind === 'config' ? config.localDependencies : [];
  return dependencies.filter((place) => resolveFromConfig(configPath, `${place}/file`) === undefined);
}

function unsavedFiles(folder: vscode.Uri, uploaded: ReadonlySet<string>): readonly string[] {
  const unsaved = vscode.workspace.textDocuments.filter(({ isDirty, uri }) => isDirty && uri.scheme === 'file');
  return unsaved.flatMap(({ uri }) => relativePath(folder, uri) ?? []).filter((path) => uploaded.has(path));
}

/** Lists the files of a folder that will be uploaded, and those that are left out. */
export async function showFiles(title: string, { contents }: Pick<CheckedFolder, 'contents'>): Promise<void> {
  const items = fileLists(contents).flatMap(({ heading, rows, more }): readonly vscode.QuickPickItem[] => [
    { label: heading, kind: vscode.QuickPickItemKind.Separator },
    ...rows.map(({ path, words }) => ({ label: withoutIcons(path), description: words })),
    ...(more === undefined ? [] : [{ label: more }]),
  ]);
  await askChoice({
    title: vscode.l10n.t('{0}: {1}', title, filesWords(contents.files)),
    placeholder: vscode.l10n.t('Type to find a file'),
    items,
  });
}
