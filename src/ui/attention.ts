import * as vscode from 'vscode';
import type { Clock } from '../state/clock.ts';
import type { Connections } from '../state/connections.ts';
import type { Deployments } from '../state/deployments.ts';
import type { Follower } from '../state/follower.ts';
import type { RevisionWatch } from '../state/revisionWatch.ts';
import type { DeploymentsView } from './tree/deploymentsView.ts';

export interface AttentionDependencies {
  readonly clock: Clock;
  readonly connections: Connections;
  readonly deployments: Deployments;
  readonly follower: Follower;
  readonly revisionWatch: RevisionWatch;
  readonly deploymentsView: DeploymentsView;
}

/** A list that was loaded longer ago is loaded again while somebody looks at it, or when they come back to it. */
const millisecondsUntilOld = 60_000;

/** Tells those who poll whether anybody can see it: nothing is asked for what nobody looks at. */
export function watchAttention({
  clock,
  connections,
  deployments,
  follower,
  revisionWatch,
  deploymentsView,
}: AttentionDependencies): vscode.Disposable {
  const refreshIfOld = async (): Promise<void> => {
    const { loadedAt } = deployments.state;
    const isOld = loadedAt !== undefined && clock.now() - loadedAt >= millisecondsUntilOld;
    if (isOld && deploymentsView.visible) await deployments.refresh();
  };
  let timer: vscode.Disposable | undefined;
  /** What others deploy, or a push, is seen within a minute where somebody looks. */
  const planRefresh = (): void => {
    timer?.dispose();
    const isWatched = vscode.window.state.focused && deploymentsView.visible;
    timer = isWatched
      ? clock.schedule(() => void refreshIfOld().finally(planRefresh), millisecondsUntilOld)
      : undefined;
  };
  const update = (): void => {
    const { focused } = vscode.window.state;
    // What is followed stands in the status bar, which every window shows.
    follower.setAttention({ focused, visible: true });
    revisionWatch.setAttention({ focused, visible: deploymentsView.visible });
    planRefresh();
  };
  /** Who comes back sees what happened meanwhile, and a key that was changed elsewhere. */
  const comeBack = async (): Promise<void> => {
    await connections.reload();
    await refreshIfOld();
  };
  update();
  return vscode.Disposable.from(
    { dispose: () => timer?.dispose() },
    vscode.window.onDidChangeWindowState(({ focused }) => {
      update();
      if (focused) void comeBack();
    }),
    deploymentsView.onDidChangeVisibility(() => {
      update();
      void comeBack();
    }),
  );
}
