import * as z from 'zod';
import { deploymentCreateWire, deploymentListQueryWire, deploymentWire } from '../../api/resources/deployments.ts';
import type { Source } from '../../api/schema/enums.ts';
import type { SourceConfig } from '../../api/schema/source.ts';
import { isRefName } from '../../core/draft/fieldProblem.ts';
import { GitError } from '../../git/git.ts';
import { resolveRef } from '../git/refs.ts';
import type { LocalRepository } from '../git/repositories.ts';
import { badRequest, HttpProblem, pageOf, route, toPage, type Route } from '../http/route.ts';
import type { ServiceParts } from '../service.ts';
import { isUniqueViolation } from '../store/database.ts';
import type { CompleteSourceConfig, NewDeployment } from '../store/deployments.ts';
import { toRevisionConfig } from '../store/revisions.ts';
import type { RevisionConfig } from '../store/revisions.ts';

const name = z.string().regex(/^(?=\P{Cc}*\S)\P{Cc}{1,255}$/u, {
  error: 'must have 1 to 255 characters, not only blanks, and no control characters',
});

/** The body of POST /v2/deployments with this service's rules for names (the decision "Names"). */
export const deploymentBody = deploymentCreateWire.safeExtend({ name });

/**
 * Completes the body of a create request and drops the values of secrets, because nothing uses them.
 * @throws {HttpProblem} 400 for an empty or duplicate secret name
 */
function readDeploymentBody(body: z.output<typeof deploymentBody>): NewDeployment {
  const { name, source } = body;
  const secretNames = (body.secrets ?? []).map((secret) => secret.name);
  const known = new Set<string>();
  secretNames.forEach((secretName, index) => {
    if (secretName === '') throw badRequest(`secrets[${index}].name`, 'must not be empty.');
    if (known.has(secretName)) throw badRequest(`secrets[${index}].name`, 'appears more than once.');
    known.add(secretName);
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
  checkSourceRules(body);
  checkListener(parts, body);
  const revisionConfig = await withCommit(await findRepository(parts, body, signal), body.revisionConfig);
  // Its git was stopped, so the commit may be missing.
  signal.throwIfAborted();
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

function checkListener({ listeners }: ServiceParts, { sourceConfig }: NewDeployment): void {
  const id = sourceConfig.listener_id?.toLowerCase();
  const namespace = sourceConfig.listener_config?.k8s_namespace ?? undefined;
  if (id === undefined) {
    if (sourceConfig.listener_config === null) return;
    throw badRequest('source_config.listener_config', "requires 'source_config.listener_id'.");
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
  signal: AbortSignal,
): Promise<LocalRepository | undefined> {
  if (sourceConfig.integration_id === null) return undefined;
  if (sourceConfig.integration_id.toLowerCase() !== integrationId) {
    throw badRequest('source_config.integration_id', "isn't the id of an integration.");
  }
  const { repository } = await repositories.find(sourceConfig.repo_url ?? '', signal);
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

/** The sources that accept and require each field. A field not listed here fits all sources. */
const fieldRules: readonly FieldRule[] = [
  { field: 'source_config.integration_id', sources: ['repohost'], needed: ['repohost'] },
  { field: 'source_config.repo_url', sources: ['repohost'], needed: ['repohost'] },
  { field: 'source_config.build_on_push', sources: ['repohost'], needed: [] },
  { field: 'source_revision_config.repo_ref', sources: ['repohost'], needed: ['repohost'] },
  {
    field: 'source_revision_config.graph_config_path',
    sources: ['repohost', 'internal_source'],
    needed: ['repohost'],
  },
  {
    field: 'source_revision_config.image_uri',
    sources: ['external_docker', 'internal_docker'],
    needed: ['external_docker'],
  },
  { field: 'source_revision_config.source_tarball_path', sources: ['internal_source'], needed: [] },
];

interface FieldRule {
  readonly field: string;
  readonly sources: readonly Source[];
  readonly needed: readonly Source[];
}

/**
 * Checks a create request against its source ("Source config": validated according to `source`).
 * @throws {HttpProblem} 400 that names the field
 */
function checkSourceRules(body: NewDeployment): void {
  const values = new Map<string, unknown>([
    ...prefixed('source_config', body.sourceConfig),
    ...prefixed('source_revision_config', body.revisionConfig),
  ]);
  for (const { field, sources, needed } of fieldRules) {
    const value = values.get(field);
    const given = value !== null && value !== '' && value !== false;
    if (!given && needed.includes(body.source)) throw badRequest(field, `is required for the source ${body.source}.`);
    if (given && !sources.includes(body.source))
      throw badRequest(field, `isn't allowed for the source ${body.source}.`);
  }
  checkRevisionConfig(body);
}

function checkRevisionConfig({ revisionConfig, sourceConfig }: NewDeployment): void {
  const { repo_ref: ref, graph_config_path: path } = revisionConfig;
  if (ref !== null && !isRefName(ref)) {
    throw badRequest('source_revision_config.repo_ref', 'must be a branch, a tag as refs/tags/NAME, or a commit.');
  }
  if (ref?.startsWith('refs/tags/') === true && sourceConfig.build_on_push === true) {
    throw badRequest('source_config.build_on_push', "must be false for a tag, because tags don't move.");
  }
  if (path !== null && !isRelativePath(path)) {
    throw badRequest(
      'source_revision_config.graph_config_path',
      'must be a path from the top of the repository, with forward slashes, such as apps/agent/graph.json.',
    );
  }
}

function isRelativePath(path: string): boolean {
  return !/^[a-z]:|^\/|\\|\p{Cc}|\/$/iu.test(path) && !path.split('/').includes('..');
}

function prefixed(prefix: string, fields: object): [string, unknown][] {
  return Object.entries(fields).map(([name, value]) => [`${prefix}.${name}`, value]);
}
