import * as vscode from 'vscode';
import { describeFollow } from '../../core/followSummary.ts';
import type { Followed } from '../../state/follower.ts';
import { followFacts } from '../followFacts.ts';
import { revealFollowed } from './revealFollowed.ts';
import type { Services } from '../services.ts';
import { withoutIcons } from '../withoutIcons.ts';

interface FollowItem extends vscode.QuickPickItem {
  /** Undefined for the entry that stands there while nothing is followed. */
  readonly followed?: Followed;
}

/** Lists what is followed, unless one is named; it is shown in the tree, its button stops following or dismisses it. */
export async function showFollowed(services: Services, argument: unknown): Promise<void> {
  const named = followOf(services, argument);
  if (named !== undefined) return revealFollowed(services, named);
  const choice = await chooseFollow(services);
  if (choice === undefined) return;
  if (choice.followed === undefined) await vscode.commands.executeCommand('deploymentManager.followDeployment');
  else await revealFollowed(services, choice.followed);
}

/** The follow that a notification is about; undefined where none is named, or it was dismissed. */
function followOf({ follower }: Services, argument: unknown): Followed | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  if (!('connection' in argument) || !('deploymentId' in argument)) return undefined;
  const { connection, deploymentId } = argument;
  if (typeof connection !== 'string' || typeof deploymentId !== 'string') return undefined;
  return follower.find(connection, deploymentId);
}

async function chooseFollow({ follower, deployments, clock }: Services): Promise<FollowItem | undefined> {
  const pick = vscode.window.createQuickPick<FollowItem>();
  pick.title = vscode.l10n.t('Followed Deployments');
  const draw = (): void => {
    const now = clock.monotonic();
    const [active] = pick.activeItems;
    const isEmpty = follower.followed.length === 0;
    pick.placeholder = isEmpty
      ? vscode.l10n.t('Nothing is followed. What is deployed from this window is followed by itself.')
      : vscode.l10n.t('Select one to show it in the tree');
    pick.items = isEmpty
      ? [{ label: vscode.l10n.t('$(eye) Follow Deployment') }]
      : follower.followed.map((followed) => {
          const facts = followFacts(followed, deployments, now);
          const isRunning = followed.outcome === undefined;
          return {
            followed,
            label: `$(${isRunning ? 'eye' : 'history'}) ${withoutIcons(facts.name)}`,
            detail: withoutIcons(describeFollow(facts)),
            buttons: [
              isRunning
                ? { iconPath: new vscode.ThemeIcon('eye-closed'), tooltip: vscode.l10n.t('Stop Following') }
                : { iconPath: new vscode.ThemeIcon('close'), tooltip: vscode.l10n.t('Dismiss') },
            ],
          };
        });
    // New items would throw a person who works with the keyboard back to the first one at each poll.
    pick.activeItems = pick.items.filter(({ followed }) => isSame(followed, active?.followed));
  };
  draw();
  const changes = follower.onDidChange(draw);
  const choice = await new Promise<FollowItem | undefined>((resolve) => {
    pick.onDidTriggerItemButton(({ item: { followed } }) => {
      if (followed !== undefined) void follower.stop(followed.connection, followed.deploymentId);
    });
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]);
      pick.hide();
    });
    pick.onDidHide(() => resolve(undefined));
    pick.show();
  });
  changes.dispose();
  pick.dispose();
  return choice;
}

function isSame(a: Followed | undefined, b: Followed | undefined): boolean {
  return a !== undefined && a.connection === b?.connection && a.deploymentId === b.deploymentId;
}
