import * as vscode from 'vscode';
import type { Services } from './services.ts';

/** Reports the window focus and the view's visibility to the stores that ask the service by themselves. */
export function watchAttention({
  connections,
  ownDeployments,
  poller,
  views,
}: Pick<Services, 'connections' | 'ownDeployments' | 'poller' | 'views'>): vscode.Disposable {
  const { view } = views.deployments;
  const update = (): void => {
    const attention = { focused: vscode.window.state.focused, visible: view.visible };
    poller.setAttention(attention);
    ownDeployments.setAttention(attention);
  };
  /** The key may have changed elsewhere while the user was away. */
  const comeBack = (): void => {
    update();
    if (vscode.window.state.focused) void connections.reload();
  };
  update();
  return vscode.Disposable.from(vscode.window.onDidChangeWindowState(comeBack), view.onDidChangeVisibility(comeBack));
}
