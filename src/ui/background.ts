import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Clock } from '../state/clock.ts';
import { LateCreates } from '../state/deploying/lateCreates.ts';
import { Activity } from '../state/activity/activity.ts';
import { activityFile } from '../state/activity/activityFile.ts';
import { recordActivity } from '../state/activity/recordActivity.ts';
import { connectStores, tellFolders } from '../state/wiring.ts';
import { registerLenses } from './deployments/lenses.ts';
import { registerFileHelp } from './window/fileHelp.ts';
import { draftsFolder, draftStorage, specKinds } from './window/specNames.ts';
import { registerConfigFileHelp } from './appConfig/configFileHelp.ts';
import { warnOfConnections } from './connections/diagnosis.ts';
import { FailedFiles } from './following/failedFiles.ts';
import { createFollowSurfaces } from './following/followSurfaces.ts';
import { checkTexts, deploymentFiles } from './deploy/page/textChecks.ts';
import { parts } from './parts.ts';
import type { Services } from './services.ts';

export { searchDeployments } from '../state/workspace/searchDeployments.ts';
export { describeDrift } from '../core/git/comparison.ts';
export { relationOf } from './workspace/isolatedGit.ts';
export { wasPushed } from './workspace/lastFetch.ts';
export { RealRemotes } from './workspace/isolatedGit.ts';
export { searchedRepositories } from './workspace/searchedRepositories.ts';
export { tooltipLines } from './deployments/tooltips.ts';

/**
 * Starts what needs no command: the rules between the stores, follows on all surfaces, their activity, help in files,
 * checks of deployment files, and warnings about API keys. Tells the local service which folders are open: at once in
 * Restricted Mode, otherwise when that changes.
 * @returns the services of commands
 */
export function startBackground(
  context: vscode.ExtensionContext,
  started: Omit<Services, 'activity' | 'lateCreates' | 'failedFiles'>,
  statusBar: vscode.StatusBarItem,
): Services {
  const { clock, connections, log } = started;
  const file = activityFile(vscode.Uri.joinPath(context.globalStorageUri, 'activity.jsonl').fsPath);
  const lateCreates = new LateCreates(clock, connections);
  const failedFiles = new FailedFiles(started);
  const services = { ...started, activity: new Activity({ file, clock, log }), lateCreates, failedFiles };
  const tellOfFolders = (): void => void tellFolders(services, vscode.workspace.isTrusted);
  if (!vscode.workspace.isTrusted) tellOfFolders();
  context.subscriptions.push(
    lateCreates,
    failedFiles,
    vscode.workspace.onDidGrantWorkspaceTrust(tellOfFolders),
    vscode.workspace.onDidChangeWorkspaceFolders(tellOfFolders),
    connectStores(services),
    createFollowSurfaces(services, statusBar, context.globalStorageUri),
    recordActivity(services),
    warnOfConnections(services),
    registerConfigFileHelp(services, parts),
    registerFileHelp('resource-spec', services.connections, async () => (await parts.texts()).specHelp),
    registerFileHelp('deployment-spec', services.connections, async () =>
      (await parts.texts()).deploymentFileHelp((uri) => services.deploymentPages.isDraft(uri)),
    ),
    checkTexts(services, parts.commands),
    registerLenses(services, deploymentFiles, async (document) =>
      (await parts.texts()).deploymentFileLenses(document, services),
    ),
  );
  tidyDrafts(draftStorage(context).fsPath, clock).catch((error: unknown) =>
    log.error('Old drafts were not removed.', error),
  );
  return services;
}

/** Tidies the drafts, if there are any. */
async function tidyDrafts(storage: string, clock: Clock): Promise<void> {
  const folders = specKinds.map((kind) => stat(draftsFolder(storage, kind)));
  if ((await Promise.allSettled(folders)).some(({ status }) => status === 'fulfilled'))
    await (await parts.forms()).tidyDrafts(storage, clock.now());
}
