import type { DeploymentDraft } from '../../src/core/draft/draft.ts';

/** A draft in which everything that a deployment needs is filled in. */
export function completeDraft(changes: Partial<DeploymentDraft> = {}): DeploymentDraft {
  return {
    connectionName: 'Work',
    name: 'agent',
    source: 'repohost',
    integrationId: 'one',
    repositoryUrl: 'https://code.example/acme/agent',
    ref: { kind: 'branch', name: 'main' },
    configPath: 'graph.json',
    deploymentType: 'dev',
    buildOnPush: true,
    secrets: [],
    ...changes,
  };
}
