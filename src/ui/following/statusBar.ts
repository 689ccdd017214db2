import * as vscode from 'vscode';
import { statusBarWords } from '../../core/status/statusBarWords.ts';
import { spokenRow, withoutIcons } from '../../core/text/text.ts';
import type { Disposable } from '../../state/emitter.ts';
import { allFacts } from '../../state/following/followOwn.ts';
import type { Stores } from '../stores.ts';
import type { WorkspaceDrift } from '../workspace/workspaceDrift.ts';
import { followTooltip, type FollowSources } from './followTooltip.ts';

interface StatusBarSources extends FollowSources, Pick<Stores, 'connections' | 'localService'> {
  readonly workspaceDrift: Pick<WorkspaceDrift, 'own' | 'main' | 'onDidMark'>;
}

/** Creates the status bar entry for all follows, hidden if there are none. */
export function createStatusBar(
  sources: StatusBarSources,
): vscode.Disposable & { readonly item: vscode.StatusBarItem } {
  const { follower, deployments, localService, workspaceDrift, clock } = sources;
  const item = vscode.window.createStatusBarItem('deploymentManager.followed', vscode.StatusBarAlignment.Left, 40);
  item.name = vscode.l10n.t('Followed Deployments');
  item.command = 'deploymentManager.showFollowed';
  let drawn = '';
  let timer: Disposable | undefined;
  const draw = (): void => {
    timer?.dispose();
    const words = statusBarWords(allFacts(sources, workspaceDrift), vscode.window.state.focused);
    timer = words?.lasts === undefined ? undefined : clock.schedule(draw, words.lasts);
    if (words === undefined) {
      drawn = '';
      item.hide();
      return;
    }
    const tooltip = followTooltip(sources);
    const text = `$(${words.icon}) ${withoutIcons(words.text)}`;
    // Writing the same text again would restart the spinner.
    const next = JSON.stringify([text, words.spoken, words.isFailure, tooltip.value]);
    if (drawn === next) return;
    drawn = next;
    item.text = text;
    item.tooltip = tooltip;
    item.accessibilityInformation = { label: spokenRow(words.spoken, ''), role: 'button' };
    item.backgroundColor = words.isFailure ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    item.show();
  };
  draw();
  const subscriptions = vscode.Disposable.from(
    item,
    follower.onDidChange(draw),
    deployments.onDidChange(draw),
    localService.onDidChange(draw),
    workspaceDrift.onDidMark(draw),
    vscode.window.onDidChangeWindowState(draw),
    { dispose: () => timer?.dispose() },
  );
  return { item, dispose: () => subscriptions.dispose() };
}
