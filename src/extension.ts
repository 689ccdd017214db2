import { setImmediate as nextTurn } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ShownDeployments } from './state/following/shownDeployments.ts';
import { AgentsView } from './ui/agents/agentsView.ts';
import { watchAttention } from './ui/attention.ts';
import { createContextKeys } from './ui/contextKeys.ts';
import { DeploymentPages } from './ui/deploy/page/deploymentPages.ts';
import { DeploymentsView } from './ui/deployments/deploymentsView.ts';
import { registerDocuments } from './ui/documents/documents.ts';
import { ListenersView } from './ui/listeners/listenersView.ts';
import { RepositoriesView } from './ui/repositories/repositoriesView.ts';
import { parts } from './ui/parts.ts';
import { registerResourceForms } from './ui/resourceForm/resourceForms.ts';
import { createStores } from './ui/stores.ts';
import type { RowsView } from './ui/window/rowTree.ts';
import { workspaceFollowing } from './ui/window/settings.ts';
import { WorkspaceDrift } from './ui/workspace/workspaceDrift.ts';

/** What the tests inside VS Code inspect, because an extension can't access the views of another one. */
export interface Shown {
  readonly trees: Readonly<Record<'deployments' | 'listeners' | 'repositories' | 'agents', ShownTree>>;
  readonly statusBar: vscode.StatusBarItem;
  readonly forms: vscode.CustomTextEditorProvider;
  readonly pages: vscode.CustomTextEditorProvider;
}

type ShownTree = vscode.TreeDataProvider<object> & Pick<RowsView, 'find'> & { readonly view: vscode.TreeView<object> };

/** Creates and connects the parts. Asks a service only for a follow, remembered match or visible deployment file. */
export function activate(context: vscode.ExtensionContext): Shown | undefined {
  if (vscode.l10n.bundle !== undefined) l10n.config({ contents: vscode.l10n.bundle });
  const stores = createStores(context);
  const workspaceDrift = new WorkspaceDrift({ ...stores, background: parts.background });
  const shown = new ShownDeployments({ ...stores, following: workspaceFollowing() });
  const views = {
    deployments: new DeploymentsView({ ...stores, workspaceDrift, background: parts.background }),
    listeners: new ListenersView(stores),
    repositories: new RepositoriesView(stores),
    agents: new AgentsView(stores),
  };
  const documents = registerDocuments({ ...stores, workspaceDrift }, parts);
  const deploymentPages = new DeploymentPages(context, {
    commands: parts.commands,
    services: () => background,
  });
  const resourceForms = registerResourceForms(context, stores, documents, deploymentPages, parts);
  const statusBar = vscode.window.createStatusBarItem('deploymentManager.followed', vscode.StatusBarAlignment.Left, 40);
  const started = { ...stores, workspaceDrift, shown, views, documents, resourceForms, deploymentPages };
  // Loading a part stops the extension host for a moment, so VS Code may start other extensions first.
  const background = nextTurn()
    .then(parts.background)
    .then(({ startBackground }) => startBackground(context, started, statusBar));
  context.subscriptions.push(
    workspaceDrift,
    ...Object.values(views),
    createContextKeys(stores),
    statusBar,
    shown,
    documents,
    deploymentPages,
    watchAttention({ ...stores, views }),
    ...commandIds(context).map((id) =>
      vscode.commands.registerCommand(id, async (...args: unknown[]) => {
        const { runCommand } = await parts.commands();
        await runCommand(await background, id, args);
      }),
    ),
  );
  void Promise.all([stores.connections.reload(), background]).then(() => stores.follower.resume());
  if (context.extensionMode !== vscode.ExtensionMode.Test) return undefined;
  return { trees: views, statusBar, forms: resourceForms, pages: deploymentPages };
}

/** The command ids of the manifest; a test compares them with the table of commands. */
function commandIds({ extension }: vscode.ExtensionContext): readonly string[] {
  const { contributes }: { contributes: { commands: readonly { command: string }[] } } = extension.packageJSON;
  return contributes.commands.map(({ command }) => command);
}
