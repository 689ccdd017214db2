import * as z from 'zod';
import { deploymentCreateWire, deploymentListQueryWire, deploymentWire } from '../../api/resources/deployments.ts';
import { HttpProblem, pageOf, route, toPage, type Route } from '../http/route.ts';
import type { ServiceParts } from '../service.ts';
import { isUniqueViolation } from '../store/database.ts';
import { readSourceConfig } from '../store/deployments.ts';
import type { NewDeployment } from '../store/deployments.ts';
import { toRevisionConfig } from '../store/revisions.ts';
import { checkDeployment, readSecretNames } from './deploymentRules.ts';

const name = z.string().regex(/^(?=\P{Cc}*\S)\P{Cc}{1,255}$/u, {
  error: 'must have 1 to 255 characters, not only blanks, and no control characters',
});

/** The body of POST /v2/deployments with this service's rules for names (the decision "Names"). */
export const deploymentBody = deploymentCreateWire.safeExtend({ name });

/** Completes the body of a create request. */
function readDeploymentBody(body: z.output<typeof deploymentBody>): NewDeployment {
  return {
    name: body.name,
    source: body.source,
    sourceConfig: readSourceConfig(body.source_config ?? {}),
    revisionConfig: toRevisionConfig(body.source_revision_config ?? {}),
    secretNames: readSecretNames(body.secrets ?? []),
    secretReferences: body.secret_references ?? [],
  };
}

/** The routes of "Deployments". */
export function deploymentRoutes(parts: ServiceParts): Route[] {
  const create = route(
    {
      method: 'POST',
      path: '/v2/deployments',
      operationId: 'createDeployment',
      summary: 'Create a deployment, its tracing project and its first revision.',
      body: deploymentBody,
      success: {
        status: 201,
        description: 'The deployment, before its first revision is built.',
        schema: deploymentWire,
      },
      problems: [400, 409],
    },
    async ({ body, signal }) => createDeployment(parts, readDeploymentBody(body), signal),
  );
  const list = route(
    {
      method: 'GET',
      path: '/v2/deployments',
      operationId: 'listDeployments',
      summary: 'List deployments, newest first.',
      query: deploymentListQueryWire,
      success: { status: 200, description: 'A page of deployments.', schema: pageOf(deploymentWire) },
    },
    ({ query }) => toPage(query, (page) => parts.deployments.page(query, page)),
  );
  return [create, list];
}

async function createDeployment(parts: ServiceParts, body: NewDeployment, signal: AbortSignal) {
  const revisionConfig = await checkDeployment(parts, body, signal);
  const { deployments, lifecycle, clock, stepMilliseconds } = parts;
  const firstStepAt = clock.monotonic() + stepMilliseconds;
  try {
    const id = deployments.add({ ...body, revisionConfig }, clock.now(), firstStepAt);
    lifecycle.wake();
    return deployments.resource(id);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new HttpProblem(409, "'name' is taken: a deployment or a tracing project with this name already exists.");
  }
}
