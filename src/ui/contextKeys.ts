import * as vscode from 'vscode';
import type { Connections } from '../state/connections/connections.ts';
import type { Deployments } from '../state/lists/deployments.ts';

export interface ContextKeyDependencies {
  readonly connections: Connections;
  readonly deployments: Deployments;
}

/** Updates the context keys for the manifest's `when` clauses; writes a key only if it changed. */
export function createContextKeys({ connections, deployments }: ContextKeyDependencies): vscode.Disposable {
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
