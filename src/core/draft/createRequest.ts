import type { Deployment, DeploymentCreate } from '../../api/resources/deployments.ts';
import { shownAddress } from '../git/address.ts';
import { sameRepository } from '../git/remote.ts';
import type { DeploymentDraft } from './draft.ts';
import { deploymentRefText } from '../git/deploymentRef.ts';
import { keyPlaceholder, type DescribedRequest } from '../../api/http/http.ts';

type SourceParts = Pick<DeploymentCreate, 'source_config' | 'source_revision_config' | 'secret_references'>;

/**
 * Builds the request body that creates a draft's deployment (interface: POST /v2/deployments).
 * Always includes `secrets`, because some services require it.
 */
export function createRequest(draft: DeploymentDraft): DeploymentCreate {
  const { source_config: ownConfig, ...own } = ownParts(draft);
  return {
    name: draft.name.trim(),
    source: draft.source,
    source_config: {
      ...ownConfig,
      deployment_type: draft.deploymentType,
      ...(draft.resourceSpec === undefined ? {} : { resource_spec: draft.resourceSpec }),
      ...(draft.customUrl === undefined ? {} : { custom_url: draft.customUrl }),
      ...listenerParts(draft),
      ...(draft.installCommand === undefined ? {} : { install_command: draft.installCommand }),
      ...(draft.buildCommand === undefined ? {} : { build_command: draft.buildCommand }),
    },
    ...own,
    secrets: draft.secrets.map(({ name, value = '' }) => ({ name, value })),
  };
}

/** A namespace is sent only with its listener. */
function listenerParts({ listener, kubernetesNamespace }: DeploymentDraft): SourceParts['source_config'] {
  if (listener === undefined) return {};
  return {
    listener_id: listener.id,
    ...(kubernetesNamespace === undefined ? {} : { listener_config: { k8s_namespace: kubernetesNamespace } }),
  };
}

/** What only a draft's source has. Builds on push only a branch, because services reject it for a tag or a commit. */
function ownParts(draft: DeploymentDraft): SourceParts {
  switch (draft.source) {
    case 'repohost':
      return {
        source_config: {
          integration_id: draft.integrationId,
          repo_url: shownAddress(draft.repositoryUrl),
          build_on_push: draft.buildOnPush && draft.ref.kind === 'branch',
        },
        source_revision_config: {
          repo_ref: deploymentRefText(draft.ref),
          graph_config_path: draft.configPath,
        },
      };
    case 'external_docker':
      return {
        source_revision_config: { image_uri: draft.imageUri },
        secret_references: draft.secretReferences.map(({ name, secretName, secretKey }) => ({
          name,
          secret_name: secretName,
          secret_key: secretKey,
        })),
      };
    case 'internal_docker':
      return { source_revision_config: { image_uri: draft.imageUri } };
    case 'internal_source':
      return {
        source_revision_config: {
          ...(draft.tarballPath === '' ? {} : { source_tarball_path: draft.tarballPath }),
          ...(draft.configPath === '' ? {} : { graph_config_path: draft.configPath }),
        },
      };
    case 'internal_template':
      return { source_revision_config: {} };
  }
}

/**
 * Whether a deployment matches a request: same name and source, built from the same.
 * A match proves that the request created it only if the name was free before.
 */
export function isWhatWasRequested(request: DeploymentCreate, deployment: Deployment): boolean {
  if (deployment.name !== request.name || deployment.source !== request.source) return false;
  const { source_config: config, source_revision_config: revision } = deployment;
  const wanted = request.source_revision_config;
  if (request.source === 'repohost') {
    const ref = wanted?.repo_ref ?? '';
    return (
      ref !== '' &&
      revision?.repo_ref === ref &&
      sameRepository(config?.repo_url ?? '', request.source_config?.repo_url ?? '')
    );
  }
  return (
    (wanted?.image_uri ?? '') === (revision?.image_uri ?? '') &&
    (wanted?.source_tarball_path ?? '') === (revision?.source_tarball_path ?? '')
  );
}

/** A request as the text of a document: method, address and headers as comments, then the body as JSON. */
export function requestText({ method, url, headers, body }: DescribedRequest): string {
  const lines = [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  return `${lines.map((line) => `// ${line}\n`).join('')}\n${requestJson({ body })}`;
}

/** The body of a request as JSON in lines. */
export function requestJson({ body }: Pick<DescribedRequest, 'body'>): string {
  const content: unknown = JSON.parse(body);
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

/** A request as a command for a shell, which takes the API key from its environment. */
export function requestCurl({ method, url, headers, body }: DescribedRequest): string {
  const parts = [
    `curl --request ${method} ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `--header ${quotedHeader(`${name}: ${value}`)}`),
    `--data ${quoted(body)}`,
  ];
  return `${parts.join(' \\\n  ')}\n`;
}

/** Quotes a text for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Quotes a header. The shell puts the key in place of its placeholder, so only that stays open. */
function quotedHeader(header: string): string {
  if (!header.endsWith(keyPlaceholder)) return quoted(header);
  const before = header.slice(0, -keyPlaceholder.length).replaceAll(/["\\$`]/g, String.raw`\$&`);
  return `"${before}${keyPlaceholder}"`;
}
