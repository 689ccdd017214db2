import * as vscode from 'vscode';
import type { Services } from './services.ts';

/** Tells the scheduler whether the window has the focus and the deployments view is visible. */
export function watchAttention({
  connections,
  scheduler,
  views,
}: Pick<Services, 'connections' | 'scheduler' | 'views'>): vscode.Disposable {
  const { view } = views.deployments;
  const update = (): void => scheduler.setAttention({ focused: vscode.window.state.focused, visible: view.visible });
  /** The key may have changed elsewhere while the user was away. */
  const comeBack = (): void => {
    update();
    if (vscode.window.state.focused) void connections.reload();
  };
  update();
  return vscode.Disposable.from(vscode.window.onDidChangeWindowState(comeBack), view.onDidChangeVisibility(comeBack));
}
