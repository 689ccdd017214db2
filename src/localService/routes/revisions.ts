import { revisionListQueryWire, revisionWire } from '../../api/resources/revisions.ts';
import {
  deploymentParams,
  notFound,
  orNotFound,
  pageOf,
  revisionParams,
  route,
  toPage,
  type Route,
} from '../http/route.ts';
import type { ServiceParts } from '../service.ts';

/** The routes of "Revisions". */
export function revisionRoutes({ deployments, revisions }: ServiceParts): Route[] {
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
      if (!deployments.exists(params.deployment_id)) throw notFound('Deployment');
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
      if (!deployments.exists(params.deployment_id)) throw notFound('Deployment');
      return orNotFound(revisions.resource(params.deployment_id, params.revision_id), 'Revision');
    },
  );
  return [list, get];
}
