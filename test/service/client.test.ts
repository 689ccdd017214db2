import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import type { Client } from '../../src/api/client.ts';
import type { DeploymentCreate } from '../../src/api/deployments.ts';
import { isUnreadable } from '../../src/api/page.ts';
import type { Unreadable } from '../../src/api/page.ts';
import { runningServiceWithSample, stepMs } from './support/fixture.ts';
import { advance } from './support/requests.ts';

const fixture = runningServiceWithSample();
let client: Client;

beforeAll(() => {
  client = clientWith(fixture.service.apiKey);
});

afterAll(async () => {
  await client.close();
});

function clientWith(apiKey: string): Client {
  return createClient({
    baseUrl: fixture.service.url,
    auth: async () => apiKey,
    revisionFilters: { status: 'status', remote_reconciled: 'remote_reconciled' },
  });
}

describe('the client and the local service agree', () => {
  test('on the way of a deployment, from the repositories to the live revision', async () => {
    const [installation] = readable(await client.integrations.listInstallations());
    const [repository] = readable(await client.integrations.listRepositories(installation!.id));
    expect(readable(await client.integrations.listForgeRepositories(installation!.id))).toEqual([repository]);
    const created = await client.deployments.create({
      name: 'travelling',
      source: 'repohost',
      source_config: {
        integration_id: repository!.host_integration_id,
        repo_url: repository!.url,
        deployment_type: 'dev',
        resource_spec: { cpu: 0.5, memory_mb: 512 },
      },
      source_revision_config: { repo_ref: repository!.default_branch, graph_config_path: 'graph.json' },
      secrets: [{ name: 'TOKEN', value: 'canary' }],
    });
    expect(created).toMatchObject({ name: 'travelling', status: 'AWAITING_DATABASE', secrets: [{ name: 'TOKEN' }] });
    await advance(fixture.caller, 6 * stepMs);
    const revision = await client.revisions.get(created.id, created.latest_revision_id!);
    expect(revision).toMatchObject({ status: 'DEPLOYED', source: 'repohost' });
    const { resources } = await client.deployments.list({ deployment_ids: created.id });
    expect(resources).toMatchObject([{ status: 'READY', active_revision_id: revision.id }]);
  });

  test('on every filter of the deployment list', async () => {
    const created = await client.deployments.create(imageDeployment('filtered', 'prod'));
    await fixture.caller.post(`/_dev/deployments/${created.id}`, {
      status: 'UNUSED',
      tag_value_ids: ['a', 'b'],
      remote_reconciled: true,
      image_version: '1.2.3',
    });
    const { resources } = await client.deployments.list({
      limit: 10,
      offset: 0,
      name_contains: 'filter',
      status: 'UNUSED',
      remote_reconciled: true,
      tag_value_ids: 'b,c',
      image_version: '1.2.3',
      deployment_type: 'prod',
      deployment_ids: created.id,
    });
    expect(resources).toMatchObject([{ id: created.id, image_version: '1.2.3' }]);
  });

  test('on where a list ends', async () => {
    for (let index = 0; index < 23; index++) await client.deployments.create(imageDeployment(`page-${index}`, 'dev'));
    const names: string[] = [];
    for await (const deployment of client.deployments.listAll({ name_contains: 'page-', limit: 5 })) {
      if (!isUnreadable(deployment)) names.push(deployment.name);
    }
    expect(names).toHaveLength(23);
    expect(new Set(names).size).toBe(23);
  });

  test('on the filters of revisions', async () => {
    const { id } = await client.deployments.create(imageDeployment('revisions', 'dev'));
    const count = async (query: object) => (await client.revisions.list(id, query)).resources.length;
    expect(await count({ status: 'CREATING,QUEUED' })).toBe(1);
    expect(await count({ status: 'DEPLOYED' })).toBe(0);
    expect(await count({ remote_reconciled: false })).toBe(1);
    expect(await count({ remote_reconciled: true, limit: 5, offset: 0 })).toBe(0);
  });

  test('on listeners', async () => {
    const created = await client.listeners.create({
      compute_type: 'k8s',
      compute_id: 'cluster',
      compute_config: { k8s_namespaces: ['agents'] },
      version: '1.0.0',
    });
    expect((await client.listeners.list()).resources).toEqual([created]);
  });

  test('on OAuth providers and agent connections', async () => {
    await fixture.caller.send('PUT', '/_dev/providers/mail', { body: {} });
    await fixture.caller.send('PUT', '/_dev/agents/helper/connections', { body: { data: [{ scopes: ['read'] }] } });
    const changed = await client.oauthProviders.update('mail', { name: 'Mail', client_secret: 'canary' });
    expect(changed).toMatchObject({ provider_id: 'mail', name: 'Mail' });
    expect((await client.agentConnections.list('helper')).data).toMatchObject([
      { agent_id: 'helper', scopes: ['read'] },
    ]);
  });
});

describe('the errors of the local service', () => {
  test('are told apart by the client, with the words of the service', async () => {
    await client.deployments.create(imageDeployment('twice', 'dev'));
    const unknown = 'f3a9b6d2-5a4e-4d0f-9f5a-2f4e1b8f0c11';
    const image = imageDeployment('wrong', 'dev');
    const cases: [() => Promise<unknown>, object][] = [
      [
        async () => client.deployments.create(imageDeployment('twice', 'dev')),
        { kind: 'conflict', status: 409, sent: true },
      ],
      [async () => client.revisions.list(unknown), { kind: 'notFound', status: 404 }],
      [
        async () => client.deployments.create({ ...image, source_revision_config: {} }),
        { kind: 'invalid', status: 400 },
      ],
      [async () => client.deployments.create({ ...image, name: ' ' }), { kind: 'invalid', status: 422 }],
    ];
    for (const [call, expected] of cases) await expect(call()).rejects.toMatchObject(expected);
    const refused = client.deployments.create({ ...image, source_revision_config: {} });
    await expect(refused).rejects.toThrow("'source_revision_config.image_uri' is required");
  });

  test('of a wrong key are told as such', async () => {
    const stranger = clientWith('wrong');
    await expect(stranger.deployments.list()).rejects.toMatchObject({ kind: 'unauthorized', status: 401 });
    await stranger.close();
  });

  test('that pass by are met with another try, for reads only', async () => {
    await fixture.caller.post('/_dev/faults', { next: 1, status: 503 });
    expect((await client.listeners.list()).resources).toBeInstanceOf(Array);
    await fixture.caller.post('/_dev/faults', { next: 1, status: 503 });
    await expect(client.deployments.create(imageDeployment('once', 'dev'))).rejects.toMatchObject({ kind: 'server' });
    expect((await client.deployments.list({ name_contains: 'once' })).resources).toEqual([]);
  });
});

function imageDeployment(name: string, type: 'dev' | 'prod'): DeploymentCreate {
  return {
    name,
    source: 'external_docker',
    source_config: { deployment_type: type },
    source_revision_config: { image_uri: 'registry.example/acme/agent:1.0' },
    secrets: [],
  };
}

function readable<T extends object>(items: readonly (T | Unreadable)[]): T[] {
  expect(items.filter(isUnreadable)).toEqual([]);
  return items as T[];
}
