import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Deployment, DeploymentCreate } from '../../src/api/resources/deployments.ts';
import { failureOf, testClient } from '../support/faultClient.ts';
import type { TestClient } from '../support/faultClient.ts';
import { git } from '../support/gitRepositories.ts';
import * as samples from '../unit/api/samples.ts';
import { runningServiceWithSample, stepMs } from './support/fixture.ts';
import { advance, imageBody, integrationId, repositoryBody } from './support/requests.ts';

const fixture = runningServiceWithSample();
const uuid = expect.stringMatching(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const secret = { name: 'API_TOKEN', value: 'canary-value' };

let client: TestClient;
let listenerId: string;

beforeAll(async () => {
  const { url, apiKey } = fixture.service;
  client = testClient({ baseUrl: url, auth: async () => apiKey });
  const listener = { compute_type: 'k8s', compute_id: 'shared', compute_config: { k8s_namespaces: ['agents'] } };
  listenerId = (await client.listeners.create(listener)).id;
});

afterAll(() => client.close());

/** Sets what no endpoint can set, through a development control. */
async function put(path: string, body: object): Promise<void> {
  expect((await fixture.caller.send('PUT', `/_dev/${path}`, { body })).status).toBe(200);
}

async function create(body: object): Promise<Deployment> {
  return client.deployments.create(body as DeploymentCreate);
}

describe('POST /v2/deployments', () => {
  it('returns every field of "Deployment", "Source config" and "Resource spec" for external_docker', async () => {
    const source_config = {
      deployment_type: 'prod',
      custom_url: 'https://agent.example',
      resource_spec: { ...samples.resourceSpec, sidecars: [{ name: 'proxy', livenessProbe: { a: 1 } }] },
      listener_id: listenerId,
      listener_config: { k8s_namespace: 'agents' },
    } as const;
    const secret_references = [{ name: 'DB', secret_name: 'db', secret_key: 'password' }];
    const body = imageBody('whole', { source_config, secrets: [secret], secret_references });
    const created = await create(body);
    expect(created).toEqual({
      id: uuid,
      name: 'whole',
      tenant_id: uuid,
      source: 'external_docker',
      source_config,
      source_revision_config: body['source_revision_config'],
      secrets: [{ name: 'API_TOKEN' }],
      secret_references,
      status: 'AWAITING_DATABASE',
      latest_revision_id: uuid,
      created_at: timestamp,
      updated_at: timestamp,
    });
    expect(await client.deployments.find(created.id)).toEqual(created);
  });

  it('returns the fields of repositories and repo_commit_sha for repohost', async () => {
    const config = { build_on_push: true, install_command: 'npm ci', build_command: 'npm run build' };
    const created = await create(await repositoryBody(fixture.caller, 'from-repository', { source_config: config }));
    expect(created).toMatchObject({
      source: 'repohost',
      source_config: { ...config, integration_id: await integrationId(fixture.caller), repo_url: fixture.sample.url },
      source_revision_config: {
        repo_ref: 'main',
        graph_config_path: 'graph.json',
        repo_commit_sha: await git(fixture.sample.folder, 'rev-parse', 'HEAD'),
      },
    });
  });

  it.each([
    ['internal_docker', { image_uri: 'registry.example/pushed:1' }],
    ['internal_source', { source_tarball_path: '/uploads/1.tar.gz', graph_config_path: 'graph.json' }],
    ['internal_template', {}],
  ] as const)('%s: its fields of "Source revision config" come back', async (source, source_revision_config) => {
    const name = source.replace('_', '-');
    const created = await create({ name, source, source_revision_config, secrets: [] });
    expect(created).toMatchObject({ source, source_revision_config });
  });
});

describe('GET /v2/deployments/{deployment_id}/revisions', () => {
  it('returns every field of "Revision" and status_message, also of one revision', async () => {
    const source_revision_config = { repo_ref: 'main', graph_config_path: 'missing.json' };
    const created = await create(await repositoryBody(fixture.caller, 'broken', { source_revision_config }));
    const { id, latest_revision_id: revisionId = '' } = created;
    await advance(fixture.caller, 6 * stepMs);
    const revision = await client.revisions.get(id, revisionId);
    expect(revision).toEqual({
      id: revisionId,
      created_at: timestamp,
      updated_at: timestamp,
      status: 'BUILD_FAILED',
      status_message: expect.stringContaining('missing.json'),
      source: 'repohost',
      source_revision_config: {
        ...source_revision_config,
        repo_commit_sha: await git(fixture.sample.folder, 'rev-parse', 'HEAD'),
      },
    });
    expect(await client.revisions.list(id)).toEqual({ resources: [revision], offset: 1 });
  });
});

describe('POST and GET /v2/listeners', () => {
  it('return every field of "Listener", also in the list', async () => {
    const created = await client.listeners.create(samples.listenerCreate);
    expect(created).toEqual({ ...samples.listenerCreate, id: uuid, created_at: timestamp, updated_at: timestamp });
    expect((await client.listeners.list()).resources).toContainEqual(created);
  });
});

describe('PATCH /v2/auth/providers/{provider_id}', () => {
  const { id: _, ...provider } = samples.oauthProvider;

  it.each([
    ['name', 'Another', ''],
    ['client_id', 'another-client', ''],
    ['auth_url', 'https://another.example/authorize', ''],
    ['token_url', 'https://another.example/token', ''],
    ['uses_pkce', false, false],
    ['code_challenge_method', 'plain', undefined],
    ['client_secret', 'canary-secret', undefined],
  ])('changes only %s, also to null', async (field, value, empty) => {
    await put('providers/calendar', provider);
    const shown = field === 'client_secret' ? {} : { [field]: value };
    const changed = { ...provider, id: 'calendar', ...shown, updated_at: timestamp };
    expect(await client.oauthProviders.update('calendar', { [field]: value })).toEqual(changed);
    expect(await client.oauthProviders.update('calendar', {})).toEqual(changed);
    const cleared = await client.oauthProviders.update('calendar', { [field]: null });
    expect(cleared).toEqual({ ...changed, [field]: empty });
    expect(client.logged.join('\n')).not.toContain('canary-secret');
  });

  it('passes on a provider_id that needs encoding', async () => {
    const id = 'a/b ?c';
    await put(`providers/${encodeURIComponent(id)}`, {});
    expect(await client.oauthProviders.update(id, { name: 'Odd' })).toMatchObject({ id, name: 'Odd' });
  });
});

describe('GET /v2/auth/agents/{agent_id}/connections', () => {
  it('returns every field of "Agent connection"', async () => {
    await put('agents/agent-1/connections', { data: [samples.agentConnection] });
    expect(await client.agentConnections.list('agent-1')).toEqual({ data: [samples.agentConnection] });
  });

  it('returns no connections for an agent without any', async () => {
    expect(await client.agentConnections.list('agent-2')).toEqual({ data: [] });
  });
});

describe('an error of the service', () => {
  it('has its reason', async () => {
    const error = await failureOf(client.listeners.create({ compute_type: 'vm', compute_id: 'x' }));
    expect(error).toMatchObject({ kind: 'invalid', status: 400, fields: undefined });
    expect(error.message).toContain("'compute_type' must be k8s.");
  });

  it('has the place of a rejected field, and what is wrong with it', async () => {
    const error = await failureOf(client.revisions.get(listenerId, 'no-uuid'));
    expect(error).toMatchObject({ kind: 'invalid', status: 422 });
    expect(error.fields).toEqual([{ path: 'revision_id', message: 'must be a UUID' }]);
  });
});
