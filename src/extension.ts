import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { followOwn } from './state/following/followOwn.ts';
import { recordActivity } from './state/following/activity/recordActivity.ts';
import { AgentsView } from './ui/agents/agentsView.ts';
import { watchAttention } from './ui/attention.ts';
import { warnOfConnections } from './ui/connections/warnings.ts';
import { createContextKeys } from './ui/contextKeys.ts';
import { DeploymentsView } from './ui/deployments/deploymentsView.ts';
import { createFollowSurfaces } from './ui/following/followSurfaces.ts';
import { ListenersView } from './ui/listeners/listenersView.ts';
import { RepositoriesView } from './ui/repositories/repositoriesView.ts';
import { registerResourceForms } from './ui/resourceForm/resourceForms.ts';
import { createStores } from './ui/stores.ts';
import { registerDocuments } from './ui/window/documents.ts';
import { workspaceFollowing } from './ui/window/settings.ts';
import { OpenRemotes } from './ui/workspace/openRemotes.ts';
import { WorkspaceDrift } from './ui/workspace/workspaceDrift.ts';

/** What the tests inside VS Code inspect, because an extension can't access the views of another one. */
export interface Shown {
  readonly trees: Readonly<Record<'Deployments' | 'Listeners' | 'Repositories' | 'Agents', ShownTree>>;
  readonly statusBar: vscode.StatusBarItem;
}

type ShownTree = vscode.TreeDataProvider<object> & { readonly view: vscode.TreeView<object> };

/** Creates the parts of the extension and connects them. Only a stored follow or a remembered match causes a request. */
export function activate(context: vscode.ExtensionContext): Shown | undefined {
  if (vscode.l10n.bundle !== undefined) l10n.config({ contents: vscode.l10n.bundle });
  const stores = createStores(context);
  const workspaceDrift = new WorkspaceDrift(stores);
  const openRemotes = new OpenRemotes(stores);
  const views = {
    deployments: new DeploymentsView({ ...stores, workspaceDrift }),
    listeners: new ListenersView(stores),
    repositories: new RepositoriesView({ ...stores, openRemotes }),
    agents: new AgentsView(stores),
  };
  const resourceForms = registerResourceForms(context, stores);
  const documents = registerDocuments({ ...stores, workspaceDrift });
  const followSurfaces = createFollowSurfaces({ ...stores, workspaceDrift, views }, context.globalStorageUri);
  const services = { ...stores, workspaceDrift, openRemotes, views, documents, resourceForms };
  context.subscriptions.push(
    workspaceDrift,
    openRemotes,
    ...Object.values(views),
    createContextKeys(stores),
    followSurfaces,
    recordActivity({ ...stores, workspaceDrift }),
    followOwn({ ...stores, workspace: workspaceDrift, following: workspaceFollowing() }),
    warnOfConnections(stores),
    documents,
    watchAttention({ ...stores, views }),
    ...commandIds(context).map((id) =>
      vscode.commands.registerCommand(id, async (...args: unknown[]) => {
        // Loaded with the first command, to keep the start of VS Code fast.
        const { runCommand } = await import('./ui/commands.ts');
        await runCommand(services, id, args);
      }),
    ),
  );
  void stores.connections.reload().then(() => stores.follower.resume());
  if (context.extensionMode !== vscode.ExtensionMode.Test) return undefined;
  return {
    trees: {
      Deployments: views.deployments,
      Listeners: views.listeners,
      Repositories: views.repositories,
      Agents: views.agents,
    },
    statusBar: followSurfaces.item,
  };
}

/** The command ids of the manifest; a test compares them with the table of commands. */
function commandIds({ extension }: vscode.ExtensionContext): readonly string[] {
  const { contributes }: { contributes: { commands: readonly { command: string }[] } } = extension.packageJSON;
  return contributes.commands.map(({ command }) => command);
}
