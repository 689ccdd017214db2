import * as vscode from 'vscode';
import { statusBarWords } from '../../core/status/followWords.ts';
import { withoutIcons } from '../../core/text/text.ts';
import { type Followed, followFacts } from '../../state/following/follower.ts';
import type { Stores } from '../stores.ts';

/** Creates the status bar entry for all follows, hidden if there are none. */
export function createStatusBar({
  follower,
  deployments,
  activity,
  clock,
}: Pick<Stores, 'follower' | 'deployments' | 'activity' | 'clock'>): vscode.Disposable & {
  readonly item: vscode.StatusBarItem;
} {
  const item = vscode.window.createStatusBarItem('deploymentManager.followed', vscode.StatusBarAlignment.Left, 40);
  item.name = vscode.l10n.t('Followed Deployments');
  item.command = 'deploymentManager.showFollowed';
  let drawn = '';
  const draw = (): void => {
    const now = clock.monotonic();
    const follows = follower.followed;
    const factsOf = (each: Followed) => ({ ...followFacts(each, deployments, now), usual: activity.usual(each) });
    const words = statusBarWords(follows.map(factsOf));
    if (words === undefined) {
      drawn = '';
      item.hide();
      return;
    }
    item.tooltip = words.lines.join('\n');
    const text = `$(${words.icon}) ${withoutIcons(words.text)}`;
    // Writing the same text again would restart the spinner.
    if (drawn === text) return;
    drawn = text;
    item.text = text;
    item.accessibilityInformation = { label: words.spoken, role: 'button' };
    item.backgroundColor = words.isFailure ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    item.show();
  };
  draw();
  const subscriptions = vscode.Disposable.from(item, follower.onDidChange(draw), deployments.onDidChange(draw));
  return { item, dispose: () => subscriptions.dispose() };
}
