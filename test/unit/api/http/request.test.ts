import { describe, expect } from 'vitest';
import type { ApiError } from '../../../../src/api/errors.ts';
import type { DeploymentCreate } from '../../../../src/api/resources/deployments.ts';
import { failureOf, testClient } from '../../../support/faultClient.ts';
import { startFaultServer } from '../../../support/faultServer.ts';
import { json } from '../../../support/faults.ts';
import * as samples from '../samples.ts';
import { it } from '../clientTest.ts';

/** Sends a create that must be refused before it leaves this machine. */
async function refusalOf(body: object): Promise<ApiError> {
  await using server = await startFaultServer();
  await using client = testClient({ baseUrl: server.url });
  const error = await failureOf(client.deployments.create(body as DeploymentCreate));
  expect(server.seen).toEqual([]);
  expect(error).toMatchObject({ kind: 'invalid', sent: false });
  return error;
}

/** The body that arrives for a create. */
async function sentBodyOf(body: object): Promise<unknown> {
  await using server = await startFaultServer();
  await using client = testClient({ baseUrl: server.url });
  server.answer(json(samples.deployment, 201));
  await client.deployments.create(body as DeploymentCreate);
  return JSON.parse(server.seen[0]?.body ?? '');
}

const minimal = { name: 'agent', source: 'repohost' };
const withSpec = (spec: object) => ({ ...minimal, source_config: { resource_spec: spec } });

describe('a create request', () => {
  it('arrives with every field of the API, unchanged', async () => {
    expect(await sentBodyOf(samples.deploymentCreate)).toEqual(samples.deploymentCreate);
  });

  it('is refused with every read-only field of a deployment', async () => {
    const readOnly = [
      'id',
      'tenant_id',
      'created_at',
      'updated_at',
      'status',
      'latest_revision_id',
      'active_revision_id',
    ];
    const error = await refusalOf({ ...minimal, ...Object.fromEntries(readOnly.map((field) => [field, 'x'])) });
    expect(error.fields?.map(({ path }) => path)).toEqual(readOnly);
    expect(error.message).toContain("id is set by the service and can't be sent");
  });

  it('can contain a read-only field that is null', async () => {
    expect(await sentBodyOf({ ...minimal, id: null })).toEqual({ ...minimal, id: null });
  });

  it('is refused with repo_commit_sha', async () => {
    const error = await refusalOf({ ...minimal, source_revision_config: { repo_commit_sha: 'abc' } });
    expect(error.fields).toEqual([
      { path: 'source_revision_config.repo_commit_sha', message: "is set by the service and can't be sent" },
    ]);
  });

  it.each(['repohost', 'internal_docker', 'internal_source', 'internal_template'])(
    'is refused with secret references for the source %s',
    async (source) => {
      const error = await refusalOf({ ...minimal, source, secret_references: [{ name: 'A' }] });
      expect(error.fields?.[0]?.path).toBe('secret_references');
    },
  );

  it('can contain an empty list of secret references for any source', async () => {
    expect(await sentBodyOf({ ...minimal, secret_references: [] })).toEqual({ ...minimal, secret_references: [] });
  });

  it('is refused with an unknown source, naming the known ones', async () => {
    const error = await refusalOf({ name: 'agent', source: 'ftp' });
    expect(error.message).toContain('source must be one of repohost, external_docker');
    expect(error.message).not.toContain('ftp');
  });

  it('is refused with an unknown deployment type', async () => {
    const error = await refusalOf({ ...minimal, source_config: { deployment_type: 'huge' } });
    expect(error.message).toContain('source_config.deployment_type must be one of dev_free, dev, prod');
  });

  it.each(Object.keys(samples.wholeFields))('is refused with a fraction of %s', async (field) => {
    const error = await refusalOf(withSpec({ [field]: 1.5 }));
    expect(error.fields?.[0]?.path).toBe(`source_config.resource_spec.${field}`);
  });

  it.each(Object.keys(samples.cpuFields))('can contain a fraction of %s', async (field) => {
    expect(await sentBodyOf(withSpec({ [field]: 0.25 }))).toEqual(withSpec({ [field]: 0.25 }));
  });

  it("leaves everything that the document doesn't forbid to the service", async () => {
    const unusual = {
      ...minimal,
      name: 'Not A Usual Name',
      added_later: true,
      source_config: {
        integration_id: 'not-a-uuid',
        resource_spec: { cpu: 999, min_scale: 5, max_scale: 1, extra: 1 },
      },
      source_revision_config: { added_later: [1] },
    };
    expect(await sentBodyOf(unusual)).toEqual(unusual);
  });

  it('keeps unknown members of Kubernetes objects', async () => {
    const spec = { sidecars: [{ name: 'a', ports: [{ containerPort: 80 }] }], volumes: [{ hostPath: { path: '/' } }] };
    expect(await sentBodyOf(withSpec(spec))).toEqual(withSpec(spec));
  });
});

describe('the bounds of the lists', () => {
  it.for([
    { query: { limit: 0 }, says: 'limit must be at least 1' },
    { query: { limit: 101 }, says: 'limit must be at most 100' },
    { query: { limit: 1.5 }, says: 'limit must be a whole number' },
    { query: { offset: -1 }, says: 'offset must not be negative' },
    { query: { offset: 0.5 }, says: 'offset must be a whole number' },
    { query: { offset: 2 ** 53 }, says: 'offset must be at most 9007199254740991' },
  ])('reject $query for all three lists', async ({ query, says }, { server, client }) => {
    for (const call of [
      client.deployments.list(query),
      client.revisions.list('a', query),
      client.listeners.list(query),
    ]) {
      const error = await failureOf(call);
      expect(error).toMatchObject({ kind: 'invalid', sent: false });
      expect(error.message).toContain(says);
    }
    expect(server.seen).toEqual([]);
  });

  it.for([{ limit: 1 }, { limit: 100 }, { offset: 0 }])('allow %o', async (query, { server, client }) => {
    server.answer(json({ resources: [], offset: 0 }));
    await client.deployments.list(query);
    await client.revisions.list('a', query);
    await client.listeners.list(query);
    expect(server.count('GET')).toBe(3);
  });

  it('reject an unknown deployment type as a filter', async () => {
    await using client = testClient({ baseUrl: 'http://127.0.0.1:1' });
    const query = { deployment_type: 'huge' as 'prod' };
    expect(await failureOf(client.deployments.list(query))).toMatchObject({ kind: 'invalid', sent: false });
  });
});

describe('a listener', () => {
  it.for(['id', 'created_at', 'updated_at'])(
    'is not registered with the read-only field %s',
    async (field, { server, client }) => {
      const error = await failureOf(client.listeners.create({ ...samples.listenerCreate, [field]: 'x' }));
      expect(error.fields).toEqual([{ path: field, message: "is set by the service and can't be sent" }]);
      expect(server.seen).toEqual([]);
    },
  );
});

describe('an identifier in a path', () => {
  it.each(['', '.', '..'])('is refused when it is "%s", because it would change the path', async (id) => {
    await using client = testClient({ baseUrl: 'http://127.0.0.1:1' });
    for (const call of [
      client.revisions.list(id),
      client.revisions.get('a', id),
      client.integrations.listRepositories(id),
      client.integrations.listForgeRepositories(id),
      client.oauthProviders.update(id, {}),
      client.agentConnections.list(id),
    ]) {
      expect(await failureOf(call)).toMatchObject({ kind: 'invalid', sent: false });
    }
  });

  it('is encoded and stays one step of the path', async ({ server, client }) => {
    server.answer(json({ data: [] }));
    await client.agentConnections.list('a/b?c#d e\uD800');
    expect(server.seen[0]?.path).toBe('/v2/auth/agents/a%2Fb%3Fc%23d%20e%EF%BF%BD/connections');
  });
});
