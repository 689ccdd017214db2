import { describe, expect, it } from 'vitest';
import type { DeploymentListQuery } from '../../../../src/api/resources/deployments.ts';
import { failureOf, testClient } from '../../../support/faultClient.ts';
import type { TestClientOptions } from '../../../support/faultClient.ts';
import { startFaultServer } from '../../../support/faultServer.ts';
import type { Fault, SeenRequest } from '../../../support/faultServer.ts';
import { json } from '../../../support/faults.ts';
import * as samples from '../samples.ts';

type Options = Omit<TestClientOptions, 'baseUrl'>;
type TestClient = ReturnType<typeof testClient>;

/** Makes one call against a server that gives `answer`: what it saw and what the call gave. */
async function call<T>(
  answer: unknown,
  make: (client: TestClient) => Promise<T>,
  { path = '', ...options }: Options & { path?: string } = {},
): Promise<{ seen: SeenRequest; result: T }> {
  await using server = await startFaultServer();
  await using client = testClient({ baseUrl: server.url + path, ...options });
  server.answer(json(answer));
  const result = await make(client);
  const [seen] = server.seen;
  if (seen === undefined) throw new Error('Nothing was sent.');
  return { seen, result };
}

const { secrets: _, ...deploymentWithoutSecrets } = samples.deployment;
const readDeployment = { ...deploymentWithoutSecrets, secrets: [{ name: 'API_TOKEN' }] };

const pageOf = (resource: object) => ({ resources: [resource], offset: 1 });

describe('the endpoints of the API', () => {
  it.each<[string, unknown, (client: TestClient) => Promise<unknown>, unknown?]>([
    ['/v2/deployments', pageOf(samples.deployment), (client) => client.deployments.list(), pageOf(readDeployment)],
    [
      '/v2/deployments/d/revisions?limit=3&offset=6',
      pageOf(samples.revision),
      (client) => client.revisions.list('d', { limit: 3, offset: 6 }),
    ],
    ['/v2/deployments/d/revisions/r', samples.revision, (client) => client.revisions.get('d', 'r')],
    [
      '/v2/listeners?limit=2&offset=4',
      pageOf(samples.listener),
      (client) => client.listeners.list({ limit: 2, offset: 4 }),
    ],
    ['/v1/integrations/repohost/i/repos', [samples.repository], (client) => client.integrations.listRepositories('i')],
    [
      '/v1/integrations/forge/repohost/i/repos',
      [samples.repository],
      (client) => client.integrations.listForgeRepositories('i'),
    ],
    [
      '/v1/integrations/forge/repohost/install',
      [samples.integration],
      (client) => client.integrations.listInstallations(),
    ],
    [
      '/v2/auth/agents/a/connections',
      { data: [samples.agentConnection] },
      (client) => client.agentConnections.list('a'),
    ],
    ['/v2/auth/providers', [samples.oauthProvider], (client) => client.oauthProviders.list()],
    [
      '/v2/auth/providers',
      { providers: [samples.oauthProvider] },
      (client) => client.oauthProviders.list(),
      [samples.oauthProvider],
    ],
  ])('GET %s', async (path, answer, make, read = answer) => {
    const { seen, result } = await call(answer, make);
    expect(seen).toMatchObject({ method: 'GET', path, body: '' });
    expect(result).toEqual(read);
  });

  it('POST /v2/deployments', async () => {
    const { seen, result } = await call(samples.deployment, (client) =>
      client.deployments.create(samples.deploymentCreate),
    );
    expect(seen).toMatchObject({ method: 'POST', path: '/v2/deployments' });
    expect(seen.headers['content-type']).toBe('application/json');
    expect(result).toEqual(readDeployment);
  });

  it('POST /v2/listeners', async () => {
    const { seen, result } = await call(samples.listener, (client) => client.listeners.create(samples.listenerCreate));
    expect(seen).toMatchObject({ method: 'POST', path: '/v2/listeners' });
    expect(JSON.parse(seen.body)).toEqual(samples.listenerCreate);
    expect(result).toEqual(samples.listener);
  });

  it('PATCH /v2/auth/providers/{provider_id}', async () => {
    const answer = { ...samples.oauthProvider, client_secret: 'must not be kept' };
    const { seen, result } = await call(answer, (client) =>
      client.oauthProviders.update('p', samples.oauthProviderPatch),
    );
    expect(seen).toMatchObject({ method: 'PATCH', path: '/v2/auth/providers/p' });
    expect(JSON.parse(seen.body)).toEqual(samples.oauthProviderPatch);
    expect(result).toEqual(samples.oauthProvider);
  });
});

describe('the query of GET /v2/deployments', () => {
  const queries: [DeploymentListQuery, string][] = [
    [{ limit: 7 }, 'limit=7'],
    [{ offset: 40 }, 'offset=40'],
    [{ name_contains: 'a b&c' }, 'name_contains=a+b%26c'],
    [{ status: 'READY' }, 'status=READY'],
    [{ remote_reconciled: false }, 'remote_reconciled=false'],
    [{ tag_value_ids: 'a,b' }, 'tag_value_ids=a%2Cb'],
    [{ image_version: '3.12' }, 'image_version=3.12'],
    [{ deployment_type: 'dev_free' }, 'deployment_type=dev_free'],
    [{ deployment_ids: 'a,b' }, 'deployment_ids=a%2Cb'],
  ];

  it.each(queries)('sends %o', async (query, sent) => {
    const { seen } = await call({ resources: [], offset: 0 }, (client) => client.deployments.list(query));
    expect(seen.path).toBe(`/v2/deployments?${sent}`);
  });

  it('sends nothing for a filter that is null', async () => {
    const query = { name_contains: null, status: null, remote_reconciled: null, deployment_type: null };
    const { seen } = await call({ resources: [], offset: 0 }, (client) => client.deployments.list(query));
    expect(seen.path).toBe('/v2/deployments');
  });
});

describe('the query of PATCH /v2/auth/providers/{provider_id}', () => {
  it.each(Object.keys(samples.oauthProviderPatch))('can contain a null %s and omit the others', async (field) => {
    const { seen } = await call(samples.oauthProvider, (client) =>
      client.oauthProviders.update('p', { [field]: null }),
    );
    expect(JSON.parse(seen.body)).toEqual({ [field]: null });
  });
});

describe('the flavor langsmith', () => {
  const flavor = 'langsmith' as const;
  const wire = {
    ...samples.revision,
    source: 'github',
    source_revision_config: { langgraph_config_path: 'agents/graph.json', repo_ref: 'main' },
  };
  const read = {
    ...samples.revision,
    source: 'repohost',
    source_revision_config: { graph_config_path: 'agents/graph.json', repo_ref: 'main' },
  };

  it('renames the source and the config path of a create only on the wire', async () => {
    const { seen, result } = await call(
      { ...wire, name: 'agent' },
      (client) =>
        client.deployments.create({
          name: 'agent',
          source: 'repohost',
          source_revision_config: { graph_config_path: 'agents/graph.json', repo_ref: 'main' },
        }),
      { flavor },
    );
    expect(JSON.parse(seen.body)).toEqual({
      name: 'agent',
      source: 'github',
      source_revision_config: { langgraph_config_path: 'agents/graph.json', repo_ref: 'main' },
    });
    expect(result).toMatchObject({ source: 'repohost', source_revision_config: read.source_revision_config });
  });

  it('renames them back in both lists and in a revision', async () => {
    const page = { resources: [wire], offset: 1 };
    const one = await call(wire, (client) => client.revisions.get('d', 'r'), { flavor });
    const list = await call(page, (client) => client.revisions.list('d'), { flavor });
    const named = { resources: [{ ...wire, name: 'agent' }], offset: 1 };
    const deployments = await call(named, (client) => client.deployments.list(), { flavor });
    expect(one.result).toEqual(read);
    expect(list.result.resources).toEqual([read]);
    expect(deployments.result.resources[0]).toMatchObject({ source: 'repohost' });
  });

  it('leaves other sources unchanged', async () => {
    const { seen } = await call(
      samples.deployment,
      (client) => client.deployments.create({ name: 'agent', source: 'external_docker' }),
      { flavor },
    );
    expect(JSON.parse(seen.body)).toEqual({ name: 'agent', source: 'external_docker' });
  });

  it('reads the address and the display name that its deployments have beside the fields of the interface', async () => {
    const row = { ...samples.deployment, url: 'agent.example', display_name: 'My agent' };
    const { result } = await call({ resources: [row], offset: 1 }, (client) => client.deployments.list(), { flavor });
    expect(result.resources).toMatchObject([{ url: 'agent.example', display_name: 'My agent' }]);
  });

  it('lists the installations of both applications, each once', async () => {
    const [shared, ofForge] = [samples.integration, { ...samples.integration, id: samples.listener.id, name: 'forge' }];
    expect(await installations({ deployment: json([shared]), forge: json([shared, ofForge]) })).toEqual({
      paths: ['/v1/integrations/forge/github/install', '/v1/integrations/github/install'],
      result: [shared, ofForge],
    });
  });

  it('lists the installations of one application where the service does not offer the other list', async () => {
    const [one, missing] = [json([samples.integration]), json({ detail: 'Not Found' }, 404)];
    expect((await installations({ deployment: one, forge: missing })).result).toEqual([samples.integration]);
    expect((await installations({ deployment: missing, forge: one })).result).toEqual([samples.integration]);
  });

  it('fails where one list fails, or the service offers none', async () => {
    const [one, missing] = [json([samples.integration]), json({ detail: 'Not Found' }, 404)];
    const forbidden = json({ detail: 'Not for you' }, 403);
    await expect(installations({ deployment: one, forge: forbidden })).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(installations({ deployment: missing, forge: missing })).rejects.toMatchObject({ kind: 'notFound' });
  });

  /** Lists the installations of a service with these answers for the two applications. */
  async function installations({ deployment, forge }: Readonly<Record<'deployment' | 'forge', Fault>>) {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url, flavor });
    server.answer((response, request) =>
      (request.url?.includes('/forge/') === true ? forge : deployment)(response, request),
    );
    const result = await client.integrations.listInstallations();
    return { paths: server.seen.map(({ path }) => path).toSorted(), result };
  }

  it('sends the revision filters, unlike the standard flavor without names for them', async () => {
    const query = { limit: 5, status: 'BUILDING,DEPLOYED', remote_reconciled: true };
    const page = { resources: [], offset: 0 };
    const named = await call(page, (client) => client.revisions.list('d', query), { flavor });
    const standard = await call(page, (client) => client.revisions.list('d', query));
    expect(named.seen.path).toBe(
      '/v2/deployments/d/revisions?limit=5&status=BUILDING%2CDEPLOYED&remote_reconciled=true',
    );
    expect(standard.seen.path).toBe('/v2/deployments/d/revisions?limit=5');
  });
});

describe("a connection's own code host", () => {
  it('replaces the name in paths and in the source, in both directions', async () => {
    const codeHost = 'gitforge';
    const listed = await call([], (client) => client.integrations.listRepositories('i'), { codeHost });
    expect(listed.seen.path).toBe('/v1/integrations/gitforge/i/repos');
    const created = await call(
      { ...samples.deployment, source: codeHost },
      (client) => client.deployments.create({ name: 'agent', source: 'repohost' }),
      { codeHost },
    );
    expect(JSON.parse(created.seen.body)).toMatchObject({ source: codeHost });
    expect(created.result.source).toBe('repohost');
  });
});

describe('the headers of a request', () => {
  const list = (client: TestClient) => client.deployments.list();
  const page = { resources: [], offset: 0 };

  it('contain the key in X-Api-Key by default', async () => {
    const { seen } = await call(page, list, { auth: async () => ' a-key\n' });
    expect(seen.headers['x-api-key']).toBe('a-key');
  });

  it.each(['Bearer', 'Bearer '])('contain the key in another header after the prefix "%s"', async (authPrefix) => {
    const { seen } = await call(page, list, { auth: async () => 'a-key', authHeader: 'Authorization', authPrefix });
    expect(seen.headers.authorization).toBe('Bearer a-key');
    expect(seen.headers['x-api-key']).toBeUndefined();
  });

  it('contain no key if there is none', async () => {
    const { seen } = await call(page, list, { auth: async () => '' });
    expect(seen.headers['x-api-key']).toBeUndefined();
  });

  it("contain the connection's own headers", async () => {
    const { seen } = await call(page, list, { headers: { 'X-Tenant-Id': 'tenant-1' } });
    expect(seen.headers['x-tenant-id']).toBe('tenant-1');
  });

  it.each(['Transfer-Encoding', 'Expect', 'Content-Length', 'Bad Name'])(
    'are rejected for a %s of the connection',
    async (name) => {
      await using server = await startFaultServer();
      await using client = testClient({ baseUrl: server.url, headers: { [name]: 'x' } });
      expect(await failureOf(list(client))).toMatchObject({ kind: 'invalid', sent: false });
      expect(server.seen).toEqual([]);
    },
  );

  it('contain a fresh key in every call', async () => {
    await using server = await startFaultServer();
    const keys = ['first', 'second'];
    await using client = testClient({ baseUrl: server.url, auth: async () => keys.shift() ?? '' });
    server.answer(json(page));
    await list(client);
    await list(client);
    expect(server.seen.map(({ headers }) => headers['x-api-key'])).toEqual(['first', 'second']);
  });
});

describe('a base URL', () => {
  it.each(['/api-host', '/api-host/', '/api-host/v2'])('can have a path prefix like "%s"', async (path) => {
    const { seen } = await call({ resources: [], offset: 0 }, (client) => client.deployments.list(), { path });
    expect(seen.path).toBe('/api-host/v2/deployments');
  });
});
