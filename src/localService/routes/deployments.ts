import { deploymentCreateWire, deploymentListQueryWire, deploymentWire } from '../../api/deployments.ts';
import { resolveRef } from '../git/refs.ts';
import { GitError } from '../git/run.ts';
import { badRequest, HttpProblem } from '../http/problem.ts';
import { noBody, noFields, route } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import type { ServiceParts } from '../parts.ts';
import type { LocalRepository } from '../repositories.ts';
import { NameTakenError } from '../store/deployments.ts';
import type { RevisionConfig } from '../store/revisions.ts';
import { readDeploymentBody } from './deploymentBody.ts';
import type { DeploymentBody } from './deploymentBody.ts';
import { commaList, pageOf, toPage } from './lists.ts';
import { checkSourceRules } from './sourceRules.ts';

/** The routes of "Deployments". */
export function deploymentRoutes(parts: ServiceParts): Route[] {
  const create = route(
    {
      method: 'POST',
      path: '/v2/deployments',
      operationId: 'createDeployment',
      summary: 'Create a deployment, its tracing project and its first revision.',
      params: noFields,
      query: noFields,
      body: deploymentCreateWire,
      success: {
        status: 201,
        description: 'The deployment, before its first revision is built.',
        schema: deploymentWire,
      },
      problems: [400, 409],
    },
    async ({ body }) => createDeployment(parts, readDeploymentBody(body)),
  );
  const list = route(
    {
      method: 'GET',
      path: '/v2/deployments',
      operationId: 'listDeployments',
      summary: 'List deployments, the newest first.',
      params: noFields,
      query: deploymentListQueryWire,
      body: noBody,
      success: { status: 200, description: 'A page of deployments.', schema: pageOf(deploymentWire) },
    },
    ({ query }) =>
      toPage(query, ({ limit, offset }) =>
        parts.deployments.page({
          limit,
          offset,
          nameContains: query.name_contains ?? undefined,
          statuses: commaList(query.status),
          remoteReconciled: query.remote_reconciled ?? undefined,
          tagValueIds: commaList(query.tag_value_ids),
          imageVersion: query.image_version ?? undefined,
          deploymentType: query.deployment_type ?? undefined,
          ids: commaList(query.deployment_ids)?.map((id) => id.toLowerCase()),
        }),
      ),
  );
  return [create, list];
}

async function createDeployment(parts: ServiceParts, body: DeploymentBody) {
  checkSourceRules(body, parts.mode);
  checkListener(parts, body);
  const revisionConfig = await withCommit(await findRepository(parts, body), body.revisionConfig);
  const { deployments, lifecycle, clock, stepMilliseconds } = parts;
  const firstStepAt = clock.monotonic() + stepMilliseconds;
  try {
    const id = deployments.add({ ...body, revisionConfig, ...derived(body) }, clock.now(), firstStepAt);
    lifecycle.wake();
    return deployments.resource(id);
  } catch (error) {
    if (!(error instanceof NameTakenError)) throw error;
    throw new HttpProblem(409, "'name' is taken: a deployment or a tracing project of this name already exists.");
  }
}

/** What is stored in columns of its own because lists and the lifecycle search for it. */
function derived({ sourceConfig }: DeploymentBody) {
  return {
    deploymentType: sourceConfig.deployment_type,
    buildOnPush: sourceConfig.build_on_push === true,
    listenerId: sourceConfig.listener_id?.toLowerCase() ?? null,
  };
}

function checkListener({ listeners, mode }: ServiceParts, { source, sourceConfig }: DeploymentBody): void {
  const id = sourceConfig.listener_id?.toLowerCase();
  const namespace = sourceConfig.listener_config?.k8s_namespace ?? undefined;
  if (id === undefined) {
    if (sourceConfig.listener_config !== null) {
      throw badRequest('source_config.listener_config', "needs 'source_config.listener_id'.");
    }
    const available = listeners.page({ limit: 20, offset: 0 });
    if (mode !== 'self-hosted' || source !== 'external_docker' || available.length === 0) return;
    const ids = available.map((listener) => listener.id).join(', ');
    throw badRequest('source_config.listener_id', `is required for workspace with available listener IDs: [${ids}]`);
  }
  const namespaces = listeners.namespaces(id);
  if (namespaces === undefined) throw badRequest('source_config.listener_id', 'is not the id of a listener.');
  if (namespace !== undefined && !namespaces.includes(namespace)) {
    throw badRequest('source_config.listener_config.k8s_namespace', 'is not a namespace of the listener.');
  }
}

async function findRepository(
  { repositories, integrationId }: ServiceParts,
  { sourceConfig }: DeploymentBody,
): Promise<LocalRepository | undefined> {
  if (sourceConfig.integration_id === null) return undefined;
  if (sourceConfig.integration_id.toLowerCase() !== integrationId) {
    throw badRequest('source_config.integration_id', 'is not the id of an integration.');
  }
  const repository = await repositories.find(sourceConfig.repo_url ?? '');
  if (repository !== undefined) return repository;
  throw badRequest('source_config.repo_url', 'is not a repository of the integration: its folder is not registered.');
}

/** A ref that cannot be resolved is no reason to refuse the request: the build fails and says why. */
async function withCommit(repository: LocalRepository | undefined, config: RevisionConfig): Promise<RevisionConfig> {
  if (repository === undefined) return config;
  try {
    const resolved = await resolveRef(repository.git, config.repo_ref ?? '', repository.remote);
    return { ...config, repo_commit_sha: resolved?.commit ?? null };
  } catch (error) {
    if (error instanceof GitError) return config;
    throw error;
  }
}
