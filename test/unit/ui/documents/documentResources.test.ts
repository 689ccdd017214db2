import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Deployment } from '../../../../src/api/resources/deployments.ts';
import type { Revision } from '../../../../src/api/resources/revisions.ts';
import { localConnection } from '../../../../src/state/connections/connection.ts';
import type { Session } from '../../../../src/state/connections/session.ts';
import { Emitter } from '../../../../src/state/emitter.ts';
import { Agents } from '../../../../src/state/lists/agents.ts';
import { createListenerStore } from '../../../../src/state/lists/listStore.ts';
import { Repositories } from '../../../../src/state/lists/repositories.ts';
import { askForResource, knownResource } from '../../../../src/ui/documents/documentResources.ts';
import type { DocumentPlace } from '../../../../src/ui/window/documentPlace.ts';
import { InMemoryMemory } from '../../../support/editorStorage.ts';
import { followingStores, type FollowingStores } from '../../../support/followingStores.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { testClient, type TestClient } from '../../../support/faultClient.ts';
import { json } from '../../../support/faults.ts';
import { startListService, type ListService } from '../../../support/listService.ts';

const integration = '5f0c1c2e-0000-4000-8000-000000000001';

const away = new Error('out of reach');

const clock = new FakeClock();
const { name: connection } = localConnection;

let service: ListService;
let client: TestClient;
let stores: FollowingStores;
let lists: Parameters<typeof knownResource>[1];

beforeEach(async () => {
  service = await startListService();
  client = testClient({ baseUrl: service.url });
  const session: Session = { kind: 'ready', connection: localConnection, client: () => Promise.reject(away) };
  const connections = { session, onDidChange: new Emitter<Session>().event, clientNamed: () => Promise.reject(away) };
  const dependencies = { connections, clock, workspaceMemory: new InMemoryMemory(), pageSize: () => 20 };
  stores = followingStores({ ...dependencies, pageSize: 20 });
  lists = {
    ...stores,
    listeners: createListenerStore(dependencies),
    repositories: new Repositories(dependencies),
    agents: new Agents(dependencies),
  };
});

afterEach(async () => {
  await client.close();
  await service[Symbol.asyncDispose]();
});

async function ask(place: DocumentPlace, options = {}) {
  return askForResource({ ...stores, clock }, client, { connection, place }, options);
}

/** Serves so many listeners, in pages as large as they are asked for. */
function serveListeners(count: number): void {
  service.answers.set('/v2/listeners', (response, request) => {
    const { searchParams } = new URL(request.url ?? '', service.url);
    const offset = Number(searchParams.get('offset') ?? 0);
    const end = Math.min(offset + Number(searchParams.get('limit')), count);
    const resources = Array.from({ length: Math.max(0, end - offset) }, (_, index) => ({ id: `l${offset + index}` }));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ resources, offset: end }));
  });
}

const other: DocumentPlace = { kind: 'listener', ids: ['other'] };

describe("a listener that the lists don't have", () => {
  it('is found on any page, without requesting later pages', async () => {
    serveListeners(1000);
    expect(await ask({ kind: 'listener', ids: ['l250'] })).toEqual({
      id: 'l250',
    });
    expect(service.asked()).toEqual([0, 100, 200].map((offset) => `/v2/listeners?limit=100&offset=${offset}`));
  });

  it("isn't found if no page has it", async () => {
    serveListeners(150);
    expect(await ask(other)).toBeUndefined();
    expect(service.asked()).toHaveLength(2);
  });

  it('is searched for in a limited number of pages', async () => {
    serveListeners(1_000_000);
    await expect(ask(other)).rejects.toThrow("The listener isn't among the first 10000 listeners of");
    expect(service.asked()).toHaveLength(100);
  });

  it('is no longer searched for once the request is aborted', async () => {
    serveListeners(1000);
    const leaving = new AbortController();
    const asking = ask(other, { signal: leaving.signal });
    await service.arrived(1);
    leaving.abort();
    await expect(asking).rejects.toMatchObject({ kind: 'cancelled' });
    expect(service.asked().length).toBeLessThan(10);
  });
});

it('finds a repository that only one listing has', async () => {
  const record = { id: 2, owner: 'acme', name: 'tool', url: 'https://code.example/acme/tool' };
  service.answers.set(`/v1/integrations/repohost/${integration}/repos`, json([]));
  service.answers.set(`/v1/integrations/forge/repohost/${integration}/repos`, json([record]));
  expect(await ask({ kind: 'repository', ids: [integration, '2'] })).toEqual(record);
});

it("doesn't mistake another deployment for the requested one", async () => {
  service.answers.set('/v2/deployments', json({ resources: [{ id: 'd2', name: 'other' }], offset: 1 }));
  // A service that ignores the filter says nothing about it.
  await expect(ask({ kind: 'deployment', ids: ['d1'] })).rejects.toMatchObject({
    kind: 'unexpectedResponse',
    message: expect.stringMatching(/ sent a response about another deployment\.$/),
  });
  expect(stores.answers.goneAt(connection, 'd1')).toBeUndefined();
  expect(await ask({ kind: 'deployment', ids: ['d2'] })).toEqual({
    id: 'd2',
    name: 'other',
  });
  expect(stores.answers.record(connection, 'd2')).toEqual({ id: 'd2', name: 'other' });
});

it('keeps what the service said of a revision for everyone', async () => {
  service.answers.set('/v2/deployments/d1/revisions/r1', json({ id: 'r1', status: 'BUILDING' }));
  await ask({ kind: 'revision', ids: ['d1', 'r1'] });
  expect(stores.answers.observe(connection, 'd1', 'r1')).toMatchObject({
    revision: { id: 'r1', status: 'BUILDING' },
    revisionAt: clock.monotonic(),
  });
});

describe('what is known', () => {
  it('is a deployment with the error of its list, unless another request answered since', async () => {
    const { answers, deployments } = stores;
    const place = { kind: 'deployment', ids: ['d1'] } as const;
    const created = { id: 'd1', name: 'agent' };
    const put = (record: Deployment): void => {
      const at = clock.monotonic();
      answers.put({ connection, deploymentId: 'd1', record, askedAt: at, receivedAt: at });
    };
    put(created);
    deployments.add('d1');
    await deployments.load();
    expect(knownResource({ connection, place }, lists)).toMatchObject({ resource: created, error: away });
    const found = { ...created, latest_revision_id: 'r1' };
    put(found);
    expect(knownResource({ connection, place }, lists)).toMatchObject({ resource: found, at: clock.monotonic() });
    expect(knownResource({ connection: 'Another', place }, lists)).toBeUndefined();
  });

  it('is a revision as old as the answer that it came with', () => {
    const revision: Revision = { id: 'r1', status: 'BUILDING' };
    const at = clock.monotonic();
    stores.answers.put({ connection, deploymentId: 'd1', revision, askedAt: at, receivedAt: at });
    clock.advance(60_000);
    const known = (id: string) => knownResource({ connection, place: { kind: 'revision', ids: ['d1', id] } }, lists);
    expect(known('r1')).toMatchObject({ resource: revision, at });
    expect(known('r2')).toBeUndefined();
  });
});
