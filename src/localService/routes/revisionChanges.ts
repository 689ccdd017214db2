import { deploymentWire } from '../../api/resources/deployments.ts';
import { GitError } from '../../git/git.ts';
import { resolveRef } from '../git/refs.ts';
import { HttpProblem, revisionParams as params, route, type Route } from '../http/route.ts';
import type { ServiceParts } from '../service.ts';
import type { StoredDeployment } from '../store/deployments.ts';
import type { StoredRevision } from '../store/revisions.ts';
import { changeable } from './deploymentChanges.ts';
import { findRevision } from './found.ts';

/** The routes that change one revision or deploy it again, which the document doesn't have. */
export function revisionChangeRoutes(parts: ServiceParts): Route[] {
  const { deployments, lifecycle } = parts;
  const path = '/v2/deployments/{deployment_id}/revisions/{revision_id}';
  const redeploy = route(
    {
      method: 'POST',
      path: `${path}/redeploy`,
      operationId: 'redeployRevision',
      summary: "Make a new revision with an earlier one's config, its commit included.",
      params,
      success: { status: 200, description: 'The deployment, whose latest revision is new.', schema: deploymentWire },
      problems: [404, 409],
    },
    async ({ params: { deployment_id: deploymentId, revision_id: revisionId }, signal }) => {
      const deployment = changeable(parts, deploymentId);
      const revision = findRevision(parts, deploymentId, revisionId);
      const tip = await tipOf(parts, deployment, revision, signal);
      signal.throwIfAborted();
      changeable(parts, deploymentId);
      lifecycle.deploy(deploymentId, revision.config, () => {
        if (tip !== undefined) deployments.holdTip(deploymentId, tip);
      });
      return deployments.resource(deploymentId);
    },
  );
  const interrupt = route(
    {
      method: 'POST',
      path: `${path}/interruption`,
      operationId: 'interruptRevision',
      summary: 'Stop a revision that is moving.',
      params,
      success: { status: 204, description: 'The revision is INTERRUPTED.' },
      problems: [404, 409],
    },
    ({ params }) => {
      const { id, status } = findRevision(parts, params.deployment_id, params.revision_id);
      if (lifecycle.interrupt(id)) return;
      throw new HttpProblem(409, `The revision has already ended: it is ${status}.`);
    },
  );
  return [redeploy, interrupt];
}

/** The commit of a revision's ref now, if git can tell. */
async function tipOf(
  { repositories }: ServiceParts,
  { sourceConfig }: StoredDeployment,
  { config }: StoredRevision,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (sourceConfig.repo_url === null || config.repo_ref === null) return undefined;
  try {
    const { repository } = await repositories.find(sourceConfig.repo_url, signal);
    return repository && (await resolveRef(repository, config.repo_ref))?.commit;
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}
