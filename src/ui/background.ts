import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Clock } from '../state/clock.ts';
import { Activity } from '../state/following/activity/activity.ts';
import { activityFile } from '../state/following/activity/activityFile.ts';
import { recordActivity } from '../state/following/activity/recordActivity.ts';
import { connectStores, tellFolders } from '../state/wiring.ts';
import { registerLenses } from './deployments/lenses.ts';
import { registerFileHelp } from './window/fileHelp.ts';
import { specPattern } from './window/specNames.ts';
import { registerConfigFileHelp } from './appConfig/configFileHelp.ts';
import { warnOfConnections } from './connections/diagnosis.ts';
import { createFollowSurfaces } from './following/followSurfaces.ts';
import { parts } from './parts.ts';
import { formsFolder } from './resourceForm/resourceForms.ts';
import { draftsFolder } from './resourceForm/specNames.ts';
import type { Services } from './services.ts';

export { searchDeployments } from '../state/workspace/searchDeployments.ts';
export { describeDrift } from '../core/git/comparison.ts';
export { relationOf } from './workspace/isolatedGit.ts';
export { wasPushed } from './workspace/lastFetch.ts';
export { RealRemotes } from './workspace/isolatedGit.ts';
export { searchedRepositories } from './workspace/searchedRepositories.ts';

/**
 * Starts what needs no command: the rules between the stores, follows on all surfaces, their activity, help in files,
 * and warnings about API keys. Tells the local service which folders are open: at once in Restricted Mode,
 * otherwise when that changes.
 * @returns the services of commands
 */
export function startBackground(
  context: vscode.ExtensionContext,
  started: Omit<Services, 'activity'>,
  statusBar: vscode.StatusBarItem,
): Services {
  const { clock, log } = started;
  const file = activityFile(vscode.Uri.joinPath(context.globalStorageUri, 'activity.jsonl').fsPath);
  const services = { ...started, activity: new Activity({ file, clock, log }) };
  const tellOfFolders = (): void => void tellFolders(services, vscode.workspace.isTrusted);
  if (!vscode.workspace.isTrusted) tellOfFolders();
  context.subscriptions.push(
    vscode.workspace.onDidGrantWorkspaceTrust(tellOfFolders),
    vscode.workspace.onDidChangeWorkspaceFolders(tellOfFolders),
    connectStores(services),
    createFollowSurfaces(services, statusBar, context.globalStorageUri),
    recordActivity(services),
    warnOfConnections(services),
    registerConfigFileHelp(services, parts),
    registerFileHelp('resource-spec', services.connections, async () => (await parts.texts()).specHelp),
    registerFileHelp('deployment-spec', services.connections, async () => (await parts.texts()).deploymentFileHelp),
    registerLenses(services, { pattern: specPattern('deployment-spec'), scheme: 'file' }, async (document) =>
      (await parts.texts()).deploymentFileLenses(document, services),
    ),
  );
  tidyDrafts(formsFolder(context).fsPath, clock).catch((error: unknown) =>
    log.error('Old drafts were not removed.', error),
  );
  return services;
}

/** Tidies the drafts of resources, if there are any. */
async function tidyDrafts(storage: string, clock: Clock): Promise<void> {
  const isThere = await stat(draftsFolder(storage)).catch(() => undefined);
  if (isThere !== undefined) await (await parts.forms()).tidyDrafts(storage, clock.now());
}
