import type { Deployment } from '../../api/resources/deployments.ts';
import type { Listener } from '../../api/resources/listeners.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { SOURCES } from '../../api/schema/enums.ts';
import { resourceSpecWire } from '../../api/schema/resourceSpec.ts';
import { chooseListener, emptyDraft, parseDeploymentRef, type DeploymentDraft, type DraftField } from './draft.ts';
import { fieldsOf } from './sources.ts';

/** What a copy needs besides the deployment itself. */
export interface CopyContext {
  readonly connectionName: string;
  /** The active revision. Without one, the latest counts, which the deployment itself shows. */
  readonly revision: Revision | undefined;
  readonly listener: Listener | undefined;
  readonly integrationName: string | undefined;
}

/**
 * A draft with everything that a deployment has, except for the values of its secrets and its address, which two
 * deployments can't share.
 * Undefined if its source is none of the interface's.
 */
export function draftLike(
  deployment: Deployment,
  { connectionName, revision, listener, integrationName }: CopyContext,
): DeploymentDraft | undefined {
  const source = SOURCES.find((known) => known === deployment.source);
  if (source === undefined) return undefined;
  const config = deployment.source_config ?? {};
  const revisionConfig = revision?.source_revision_config ?? deployment.source_revision_config ?? {};
  const draft = emptyDraft(source, connectionName);
  draft.name = deployment.name;
  draft.deploymentType = config.deployment_type ?? draft.deploymentType;
  draft.resourceSpec = resourceSpecWire.safeParse(config.resource_spec).data;
  draft.installCommand = config.install_command;
  draft.buildCommand = config.build_command;
  draft.secrets = (deployment.secrets ?? []).map(({ name }) => ({ name, value: undefined }));
  draft.kubernetesNamespace = config.listener_config?.k8s_namespace;
  if (listener !== undefined) chooseListener(draft, listener);
  switch (draft.source) {
    case 'repohost':
      draft.integrationId = config.integration_id ?? '';
      draft.integrationName = integrationName;
      draft.repositoryUrl = config.repo_url ?? '';
      draft.ref = parseDeploymentRef(revisionConfig.repo_ref ?? '');
      draft.configPath = revisionConfig.graph_config_path ?? '';
      draft.buildOnPush = config.build_on_push ?? false;
      break;
    case 'external_docker':
      draft.imageUri = revisionConfig.image_uri ?? '';
      draft.secretReferences = (deployment.secret_references ?? []).map((reference) => ({
        name: reference.name ?? '',
        secretName: reference.secret_name ?? '',
        secretKey: reference.secret_key ?? '',
      }));
      break;
    case 'internal_docker':
      draft.imageUri = revisionConfig.image_uri ?? '';
      break;
    case 'internal_source':
      draft.tarballPath = revisionConfig.source_tarball_path ?? '';
      draft.configPath = revisionConfig.graph_config_path ?? '';
      break;
    case 'internal_template':
      break;
  }
  const copied: readonly DraftField[] = fieldsOf(draft);
  for (const field of copied) draft.provenance[field] = { kind: 'copy', name: deployment.name };
  return draft;
}
