import * as vscode from 'vscode';
import type { Follower } from '../state/follower.ts';
import type { RevisionWatch } from '../state/revisionWatch.ts';
import type { DeploymentsView } from './tree/deploymentsView.ts';

export interface AttentionDependencies {
  readonly follower: Follower;
  readonly revisionWatch: RevisionWatch;
  readonly deploymentsView: DeploymentsView;
}

/** Tells those who poll whether anybody can see it: nothing is asked for what nobody looks at. */
export function watchAttention({ follower, revisionWatch, deploymentsView }: AttentionDependencies): vscode.Disposable {
  const update = (): void => {
    const { focused } = vscode.window.state;
    // What is followed stands in the status bar, which every window shows.
    follower.setAttention({ focused, visible: true });
    revisionWatch.setAttention({ focused, visible: deploymentsView.visible });
  };
  update();
  return vscode.Disposable.from(
    vscode.window.onDidChangeWindowState(update),
    deploymentsView.onDidChangeVisibility(update),
  );
}
