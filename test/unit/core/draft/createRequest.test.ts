import { execFileSync } from 'node:child_process';
import { describe, expect, test, it } from 'vitest';
import type { DeploymentCreate } from '../../../../src/api/resources/deployments.ts';
import { SOURCES, type Source } from '../../../../src/api/schema/enums.ts';
import { resolveFromConfig } from '../../../../src/core/appConfig/paths.ts';
import {
  createRequest,
  isWhatWasRequested,
  requestCurl,
  requestJson,
  requestText,
  setAt,
} from '../../../../src/core/draft/createRequest.ts';
import { draftLike } from '../../../../src/core/draft/likeThis.ts';
import { choiceWords, draftLines } from '../../../../src/core/draft/draftLines.ts';
import { deploymentReader } from '../../../../src/api/resources/deployments.ts';
import { readDeploymentFile } from '../../../../src/core/draft/deploymentFile.ts';
import { deploymentFileText, draftOfFile, withFileValues } from '../../../../src/core/draft/deploymentFileText.ts';
import { chooseListener, emptyDraft, type DeploymentDraft } from '../../../../src/core/draft/draft.ts';
import {
  draftFields,
  fieldsOf,
  plainFields,
  type FieldFacts,
  type TextFieldFacts,
} from '../../../../src/core/draft/fields.ts';
import { valueIn } from '../../../../src/core/draft/fieldValues.ts';
import type { SpecValue } from '../../../../src/core/yaml/value.ts';
import { completeDraft, fullDrafts } from '../../../support/deploymentDraft.ts';
import { resourceSpec, uuid, volume, volumeMount } from '../../api/samples.ts';

const draft = completeDraft({ repositoryUrl: 'https://code.example/acme/sample-agent' });

describe('the create request', () => {
  test('of a plain draft holds exactly what the interface asks for', () => {
    expect(createRequest(draft)).toStrictEqual({
      name: 'agent',
      source: 'repohost',
      source_config: {
        integration_id: 'one',
        repo_url: draft.repositoryUrl,
        deployment_type: 'dev',
        build_on_push: true,
      },
      source_revision_config: { repo_ref: 'main', graph_config_path: 'graph.json' },
      secrets: [],
    });
  });

  test('trims the name', () => {
    expect(createRequest({ ...draft, name: ' agent ' }).name).toBe('agent');
  });

  test('carries the optional parts under the names of the interface', () => {
    const full = createRequest(fullDrafts().repohost);
    expect(full.source_config).toMatchObject({
      custom_url: 'https://agent.example',
      resource_spec: { cpu: 1.5, memory_mb: 512 },
      listener_id: '5b0e7f3a-5d3c-4b57-9d3e-0f8f3c1c2a11',
      listener_config: { k8s_namespace: 'apps' },
      install_command: 'npm ci',
      build_command: 'npm run build',
    });
    expect(full.secrets).toEqual([{ name: 'API_KEY', value: 'canary-4f0b-secret' }]);
  });

  test.each([
    [{ kind: 'branch', name: 'main' } as const, 'main', true],
    [{ kind: 'tag', name: 'v1.0.0' } as const, 'refs/tags/v1.0.0', false],
    [
      { kind: 'commit', name: '0123456789abcdef0123456789abcdef01234567' } as const,
      '0123456789abcdef0123456789abcdef01234567',
      false,
    ],
  ])('of %j asks for %s, built on push: %s', (ref, wire, buildOnPush) => {
    const request = createRequest({ ...draft, ref });
    expect(request.source_revision_config?.repo_ref).toBe(wire);
    expect(request.source_config?.build_on_push).toBe(buildOnPush);
  });

  test.each<[DeploymentDraft['source'], Partial<DeploymentDraft>, object]>([
    [
      'external_docker',
      {
        imageUri: 'registry.example/agent:1',
        secretReferences: [{ name: 'KEY', secretName: 'agent', secretKey: 'key' }],
      },
      {
        source_revision_config: { image_uri: 'registry.example/agent:1' },
        secret_references: [{ name: 'KEY', secret_name: 'agent', secret_key: 'key' }],
      },
    ],
    ['internal_docker', { imageUri: 'agent:1' }, { source_revision_config: { image_uri: 'agent:1' } }],
    [
      'internal_source',
      { tarballPath: 'uploads/agent.tgz', configPath: 'graph.json' },
      { source_revision_config: { source_tarball_path: 'uploads/agent.tgz', graph_config_path: 'graph.json' } },
    ],
    ['internal_source', { tarballPath: '', configPath: '' }, { source_revision_config: {} }],
    ['internal_template', {}, { source_revision_config: {} }],
  ])('from %s with %j holds exactly what the interface asks for', (source, parts, expected) => {
    const { connectionName, name, deploymentType } = draft;
    const other = Object.assign(emptyDraft(source, connectionName), { name, deploymentType }, parts);
    expect(createRequest(other)).toStrictEqual({
      name,
      source,
      source_config: { deployment_type: 'dev' },
      secrets: [],
      ...expected,
    });
  });

  test('carries a listener without a namespace, and a secret without a value', () => {
    const listener = { id: 'a', name: 'cluster', namespaces: [] };
    const request = createRequest({ ...draft, listener, secrets: [{ name: 'API_KEY', value: undefined }] });
    expect(request.source_config).toMatchObject({ listener_id: 'a' });
    expect(request.source_config).not.toHaveProperty('listener_config');
    expect(request.secrets).toEqual([{ name: 'API_KEY', value: '' }]);
  });

  test('carries no namespace without its listener', () => {
    expect(createRequest({ ...draft, kubernetesNamespace: 'apps' })).toStrictEqual(createRequest(draft));
  });
});

describe('the create request of a deployment file', () => {
  const { name: _name, ...kinds } = volume;
  const volumes = Object.entries(kinds).map(([kind, content]) => ({ name: kind.toLowerCase(), [kind]: content }));
  const resource_spec = { ...resourceSpec, volumes: [...volumes, { name: volumeMount.name, emptyDir: {} }] };
  const commonText = `listener: cluster
namespace: tools
install_command: npm ci --omit=dev
build_command: "npm run build && npm test"
resources: ${JSON.stringify(resource_spec)}
secrets:
  API_TOKEN: ask
  PASSWORD: { env-file: .env }
  SIGNING_KEY: stored
`;
  const commonConfig = {
    deployment_type: 'prod',
    custom_url: 'https://agent.example',
    resource_spec,
    listener_id: uuid(4),
    listener_config: { k8s_namespace: 'tools' },
    install_command: 'npm ci --omit=dev',
    build_command: 'npm run build && npm test',
  };
  const secrets = ['API_TOKEN', 'PASSWORD', 'SIGNING_KEY'].map((name) => ({ name, value: `canary of ${name}` }));
  const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;

  interface File {
    readonly text: string;
    readonly mistake: { readonly key: string; readonly value: string; readonly message: string };
    readonly body: object;
  }
  const files: Readonly<Record<Source, File>> = {
    repohost: {
      text: `name: agent
source: repohost
repository: https://code.example/acme/agent
integration: ${uuid(3)}
ref: release/2
config: ../b/graph.json
type: prod
build_on_push: false
custom_url: https://agent.example
${commonText}`,
      mistake: { key: 'ref', value: 'a..b', message: '"a..b" can\'t be the name of a branch or a tag.' },
      body: {
        name: 'agent',
        source: 'repohost',
        source_config: {
          ...commonConfig,
          integration_id: uuid(3),
          repo_url: 'https://code.example/acme/agent',
          build_on_push: false,
        },
        source_revision_config: { repo_ref: 'release/2', graph_config_path: 'apps/b/graph.json' },
        secrets,
      },
    },
    external_docker: {
      text: `name: external
source: external_docker
image: registry.example/acme/agent@${digest}
type: prod
custom_url: https://agent.example
${commonText}secret_references:
  - { name: DATABASE_USER, secret: database, key: user }
  - { name: DATABASE_PASSWORD, secret: database, key: password }
`,
      mistake: {
        key: 'image',
        value: '',
        message: 'The image is missing. Enter one, such as "image: registry.example/acme/agent:1.0".',
      },
      body: {
        name: 'external',
        source: 'external_docker',
        source_config: commonConfig,
        source_revision_config: { image_uri: `registry.example/acme/agent@${digest}` },
        secrets,
        secret_references: [
          { name: 'DATABASE_USER', secret_name: 'database', secret_key: 'user' },
          { name: 'DATABASE_PASSWORD', secret_name: 'database', secret_key: 'password' },
        ],
      },
    },
    internal_docker: {
      text: `name: pushed
source: internal_docker
image: pushed/agent:1.0
type: prod
custom_url: https://agent.example
${commonText}`,
      mistake: {
        key: 'image',
        value: 'pushed/agent:',
        message: 'The image reference must look like "registry.example/name:tag", with the name in lowercase.',
      },
      body: {
        name: 'pushed',
        source: 'internal_docker',
        source_config: commonConfig,
        source_revision_config: { image_uri: 'pushed/agent:1.0' },
        secrets,
      },
    },
    internal_source: {
      text: `name: uploaded
source: internal_source
config: apps/a/graph.json
upload: uploads/agent.tar.gz
type: prod
custom_url: https://agent.example
${commonText}`,
      mistake: {
        key: 'config',
        value: '/etc/graph.json',
        message: 'Enter a relative path with forward slashes and the file name.',
      },
      body: {
        name: 'uploaded',
        source: 'internal_source',
        source_config: commonConfig,
        source_revision_config: {
          source_tarball_path: 'uploads/agent.tar.gz',
          graph_config_path: 'apps/a/graph.json',
        },
        secrets,
      },
    },
    internal_template: {
      text: `name: template
source: internal_template
type: prod
custom_url: https://agent.example
${commonText}`,
      mistake: { key: 'custom_url', value: 'http://agent.example', message: 'Enter a URL that begins with https://.' },
      body: {
        name: 'template',
        source: 'internal_template',
        source_config: commonConfig,
        source_revision_config: {},
        secrets,
      },
    },
  };

  const read = (text: string) => {
    const [deployment] = readDeploymentFile(text, { flavorFor: () => 'standard', reservedNames: ['PORT'] });
    if (deployment === undefined) throw new Error('The file has no deployment.');
    return deployment;
  };
  /** The draft of a file that is in no repository. */
  const draftOutside = (text: string) =>
    draftOfFile(read(text).spec ?? {}, {
      connectionName: 'Work',
      fileName: 'agent.deployment-spec.yaml',
      repositoryUrl: '',
      ref: '',
      configPath: '',
      resourceSpec: undefined,
    });
  const errorsOf = (text: string) =>
    read(text).findings.flatMap(({ severity, message }) => (severity === 'error' ? [message] : []));
  const edited = (text: string, key: string, value: SpecValue | undefined) => {
    const result = withFileValues(text, [{ path: [key], value }]);
    if (result.kind === 'refused') throw new Error(result.message);
    return result.state.document.text;
  };

  test.each(SOURCES)(
    'from %s waits until an error of the file is corrected, and then has all that it says',
    (source) => {
      const { text, mistake, body } = files[source];
      const wrong = edited(text, mistake.key, mistake.value);
      expect(errorsOf(wrong)).toEqual([mistake.message]);
      expect(read(wrong).spec).toBeUndefined();
      const corrected = edited(wrong, mistake.key, read(text).content?.[mistake.key]);
      expect(corrected).toBe(text);
      expect(errorsOf(corrected)).toEqual([]);

      const { spec = {}, content = {} } = read(corrected);
      const path = 'apps/a/agent.deployment-spec.yaml';
      const own = draftOfFile(spec, {
        connectionName: 'Work',
        fileName: 'agent.deployment-spec.yaml',
        repositoryUrl: 'https://code.example/acme/other',
        ref: 'main',
        configPath: resolveFromConfig(path, spec.config ?? '') ?? '',
        resourceSpec: undefined,
      });
      const keys = fieldsOf(own).map((field) => draftFields[field].key);
      expect(new Set(Object.keys(content))).toEqual(new Set(keys));
      // The service knows the listener, and only this machine the values of secrets.
      const listener = { id: uuid(4), compute_id: 'cluster', compute_config: { k8s_namespaces: ['apps', 'tools'] } };
      chooseListener(own, listener);
      for (const secret of own.secrets) secret.value = `canary of ${secret.name}`;
      expect(createRequest(own)).toStrictEqual(body);
    },
  );

  test('has the resources that a file writes with flags in words', () => {
    const text = `name: agent
source: internal_template
resources:
  cpu: 2
  volumes: [{ name: a, emptyDir: {} }]
  volume_mounts: [{ name: a, mountPath: /a, readOnly: yes }]
`;
    expect(errorsOf(text)).toEqual([]);
    const own = draftOutside(text);
    const mount = { name: 'a', mountPath: '/a', readOnly: true };
    expect(createRequest(own).source_config?.resource_spec).toMatchObject({ cpu: 2, volume_mounts: [mount] });
  });

  test.each(plainFields)('has the plain field %s as the table of fields says, there and back', (field) => {
    const facts: FieldFacts & Partial<TextFieldFacts> = draftFields[field];
    const { key, sources: [source = ''] = ['internal_template'], choices, usual, example } = facts;
    const value = choices?.find((choice) => choice !== usual) ?? example?.() ?? '';
    const image = source.endsWith('docker') ? 'image: agent:1\n' : '';
    const textWith = (line: string): string =>
      `name: agent\nsource: ${source}\n${line.startsWith('image:') ? '' : image}${line}`;
    const text = textWith(`${key}: ${value}\n`);
    const own = draftOutside(text);
    const request = createRequest(own);
    expect(valueIn(request, field)).toBe(value);
    // It changes nothing else.
    const other = createRequest(draftOutside(textWith('')));
    setAt(other, draftFields[field].path, value);
    expect(request).toStrictEqual(other);
    expect(draftLines(own)).toContainEqual({
      field,
      label: draftFields[field].label(),
      value: choices === undefined ? value : choiceWords(field, value),
      from: 'agent.deployment-spec.yaml',
    });
    const record = deploymentReader.parse({ ...request, id: '1' });
    const context = { connectionName: 'Work', revision: undefined, listener: undefined, isChange: true };
    const { draft: copy = emptyDraft('repohost', '') } = draftLike(record, context) ?? {};
    expect(read(deploymentFileText(copy)).content).toMatchObject({ name: 'agent', [key]: value });
  });
});

describe('a deployment that is found after a request failed', () => {
  const request = createRequest(draft);
  const found = {
    id: '1',
    name: 'agent',
    source: 'repohost',
    source_config: { repo_url: draft.repositoryUrl },
    source_revision_config: { repo_ref: 'main' },
  };

  test('is what was requested where name, source, repository and ref are the same', () => {
    expect(isWhatWasRequested(request, found)).toBe(true);
    const repository = { repo_url: 'git@code.example:Acme/sample-agent.git', build_on_push: false };
    expect(isWhatWasRequested(request, { ...found, source_config: repository })).toBe(true);
  });

  test.each([
    { name: 'agent-2' },
    { source: 'external_docker' },
    { source: undefined },
    { source_config: { repo_url: 'https://code.example/acme/other' } },
    { source_config: undefined },
    { source_revision_config: { repo_ref: 'refs/tags/main' } },
    { source_revision_config: { repo_ref: '' } },
    { source_revision_config: undefined },
  ])('is another one with %j', (different) => {
    expect(isWhatWasRequested(request, { ...found, ...different })).toBe(false);
  });

  test.each([
    [{ image_uri: 'agent:1' }, { image_uri: 'agent:1' }, true],
    [{ image_uri: 'agent:1' }, { image_uri: 'agent:2' }, false],
    [{ image_uri: 'agent:1' }, undefined, false],
    [undefined, { image_uri: 'agent:1' }, false],
    [{ source_tarball_path: 'a.tgz' }, { source_tarball_path: 'a.tgz' }, true],
    [{ source_tarball_path: 'a.tgz' }, { source_tarball_path: 'b.tgz' }, false],
    [{ source_tarball_path: 'a.tgz' }, undefined, false],
    [undefined, { source_tarball_path: 'a.tgz' }, false],
    [undefined, undefined, true],
  ])('without a repository, asked for with %j and found with %j, is what was requested: %s', (wanted, revision, is) => {
    const source = 'internal_docker';
    const sent: DeploymentCreate = { name: 'agent', source, secrets: [], source_revision_config: wanted };
    expect(isWhatWasRequested(sent, { id: '1', name: 'agent', source, source_revision_config: revision })).toBe(is);
  });

  test('is another one where the request names no repository or no ref', () => {
    const source_config = { repo_url: '' };
    expect(isWhatWasRequested({ ...request, source_config }, { ...found, source_config })).toBe(false);
    const source_revision_config = { repo_ref: '' };
    expect(isWhatWasRequested({ ...request, source_revision_config }, { ...found, source_revision_config })).toBe(
      false,
    );
  });
});

const request = {
  method: 'POST',
  url: "https://service.example/it's/v2/deployments",
  headers: { accept: 'application/json', 'X-Api-Key': 'Bearer "x" $API_KEY', 'X-Tenant-Id': '$HOME `id`' },
  body: JSON.stringify({ name: "it's", secrets: [{ name: 'TOKEN', value: '•••' }] }),
};

it('is shown as comments and a body', () => {
  expect(requestText(request)).toBe(`// POST https://service.example/it's/v2/deployments
// accept: application/json
// X-Api-Key: Bearer "x" $API_KEY
// X-Tenant-Id: $HOME \`id\`

${requestJson(request)}`);
  expect(JSON.parse(requestJson(request))).toEqual(JSON.parse(request.body));
});

it('is a command in which the shell replaces nothing but the key', () => {
  const show = `curl() { printf '%s\\n' "$@"; }\nAPI_KEY=the-key\n`;
  const said = execFileSync('sh', ['-c', show + requestCurl(request)], { encoding: 'utf8' });
  expect(said.split('\n')).toEqual([
    '--request',
    'POST',
    request.url,
    '--header',
    'accept: application/json',
    '--header',
    'X-Api-Key: Bearer "x" the-key',
    '--header',
    'X-Tenant-Id: $HOME `id`',
    '--data',
    request.body,
    '',
  ]);
});
