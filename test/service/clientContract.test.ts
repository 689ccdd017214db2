import { beforeAll, describe, expect, it } from 'vitest';
import type { OAuthProviderPatch } from '../../src/api/resources/oauthProviders.ts';
import { commitFiles, git } from '../support/gitRepositories.ts';
import * as samples from '../unit/api/samples.ts';
import {
  control,
  imageOf,
  namesOf,
  readable,
  repositoryOf,
  runningServiceWithClient,
} from './support/clientFixture.ts';
import { stepMs } from './support/fixture.ts';
import { advance } from './support/requests.ts';

const fixture = runningServiceWithClient();
const uuid = expect.stringMatching(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const secret = { name: 'API_TOKEN', value: 'canary-value' };

let listenerId: string;
let integrationId: string;

beforeAll(async () => {
  const { client } = fixture;
  const listener = { compute_type: 'k8s', compute_id: 'shared', compute_config: { k8s_namespaces: ['agents'] } };
  listenerId = (await client.listeners.create(listener)).id;
  integrationId = readable(await client.integrations.listInstallations())[0]?.id ?? '';
});

/** One deployment by its id, as the list gives it. */
async function deploymentOf(id: string) {
  const { resources } = await fixture.client.deployments.list({ deployment_ids: id });
  return readable(resources)[0];
}

describe('POST /v2/deployments', () => {
  it('returns every field of "Deployment", "Source config" and "Resource spec" for external_docker', async () => {
    const source_config = {
      deployment_type: 'prod',
      custom_url: 'https://agent.example',
      resource_spec: samples.resourceSpec,
      listener_id: listenerId,
      listener_config: { k8s_namespace: 'agents' },
    } as const;
    const secret_references = [{ name: 'DB', secret_name: 'db', secret_key: 'password' }];
    const body = { ...imageOf('whole', source_config), secrets: [secret], secret_references };
    const created = await fixture.client.deployments.create(body);
    expect(created).toEqual({
      id: uuid,
      name: 'whole',
      tenant_id: uuid,
      source: 'external_docker',
      source_config,
      source_revision_config: body.source_revision_config,
      secrets: [{ name: 'API_TOKEN' }],
      secret_references,
      status: 'AWAITING_DATABASE',
      latest_revision_id: uuid,
      created_at: timestamp,
      updated_at: timestamp,
    });
    expect(await deploymentOf(created.id)).toEqual(created);
  });

  it('returns the fields of repositories and repo_commit_sha for repohost', async () => {
    const config = { build_on_push: true, install_command: 'npm ci', build_command: 'npm run build' };
    const body = await repositoryOf(fixture, 'from-repository', config);
    const created = await fixture.client.deployments.create(body);
    expect(created).toMatchObject({
      source: 'repohost',
      source_config: { ...config, integration_id: integrationId, repo_url: fixture.sample.url },
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
    const created = await fixture.client.deployments.create({ name, source, source_revision_config, secrets: [] });
    expect(created).toMatchObject({ source, source_revision_config });
  });

  it('logs neither the values of secrets nor the key', async () => {
    await fixture.client.deployments.create({ ...imageOf('quiet'), secrets: [secret] });
    expect(fixture.logged.join('\n')).toContain('quiet');
    expect(fixture.logged.join('\n')).not.toContain(secret.value);
    expect(fixture.logged.join('\n')).not.toContain(fixture.service.apiKey);
  });
});

describe('GET /v2/deployments', () => {
  it('returns latest_revision_id, active_revision_id, status and image_version', async () => {
    const created = await fixture.client.deployments.create(await repositoryOf(fixture, 'travelling'));
    const { id, latest_revision_id: first } = created;
    await advance(fixture.caller, 6 * stepMs);
    await control(fixture, 'POST', `deployments/${id}`, { image_version: '3.12' });
    expect(await fixture.client.revisions.get(id, first ?? '')).toMatchObject({ id: first, status: 'DEPLOYED' });
    expect(await deploymentOf(id)).toMatchObject({
      status: 'READY',
      latest_revision_id: first,
      active_revision_id: first,
      image_version: '3.12',
    });
  });
});

describe('GET /v2/deployments/{deployment_id}/revisions', () => {
  let id: string;

  beforeAll(async () => {
    const body = await repositoryOf(fixture, 'pushed', { build_on_push: true });
    ({ id } = await fixture.client.deployments.create(body));
    await advance(fixture.caller, 6 * stepMs);
    for (const change of ['one', 'two']) {
      await commitFiles(fixture.sample.folder, { 'CHANGES.md': change }, change);
      await git(fixture.sample.folder, 'push', '--quiet', 'origin', 'main');
      await advance(fixture.caller, 1000);
    }
  });

  const statuses = async (query: Parameters<typeof fixture.client.revisions.list>[1], deployment = id) => {
    const { resources } = await fixture.client.revisions.list(deployment, query);
    return readable(resources).map(({ status }) => status);
  };

  it('returns every field of "Revision", newest first', async () => {
    const { resources, offset } = await fixture.client.revisions.list(id);
    expect(offset).toBe(3);
    const [newest, , oldest] = readable(resources);
    expect(newest?.id).toBe((await deploymentOf(id))?.latest_revision_id);
    expect(oldest).toEqual({
      id: uuid,
      created_at: timestamp,
      updated_at: timestamp,
      status: 'DEPLOYED',
      source: 'repohost',
      source_revision_config: {
        repo_ref: 'main',
        graph_config_path: 'graph.json',
        repo_commit_sha: await git(fixture.sample.folder, 'rev-parse', 'HEAD~2'),
      },
    });
  });

  it('filters by remote reconciled revisions', async () => {
    const onListener = await fixture.client.deployments.create(imageOf('reconciled', { listener_id: listenerId }));
    expect(await statuses({ remote_reconciled: true }, onListener.id)).toEqual(['CREATING']);
    expect(await statuses({ remote_reconciled: false }, onListener.id)).toEqual([]);
    expect(await statuses({ remote_reconciled: true })).toEqual([]);
  });

  it('returns one revision, also with status_message', async () => {
    const [newest] = readable((await fixture.client.revisions.list(id)).resources);
    expect(await fixture.client.revisions.get(id, newest?.id ?? '')).toEqual(newest);
    const body = await repositoryOf(fixture, 'broken');
    const source_revision_config = { repo_ref: 'main', graph_config_path: 'missing.json' };
    const broken = await fixture.client.deployments.create({ ...body, source_revision_config });
    await advance(fixture.caller, 6 * stepMs);
    expect(await fixture.client.revisions.get(broken.id, broken.latest_revision_id ?? '')).toMatchObject({
      status: 'BUILD_FAILED',
      status_message: expect.stringContaining('missing.json'),
    });
  });
});

describe('POST and GET /v2/listeners', () => {
  it('return every field of "Listener", also in the list', async () => {
    const created = await fixture.client.listeners.create(samples.listenerCreate);
    expect(created).toEqual({ ...samples.listenerCreate, id: uuid, created_at: timestamp, updated_at: timestamp });
    expect(readable((await fixture.client.listeners.list()).resources)).toContainEqual(created);
  });
});

describe('the endpoints of repository-host integrations', () => {
  it('return every field of "Integration record" from GET /v1/integrations/forge/repohost/install', async () => {
    const integrations = await fixture.client.integrations.listInstallations();
    expect(integrations).toEqual([{ id: uuid, installation_id: 1, name: 'This computer' }]);
  });

  it.each([
    ['/v1/integrations/repohost/{integration_id}/repos', 'listRepositories'],
    ['/v1/integrations/forge/repohost/{integration_id}/repos', 'listForgeRepositories'],
  ] as const)('GET %s: every field of "Repository record"', async (_, list) => {
    expect(await fixture.client.integrations[list](integrationId)).toEqual([
      {
        host_integration_id: integrationId,
        id: expect.any(Number),
        name: 'sample-agent',
        owner: 'acme',
        url: fixture.sample.url,
        default_branch: 'main',
      },
    ]);
  });
});

describe('PATCH /v2/auth/providers/{provider_id}', () => {
  const { id: _, ...provider } = samples.oauthProvider;

  it.each<[string, OAuthProviderPatch]>([
    ['name', { name: 'Another' }],
    ['client_id', { client_id: 'another-client' }],
    ['auth_url', { auth_url: 'https://another.example/authorize' }],
    ['token_url', { token_url: 'https://another.example/token' }],
    ['uses_pkce', { uses_pkce: false }],
    ['code_challenge_method', { code_challenge_method: 'plain' }],
  ])('changes only %s', async (_, patch) => {
    await control(fixture, 'PUT', 'providers/calendar', provider);
    const changed = await fixture.client.oauthProviders.update('calendar', patch);
    expect(changed).toEqual({ ...provider, id: 'calendar', ...patch, updated_at: timestamp });
    expect(await fixture.client.oauthProviders.update('calendar', {})).toMatchObject(patch);
  });

  it('accepts client_secret, which is neither in the response nor in the log', async () => {
    await control(fixture, 'PUT', 'providers/calendar', provider);
    const changed = await fixture.client.oauthProviders.update('calendar', { client_secret: 'canary-secret' });
    expect(changed).toEqual({ ...provider, id: 'calendar', updated_at: timestamp });
    expect(fixture.logged.join('\n')).not.toContain('canary-secret');
  });

  it.each([
    ['name', ''],
    ['client_id', ''],
    ['auth_url', ''],
    ['token_url', ''],
    ['uses_pkce', false],
    ['code_challenge_method', undefined],
  ])('clears only %s for a null', async (field, empty) => {
    await control(fixture, 'PUT', 'providers/calendar', provider);
    const changed = await fixture.client.oauthProviders.update('calendar', { [field]: null });
    expect(changed).toEqual({ ...provider, id: 'calendar', [field]: empty, updated_at: timestamp });
  });

  it('accepts a null client_secret', async () => {
    await control(fixture, 'PUT', 'providers/calendar', provider);
    const changed = await fixture.client.oauthProviders.update('calendar', { client_secret: null });
    expect(changed).toEqual({ ...provider, id: 'calendar', updated_at: timestamp });
  });

  it('passes on a provider_id that needs encoding', async () => {
    const id = 'a/b ?c';
    await control(fixture, 'PUT', `providers/${encodeURIComponent(id)}`, {});
    expect(await fixture.client.oauthProviders.update(id, { name: 'Odd' })).toMatchObject({ id, name: 'Odd' });
  });
});

describe('GET /v2/auth/agents/{agent_id}/connections', () => {
  it('returns every field of "Agent connection"', async () => {
    await control(fixture, 'PUT', 'agents/agent-1/connections', { data: [samples.agentConnection] });
    expect(await fixture.client.agentConnections.list('agent-1')).toEqual({ data: [samples.agentConnection] });
  });

  it('returns no connections for an agent without any', async () => {
    expect(await fixture.client.agentConnections.list('agent-2')).toEqual({ data: [] });
  });
});

describe('the flavor langsmith with the code host of this service', () => {
  const langsmith = { flavor: 'langsmith', codeHost: 'repohost', revisionFilters: undefined } as const;

  it('creates, lists and follows deployments without a config path', async () => {
    await using client = fixture.connect(langsmith);
    const { id } = await client.deployments.create(imageOf('other-flavor'));
    expect(namesOf((await client.deployments.list({ deployment_ids: id })).resources)).toEqual(['other-flavor']);
    const { resources } = await client.revisions.list(id, { status: 'DEPLOYED' });
    expect(resources).toEqual([]);
  });

  it('reads repositories and listeners', async () => {
    await using client = fixture.connect(langsmith);
    expect(readable(await client.integrations.listRepositories(integrationId))).toHaveLength(1);
    expect(readable((await client.listeners.list()).resources)).not.toEqual([]);
  });

  it("can't deploy a repository here, because it renames graph_config_path", async () => {
    await using client = fixture.connect(langsmith);
    const creating = client.deployments.create(await repositoryOf(fixture, 'other-name'));
    await expect(creating).rejects.toMatchObject({ kind: 'invalid', status: 400 });
  });

  it('finds no integrations here with its own code host', async () => {
    await using client = fixture.connect({ ...langsmith, codeHost: undefined });
    await expect(client.integrations.listInstallations()).rejects.toMatchObject({ kind: 'notFound', status: 404 });
  });
});
