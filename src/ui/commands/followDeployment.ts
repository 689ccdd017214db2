import * as vscode from 'vscode';
import type { ReadySession } from '../../state/connections.ts';
import { chooseDeployment } from '../chooseDeployment.ts';
import { UserError } from '../errors.ts';
import type { Services } from '../services.ts';
import { rowOf } from '../tree/deploymentsView.ts';

/** Follows the latest revision of a deployment to its end. */
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
 * Ends following a row's deployment, or the only one that is followed; the deployment itself goes on. A row that is
 * only selected need not be what is meant.
 */
export async function stopFollowing(
  { follower, connections, deploymentsView }: Services,
  argument: unknown,
): Promise<void> {
  const row = rowOf(argument, deploymentsView);
  const { session } = connections;
  if (
    row?.kind === 'deployment' &&
    session.kind !== 'none' &&
    (argument !== undefined || follower.find(session.connection.name, row.id) !== undefined)
  ) {
    await follower.stop(session.connection.name, row.id);
    return;
  }
  const running = follower.followed.filter(({ outcome }) => outcome === undefined);
  const [only, another] = running;
  // Of several, the person says which: the list has a button for each.
  if (another !== undefined) await vscode.commands.executeCommand('deploymentManager.showFollowed');
  else if (only !== undefined) await follower.stop(only.connection, only.deploymentId);
}
