import { describe, expect, test } from 'vitest';
import { deploymentCreateWire } from '../../../../src/api/resources/deployments.ts';
import { createRequest, isWhatWasRequested } from '../../../../src/core/draft/createRequest.ts';
import type { RepositoryDraft } from '../../../../src/core/draft/draft.ts';

const draft: RepositoryDraft = {
  connectionName: 'Local service',
  name: 'sample-agent',
  source: 'repohost',
  integrationId: '0b0e7f3a-5d3c-4b57-9d3e-0f8f3c1c2a10',
  repositoryUrl: 'https://code.example/acme/sample-agent',
  ref: { kind: 'branch', name: 'main' },
  configPath: 'apps/a/graph.json',
  deploymentType: 'dev_free',
  buildOnPush: true,
  secrets: [],
  provenance: {},
};

describe('the create request', () => {
  test('of a plain draft holds exactly what the interface asks for', () => {
    expect(createRequest(draft)).toStrictEqual({
      name: 'sample-agent',
      source: 'repohost',
      source_config: {
        integration_id: draft.integrationId,
        repo_url: draft.repositoryUrl,
        deployment_type: 'dev_free',
        build_on_push: true,
      },
      source_revision_config: { repo_ref: 'main', graph_config_path: 'apps/a/graph.json' },
      secrets: [],
    });
  });

  test('trims the name', () => {
    expect(createRequest({ ...draft, name: ' sample-agent ' }).name).toBe('sample-agent');
  });

  test('carries the optional parts under the names of the interface', () => {
    const full = createRequest({
      ...draft,
      resourceSpec: { cpu: 1.5, memory_mb: 512 },
      listener: { id: '5b0e7f3a-5d3c-4b57-9d3e-0f8f3c1c2a11', name: 'cluster', namespaces: ['apps'] },
      kubernetesNamespace: 'apps',
      installCommand: 'npm ci',
      buildCommand: 'npm run build',
      secrets: [{ name: 'API_KEY', value: 'x' }],
    });
    expect(full.source_config).toMatchObject({
      resource_spec: { cpu: 1.5, memory_mb: 512 },
      listener_id: '5b0e7f3a-5d3c-4b57-9d3e-0f8f3c1c2a11',
      listener_config: { k8s_namespace: 'apps' },
      install_command: 'npm ci',
      build_command: 'npm run build',
    });
    expect(full.secrets).toEqual([{ name: 'API_KEY', value: 'x' }]);
    expect(deploymentCreateWire.parse(full)).toEqual(full);
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

  test('is accepted by the schema of the interface', () => {
    expect(deploymentCreateWire.parse(createRequest(draft))).toEqual(createRequest(draft));
  });
});

describe('a deployment that is found after a request failed', () => {
  const request = createRequest(draft);
  const found = {
    id: '1',
    name: 'sample-agent',
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
    { name: 'sample-agent-2' },
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

  test('is another one where the request names no repository or no ref', () => {
    const source_config = { repo_url: '' };
    expect(isWhatWasRequested({ ...request, source_config }, { ...found, source_config })).toBe(false);
    const source_revision_config = { repo_ref: '' };
    expect(isWhatWasRequested({ ...request, source_revision_config }, { ...found, source_revision_config })).toBe(
      false,
    );
  });
});
