import * as vscode from 'vscode';
import { followLine } from '../../core/status/followWords.ts';
import { withoutIcons } from '../../core/text/text.ts';
import { RemovedConnectionError } from '../../state/connections/connection.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import type { Followed } from '../../state/following/follower.ts';
import { requireConnection, startLocalService } from '../connections/switchConnection.ts';
import { chooseDeployment } from '../deployments/chooseDeployment.ts';
import { showDeployment, showDeploymentDocument } from '../deployments/details.ts';
import type { Services } from '../services.ts';
import { UserError } from '../window/errors.ts';
import { askChoice, back } from '../window/steps.ts';
import { followFacts } from '../../state/following/follower.ts';

/** Follows the latest revision of a deployment until it ends. */
export async function followDeployment(services: Services, session: ReadySession, argument: unknown): Promise<void> {
  const deployment = await chooseDeployment(services, argument, vscode.l10n.t('Follow Deployment'));
  if (deployment === undefined) return;
  const revisionId = deployment.latest_revision_id;
  if (revisionId === undefined) {
    throw new UserError(vscode.l10n.t('"{0}" has no revision yet, so there is nothing to follow.', deployment.name));
  }
  await services.follower.follow(
    { connection: session.connection.name, deploymentId: deployment.id, revisionId },
    { deployment },
  );
}

/**
 * Stops following a row's deployment, or the only followed one; the deployment itself continues.
 * A row that is merely selected counts only if its deployment has a follow.
 */
export async function stopFollowing({ follower, connections, views }: Services, argument: unknown): Promise<void> {
  const row = views.deployments.rowOf(argument);
  const { session } = connections;
  if (
    row?.kind === 'deployment' &&
    session.kind !== 'none' &&
    (argument !== undefined || follower.find(session.connection.name, row.ids[0]) !== undefined)
  ) {
    await follower.stop(session.connection.name, row.ids[0]);
    return;
  }
  const running = follower.followed.filter(({ outcome }) => outcome === undefined);
  const [only, another] = running;
  if (only !== undefined && another === undefined) await follower.stop(only.connection, only.deploymentId);
  // The list has a stop button for each follow, and says if there is none.
  else await vscode.commands.executeCommand('deploymentManager.showFollowed');
}

/**
 * Shows a followed deployment in the tree or as a document.
 * If it is on another connection, the user chooses between switching and a document. A deployment that the list lacks,
 * because of a filter or a later page, is shown as a document.
 * @throws {RemovedConnectionError} its connection was removed
 */
async function revealFollowed(services: Services, followed: Followed): Promise<void> {
  const where = await chooseWhere(services, followed);
  if (where === undefined) return;
  if (where === 'tree' && (await requireConnection(services)) === undefined) return;
  const name = nameOf(followed);
  if (where === 'tree') await showDeployment(services, { ...followed, name });
  else await showDeploymentDocument({ ...followed, name });
}

/** Asks where to show a follow, and switches the connection if wanted; undefined if the user cancels. */
async function chooseWhere(services: Services, followed: Followed): Promise<'tree' | 'document' | undefined> {
  const { connections } = services;
  const session = await connections.current();
  const present = session.kind === 'none' ? undefined : session.connection.name;
  if (present === followed.connection) return 'tree';
  const connection = connections.find(followed.connection);
  if (connection === undefined) throw new RemovedConnectionError(followed.connection);
  const switching = {
    label: vscode.l10n.t('$(arrow-swap) Switch to {0}', withoutIcons(connection.name)),
    detail: vscode.l10n.t('Switches this workspace and shows the row.'),
  };
  const staying = {
    label: vscode.l10n.t('$(file) Open Details'),
    detail: present === undefined ? '' : vscode.l10n.t('This workspace stays with {0}.', withoutIcons(present)),
  };
  const choice = await askChoice({
    title: vscode.l10n.t('Followed Deployments'),
    placeholder: vscode.l10n.t('"{0}" is on another connection, {1}', nameOf(followed), connection.name),
    items: [switching, staying],
  });
  if (choice === undefined || choice === back) return undefined;
  if (choice === staying) return 'document';
  if (connection.kind === 'local') await startLocalService(services);
  else await connections.select(connection.name);
  return 'tree';
}

function nameOf({ deploymentName, deploymentId }: Followed): string {
  return deploymentName ?? deploymentId;
}

interface FollowItem extends vscode.QuickPickItem {
  /** Undefined for the entry shown while nothing is followed. */
  readonly followed?: Followed;
}

/**
 * Lists the followed deployments, or shows the one that the argument names.
 * In the list, selecting a deployment shows it in the tree, and its button stops or dismisses the follow.
 */
export async function showFollowed(services: Services, argument: unknown): Promise<void> {
  const named = followOf(services, argument);
  if (named !== undefined) return revealFollowed(services, named);
  const choice = await chooseFollow(services);
  if (choice === undefined) return;
  if (choice.followed === undefined) await vscode.commands.executeCommand('deploymentManager.followDeployment');
  else await revealFollowed(services, choice.followed);
}

/** The follow that a notification names; undefined if it names none or the follow was dismissed. */
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
      ? vscode.l10n.t('Nothing is being followed. Deployments you start here are followed automatically.')
      : vscode.l10n.t('Select a deployment to show it in the tree');
    pick.items = isEmpty
      ? [{ label: vscode.l10n.t('$(eye) Follow Deployment') }]
      : follower.followed.map((followed) => {
          const facts = followFacts(followed, deployments, now);
          const isRunning = followed.outcome === undefined;
          return {
            followed,
            label: `$(${isRunning ? 'eye' : 'history'}) ${withoutIcons(facts.name)}`,
            detail: withoutIcons(followLine(facts)),
            buttons: [
              isRunning
                ? { iconPath: new vscode.ThemeIcon('eye-closed'), tooltip: vscode.l10n.t('Stop Following') }
                : { iconPath: new vscode.ThemeIcon('close'), tooltip: vscode.l10n.t('Dismiss') },
            ],
          };
        });
    // Keep the active item: new items would move a keyboard user to the first one at each poll.
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
