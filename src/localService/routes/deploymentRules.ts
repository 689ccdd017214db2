import type { Source } from '../../api/schema/enums.ts';
import { isRefName } from '../../core/draft/fieldProblem.ts';
import { GitError } from '../../git/git.ts';
import { resolveRef } from '../git/refs.ts';
import type { LocalRepository } from '../git/repositories.ts';
import { badRequest } from '../http/route.ts';
import type { ServiceParts } from '../service.ts';
import type { NewDeployment } from '../store/deployments.ts';
import type { RevisionConfig } from '../store/revisions.ts';

/**
 * The names of a request's secrets. Their values are dropped, because nothing uses them.
 * @throws {HttpProblem} 400 for an empty or duplicate name
 */
export function readSecretNames(secrets: readonly { readonly name: string }[]): string[] {
  const names = secrets.map((secret) => secret.name);
  const known = new Set<string>();
  names.forEach((name, index) => {
    if (name === '') throw badRequest(`secrets[${index}].name`, 'must not be empty.');
    if (known.has(name)) throw badRequest(`secrets[${index}].name`, 'appears more than once.');
    known.add(name);
  });
  return names;
}

/**
 * Checks a deployment as it would be, and adds the commit of its ref to the config of its next revision.
 * @throws {HttpProblem} 400 that names the field
 */
export async function checkDeployment(
  parts: ServiceParts,
  deployment: NewDeployment,
  signal: AbortSignal,
): Promise<RevisionConfig> {
  checkSourceRules(deployment);
  checkListener(parts, deployment);
  const config = await withCommit(await findRepository(parts, deployment, signal), deployment.revisionConfig);
  // Its git was stopped, so the commit may be missing.
  signal.throwIfAborted();
  return config;
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
