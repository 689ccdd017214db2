import { SOURCES } from '../../api/schema/enums.ts';
import type { Source } from '../../api/schema/enums.ts';
import { isRefName } from '../../core/draft/fieldProblem.ts';
import { badRequest } from '../http/problem.ts';
import type { Mode } from '../process/commandLine.ts';
import type { NewDeployment } from '../store/deployments.ts';

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
export function checkSourceRules(body: NewDeployment, mode: Mode): void {
  checkAvailability(body.source, mode);
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

/** Rejects unavailable sources: `external_docker` is for self-hosted, all others for Cloud SaaS ("Deployment"). */
function checkAvailability(source: Source, mode: Mode): void {
  const available = SOURCES.filter(
    (candidate) => mode === 'any' || (candidate === 'external_docker') === (mode === 'self-hosted'),
  );
  if (available.includes(source)) return;
  throw badRequest(
    'source',
    `isn't available: in the mode ${mode}, this service accepts only ${available.join(', ')}.`,
  );
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
