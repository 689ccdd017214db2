import * as vscode from 'vscode';
import type { Connections } from '../state/connections/connections.ts';
import type { Poller } from '../state/following/poller.ts';
import type { DeploymentsView } from './deployments/deploymentsView.ts';

export interface AttentionDependencies {
  readonly connections: Connections;
  readonly poller: Poller;
  readonly deploymentsView: DeploymentsView;
}

/** Tells the poller whether anybody looks. */
export function watchAttention({ connections, poller, deploymentsView }: AttentionDependencies): vscode.Disposable {
  const update = (): void => {
    poller.setAttention({ focused: vscode.window.state.focused, visible: deploymentsView.visible });
  };
  /** Who comes back may have changed the key elsewhere meanwhile. */
  const comeBack = (): void => {
    update();
    if (vscode.window.state.focused) void connections.reload();
  };
  update();
  return vscode.Disposable.from(
    vscode.window.onDidChangeWindowState(comeBack),
    deploymentsView.onDidChangeVisibility(comeBack),
  );
}
