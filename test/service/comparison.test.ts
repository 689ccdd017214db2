import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Deployment, DeploymentCreate } from '../../src/api/resources/deployments.ts';
import { draftOfFile } from '../../src/core/draft/deploymentFileText.ts';
import { createRequest } from '../../src/core/draft/createRequest.ts';
import { compareWithFile, compareWithWish, type DeploymentWish } from '../../src/core/draft/deploymentChange.ts';
import { testClient } from '../support/faultClient.ts';
import type { TestClient } from '../support/faultClient.ts';
import { runningServiceWithSample } from './support/fixture.ts';
import { imageBody, integrationId, repositoryBody } from './support/requests.ts';

const fixture = runningServiceWithSample();
const secrets = ['A', 'B', 'C'].map((name) => ({ name, value: `canary-4c1d ${name}` }));
const spec = { cpu: 1, memory_mb: 512, labels: { team: 'search' } };
let client: TestClient;

beforeAll(() => {
  const { url, apiKey } = fixture.service;
  client = testClient({ baseUrl: url, auth: async () => apiKey });
});

afterAll(() => client.close());

const create = async (body: object): Promise<Deployment> => client.deployments.create(body as DeploymentCreate);

/** Does what the comparison says, and compares again. */
async function change(before: Deployment, wish: DeploymentWish) {
  const { patch, ...promised } = compareWithWish(before, wish);
  const after = await client.changes.update(before.id, patch ?? {}, { latest: before.latest_revision_id });
  return { promised, after };
}

describe('a file that was just deployed', () => {
  it.each([
    { source: 'repohost' },
    { source: 'external_docker', image: 'registry.example/acme/agent:1.0' },
    { source: 'internal_docker', image: 'pushed/agent:1.0' },
    { source: 'internal_source' },
    { source: 'internal_template' },
    { source: 'internal_template', resources: {}, secrets: {}, install_command: '' },
    { source: 'internal_template', resources: { cpu: 2, memory_mb: null }, secrets: { KEY: 'ask' } },
  ] as const)('has nothing that differs or that only the service has: %j', async (said) => {
    const name = `just-${said.source.replace('_', '-')}-${Object.keys(said).length}`;
    const draft = draftOfFile(
      { name, ...said },
      {
        connectionName: 'Work',
        fileName: 'agent.deployment-spec.yaml',
        repositoryUrl: 'https://code.example/acme/sample-agent',
        ref: 'main',
        configPath: 'graph.json',
        resourceSpec: undefined,
      },
    );
    if (draft.source === 'repohost') draft.integrationId = await integrationId(fixture.caller);
    const { change, ...told } = compareWithFile(await create(createRequest(draft)), draft);
    expect(told).toEqual({ differing: [], onlyOnService: [] });
    expect(change.patch).toBeUndefined();
  });
});

describe('the patch of a comparison', () => {
  it('makes the record as wished, and leaves the rest', async () => {
    const source_config = { build_command: 'npm run build', resource_spec: spec };
    const before = await create(await repositoryBody(fixture.caller, 'compared', { source_config, secrets }));
    const wish: DeploymentWish = {
      source_config: { build_on_push: false, install_command: 'npm ci', resource_spec: { cpu: 2 } },
      source_revision_config: { repo_ref: 'main', graph_config_path: 'graph.json' },
    };
    const { promised, after } = await change(before, wish);
    expect(promised.differences.map(({ label, to }) => `${label} → ${to}`)).toEqual([
      'Build on push → off',
      'Install command → npm ci',
      'Main service: CPU request → 2',
      'Main service: Memory request → service default',
      'Labels → service default',
    ]);
    expect(after).toMatchObject({
      source_config: { ...wish.source_config, build_command: 'npm run build' },
      secrets: before.secrets,
    });
    expect(after.source_config?.resource_spec).toEqual({ cpu: 2 });
    expect(after.latest_revision_id).not.toBe(before.latest_revision_id);
    expect(compareWithWish(after, wish)).toMatchObject({ patch: undefined, differences: [] });
  });

  it('replaces the whole environment, and nothing else', async () => {
    const before = await create(imageBody('environment', { secrets }));
    const wished = [
      { name: 'A', value: 'canary-4c1d new' },
      { name: 'D', value: 'canary-4c1d D' },
    ];
    const { promised, after } = await change(before, { secrets: wished });
    expect(promised.findings.map(({ message }) => message)).toEqual(['These secrets will be gone: B, C.']);
    expect(after.secrets).toEqual([{ name: 'A' }, { name: 'D' }]);
    expect(after.source_revision_config).toEqual(before.source_revision_config);
  });

  it.each<[string, DeploymentWish]>([
    ['an empty environment', { secrets: [] }],
    ['a secret without a value', { secrets: [{ name: 'A', value: undefined }] }],
    ['another name', { name: 'other', source_revision_config: { image_uri: 'acme/agent:2' } }],
    ['no image', { source_revision_config: { image_uri: null } }],
  ])('is not there for %s, so the deployment stays as it is', async (what, wish) => {
    const before = await create(imageBody(`unchanged-${what.replaceAll(' ', '-')}`, { secrets }));
    const { promised, after } = await change(before, wish);
    expect(promised.findings).not.toEqual([]);
    expect({ ...after, updated_at: before.updated_at, status: before.status }).toEqual(before);
  });
});
