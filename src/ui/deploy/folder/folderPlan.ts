import * as vscode from 'vscode';
import type { Deployment } from '../../../api/resources/deployments.ts';
import { largestConfig, parseAppConfig, tooLargeConfig } from '../../../core/appConfig/appConfig.ts';
import { resolveFromConfig } from '../../../core/appConfig/paths.ts';
import type { AppConfig, AppConfigFinding } from '../../../core/appConfig/config.ts';
import { suggestDeploymentName } from '../../../core/draft/deploymentName.ts';
import type { Finding } from '../../../core/draft/findings.ts';
import { emptyDraft } from '../../../core/draft/draft.ts';
import { buildPaths, buildProblem } from '../../../core/draft/preflight/fileFindings.ts';
import type { BuildFile } from '../../../core/git/gitState.ts';
import { folderFindings } from '../../../core/upload/folderWords.ts';
import type { UploadedCheckout } from '../../../core/upload/uploadNote.ts';
import type { ReadySession } from '../../../state/connections/session.ts';
import { readFolder, type FolderContents } from '../../../state/deploying/folder/folderContents.ts';
import { folderDeployment } from '../../../state/deploying/folder/folderDeployments.ts';
import type { Services } from '../../services.ts';
import { UserError } from '../../window/errors.ts';
import { relativePath } from '../../window/files.ts';
import { readFileText } from '../../window/fileText.ts';
import { whileWaiting, unlessAborted } from '../../window/waiting.ts';
import { findFolderConfigs, openFolderOnDisk, type FolderOnDisk } from '../../workspace/folderOnDisk.ts';
import { dotenvPath } from '../deployedConfig.ts';
import type { DeploymentPlan } from '../plan.ts';

/** A folder to upload, and the deployment that it becomes. */
export interface FolderPlan {
  readonly place: FolderOnDisk;
  readonly name: string;
  /** The draft of a new deployment; of an existing one only the secrets count. Its paths are empty. */
  readonly plan: DeploymentPlan;
  contents: FolderContents;
  /** The config files that are uploaded, the likeliest first. */
  configPaths: readonly string[];
  configPath: string;
  checkout: UploadedCheckout | undefined;
  /** The dotenv file of the application, which is never uploaded. */
  envPath: string | undefined;
  findings: readonly Finding[];
  /** The deployment to update. Undefined for a new one. */
  target: Deployment | undefined;
  /** Whether the user changed the secrets of the deployment to update. */
  replacesSecrets: boolean;
  /** Whether it was sent. The name then stays, because looking it up tells whether that worked. */
  isSent: boolean;
  /** When the review was left that this one continues, in milliseconds since 1970. */
  continuedFrom?: number;
}

export interface ChosenFolder {
  readonly folder: vscode.Uri;
  /** The config file that the user chose in a menu, relative to the folder. */
  readonly configPath?: string | undefined;
}

/**
 * Reads a folder and finds the deployment that it was uploaded to.
 * @throws {UserError} it can't be read, or has no application config file
 */
export async function planFolder(
  services: Services,
  session: ReadySession,
  title: string,
  { folder, configPath: chosen }: ChosenFolder,
): Promise<FolderPlan> {
  const place = await openFolderOnDisk(folder, title);
  const words = vscode.l10n.t('Reading the folder…');
  const read = await whileWaiting({ title, words }, async (signal) => readContents(place, signal));
  const known = folderDeployment(services.workspaceMemory, session, folder.toString());
  const name = folder.path.split('/').at(-1) ?? '';
  const configPath = uploadedConfig(name, read, [chosen, known?.configPath]);
  const target = known && (await findTarget(session, title, known.deploymentId));
  const draft = emptyDraft('internal_source', session.connection.name);
  draft.name = suggestDeploymentName(name, configPath);
  draft.provenance.name = { kind: 'suggested' };
  const plan: DeploymentPlan = { title, session, draft, repository: undefined };
  const folderPlan: FolderPlan = {
    ...read,
    place,
    name,
    plan,
    configPath,
    envPath: undefined,
    findings: [],
    target: undefined,
    replacesSecrets: false,
    isSent: false,
  };
  if (target !== undefined) takeTarget(folderPlan, target);
  await checkConfig(folderPlan);
  return folderPlan;
}

/**
 * Continues with what the user entered before, and the folder as it is now.
 * @throws {UserError} it can't be read, or no longer has an application config file
 */
export async function continueFolder(
  folderPlan: FolderPlan,
  session: ReadySession,
  { configPath = folderPlan.configPath }: ChosenFolder,
): Promise<void> {
  const { plan, target } = folderPlan;
  plan.session = session;
  folderPlan.target = target && (await findTarget(session, plan.title, target.id));
  folderPlan.configPath = configPath;
  await readAgain(folderPlan);
}

/** Reads the folder again, because it changed. */
export async function readAgain(folderPlan: FolderPlan): Promise<void> {
  const words = vscode.l10n.t('Reading the folder…');
  const { name, place, plan } = folderPlan;
  const read = await whileWaiting({ title: plan.title, words }, (signal) => readContents(place, signal));
  const configPath = uploadedConfig(name, read, [folderPlan.configPath]);
  Object.assign(folderPlan, { ...read, configPath });
  await checkConfig(folderPlan);
}

/**
 * The first of some config files that is uploaded, else the likeliest one.
 * @throws {UserError} there is none
 */
function uploadedConfig(
  name: string,
  { contents, configPaths }: ReadParts,
  wanted: readonly (string | undefined)[],
): string {
  const uploaded = new Set(contents.files.map(({ path }) => path));
  const found = [...wanted, configPaths[0]].find((path) => path !== undefined && uploaded.has(path));
  if (found === undefined) throw noConfig(name);
  return found;
}

type ReadParts = Pick<FolderPlan, 'contents' | 'configPaths' | 'checkout'>;

async function readContents(place: FolderOnDisk, signal: AbortSignal): Promise<ReadParts> {
  const read = async (): Promise<ReadParts> => {
    const contents = await readFolder(place.folder.fsPath, place.git?.until(signal), signal);
    const [found, checkout] = await Promise.all([findFolderConfigs(place, contents.isFromGit), place.checkout()]);
    const uploaded = new Set(contents.files.map(({ path }) => path));
    return { contents, configPaths: found.filter((path) => uploaded.has(path)), checkout };
  };
  return unlessAborted(read(), signal);
}

/** Looks for the remembered deployment. It may have been deleted. */
async function findTarget(session: ReadySession, title: string, id: string): Promise<Deployment | undefined> {
  const words = vscode.l10n.t('Looking for the deployment…');
  return whileWaiting({ title, words }, async (signal) => {
    const client = await unlessAborted(session.client(), signal);
    const found = await client.deployments.find(id, { signal });
    return found?.source === 'internal_source' ? found : undefined;
  });
}

/** Updates a deployment, or creates one. The environment of an existing one stays until the user changes it. */
export function takeTarget(folderPlan: FolderPlan, target: Deployment | undefined): void {
  const { plan, configPath, name } = folderPlan;
  folderPlan.target = target;
  folderPlan.replacesSecrets = false;
  folderPlan.isSent = false;
  plan.draft.name = target?.name ?? suggestDeploymentName(name, configPath);
  plan.draft.provenance.name = { kind: target === undefined ? 'suggested' : 'list' };
  plan.draft.secrets = (target?.secrets ?? []).map((secret) => ({ name: secret.name, value: undefined }));
  plan.secretPlace = undefined;
}

/** Reads the chosen config file, and checks the folder against it. What it names as its dotenv file isn't uploaded. */
export async function checkConfig(folderPlan: FolderPlan): Promise<void> {
  const { place, name, configPath, contents } = folderPlan;
  const config = await readConfig(place.folder, configPath);
  const envPath = dotenvPath(config);
  const isEnv = ({ path }: { readonly path: string }): boolean => path === envPath;
  if (envPath !== undefined && contents.files.some(isEnv)) {
    const leftOut = [...contents.leftOut, { path: envPath, reason: 'secrets' as const }];
    folderPlan.contents = { ...contents, files: contents.files.filter((file) => !isEnv(file)), leftOut };
  }
  const { files, leftOut, pointers, windowsScripts, isFromGit } = folderPlan.contents;
  const uploaded = new Set(files.map(({ path }) => path));
  const folders = new Set(files.flatMap(({ path }) => parentsOf(path)));
  const kindOf = (path: string): BuildFile['inRemote'] => {
    if (uploaded.has(path)) return 'file';
    return folders.has(path) ? 'folder' : 'nothing';
  };
  const needed = buildPaths(configPath, config).map((path) => ({ path, isIgnored: false, inRemote: kindOf(path) }));
  folderPlan.envPath = envPath ?? leftOut.find(({ path }) => path === '.env')?.path ?? '.env';
  folderPlan.findings = folderFindings({
    name,
    files,
    leftOut,
    pointers,
    windowsScripts,
    isFromGit,
    gitProblem: place.gitProblem,
    unsaved: unsavedFiles(place.folder, uploaded),
    outside: outsideDependencies(configPath, config),
    buildProblem: buildProblem(configPath, config, needed),
  });
}

async function readConfig(folder: vscode.Uri, configPath: string): Promise<AppConfig | AppConfigFinding> {
  const text = await readFileText(vscode.Uri.joinPath(folder, configPath), largestConfig, folder);
  return text === undefined ? tooLargeConfig(configPath) : parseAppConfig(text, configPath);
}

/** A file in a dependency would lie outside the folder. */
function outsideDependencies(configPath: string, config: AppConfig | AppConfigFinding): readonly string[] {
  const dependencies = config.kind === 'config' ? config.localDependencies : [];
  return dependencies.filter((place) => resolveFromConfig(configPath, `${place}/file`) === undefined);
}

function parentsOf(path: string): readonly string[] {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}

function unsavedFiles(folder: vscode.Uri, uploaded: ReadonlySet<string>): readonly string[] {
  const unsaved = vscode.workspace.textDocuments.filter(({ isDirty, uri }) => isDirty && uri.scheme === 'file');
  return unsaved.flatMap(({ uri }) => relativePath(folder, uri) ?? []).filter((path) => uploaded.has(path));
}

function noConfig(name: string): UserError {
  return new UserError(
    vscode.l10n.t(
      "{0} has no application config file, such as graph.json, that git doesn't ignore. It tells the service which graphs to run.",
      name,
    ),
    [
      {
        title: vscode.l10n.t('Open Settings'),
        run: () =>
          vscode.commands.executeCommand('workbench.action.openSettings', 'deploymentManager.appConfig.patterns'),
      },
    ],
  );
}
