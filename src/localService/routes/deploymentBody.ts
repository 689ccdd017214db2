import type * as z from 'zod';
import type { deploymentCreateWire } from '../../api/deployments.ts';
import type { Source } from '../../api/enums.ts';
import type { SourceConfig } from '../../api/source.ts';
import { badRequest, invalidField } from '../http/problem.ts';
import { toRevisionConfig } from '../store/revisions.ts';
import type { RevisionConfig } from '../store/revisions.ts';

/** A create request with every field of the interface: null where it was not given, and without secret values. */
export interface DeploymentBody {
  readonly name: string;
  readonly source: Source;
  readonly sourceConfig: CompleteSourceConfig;
  readonly revisionConfig: RevisionConfig;
  readonly secretNames: readonly string[];
  readonly secretReferences: readonly object[];
}

type CompleteSourceConfig = {
  readonly [Field in keyof Required<SourceConfig>]: NonNullable<SourceConfig[Field]> | null;
};

const maxNameLength = 255;

/**
 * Completes the body of a create request. The values of secrets end here: nothing runs that would need them.
 * @throws {HttpProblem} 422 for a name that cannot be stored, 400 for secrets that cannot be told apart
 */
export function readDeploymentBody(body: z.output<typeof deploymentCreateWire>): DeploymentBody {
  const { name, source } = body;
  if (name.trim() === '' || name.length > maxNameLength || /\p{Cc}/u.test(name)) {
    throw invalidField(['body', 'name'], `must have 1 to ${maxNameLength} characters and no control characters`);
  }
  const secretNames = (body.secrets ?? []).map((secret) => secret.name);
  secretNames.forEach((secretName, index) => {
    if (secretName === '') throw badRequest(`secrets[${index}].name`, 'must not be empty.');
    if (secretNames.indexOf(secretName) < index) throw badRequest(`secrets[${index}].name`, 'is given more than once.');
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
