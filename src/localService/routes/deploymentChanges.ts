import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { deploymentPatchWire, uploadPlaceWire } from '../../api/resources/deploymentChanges.ts';
import { deploymentWire } from '../../api/resources/deployments.ts';
import { revisionWire } from '../../api/resources/revisions.ts';
import { badRequest, deploymentParams as params, HttpProblem, orNotFound, route, type Route } from '../http/route.ts';
import type { ServiceParts } from '../service.ts';
import { readSourceConfig } from '../store/deployments.ts';
import type { NewDeployment, StoredDeployment } from '../store/deployments.ts';
import { toRevisionConfig } from '../store/revisions.ts';
import { checkDeployment, readSecretNames } from './deploymentRules.ts';
import { requireDeployment } from './found.ts';

/** The body of an update. As in a create request, unknown fields are ignored. */
export const deploymentPatchBody = z.object(deploymentPatchWire.shape);

type Patch = z.output<typeof deploymentPatchBody>;

/** The routes for one deployment, which the document doesn't have. */
export function deploymentChangeRoutes(parts: ServiceParts): Route[] {
  const { deployments, revisions, lifecycle, uploads } = parts;
  const path = '/v2/deployments/{deployment_id}';
  const get = route(
    {
      method: 'GET',
      path,
      operationId: 'getDeployment',
      summary: 'Get one deployment.',
      params,
      success: { status: 200, description: 'The deployment.', schema: deploymentWire },
      problems: [404],
    },
    ({ params }) => orNotFound(deployments.resource(params.deployment_id), 'Deployment'),
  );
  const update = route(
    {
      method: 'PATCH',
      path,
      operationId: 'updateDeployment',
      summary: 'Change a deployment. What a revision depends on makes a new one.',
      params,
      body: deploymentPatchBody,
      success: { status: 200, description: 'The deployment after the change.', schema: deploymentWire },
      problems: [404, 409],
    },
    async ({ params, body, signal }) => {
      await change(parts, params.deployment_id, body, { signal, always: false });
      return deployments.resource(params.deployment_id);
    },
  );
  const revise = route(
    {
      method: 'POST',
      path: `${path}/revisions`,
      operationId: 'createRevision',
      summary: 'Change a deployment, and make a new revision in any case.',
      params,
      body: deploymentPatchBody,
      success: { status: 201, description: 'The new revision.', schema: revisionWire },
      problems: [404, 409],
    },
    async ({ params, body, signal }) => {
      const revisionId = await change(parts, params.deployment_id, body, { signal, always: true });
      return revisions.resource(params.deployment_id, revisionId ?? '');
    },
  );
  const remove = route(
    {
      method: 'DELETE',
      path,
      operationId: 'deleteDeployment',
      summary: 'Delete a deployment, in stages.',
      params,
      query: z.object({ delete_tracing_project: z.boolean().nullish() }),
      success: { status: 204, description: 'Accepted: the deployment is AWAITING_DELETE, and soon gone.' },
      problems: [404],
    },
    ({ params, query }) => {
      requireDeployment(parts, params.deployment_id);
      lifecycle.delete(params.deployment_id, query.delete_tracing_project === true);
    },
  );
  const makeUploadAddress = route(
    {
      method: 'POST',
      path: `${path}/upload-url`,
      operationId: 'createUploadUrl',
      summary: "Make a signed address to upload a deployment's source to.",
      params,
      success: { status: 200, description: 'The address, and the path for an update.', schema: uploadPlaceWire },
      problems: [400, 404, 409],
    },
    async ({ params, origin }) => {
      const { source } = changeable(parts, params.deployment_id);
      if (source !== 'internal_source') throw badRequest('source', 'must be internal_source for an upload.');
      return uploads.makeAddress(params.deployment_id, origin);
    },
  );
  return [get, update, revise, remove, makeUploadAddress];
}

/**
 * Returns a deployment that can be changed.
 * @throws {HttpProblem} 404 if there is none, 409 if it's being deleted
 */
export function changeable({ deployments, deletions }: ServiceParts, deploymentId: string): StoredDeployment {
  const deployment = orNotFound(deployments.find(deploymentId), 'Deployment');
  if (deletions.has(deploymentId)) throw new HttpProblem(409, 'The deployment is being deleted.');
  return deployment;
}

/** Changes a deployment. Returns the id of the new revision, if the change makes one. */
async function change(
  parts: ServiceParts,
  deploymentId: string,
  patch: Patch,
  { signal, always }: { readonly signal: AbortSignal; readonly always: boolean },
): Promise<string | undefined> {
  const { deployments, lifecycle, clock } = parts;
  for (;;) {
    const before = changeable(parts, deploymentId);
    const after = changed(before, patch);
    const config = await checkDeployment(parts, after, signal);
    // Git takes its time, and another change may have been faster.
    if (!isDeepStrictEqual(changeable(parts, deploymentId), before)) continue;
    const store = (): void => deployments.change(deploymentId, after, clock.now());
    if (always || makesRevision(patch)) return lifecycle.deploy(deploymentId, config, store);
    store();
    return undefined;
  }
}

function makesRevision({ secrets, source_config: config, source_revision_config: revisionConfig }: Patch): boolean {
  return (
    (secrets ?? []).length > 0 ||
    (config?.resource_spec ?? null) !== null ||
    Object.values(toRevisionConfig(revisionConfig ?? {})).some((value) => value !== null)
  );
}

/**
 * A deployment after a patch, in which null and absent fields stay.
 * @throws {HttpProblem} 400 for another source, and for secrets that the source can't have
 */
function changed(stored: StoredDeployment, patch: Patch): NewDeployment {
  const { source } = stored;
  if ((patch.revision_source ?? source) !== source) throw badRequest('revision_source', `must be ${source}.`);
  if (source !== 'external_docker' && (patch.secret_references ?? []).length > 0) {
    throw badRequest('secret_references', 'is allowed only for the source external_docker.');
  }
  const secretNames = readSecretNames(patch.secrets ?? []);
  return {
    name: stored.name,
    source,
    sourceConfig: readSourceConfig({ ...stored.sourceConfig, ...given(patch.source_config) }),
    revisionConfig: toRevisionConfig({
      ...stored.revisionConfig,
      ...given(patch.source_revision_config),
      repo_commit_sha: null,
    }),
    secretNames: secretNames.length === 0 ? stored.secretNames : secretNames,
    secretReferences: patch.secret_references ?? stored.secretReferences,
  };
}

/** The fields of a patch that aren't null. */
function given(fields: object | null | undefined): object {
  return Object.fromEntries(Object.entries(fields ?? {}).filter(([, value]) => value !== null && value !== undefined));
}
