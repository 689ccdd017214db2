import * as vscode from 'vscode';
import type { ReadySession } from '../state/connections/session.ts';
import { addAgent, removeAgent, showAgentConnections } from './agents/agents.ts';
import { updateOAuthProvider } from './agents/oauthProvider.ts';
import { createConfigFile } from './appConfig/createConfigFile.ts';
import { addConnection } from './connections/addConnection.ts';
import { editConnection } from './connections/editConnection.ts';
import { forgetApiKey, setApiKey } from './connections/keys.ts';
import {
  removeConnection,
  requireConnection,
  startLocalService,
  stopLocalService,
  switchConnection,
} from './connections/switchConnection.ts';
import { testConnection } from './connections/testConnection.ts';
import { changeDeployment, createDeployment, createDeploymentLikeThis } from './deploy/createDeployment.ts';
import { deployCurrentRepository, deployRepository } from './deploy/deploy.ts';
import { compareFile } from './deploy/file/compareFile.ts';
import { deployFile } from './deploy/file/deployFile.ts';
import { deployFolder } from './deploy/folder/deployFolder.ts';
import { manageSecrets } from './deploy/secrets/manageSecrets.ts';
import { chooseWorkspaceDeployment } from './deployments/chooseDeployment.ts';
import { compareRevisions, showChangesSinceLive, showRevisionChanges } from './deployments/compare.ts';
import { deleteDeployment } from './deployments/deleteDeployment.ts';
import {
  openDetails,
  copyCommit,
  openApplication,
  openCommit,
  openRepository,
  openServicePage,
} from './deployments/openPages.ts';
import { clearFilters, filterDeployments, filterRevisions } from './deployments/filter.ts';
import { deployAgain, rollBack } from './deployments/redeploy.ts';
import { stopBuild } from './deployments/stopBuild.ts';
import { clearActivity, showActivity, followDeployment, showFollowed, stopFollowing } from './following/followed.ts';
import { deleteListener, editListener } from './listeners/editListener.ts';
import { createListener } from './listeners/registerListener.ts';
import { filterLog, loadOlderLines, showApplicationLog, showBuildLog } from './logs/showLogs.ts';
import { filterRepositories } from './repositories/chooseRepository.ts';
import { showResourceSpec } from './resourceForm/deploymentSpec.ts';
import type { Services, Views } from './services.ts';
import type { CommandId } from './window/commandIds.ts';
import { isCancelled, messageOf, requestIdOf, retryRemedies, rowIsGone, showError } from './window/errors.ts';
import { copyId, copyName, loadMore, refresh, retry } from './window/rowCommands.ts';

export { findSources } from './appConfig/createConfigFile.ts';
export { offerCorrections } from './appConfig/renames.ts';
export { leaveDeploymentDraft } from './deploy/deploymentDrafts.ts';
export { PageFacts } from './deploy/page/checkDeployment.ts';
export { FileChecks } from './deploy/page/fileChecks.ts';
export { openPage } from './deploy/page/pageEditor.ts';

type Handler = (services: Services, argument: unknown) => Promise<void>;
type ConnectedHandler = (services: Services, session: ReadySession, argument: unknown) => Promise<void>;

interface Command {
  readonly handle: Handler;
  /** True for a command in the menus of rows. A button in a view's title has no row. */
  readonly isOfRows?: true;
}

const always = (handle: Handler): Command => ({ handle });
const connected = (handle: ConnectedHandler): Command => ({
  handle: async (services, argument) => {
    const session = await requireConnection(services);
    if (session !== undefined) await handle(services, session, argument);
  },
});
const ofRows = (command: Command): Command => ({ ...command, isOfRows: true });
const refreshOf = (view: keyof Views): Command => connected(async ({ views }) => views[view].refresh());

/** The commands of the manifest, by their ids without the prefix. */
const commands: Readonly<Record<CommandId, Command>> = {
  addConnection: always(addConnection),
  switchConnection: always(switchConnection),
  editConnection: always(editConnection),
  testConnection: always(testConnection),
  removeConnection: always(removeConnection),
  setApiKey: always(setApiKey),
  forgetApiKey: always(forgetApiKey),
  startLocalService: always(startLocalService),
  stopLocalService: always(stopLocalService),
  refresh: connected(refresh),
  refreshDeployments: refreshOf('deployments'),
  refreshListeners: refreshOf('listeners'),
  refreshRepositories: refreshOf('repositories'),
  refreshAgents: refreshOf('agents'),
  loadMore: always(loadMore),
  retry: ofRows(always(retry)),
  filterDeployments: connected(filterDeployments),
  clearFilters: always(clearFilters),
  filterRevisions: connected(filterRevisions),
  deployCurrentRepository: connected(deployCurrentRepository),
  deployApplication: connected(deployCurrentRepository),
  deployFolder: connected(deployFolder),
  deployThisFolder: connected(deployFolder),
  deployFile: always(deployFile),
  compareFile: connected(compareFile),
  createConfigFile: always(createConfigFile),
  createDeployment: connected(createDeployment),
  createDeploymentLikeThis: ofRows(connected(createDeploymentLikeThis)),
  manageSecrets: always(manageSecrets),
  editResourceSpec: always(async ({ resourceForms }, file) =>
    resourceForms.open(file instanceof vscode.Uri ? file : undefined),
  ),
  showResourceSpec: ofRows(connected(showResourceSpec)),
  followDeployment: ofRows(connected(followDeployment)),
  stopFollowing: ofRows(always(stopFollowing)),
  showFollowed: always(showFollowed),
  showActivity: always(showActivity),
  clearActivity: always(clearActivity),
  openDetails: ofRows(connected(openDetails)),
  compareRevisions: ofRows(connected(compareRevisions)),
  showChangesSinceLive: ofRows(connected(showChangesSinceLive)),
  showRevisionChanges: ofRows(connected(showRevisionChanges)),
  showBuildLog: ofRows(connected(showBuildLog)),
  showApplicationLog: ofRows(connected(showApplicationLog)),
  filterLog: always(filterLog),
  loadOlderLines: always(loadOlderLines),
  deployAgain: ofRows(connected(deployAgain)),
  rollBack: ofRows(connected(rollBack)),
  stopBuild: ofRows(connected(stopBuild)),
  changeDeployment: ofRows(connected(changeDeployment)),
  deleteDeployment: ofRows(connected(deleteDeployment)),
  chooseWorkspaceDeployment: connected(chooseWorkspaceDeployment),
  useForWorkspace: ofRows(connected(chooseWorkspaceDeployment)),
  copyId: ofRows(always(copyId)),
  copyName: ofRows(always(copyName)),
  copyCommit: ofRows(always(copyCommit)),
  openApplication: ofRows(connected(openApplication)),
  openRepository: ofRows(connected(openRepository)),
  openCommit: ofRows(connected(openCommit)),
  openServicePage: ofRows(connected(openServicePage)),
  createListener: connected(createListener),
  editListener: ofRows(connected(editListener)),
  deleteListener: ofRows(connected(deleteListener)),
  deployRepository: ofRows(connected(deployRepository)),
  filterRepositories: connected(filterRepositories),
  addAgent: connected(addAgent),
  removeAgent: ofRows(connected(removeAgent)),
  showAgentConnections: connected(showAgentConnections),
  updateOAuthProvider: connected(updateOAuthProvider),
  showLog: always(async ({ log }) => log.show()),
};

/** Runs a command of the manifest, by its full id, and shows its error. */
export async function runCommand(services: Services, fullId: string, args: readonly unknown[]): Promise<void> {
  const { log } = services;
  const id = fullId.slice('deploymentManager.'.length);
  const { [id]: command }: Readonly<Record<string, Command | undefined>> = commands;
  if (command === undefined) return;
  const [argument] = args;
  log.debug(`command ${id}`);
  try {
    // For a row that is being redrawn, VS Code passes undefined. The selected row may be another one, so don't use it.
    if (command.isOfRows === true && args.length > 0 && argument === undefined) {
      throw rowIsGone();
    }
    await command.handle(services, argument);
  } catch (error) {
    if (isCancelled(error)) return;
    log.error(`command ${id}: ${messageOf(error)}${requestIdOf(error)}`);
    await showError(
      error,
      log,
      retryRemedies(error, () => vscode.commands.executeCommand(fullId, ...args)),
    );
  }
}
