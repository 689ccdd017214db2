import type * as z from 'zod';
import { deploymentListQueryWire, deploymentWire } from '../../api/resources/deployments.ts';
import type { SourceConfig } from '../../api/schema/source.ts';
import { resolveRef } from '../git/refs.ts';
import type { LocalRepository } from '../git/repositories.ts';
import { GitError } from '../../git/git.ts';
import { deploymentBody } from '../http/deploymentBody.ts';
import { badRequest, HttpProblem } from '../http/problem.ts';
import { pageOf, route, toPage } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import type { ServiceParts } from '../parts.ts';
import { isUniqueViolation } from '../store/database.ts';
import type { CompleteSourceConfig, NewDeployment } from '../store/deployments.ts';
import { toRevisionConfig } from '../store/revisions.ts';
import type { RevisionConfig } from '../store/revisions.ts';
import { checkSourceRules } from './sourceRules.ts';

/**
 * Completes the body of a create request and drops the values of secrets, because nothing uses them.
 * @throws {HttpProblem} 400 for an empty or duplicate secret name
 */
function readDeploymentBody(body: z.output<typeof deploymentBody>): NewDeployment {
  const { name, source } = body;
  const secretNames = (body.secrets ?? []).map((secret) => secret.name);
  secretNames.forEach((secretName, index) => {
    if (secretName === '') throw badRequest(`secrets[${index}].name`, 'must not be empty.');
    if (secretNames.indexOf(secretName) < index) throw badRequest(`secrets[${index}].name`, 'appears more than once.');
  });
  return {
    name,
    source,
    sourceConfig: completeSourceConfig(body.source_config ?? {}),
    revisionConfig: toRevisionConfig(body.source_revision_config ?? {}),
    secretNames,
    secretReferences: body.secret_references ?? [],
  };
}

function completeSourceConfig(config: SourceConfig): CompleteSourceConfig {
  return {
    integration_id: config.integration_id ?? null,
    repo_url: config.repo_url ?? null,
    deployment_type: config.deployment_type ?? null,
    build_on_push: config.build_on_push ?? null,
    custom_url: config.custom_url ?? null,
    resource_spec: config.resource_spec ?? null,
    listener_id: config.listener_id ?? null,
    listener_config: config.listener_config ?? null,
    install_command: config.install_command ?? null,
    build_command: config.build_command ?? null,
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
    async ({ body }) => createDeployment(parts, readDeploymentBody(body)),
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

async function createDeployment(parts: ServiceParts, body: NewDeployment) {
  checkSourceRules(body, parts.mode);
  checkListener(parts, body);
  const revisionConfig = await withCommit(await findRepository(parts, body), body.revisionConfig);
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

function checkListener({ listeners, mode }: ServiceParts, { source, sourceConfig }: NewDeployment): void {
  const id = sourceConfig.listener_id?.toLowerCase();
  const namespace = sourceConfig.listener_config?.k8s_namespace ?? undefined;
  if (id === undefined) {
    if (sourceConfig.listener_config !== null) {
      throw badRequest('source_config.listener_config', "requires 'source_config.listener_id'.");
    }
    const available = listeners.page({ limit: 20, offset: 0 });
    if (mode !== 'self-hosted' || source !== 'external_docker' || available.length === 0) return;
    const ids = available.map((listener) => listener.id).join(', ');
    throw badRequest('source_config.listener_id', `is required for workspace with available listener IDs: [${ids}]`);
  }
  const namespaces = listeners.namespaces(id);
  if (namespaces === undefined) throw badRequest('source_config.listener_id', "isn't the id of a listener.");
  if (namespace !== undefined && !namespaces.includes(namespace)) {
    throw badRequest('source_config.listener_config.k8s_namespace', "isn't a namespace of the listener.");
  }
}

async function findRepository(
  { repositories, integrationId }: ServiceParts,
  { sourceConfig }: NewDeployment,
): Promise<LocalRepository | undefined> {
  if (sourceConfig.integration_id === null) return undefined;
  if (sourceConfig.integration_id.toLowerCase() !== integrationId) {
    throw badRequest('source_config.integration_id', "isn't the id of an integration.");
  }
  const repository = await repositories.find(sourceConfig.repo_url ?? '');
  if (repository !== undefined) return repository;
  throw badRequest(
    'source_config.repo_url',
    "isn't a repository of the integration, because its folder isn't registered.",
  );
}

/** Adds the ref's commit. An unresolved ref isn't an error here, because the build fails and says why. */
async function withCommit(repository: LocalRepository | undefined, config: RevisionConfig): Promise<RevisionConfig> {
  if (repository === undefined) return config;
  try {
    const resolved = await resolveRef(repository, config.repo_ref ?? '');
    return { ...config, repo_commit_sha: resolved?.commit ?? null };
  } catch (error) {
    if (error instanceof GitError) return config;
    throw error;
  }
}
