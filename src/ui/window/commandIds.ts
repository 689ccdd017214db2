import * as vscode from 'vscode';

/** Our commands, by their ids without the prefix. */
export type CommandId =
  | 'addConnection'
  | 'switchConnection'
  | 'editConnection'
  | 'testConnection'
  | 'removeConnection'
  | 'setApiKey'
  | 'forgetApiKey'
  | 'startLocalService'
  | 'stopLocalService'
  | 'refresh'
  | 'refreshDeployments'
  | 'refreshListeners'
  | 'refreshRepositories'
  | 'refreshAgents'
  | 'loadMore'
  | 'retry'
  | 'filterDeployments'
  | 'clearFilters'
  | 'filterRevisions'
  | 'deployCurrentRepository'
  | 'deployApplication'
  | 'deployFolder'
  | 'deployThisFolder'
  | 'deployFile'
  | 'compareFile'
  | 'createConfigFile'
  | 'createDeployment'
  | 'createDeploymentLikeThis'
  | 'manageSecrets'
  | 'editResourceSpec'
  | 'showResourceSpec'
  | 'followDeployment'
  | 'stopFollowing'
  | 'showFollowed'
  | 'showActivity'
  | 'clearActivity'
  | 'openDetails'
  | 'compareRevisions'
  | 'showChangesSinceLive'
  | 'showRevisionChanges'
  | 'showBuildLog'
  | 'showApplicationLog'
  | 'filterLog'
  | 'loadOlderLines'
  | 'deployAgain'
  | 'rollBack'
  | 'stopBuild'
  | 'changeDeployment'
  | 'deleteDeployment'
  | 'chooseWorkspaceDeployment'
  | 'useForWorkspace'
  | 'copyId'
  | 'copyName'
  | 'copyCommit'
  | 'openApplication'
  | 'openRepository'
  | 'openCommit'
  | 'openServicePage'
  | 'createListener'
  | 'editListener'
  | 'deleteListener'
  | 'deployRepository'
  | 'filterRepositories'
  | 'addAgent'
  | 'removeAgent'
  | 'showAgentConnections'
  | 'updateOAuthProvider'
  | 'showLog';

/** The id by which VS Code knows a command. */
export function fullId<Id extends CommandId>(id: Id): `deploymentManager.${Id}` {
  return `deploymentManager.${id}`;
}

/** Runs one of our commands. Its errors are shown, never thrown. */
export function execute(id: CommandId, ...args: readonly unknown[]): Thenable<unknown> {
  return vscode.commands.executeCommand(fullId(id), ...args);
}

/** A link that runs one of our commands. */
export function commandLink(id: CommandId, ...args: readonly unknown[]): string {
  return `command:${fullId(id)}?${encodeURIComponent(JSON.stringify(args))}`;
}
