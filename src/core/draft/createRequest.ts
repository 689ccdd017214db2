import type { Deployment, DeploymentCreate } from '../../api/resources/deployments.ts';
import { sameRepository } from '../git/remote.ts';
import type { DeploymentDraft, DeploymentRef } from './draft.ts';
import type { Finding } from './findings.ts';

/** Field names that a service's error may mention, and the draft's field for each. */
const fields = [
  ['k8s_namespace', 'kubernetesNamespace'],
  ['listener_id', 'listener'],
  ['install_command', 'installCommand'],
  ['build_command', 'buildCommand'],
] as const satisfies readonly (readonly [string, Finding['field']])[];

/** The option that a service's error mentions, to take the user there. */
export function refusedField(message: string): Finding['field'] {
  return fields.find(([name]) => message.includes(name))?.[1];
}

/**
 * Builds the request body that creates a draft's deployment (interface: POST /v2/deployments).
 * Always includes `secrets`, because some services require it. Requests build on push only for a branch, because
 * services reject it for a tag or a commit.
 */
export function createRequest(draft: DeploymentDraft): DeploymentCreate {
  return {
    name: draft.name.trim(),
    source: draft.source,
    source_config: {
      integration_id: draft.integrationId,
      repo_url: draft.repositoryUrl,
      deployment_type: draft.deploymentType,
      build_on_push: draft.buildOnPush && draft.ref.kind === 'branch',
      ...(draft.resourceSpec === undefined ? {} : { resource_spec: draft.resourceSpec }),
      ...(draft.listener === undefined ? {} : { listener_id: draft.listener.id }),
      ...(draft.kubernetesNamespace === undefined
        ? {}
        : { listener_config: { k8s_namespace: draft.kubernetesNamespace } }),
      ...(draft.installCommand === undefined ? {} : { install_command: draft.installCommand }),
      ...(draft.buildCommand === undefined ? {} : { build_command: draft.buildCommand }),
    },
    source_revision_config: {
      repo_ref: refOnTheWire(draft.ref),
      graph_config_path: draft.configPath,
    },
    secrets: draft.secrets.map(({ name, value }) => ({ name, value })),
  };
}

/**
 * Whether a deployment matches a request: same name, source, repository and ref.
 * A match proves that the request created it only if the name was free before.
 */
export function isWhatWasRequested(request: DeploymentCreate, deployment: Deployment): boolean {
  const repository = request.source_config?.repo_url ?? '';
  const ref = request.source_revision_config?.repo_ref ?? '';
  return (
    deployment.name === request.name &&
    deployment.source === request.source &&
    sameRepository(deployment.source_config?.repo_url ?? '', repository) &&
    ref !== '' &&
    deployment.source_revision_config?.repo_ref === ref
  );
}

/** Formats a ref for the request. A tag gets its full name, to distinguish it from a branch of the same name. */
function refOnTheWire(ref: DeploymentRef): string {
  return ref.kind === 'tag' ? `refs/tags/${ref.name}` : ref.name;
}
