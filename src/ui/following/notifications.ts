import * as vscode from 'vscode';
import { isFailed, notificationWords } from '../../core/status/followWords.ts';
import { verdict } from '../../core/status/verdict.ts';
import { followFacts } from '../../state/following/shownDeployments.ts';
import type { Followed } from '../../state/following/follower.ts';
import { gatherEndings } from '../../state/following/gatherEndings.ts';
import { claimEnding } from '../../state/following/toldEndings.ts';
import type { Services } from '../services.ts';
import { commandRemedy, messageOf, type Remedy, showError, showMessage } from '../window/errors.ts';
import { followActions, logRemedies, type FollowAction } from './followActions.ts';

/** VS Code cuts the titles of more buttons than these. */
const mostButtons = 3;

interface NotificationSources extends Services {
  /** The folder that all windows share. */
  readonly claims: vscode.Uri;
}

/** Announces the end of each follow once, in one of the windows, if the settings allow it. */
export function createNotifications(sources: NotificationSources): vscode.Disposable {
  const { follower, answers, connections, clock, log, failedFiles, claims } = sources;
  return gatherEndings({ follower, clock }, (ended) => {
    announce(ended).catch((error: unknown) => {
      log.error(`notification: ${messageOf(error)}`);
      return showError(error, log);
    });
  });

  async function announce(ended: readonly Followed[]): Promise<void> {
    const wanted = vscode.workspace.getConfiguration('deploymentManager').get<string>('follow.notify', 'all');
    if (wanted === 'never') return;
    const all = ended.map((followed) => ({
      followed,
      facts: followFacts(followed, sources),
      resumed: followed.resumed,
    }));
    const meant = all.filter(({ facts }) => wanted !== 'failures' || isFailed(facts));
    const isOurs = await Promise.all(meant.map(({ followed }) => claim(followed)));
    const endings = meant.filter((_, place) => isOurs[place]);
    if (endings.length === 0) return;
    const { message, severity } = notificationWords(endings);
    const [first, second] = endings;
    const failed = endings.find(({ facts }) => isFailed(facts))?.followed;
    const showAll = commandRemedy(vscode.l10n.t('Show Followed Deployments'), 'showFollowed');
    const { opening, pushing } =
      failed === undefined ? { opening: [], pushing: [] } : await failedFiles.remediesOf(failed);
    const logs = failed === undefined ? [] : logRemedies(failed, sources);
    const others = first !== undefined && second === undefined ? [...pushing, ...actionsOf(first.followed)] : [showAll];
    const offered = [...opening, ...logs, ...others, ...(failed === undefined ? [beQuiet()] : [])];
    const buttons = offered.slice(0, mostButtons);
    const answer = await showMessage(
      severity,
      message,
      buttons.map(({ title }) => title),
    );
    if (answer !== undefined) follower.markSeen((each) => endings.some(({ followed }) => isSame(followed, each)));
    await buttons.find(({ title }) => title === answer)?.run();
  }

  async function claim({ connection, deploymentId, revisionId, outcome }: Followed): Promise<boolean> {
    const known = connections.find(connection);
    const service = known?.kind === 'service' ? known.baseUrl : connection;
    const { status = '' } = verdict(answers.observe(connection, deploymentId, revisionId));
    return claimEnding(claims.fsPath, { service, deploymentId, revisionId, outcome, status });
  }

  /** The likeliest next steps: look at what failed, or use what is live. */
  function actionsOf(followed: Followed): readonly Remedy[] {
    const { connection, deploymentId } = followed;
    const shown: readonly FollowAction['id'][] = ['application', 'details'];
    const offered = followActions(followed, sources);
    const isBad = isFailed(followFacts(followed, sources));
    return shown.flatMap((id) => {
      const action = offered.find((each) => each.id === id);
      if (action === undefined || (isBad && id === 'application')) return [];
      return [commandRemedy(action.title, 'showFollowed', { connection, deploymentId, action: id })];
    });
  }
}

/** Turns all notifications off. */
function beQuiet(): Remedy {
  const settings = vscode.workspace.getConfiguration('deploymentManager');
  return {
    title: vscode.l10n.t('Do Not Show Again'),
    run: () => settings.update('follow.notify', 'never', vscode.ConfigurationTarget.Global),
  };
}

function isSame(a: Followed, b: Followed): boolean {
  return a.connection === b.connection && a.deploymentId === b.deploymentId && a.revisionId === b.revisionId;
}
