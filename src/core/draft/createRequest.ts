import type { Deployment, DeploymentCreate } from '../../api/resources/deployments.ts';
import { isRecord } from '../../api/schema/json.ts';
import { shownAddress } from '../git/address.ts';
import { sameRepository } from '../git/remote.ts';
import type { DeploymentDraft } from './draft.ts';
import { draftFields, fieldsOf, type DraftField, type PlainField } from './fields.ts';
import { plainValues } from './fieldValues.ts';
import { deploymentRefText } from '../git/deploymentRef.ts';
import { keyPlaceholder, type DescribedRequest } from '../../api/http/http.ts';

/** What the interface takes at a dotted path. */
type MemberAt<Body, Path extends string> = Path extends `${infer Name}.${infer Rest}`
  ? MemberAt<MemberAt<Body, Name>, Rest>
  : NonNullable<Body>[Path & keyof NonNullable<Body>];

type SentValue<Field extends DraftField> = MemberAt<DeploymentCreate, (typeof draftFields)[Field]['path']>;
type SentValues = { readonly [Field in PlainField]?: SentValue<Field> } & {
  readonly [Field in Exclude<DraftField, PlainField>]: SentValue<Field>;
};

/** The values of a draft's fields as the interface takes them. Undefined for what isn't sent. */
export function sentValues(draft: DeploymentDraft): SentValues {
  const { listener } = draft;
  const repository = draft.source === 'repohost' ? draft : undefined;
  const upload = draft.source === 'internal_source' ? draft : undefined;
  return {
    ...plainValues(draft, (field) => draft[field]),
    name: draft.name.trim(),
    source: draft.source,
    repositoryUrl: repository && shownAddress(repository.repositoryUrl),
    integrationId: repository?.integrationId,
    ref: repository && deploymentRefText(repository.ref),
    configPath: repository?.configPath ?? (upload?.configPath || undefined),
    // Services reject this for a tag or a commit.
    buildOnPush: repository && repository.buildOnPush && repository.ref.kind === 'branch',
    // Always sent, because some services require it.
    secrets: draft.secrets.map(({ name, value = '' }) => ({ name, value })),
    secretReferences:
      draft.source === 'external_docker'
        ? draft.secretReferences.map(({ name, secretName, secretKey }) => ({
            name,
            secret_name: secretName,
            secret_key: secretKey,
          }))
        : undefined,
    resourceSpec: draft.resourceSpec,
    listener: listener?.id,
    // A namespace is sent only with its listener.
    kubernetesNamespace: listener && draft.kubernetesNamespace,
  };
}

/** Builds the request body that creates a draft's deployment (interface: POST /v2/deployments). */
export function createRequest(draft: DeploymentDraft): DeploymentCreate {
  const values = sentValues(draft);
  const { name, source } = values;
  const body: DeploymentCreate = { name, source, source_config: {}, source_revision_config: {} };
  for (const field of fieldsOf(draft)) {
    if (values[field] !== undefined) setAt(body, draftFields[field].path, values[field]);
  }
  return body;
}

/** Sets the value at a dotted path. */
export function setAt(body: Record<string, unknown>, path: string, value: unknown): void {
  const [name = '', ...rest] = path.split('.');
  if (rest.length > 0) {
    const member = isRecord(body[name]) ? body[name] : {};
    setAt(member, rest.join('.'), value);
    body[name] = member;
  } else {
    body[name] = value;
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
