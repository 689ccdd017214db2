import * as z from 'zod';
import { logPageWire, logQueryWire } from '../../api/resources/logs.ts';
import { deploymentParams, revisionParams, route, type Route } from '../http/route.ts';
import type { ServiceParts } from '../service.ts';
import type { LogKind } from '../store/logs.ts';
import { findRevision, requireDeployment } from './found.ts';

/** What to read of a log. The offset is one that an earlier answer named. */
export const logQueryBody = logQueryWire.extend({
  offset: z
    .string()
    .regex(/^\d{0,15}$/, { error: "isn't an offset of this log" })
    .nullish(),
});

const success = { status: 200, description: 'A page of the log.', schema: logPageWire } as const;

/** The routes of logs, in the two forms of the public service. The document has none. */
export function logRoutes(parts: ServiceParts): Route[] {
  const read = (
    kind: LogKind,
    ids: { readonly deployment_id: string; readonly revision_id?: string },
    query: z.output<typeof logQueryBody>,
  ) => {
    const { deployment_id: deploymentId, revision_id: revisionId } = ids;
    if (revisionId === undefined) requireDeployment(parts, deploymentId);
    else findRevision(parts, deploymentId, revisionId);
    return parts.logs.page({ kind, deploymentId, revisionId }, query);
  };
  const ofRevision = (kind: LogKind, operationId: string, summary: string): Route =>
    route(
      {
        method: 'POST',
        path: `/v1/projects/{deployment_id}/revisions/{revision_id}/${kind}_logs`,
        operationId,
        summary,
        params: revisionParams,
        body: logQueryBody,
        success,
        problems: [404],
      },
      ({ params, body }) => read(kind, params, body),
    );
  const ofApplication = route(
    {
      method: 'POST',
      path: '/v1/projects/{deployment_id}/deploy_logs',
      operationId: 'readApplicationLog',
      summary: 'Read the log of the running application, whatever its revision.',
      params: deploymentParams,
      body: logQueryBody,
      success,
      problems: [404],
    },
    ({ params, body }) => read('deploy', params, body),
  );
  const newer = route(
    {
      method: 'GET',
      path: '/v2/deployments/{deployment_id}/revisions/{revision_id}/logs',
      operationId: 'readLog',
      summary: 'Read a log of a revision: that of its build, or of the application as it runs.',
      params: revisionParams,
      query: logQueryBody.extend({ type: z.enum(['build', 'deploy']) }),
      success,
      problems: [404],
    },
    ({ params, query: { type, ...query } }) => read(type, params, query),
  );
  return [
    ofRevision('build', 'readBuildLog', "Read the log of a revision's build."),
    ofRevision('deploy', 'readRevisionLog', 'Read the log of a revision as it runs.'),
    ofApplication,
    newer,
  ];
}
