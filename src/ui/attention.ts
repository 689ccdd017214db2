import * as vscode from 'vscode';
import type { Connections } from '../state/connections/connections.ts';
import type { Follower } from '../state/following/follower.ts';
import type { ListRefresh } from '../state/following/listRefresh.ts';
import type { RevisionWatch } from '../state/following/revisionWatch.ts';
import type { DeploymentsView } from './deployments/deploymentsView.ts';

export interface AttentionDependencies {
  readonly connections: Connections;
  readonly follower: Follower;
  readonly listRefresh: ListRefresh;
  readonly revisionWatch: RevisionWatch;
  readonly deploymentsView: DeploymentsView;
}

/** Tells those who poll whether anybody can see it: nothing is asked for what nobody looks at. */
export function watchAttention({
  connections,
  follower,
  listRefresh,
  revisionWatch,
  deploymentsView,
}: AttentionDependencies): vscode.Disposable {
  const update = (): void => {
    const { focused } = vscode.window.state;
    const { visible } = deploymentsView;
    // What is followed stands in the status bar, which every window shows.
    follower.setAttention({ focused, visible: true });
    revisionWatch.setAttention({ focused, visible });
    listRefresh.setAttention({ focused, visible });
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
