import * as vscode from 'vscode';
import type { Stores } from './stores.ts';

/** Updates the context keys for the manifest's `when` clauses; writes a key only if it changed. */
export function createContextKeys({
  connections,
  deployments,
}: Pick<Stores, 'connections' | 'deployments'>): vscode.Disposable {
  const connection = contextKey('deploymentManager.connection');
  const filtered = contextKey('deploymentManager.filtered');
  const update = (): void => {
    connection(connections.session.kind);
    // The revision filter never causes an empty list of deployments, so the deployment filter comes first.
    const isFiltered = Object.keys(deployments.filter).length > 0;
    filtered(isFiltered ? 'deployments' : deployments.revisionStatuses.length > 0 && 'revisions');
  };
  update();
  return vscode.Disposable.from(connections.onDidChange(update), deployments.onDidChange(update));
}

function contextKey(name: string): (value: string | boolean) => void {
  let last: string | boolean | undefined;
  return (value) => {
    if (value === last) return;
    last = value;
    void vscode.commands.executeCommand('setContext', name, value);
  };
}
