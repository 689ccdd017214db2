import * as vscode from 'vscode';
import { flavors } from '../api/flavor.ts';
import { parts } from './parts.ts';
import type { Stores } from './stores.ts';
import { foldersOnDisk } from './window/files.ts';

/** Updates the context keys for the manifest's `when` clauses; writes a key only if it changed. */
export function createContextKeys({
  connections,
  localService,
  deployments,
  follower,
  agents,
}: Stores): vscode.Disposable {
  const connection = contextKey('deploymentManager.connection');
  const hasConnections = contextKey('deploymentManager.hasConnections');
  const connectionKind = contextKey('deploymentManager.connectionKind');
  const usesLocalService = contextKey('deploymentManager.usesLocalService');
  const servicePages = contextKey('deploymentManager.servicePages');
  const hasAgents = contextKey('deploymentManager.hasAgents');
  const filtered = contextKey('deploymentManager.filtered');
  const following = contextKey('deploymentManager.following');
  const update = (): void => {
    const { session } = connections;
    const inUse = session.kind === 'none' ? undefined : session.connection;
    connection(session.kind);
    hasConnections(connections.list().some(({ kind }) => kind === 'service'));
    connectionKind(inUse?.kind ?? false);
    usesLocalService(inUse?.kind === 'local' && !localService.isStopped);
    servicePages(inUse?.kind === 'service' && flavors[inUse.flavor].hasPages);
    hasAgents(agents.ids.length > 0);
    filtered(deployments.filters.filtered);
    following(follower.followed.some(({ outcome }) => outcome === undefined));
  };
  update();
  const activeConfig = contextKey('deploymentManager.activeConfig');
  return vscode.Disposable.from(
    connections.onDidChange(update),
    connections.onDidRead(update),
    localService.onDidChange(update),
    agents.onDidChange(update),
    deployments.onDidChange(update),
    follower.onDidChange(update),
    // The key `resourcePath` is one or the other, depending on where the window runs.
    watchActiveConfig((file) => activeConfig(file === undefined ? [] : [...new Set([file.fsPath, file.path])])),
  );
}

function contextKey(name: string): (value: string | boolean | readonly string[]) => void {
  let last: string | undefined;
  return (value) => {
    const now = JSON.stringify(value);
    if (now === last) return;
    last = now;
    void vscode.commands.executeCommand('setContext', name, value);
  };
}

/**
 * Reports the file of the active editor whenever it is an application config file, for the menus of files. It may have
 * any name, because its text decides. Touches no folder.
 */
function watchActiveConfig(report: (file: vscode.Uri | undefined) => void): vscode.Disposable {
  const look = async (): Promise<void> => {
    const document = vscode.window.activeTextEditor?.document;
    const isConfig = document !== undefined && (await isConfigFile(document));
    // Another editor may be active by now.
    if (document === vscode.window.activeTextEditor?.document) report(isConfig ? document.uri : undefined);
  };
  void look();
  return vscode.Disposable.from(
    vscode.workspace.onDidGrantWorkspaceTrust(() => void look()),
    vscode.window.onDidChangeActiveTextEditor(() => void look()),
    vscode.workspace.onDidSaveTextDocument(() => void look()),
  );
}

async function isConfigFile(document: vscode.TextDocument): Promise<boolean> {
  if (!vscode.workspace.isTrusted || document.uri.scheme !== 'file' || foldersOnDisk().length === 0) return false;
  const text = document.getText();
  if (!text.includes('graphs')) return false;
  return (await parts.texts()).hasGraphs(text, document.uri.path);
}
