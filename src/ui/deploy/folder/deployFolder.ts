import * as vscode from 'vscode';
import type { Deployment } from '../../../api/resources/deployments.ts';
import { readRows } from '../../../api/resources/page.ts';
import { beginDraft } from '../../../core/draft/begunDraft.ts';
import { suggestDeploymentName } from '../../../core/draft/deploymentName.ts';
import { emptyDraft, type Provenance } from '../../../core/draft/draft.ts';
import type { DraftWithFindings } from '../../../core/draft/findings.ts';
import { missingCapability } from '../../../core/resources/capabilities.ts';
import { withoutIcons } from '../../../core/text/text.ts';
import { askRecord, type AskingStores } from '../../../state/answers/ask.ts';
import type { ReadySession } from '../../../state/connections/session.ts';
import { folderDeployment } from '../../../state/deploying/folder/folderDeployments.ts';
import type { Services } from '../../services.ts';
import { editorRemedy, settingsRemedy, UserError } from '../../window/errors.ts';
import { foldersOnDisk } from '../../window/files.ts';
import { nameOf } from '../../window/specNames.ts';
import { askChoice } from '../../window/steps.ts';
import { whileAsking, whileWaiting } from '../../window/waiting.ts';
import { copyForChange } from '../createDeployment.ts';
import { fillFromBefore } from '../deploy.ts';
import { leftDraft, openDraft } from '../deploymentDrafts.ts';
import type { DeploymentPlan } from '../plan.ts';
import { readFolderOnDisk } from './folderReading.ts';

/** A folder to upload, and one of its config files, relative to it. */
interface ChosenFolder {
  readonly folder: vscode.Uri;
  readonly configPath?: string | undefined;
}

/**
 * Opens the page of a deployment that a folder is uploaded for as it is on disk: the one that it was uploaded for the
 * last time, else a new one.
 * @param argument the folder or config file of the Explorer's menu
 * @throws {UserError} why the folder can't be uploaded
 */
export async function deployFolder(
  services: AskingStores & Pick<Services, 'capabilities' | 'deploymentPages' | 'secrets' | 'workspaceMemory'>,
  session: ReadySession,
  argument?: unknown,
): Promise<void> {
  const title = vscode.l10n.t('Deploy Folder');
  const { name } = session.connection;
  if (!services.capabilities.has(session.connection, 'upload')) throw new UserError(missingCapability('upload', name));
  const chosen = await chooseFolder(title, argument);
  if (chosen === undefined) return;
  const { folder } = chosen;
  const words = vscode.l10n.t('Reading the folder…');
  const { contents, configPaths } = await whileWaiting({ title, words }, (signal) =>
    readFolderOnDisk(folder, title, signal),
  );
  const known = folderDeployment(services.workspaceMemory, session, folder.toString());
  const uploaded = new Set(contents.files.map(({ path }) => path));
  const candidates = [
    { path: chosen.configPath, kind: 'user' },
    { path: known?.configPath, kind: 'lastTime' },
    { path: configPaths[0], kind: 'suggested' },
  ] as const;
  const config = candidates.find(({ path }) => path !== undefined && uploaded.has(path));
  if (config?.path === undefined) throw noConfig(nameOf(folder));
  const left = (await leftDraft(services, startOf(session, folder)))?.begun;
  // What the user has begun goes on for the same deployment.
  const wanted = left === undefined || left.isSent === true ? known?.deploymentId : left.changes;
  const target = wanted === undefined ? undefined : await findUploaded(services, session, title, wanted);
  await openFolderDraft(services, session, { folder, configPath: config.path, from: { kind: config.kind } }, target);
}

/** What the draft of a folder is begun for. */
function startOf({ connection: { name } }: ReadySession, folder: vscode.Uri): string {
  return `folder ${name} ${folder.toString()}`;
}

/**
 * Asks which deployment a folder is uploaded for, and opens its page.
 * @returns the name on the page; undefined if the user cancels
 */
export async function chooseUploaded(
  services: Services,
  plan: DeploymentPlan,
  folder: vscode.Uri,
): Promise<string | undefined> {
  const { session, draft } = plan;
  const title = vscode.l10n.t('Deploy Folder');
  const words = vscode.l10n.t('Loading deployments…');
  const { rows, isWhole } = await whileAsking(session, { title, words }, (client, signal) =>
    readRows(client.deployments.listAll({}, { signal }), mostSearched),
  );
  // Only what was made from an upload can be updated by one.
  const uploaded = rows.filter(({ source }) => source === 'internal_source');
  const items = [
    { target: undefined, label: vscode.l10n.t('$(add) New Deployment') },
    ...uploaded.map((target) => ({ target, label: withoutIcons(target.name) })),
  ];
  const placeholder = isWhole
    ? vscode.l10n.t('Select an uploaded deployment to update')
    : vscode.l10n.t('Select an uploaded deployment to update. There are more than are listed here.');
  const chosen = await askChoice({ asking: plan, title, placeholder, items });
  if (chosen === undefined) return undefined;
  const configPath = 'configPath' in draft ? draft.configPath : '';
  const from = draft.provenance.configPath;
  return openFolderDraft(services, session, { folder, configPath, from }, chosen.target);
}

/** How many deployments are searched for uploaded ones. */
const mostSearched = 1000;

/** A folder to upload, and the config file in it, with where that comes from. */
interface Upload {
  readonly folder: vscode.Uri;
  readonly configPath: string;
  readonly from: Provenance | undefined;
}

/**
 * Opens the page of a folder's deployment, and gives the name that it suggests.
 * @param target the deployment to update; undefined for a new one
 */
async function openFolderDraft(
  services: AskingStores & Pick<Services, 'deploymentPages' | 'secrets' | 'workspaceMemory'>,
  session: ReadySession,
  { folder, configPath, from }: Upload,
  target: Deployment | undefined,
): Promise<string> {
  const { name } = session.connection;
  const begin = (): Promise<DraftWithFindings> =>
    target === undefined
      ? newUpload(services, session, folder, configPath)
      : copyForChange(services, session, target, vscode.l10n.t('Deploy Folder'));
  const { draft, findings } = await begin();
  draft.tarballPath = undefined;
  if (draft.source === 'internal_source') draft.configPath = configPath;
  if (from !== undefined) draft.provenance.configPath = from;
  const begun = beginDraft({ draft, findings: findings.filter(({ field }) => field !== 'tarballPath') }, name);
  const start = startOf(session, folder);
  await openDraft(services, start, { ...begun, folder: folder.toString(), changes: target?.id });
  return draft.name;
}

async function newUpload(
  services: Pick<Services, 'secrets' | 'workspaceMemory'>,
  session: ReadySession,
  folder: vscode.Uri,
  configPath: string,
): Promise<DraftWithFindings> {
  const draft = emptyDraft('internal_source', session.connection.name);
  draft.name = suggestDeploymentName(nameOf(folder), configPath);
  draft.provenance.name = { kind: 'suggested' };
  draft.provenance.source = { kind: 'user' };
  // It decides where stored secrets are looked up.
  if ('configPath' in draft) draft.configPath = configPath;
  return { draft, findings: await fillFromBefore(services, session, draft, { folder: folder.toString() }) };
}

/** Looks for the remembered deployment. It may have been deleted. */
async function findUploaded(
  stores: AskingStores,
  session: ReadySession,
  title: string,
  deploymentId: string,
): Promise<Deployment | undefined> {
  const place = { connection: session.connection.name, deploymentId };
  const words = vscode.l10n.t('Looking for the deployment…');
  const found = await whileAsking(session, { title, words }, (client, signal) =>
    askRecord(stores, client, place, { signal }),
  );
  return found?.source === 'internal_source' ? found : undefined;
}

/** The folder of the menu, or else one of the open folders. */
async function chooseFolder(title: string, argument: unknown): Promise<ChosenFolder | undefined> {
  if (argument instanceof vscode.Uri) {
    if (argument.scheme !== 'file') throw notOnDisk();
    const { type } = await vscode.workspace.fs.stat(argument);
    if ((type & vscode.FileType.Directory) !== 0) return { folder: argument };
    return { folder: vscode.Uri.joinPath(argument, '..'), configPath: argument.path.split('/').at(-1) };
  }
  const [first, second] = foldersOnDisk();
  if (first === undefined) throw notOnDisk();
  if (second === undefined) return { folder: first.uri };
  return askChoice({
    title,
    placeholder: vscode.l10n.t('Select the folder to upload'),
    items: foldersOnDisk().map(({ uri, name }) => ({
      folder: uri,
      label: withoutIcons(name),
      description: withoutIcons(uri.fsPath),
    })),
  });
}

function notOnDisk(): UserError {
  return new UserError(vscode.l10n.t('Only a folder on disk can be uploaded. Open one, then try again.'), [
    editorRemedy(vscode.l10n.t('Open Folder'), 'vscode.openFolder'),
  ]);
}

function noConfig(name: string): UserError {
  return new UserError(
    vscode.l10n.t(
      "{0} has no application config file, such as graph.json, that git doesn't ignore. It tells the service which graphs to run.",
      name,
    ),
    [settingsRemedy('deploymentManager.appConfig.patterns')],
  );
}
