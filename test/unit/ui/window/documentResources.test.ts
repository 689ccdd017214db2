import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Revision } from '../../../../src/api/resources/revisions.ts';
import { localConnection } from '../../../../src/state/connections/connection.ts';
import type { Session } from '../../../../src/state/connections/session.ts';
import { Emitter } from '../../../../src/state/emitter.ts';
import { Agents } from '../../../../src/state/lists/agents.ts';
import { Deployments } from '../../../../src/state/lists/deployments.ts';
import { createListenerStore } from '../../../../src/state/lists/listeners.ts';
import { Repositories } from '../../../../src/state/lists/repositories.ts';
import { askForResource, knownResource } from '../../../../src/ui/window/documentResources.ts';
import { InMemoryMemory } from '../../../support/editorStorage.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { testClient, type TestClient } from '../../../support/faultClient.ts';
import { json } from '../../../support/faults.ts';
import { startListService, type ListService } from '../../../support/listService.ts';

const integration = '5f0c1c2e-0000-4000-8000-000000000001';

let service: ListService;
let client: TestClient;

beforeEach(async () => {
  service = await startListService();
  client = testClient({ baseUrl: service.url });
});

afterEach(async () => {
  await client.close();
  await service[Symbol.asyncDispose]();
});

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

describe("a listener that the lists don't have", () => {
  it('is found on any page, without requesting later pages', async () => {
    serveListeners(1000);
    expect(await askForResource({ kind: 'listener', ids: ['l250'] }, client, {})).toEqual({ id: 'l250' });
    expect(service.asked()).toEqual([0, 100, 200].map((offset) => `/v2/listeners?limit=100&offset=${offset}`));
  });

  it("isn't found if no page has it", async () => {
    serveListeners(150);
    expect(await askForResource({ kind: 'listener', ids: ['other'] }, client, {})).toBeUndefined();
    expect(service.asked()).toHaveLength(2);
  });

  it('is searched for in a limited number of pages', async () => {
    serveListeners(1_000_000);
    await expect(askForResource({ kind: 'listener', ids: ['other'] }, client, {})).rejects.toThrow(
      "The listener isn't among the first 10000 listeners of",
    );
    expect(service.asked()).toHaveLength(100);
  });

  it('is no longer searched for once the request is aborted', async () => {
    serveListeners(1000);
    const leaving = new AbortController();
    const asking = askForResource({ kind: 'listener', ids: ['other'] }, client, { signal: leaving.signal });
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
  expect(await askForResource({ kind: 'repository', ids: [integration, '2'] }, client, {})).toEqual(record);
});

it("doesn't mistake another deployment for the requested one", async () => {
  service.answers.set('/v2/deployments', json({ resources: [{ id: 'd2', name: 'other' }], offset: 1 }));
  expect(await askForResource({ kind: 'deployment', ids: ['d1'] }, client, {})).toBeUndefined();
  expect(await askForResource({ kind: 'deployment', ids: ['d2'] }, client, {})).toEqual({ id: 'd2', name: 'other' });
});

describe('a revision that the lists have', () => {
  it('is as old as the answer that it came with', async () => {
    const clock = new FakeClock();
    const client = () => Promise.reject(new Error('unused'));
    const session: Session = { kind: 'ready', connection: localConnection, client };
    const dependencies = { connections: { session, onDidChange: new Emitter<Session>().event }, clock };
    const workspaceMemory = new InMemoryMemory();
    const deployments = new Deployments({ ...dependencies, workspaceMemory, pageSize: () => 20 });
    const lists = {
      deployments,
      clock,
      listeners: createListenerStore({ ...dependencies, pageSize: () => 20 }),
      repositories: new Repositories(dependencies),
      agents: new Agents({ ...dependencies, workspaceMemory }),
    };
    const revision: Revision = { id: 'r1', status: 'BUILDING' };
    deployments.update('d1', { revision, deployment: undefined, at: clock.monotonic() });
    const answeredAt = clock.now();
    clock.advance(60_000);
    expect(knownResource({ kind: 'revision', ids: ['d1', 'r1'] }, lists)).toEqual({
      resource: revision,
      loadedAt: answeredAt,
    });
    expect(knownResource({ kind: 'revision', ids: ['d1', 'r2'] }, lists)).toBeUndefined();
  });
});
