import * as vscode from 'vscode';
import { flavors } from '../api/flavor.ts';
import type { Stores } from './stores.ts';
import { watchActiveConfig } from './workspace/activeConfig.ts';

/** Updates the context keys for the manifest's `when` clauses; writes a key only if it changed. */
export function createContextKeys({
  connections,
  localService,
  deployments,
  follower,
  agents,
}: Pick<Stores, 'connections' | 'localService' | 'deployments' | 'follower' | 'agents'>): vscode.Disposable {
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
