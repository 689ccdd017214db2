import * as vscode from 'vscode';
import type { Connections } from '../state/connections/connections.ts';
import type { Poller } from '../state/following/poller.ts';
import type { DeploymentsView } from './deployments/deploymentsView.ts';

export interface AttentionDependencies {
  readonly connections: Connections;
  readonly poller: Poller;
  readonly deploymentsView: DeploymentsView;
}

/** Reports the window focus and the view's visibility to the poller. */
export function watchAttention({ connections, poller, deploymentsView }: AttentionDependencies): vscode.Disposable {
  const update = (): void => {
    poller.setAttention({ focused: vscode.window.state.focused, visible: deploymentsView.visible });
  };
  /** The key may have changed elsewhere while the user was away. */
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
