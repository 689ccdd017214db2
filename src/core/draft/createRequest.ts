import type { Deployment, DeploymentCreate } from '../../api/resources/deployments.ts';
import { sameRepository } from '../git/remote.ts';
import type { DeploymentDraft, DeploymentRef } from './draft.ts';
import type { Finding } from './findings.ts';

/** The names of the interface that a refusal may complain about, and the fields of a draft behind them. */
const fields = [
  ['k8s_namespace', 'kubernetesNamespace'],
  ['listener_id', 'listener'],
  ['install_command', 'installCommand'],
  ['build_command', 'buildCommand'],
] as const satisfies readonly (readonly [string, Finding['field']])[];

/** The option that a service complains about in a message, so that the message leads to it. */
export function refusedField(message: string): Finding['field'] {
  return fields.find(([name]) => message.includes(name))?.[1];
}

/**
 * The body that creates a draft's deployment (interface: POST /v2/deployments). `secrets` is always there, as some
 * services require it. Only a branch can be built on push: with a tag or a commit it is refused, so it is not asked.
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
 * Whether a deployment is what a request asked for: the same name, source, repository and ref. Only where the name was
 * free before does that prove that the request made it.
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

/** Branches and commits go bare, tags with their full name, so that a branch of the same name is never meant. */
function refOnTheWire(ref: DeploymentRef): string {
  return ref.kind === 'tag' ? `refs/tags/${ref.name}` : ref.name;
}
