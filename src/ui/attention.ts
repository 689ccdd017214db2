import * as vscode from 'vscode';
import type { Follower } from '../state/follower.ts';

/**
 * Tells the follower whether anybody can see what it polls. What is followed stands in the status bar, so that it is
 * visible whenever the window is focused.
 */
export function watchAttention(follower: Follower): vscode.Disposable {
  const update = (): void => follower.setAttention({ focused: vscode.window.state.focused, visible: true });
  update();
  return vscode.window.onDidChangeWindowState(update);
}
