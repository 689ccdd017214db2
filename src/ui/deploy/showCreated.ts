import type { Deployment } from '../../api/resources/deployments.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import type { Services } from '../services.ts';

/** A deployment and the session that created it. */
export interface Created {
  readonly deployment: Deployment;
  readonly session: ReadySession;
  /** Whether the review moved to another connection. */
  readonly isMoved: boolean;
}

/**
 * Adds the new deployment to the list, follows it and shows its row.
 * The workspace now uses the connection that the review moved to. If the window has switched to another connection
 * meanwhile, the deployment is only followed.
 */
export async function showCreated(services: Services, { deployment, session, isMoved }: Created): Promise<void> {
  const { connections, deployments, views, follower, activity } = services;
  const { name: connection } = session.connection;
  if (isMoved) {
    await connections.select(connection);
    await deployments.load();
  }
  const isListed = (): boolean =>
    connections.session.kind !== 'none' && connections.session.connection.name === connection;
  const revisionId = deployment.latest_revision_id;
  const id = revisionId === undefined ? undefined : { connection, deploymentId: deployment.id, revisionId };
  // Before the row appears, because a new row of this workspace starts a follow of its own, as a push.
  if (id !== undefined) void activity.begin('created', id, deployment);
  if (isListed()) deployments.add(deployment);
  if (id !== undefined) await follower.follow(id, { deployment });
  if (isListed()) await views.deployments.reveal({ kind: 'deployment', ids: [deployment.id] });
}
