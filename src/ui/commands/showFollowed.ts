import * as vscode from 'vscode';
import { describeFollow } from '../../core/followSummary.ts';
import type { Followed } from '../../state/follower.ts';
import { followFacts } from '../followFacts.ts';
import type { Services } from '../services.ts';
import { withoutIcons } from '../withoutIcons.ts';

interface FollowItem extends vscode.QuickPickItem {
  readonly followed: Followed;
}

/** Lists what is followed; an entry opens its row, its button stops following or dismisses it. */
export async function showFollowed({ follower, deployments, deploymentsView, clock }: Services): Promise<void> {
  const pick = vscode.window.createQuickPick<FollowItem>();
  pick.title = vscode.l10n.t('Followed Deployments');
  pick.placeholder = vscode.l10n.t('Select one to show it in the tree');
  const draw = (): void => {
    const now = clock.now();
    const [active] = pick.activeItems;
    pick.items = follower.followed.map((followed) => {
      const facts = followFacts(followed, deployments, now);
      const isRunning = followed.outcome === undefined;
      return {
        followed,
        label: `$(${isRunning ? 'eye' : 'history'}) ${withoutIcons(facts.name)}`,
        detail: describeFollow(facts),
        buttons: [
          isRunning
            ? { iconPath: new vscode.ThemeIcon('eye-closed'), tooltip: vscode.l10n.t('Stop Following') }
            : { iconPath: new vscode.ThemeIcon('close'), tooltip: vscode.l10n.t('Dismiss') },
        ],
      };
    });
    // New items would throw a person who works with the keyboard back to the first one at each poll.
    pick.activeItems = pick.items.filter(({ followed }) => active !== undefined && isSame(followed, active.followed));
    if (pick.items.length === 0) pick.placeholder = vscode.l10n.t('Nothing is followed');
  };
  draw();
  const changes = follower.onDidChange(draw);
  await new Promise<void>((resolve) => {
    pick.onDidTriggerItemButton(({ item }) => void follower.stop(item.followed.connection, item.followed.deploymentId));
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      pick.hide();
      if (item !== undefined) void deploymentsView.reveal(item.followed.deploymentId);
    });
    pick.onDidHide(() => resolve());
    pick.show();
  });
  changes.dispose();
  pick.dispose();
}

function isSame(a: Followed, b: Followed): boolean {
  return a.connection === b.connection && a.deploymentId === b.deploymentId;
}
