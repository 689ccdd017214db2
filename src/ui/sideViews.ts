import * as vscode from 'vscode';
import { AgentsView } from './agents/agentsView.ts';
import { ListenersView } from './listeners/listenersView.ts';
import { RepositoriesView } from './repositories/repositoriesView.ts';
import type { Stores } from './stores.ts';
import type { RowTarget } from './window/listRows.ts';
import { OpenRemotes } from './workspace/openRemotes.ts';

/** The views below the deployments. */
export interface SideViews extends vscode.Disposable {
  readonly listeners: ListenersView;
  readonly repositories: RepositoriesView;
  readonly agents: AgentsView;
  /** What a shared command can do with a row of these views; undefined for a row of another view. */
  readonly targetOf: (argument: unknown) => RowTarget | undefined;
}

/** Makes the views; each of them loads what it shows when it is opened. */
export function createSideViews(stores: Stores): SideViews {
  const openRemotes = new OpenRemotes(stores.log);
  const listeners = new ListenersView(stores);
  const repositories = new RepositoriesView({ ...stores, openRemotes });
  const agents = new AgentsView(stores);
  return {
    listeners,
    repositories,
    agents,
    targetOf: (argument) =>
      listeners.targetOf(argument) ?? repositories.targetOf(argument) ?? agents.targetOf(argument),
    dispose: () => vscode.Disposable.from(openRemotes, listeners, repositories, agents).dispose(),
  };
}
