import * as vscode from 'vscode';
import { flavorOf } from '../state/connections/connection.ts';
import { parts } from './parts.ts';
import type { Stores } from './stores.ts';
import { foldersOnDisk } from './window/files.ts';

/** Updates the context keys for the manifest's `when` clauses; writes a key only if it changed. */
export function createContextKeys({
  connections,
  capabilities,
  localService,
  deployments,
  follower,
  agents,
}: Stores): vscode.Disposable {
  const contextKey = changedContextKeys();
  const update = (): void => {
    const { session } = connections;
    const inUse = session.kind === 'none' ? undefined : session.connection;
    contextKey('deploymentManager.connection', session.kind);
    contextKey(
      'deploymentManager.hasConnections',
      connections.list().some(({ kind }) => kind === 'service'),
    );
    contextKey('deploymentManager.connectionKind', inUse?.kind ?? false);
    contextKey('deploymentManager.usesLocalService', inUse?.kind === 'local' && !localService.isStopped);
    contextKey('deploymentManager.servicePages', inUse !== undefined && flavorOf(inUse).hasPages);
    // One text, because `when` clauses look up words with =~ and have no lists.
    contextKey('deploymentManager.capabilities', inUse === undefined ? '' : capabilities.of(inUse).join(' '));
    contextKey('deploymentManager.hasAgents', agents.ids.length > 0);
    contextKey('deploymentManager.filtered', deployments.filters.filtered);
    contextKey(
      'deploymentManager.following',
      follower.followed.some(({ outcome }) => outcome === undefined),
    );
  };
  return vscode.Disposable.from(
    connections.onDidRead(update),
    capabilities.onDidChange(update),
    localService.onDidChange(update),
    agents.onDidChange(update),
    deployments.onDidChange(update),
    follower.onDidChange(update),
    // The key `resourcePath` is one or the other, depending on where the window runs.
    watchActiveConfig((file) =>
      contextKey('deploymentManager.activeConfig', file === undefined ? [] : [...new Set([file.fsPath, file.path])]),
    ),
  );
}

/** Sets context keys, each only if its value changed. */
function changedContextKeys(): (name: string, value: string | boolean | readonly string[]) => void {
  const last = new Map<string, string>();
  return (name, value) => {
    const now = JSON.stringify(value);
    if (now === last.get(name)) return;
    last.set(name, now);
    void vscode.commands.executeCommand('setContext', name, value);
  };
}

/**
 * Reports the file of the active editor whenever it is an application config file, for the menus of files. It may have
 * any name, because its text decides. Touches no folder.
 */
function watchActiveConfig(report: (file: vscode.Uri | undefined) => void): vscode.Disposable {
  const update = async (): Promise<void> => {
    const document = vscode.window.activeTextEditor?.document;
    const isConfig = document !== undefined && (await isConfigFile(document));
    // Another editor may be active by now.
    if (document === vscode.window.activeTextEditor?.document) report(isConfig ? document.uri : undefined);
  };
  void update();
  return vscode.Disposable.from(
    vscode.workspace.onDidGrantWorkspaceTrust(() => void update()),
    vscode.window.onDidChangeActiveTextEditor(() => void update()),
    vscode.workspace.onDidSaveTextDocument(() => void update()),
  );
}

async function isConfigFile(document: vscode.TextDocument): Promise<boolean> {
  if (!vscode.workspace.isTrusted || document.uri.scheme !== 'file' || foldersOnDisk().length === 0) return false;
  const text = document.getText();
  if (!text.includes('graphs')) return false;
  return (await parts.texts()).hasGraphs(text, document.uri.path);
}
