import * as vscode from 'vscode';

/** The commands that rows, buttons and other commands run, by their ids without the prefix. */
export type CommandId =
  | 'addConnection'
  | 'switchConnection'
  | 'editConnection'
  | 'testConnection'
  | 'setApiKey'
  | 'startLocalService'
  | 'loadMore'
  | 'retry'
  | 'clearFilters'
  | 'filterRevisions'
  | 'deployCurrentRepository'
  | 'createConfigFile'
  | 'createDeployment'
  | 'deployFile'
  | 'compareFile'
  | 'openDetails'
  | 'deployAgain'
  | 'followDeployment'
  | 'showFollowed'
  | 'showChangesSinceLive'
  | 'showRevisionChanges'
  | 'showBuildLog'
  | 'showApplicationLog'
  | 'loadOlderLines'
  | 'addAgent';

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
