import * as vscode from 'vscode';
import { activityText } from '../../core/status/activityWords.ts';
import { followLine, followState } from '../../core/status/followWords.ts';
import { withoutIcons } from '../../core/text/text.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import { followFacts, type ShownDeployment } from '../../state/following/shownDeployments.ts';
import { chooseDeployment, type ChoiceServices } from '../deployments/chooseDeployment.ts';
import type { Services } from '../services.ts';
import { execute } from '../window/commandIds.ts';
import { confirm, UserError } from '../window/errors.ts';
import { followActions, parseFollowLink, runFollowAction, type FollowAction } from './followActions.ts';

type FollowServices = Pick<Services, 'activity' | 'answers' | 'clock' | 'follower' | 'shown'>;

/** Follows the latest revision of a deployment until it ends. */
export async function followDeployment(
  services: ChoiceServices & Pick<Services, 'follower'>,
  session: ReadySession,
  argument: unknown,
): Promise<void> {
  const deployment = await chooseDeployment(services, argument, vscode.l10n.t('Follow Deployment'));
  if (deployment === undefined) return;
  const revisionId = deployment.latest_revision_id;
  if (revisionId === undefined) {
    throw new UserError(vscode.l10n.t('"{0}" has no revision yet, so there is nothing to follow.', deployment.name));
  }
  await services.follower.follow({ connection: session.connection.name, deploymentId: deployment.id, revisionId });
}

/**
 * Stops following a row's deployment, or the only followed one; the deployment itself continues.
 * A row that is merely selected counts only if its deployment has a follow.
 */
export async function stopFollowing(
  { follower, deployments, views }: Pick<Services, 'deployments' | 'follower' | 'views'>,
  argument: unknown,
): Promise<void> {
  const row = views.deployments.rowOf(argument);
  const { connection } = deployments;
  const isMeant = (id: string): boolean => argument !== undefined || follower.find(connection, id) !== undefined;
  if (row?.kind === 'deployment' && isMeant(row.ids[0])) return follower.stop(connection, row.ids[0]);
  const running = follower.followed.filter(({ outcome }) => outcome === undefined);
  const [only, another] = running;
  if (only !== undefined && another === undefined) await follower.stop(only.connection, only.deploymentId);
  // The list has a stop button for each follow, and says if there is none.
  else await execute('showFollowed');
}

interface FollowItem extends vscode.QuickPickItem {
  /** Undefined for the entry shown while nothing is followed. */
  readonly followed?: ShownDeployment;
  readonly buttons?: readonly ActionButton[];
}

interface ActionButton extends vscode.QuickInputButton {
  readonly action: FollowAction['id'];
}

/**
 * Lists the followed deployments, or does what the argument says with the one that it names.
 * In the list, selecting a deployment opens its details, and its buttons do the rest.
 */
export async function showFollowed(services: FollowServices, argument: unknown): Promise<void> {
  const link = parseFollowLink(argument);
  // It may have been dismissed meanwhile.
  const named = link && services.shown.find(link.connection, link.deploymentId);
  if (link !== undefined && named !== undefined) return runFollowAction(services, named, link.action);
  const choice = await chooseFollow(services);
  if (choice === undefined) return;
  if (choice.followed === undefined) await execute('followDeployment');
  else await runFollowAction(services, choice.followed, 'details');
}

async function chooseFollow(services: FollowServices): Promise<FollowItem | undefined> {
  const { follower, shown } = services;
  const pick = vscode.window.createQuickPick<FollowItem>();
  pick.title = vscode.l10n.t('Followed Deployments');
  const draw = (): void => {
    const [active] = pick.activeItems;
    const items = shown.all.map((followed) => itemOf(followed, services));
    pick.placeholder =
      items.length === 0
        ? vscode.l10n.t('Nothing is being followed. Deployments you start here are followed automatically.')
        : vscode.l10n.t('Select a deployment to open its details');
    pick.items = items.length === 0 ? [{ label: vscode.l10n.t('$(eye) Follow Deployment') }] : items;
    // Keep the active item: new items would move a keyboard user to the first one at each poll.
    const same = pick.items.find(({ followed }) => isSame(followed, active?.followed)) ?? pick.items[0];
    if (same !== undefined) pick.activeItems = [same];
  };
  draw();
  follower.markSeen(() => true);
  const changes = shown.onDidChange(draw);
  const choice = await new Promise<FollowItem | undefined>((resolve) => {
    pick.onDidTriggerItemButton(({ item: { followed, buttons = [] }, button }) => {
      const action = buttons.find((each) => each === button)?.action;
      if (followed !== undefined && action !== undefined) void runFollowAction(services, followed, action);
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

function itemOf(followed: ShownDeployment, services: Pick<Services, 'activity' | 'answers' | 'clock'>): FollowItem {
  const { activity } = services;
  const facts = { ...followFacts(followed, services), usual: activity.usual(followed) };
  return {
    followed,
    label: `$(${followState(facts).icon}) ${withoutIcons(facts.name)}`,
    detail: withoutIcons(followLine(facts)),
    // Enter opens the details.
    buttons: followActions(followed, services)
      .filter(({ id }) => id !== 'details')
      .map(({ id, title, icon }) => ({ action: id, tooltip: title, iconPath: new vscode.ThemeIcon(icon) })),
  };
}

function isSame(a: ShownDeployment | undefined, b: ShownDeployment | undefined): boolean {
  return a !== undefined && a.connection === b?.connection && a.deploymentId === b.deploymentId;
}

/** Shows what was deployed from this machine as a read-only document. */
export async function showActivity({
  activity,
  documents,
  follower,
}: Pick<Services, 'activity' | 'documents' | 'follower'>): Promise<void> {
  const text = activityText(await activity.list(), ({ connection, deploymentId, revisionId }) => {
    const followed = follower.find(connection, deploymentId);
    return followed?.revisionId === revisionId && followed.outcome === undefined;
  });
  await documents.showText(vscode.l10n.t('Activity'), text, 'txt');
}

/** Deletes the activity of this machine. Nothing changes on a service. */
export async function clearActivity({ activity }: Pick<Services, 'activity'>): Promise<void> {
  const question = vscode.l10n.t('Clear the activity of this machine?');
  const detail = vscode.l10n.t(
    'This deletes the list of deployments from this machine. Nothing changes on any service.',
  );
  if (await confirm(question, vscode.l10n.t('Clear Activity'), detail)) await activity.clear();
}
