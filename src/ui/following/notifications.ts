import * as vscode from 'vscode';
import { applicationUrl } from '../../core/resources/webPages.ts';
import { notificationWords } from '../../core/status/followWords.ts';
import { type Followed, followFacts } from '../../state/following/follower.ts';
import type { Stores } from '../stores.ts';
import { messageOf, showError, showMessage } from '../window/errors.ts';

/** Announces the end of each follow once, if the settings allow it. */
export function createNotifications({
  follower,
  deployments,
  clock,
  log,
}: Pick<Stores, 'follower' | 'deployments' | 'clock' | 'log'>): vscode.Disposable {
  return follower.onDidEnd((followed) => {
    announce(followed).catch((error: unknown) => {
      log.error(`notification: ${messageOf(error)}`);
      return showError(error, log);
    });
  });

  async function announce(followed: Followed): Promise<void> {
    const wanted = vscode.workspace.getConfiguration('deploymentManager').get<string>('follow.notify', 'all');
    const facts = followFacts(followed, deployments, clock.monotonic());
    const { message, isGood } = notificationWords(facts, followed.resumed);
    if (wanted === 'never' || (wanted === 'failures' && isGood)) return;
    const application = isGood && followed.deployment !== undefined ? applicationUrl(followed.deployment) : undefined;
    const open = vscode.l10n.t('Open Application');
    const show = vscode.l10n.t('Show');
    const quiet = vscode.l10n.t('Do Not Show Again');
    const buttons = [...(application === undefined ? [] : [open]), show, quiet];
    const answer = await showMessage(isGood ? 'information' : 'warning', message, buttons);
    if (answer === open && application !== undefined)
      await vscode.env.openExternal(vscode.Uri.parse(application, true));
    if (answer === show) {
      const { connection, deploymentId } = followed;
      await vscode.commands.executeCommand('deploymentManager.showFollowed', { connection, deploymentId });
    }
    if (answer === quiet) {
      await vscode.workspace
        .getConfiguration('deploymentManager')
        .update('follow.notify', 'never', vscode.ConfigurationTarget.Global);
    }
  }
}
