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

/** Ends following; the deployment itself goes on. */
export async function stopFollowing(
  { follower, connections, deploymentsView }: Services,
  argument: unknown,
): Promise<void> {
  const row = rowOf(argument, deploymentsView);
  const { session } = connections;
  if (row?.kind === 'deployment' && session.kind !== 'none') {
    await follower.stop(session.connection.name, row.id);
    return;
  }
  await Promise.all(follower.followed.map(({ connection, deploymentId }) => follower.stop(connection, deploymentId)));
}
