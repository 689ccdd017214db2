import { revisionListQueryWire, revisionWire } from '../../api/resources/revisions.ts';
import { deploymentParams, orNotFound, pageOf, revisionParams, route, toPage, type Route } from '../http/route.ts';
import type { ServiceParts } from '../service.ts';
import { requireDeployment } from './found.ts';

/** The routes of "Revisions". */
export function revisionRoutes(parts: ServiceParts): Route[] {
  const { deployments, revisions } = parts;
  const list = route(
    {
      method: 'GET',
      path: '/v2/deployments/{deployment_id}/revisions',
      operationId: 'listRevisions',
      summary: 'List the revisions of a deployment, newest first.',
      params: deploymentParams,
      query: revisionListQueryWire,
      success: { status: 200, description: 'A page of revisions.', schema: pageOf(revisionWire) },
      problems: [404],
    },
    ({ params, query }) => {
      requireDeployment(parts, params.deployment_id);
      const reconciled = query.remote_reconciled ?? undefined;
      // Revisions share this value with their deployment, so the filter matches all of them or none.
      const matches = reconciled === undefined || deployments.isRemoteReconciled(params.deployment_id) === reconciled;
      return toPage(query, (page) => (matches ? revisions.page(params.deployment_id, query, page) : []));
    },
  );
  const get = route(
    {
      method: 'GET',
      path: '/v2/deployments/{deployment_id}/revisions/{revision_id}',
      operationId: 'getRevision',
      summary: 'Get one revision.',
      params: revisionParams,
      success: { status: 200, description: 'The revision.', schema: revisionWire },
      problems: [404],
    },
    ({ params }) => {
      requireDeployment(parts, params.deployment_id);
      return orNotFound(revisions.resource(params.deployment_id, params.revision_id), 'Revision');
    },
  );
  return [list, get];
}
