import type { Source } from '../../src/api/schema/enums.ts';
import type { DeploymentDraft, RepositoryDraft } from '../../src/core/draft/draft.ts';

const common = { connectionName: 'Work', name: 'agent', deploymentType: 'dev' } as const;

/** A draft from a repository in which everything that a deployment needs is filled in. */
export function completeDraft(changes: Partial<RepositoryDraft> = {}): RepositoryDraft {
  return {
    ...common,
    source: 'repohost',
    integrationId: 'one',
    repositoryUrl: 'https://code.example/acme/agent',
    ref: { kind: 'branch', name: 'main' },
    configPath: 'graph.json',
    buildOnPush: true,
    secrets: [],
    provenance: {},
    ...changes,
  };
}

/** A draft of each source in which every field has a value. */
export function fullDrafts(): Readonly<Record<Source, DeploymentDraft>> {
  const options = () => ({
    ...common,
    customUrl: 'https://agent.example',
    resourceSpec: { cpu: 1.5, memory_mb: 512 },
    listener: { id: '5b0e7f3a-5d3c-4b57-9d3e-0f8f3c1c2a11', name: 'cluster', namespaces: ['apps'] },
    kubernetesNamespace: 'apps',
    installCommand: 'npm ci',
    buildCommand: 'npm run build',
    secrets: [{ name: 'API_KEY', value: 'canary-4f0b-secret' }],
    provenance: {},
  });
  return {
    repohost: completeDraft({ ...options(), integrationId: '0b0e7f3a-5d3c-4b57-9d3e-0f8f3c1c2a10' }),
    external_docker: {
      ...options(),
      source: 'external_docker',
      imageUri: 'registry.example/acme/agent:1.0',
      secretReferences: [{ name: 'DATABASE_PASSWORD', secretName: 'database', secretKey: 'password' }],
    },
    internal_docker: { ...options(), source: 'internal_docker', imageUri: 'pushed/agent:1.0' },
    internal_source: {
      ...options(),
      source: 'internal_source',
      tarballPath: 'uploads/agent.tar.gz',
      configPath: 'apps/a/graph.json',
    },
    internal_template: { ...options(), source: 'internal_template' },
  };
}
