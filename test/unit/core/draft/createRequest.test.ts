import { execFileSync } from 'node:child_process';
import { describe, expect, test, it } from 'vitest';
import type { DeploymentCreate } from '../../../../src/api/resources/deployments.ts';
import {
  createRequest,
  isWhatWasRequested,
  requestCurl,
  requestJson,
  requestText,
} from '../../../../src/core/draft/createRequest.ts';
import { emptyDraft, type DeploymentDraft } from '../../../../src/core/draft/draft.ts';
import { completeDraft, fullDrafts } from '../../../support/deploymentDraft.ts';

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
