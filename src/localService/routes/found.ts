import { notFound } from '../http/route.ts';
import type { ServiceParts } from '../service.ts';
import type { StoredRevision } from '../store/revisions.ts';

/** @throws {HttpProblem} 404 */
export function requireDeployment({ deployments }: Pick<ServiceParts, 'deployments'>, id: string): void {
  if (!deployments.exists(id)) throw notFound('Deployment');
}

/**
 * A revision of a deployment.
 * @throws {HttpProblem} 404 if either doesn't exist
 */
export function findRevision(
  parts: Pick<ServiceParts, 'deployments' | 'revisions'>,
  deploymentId: string,
  id: string,
): StoredRevision {
  requireDeployment(parts, deploymentId);
  const revision = parts.revisions.find(id);
  if (revision?.deploymentId !== deploymentId) throw notFound('Revision');
  return revision;
}
