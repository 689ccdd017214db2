import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import type { Deployment } from '../../../../src/api/resources/deployments.ts';
import type { Answer } from '../../../../src/state/answers/answers.ts';
import { localConnection } from '../../../../src/state/connections/connection.ts';
import type { Session } from '../../../../src/state/connections/session.ts';
import { Emitter } from '../../../../src/state/emitter.ts';
import { Agents } from '../../../../src/state/lists/agents.ts';
import { createListenerStore } from '../../../../src/state/lists/listStore.ts';
import { Repositories } from '../../../../src/state/lists/repositories.ts';
import { detailsOf } from '../../../../src/ui/documents/documentDetails.ts';
import { updatedDocuments } from '../../../../src/ui/documents/documentUpdates.ts';
import type { DocumentPlace } from '../../../../src/ui/window/documentPlace.ts';
import { detailsText } from '../../../../src/core/status/detailsWords.ts';
import { InMemoryMemory } from '../../../support/editorStorage.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { followingStores, type FollowingStores } from '../../../support/followingStores.ts';
import { testClient, type TestClient } from '../../../support/faultClient.ts';
import { json, resetBeforeHeaders } from '../../../support/faults.ts';
import { startListService, type ListService } from '../../../support/listService.ts';

const ofDeployment: DocumentPlace = { kind: 'deployment', ids: ['d1'] };
const ofRevision: DocumentPlace = { kind: 'revision', ids: ['d1', 'r1'] };

let service: ListService;
let client: TestClient;
let clock: FakeClock;
let stores: FollowingStores;
/** How many requests were begun. */
let requests: number;
let changed: string[];
let updated: ReturnType<typeof updatedDocuments>;

beforeEach(async () => {
  service = await startListService();
  client = testClient({ baseUrl: service.url });
  clock = new FakeClock();
  requests = 0;
  const session: Session = { kind: 'ready', connection: localConnection, client: async () => client };
  const connections = {
    session,
    onDidChange: new Emitter<Session>().event,
    clientNamed: async () => {
      requests += 1;
      return client;
    },
    find: () => localConnection,
  };
  const workspaceMemory = new InMemoryMemory();
  const dependencies = { connections, clock, workspaceMemory, pageSize: () => 20 };
  stores = followingStores({ connections, clock, workspaceMemory });
  const { answers } = stores;
  changed = [];
  const workspaceDrift = { of: () => undefined, onDidChange: new Emitter<string>().event };
  updated = updatedDocuments(
    {
      ...stores,
      connections,
      listeners: createListenerStore(dependencies),
      repositories: new Repositories(dependencies),
      agents: new Agents(dependencies),
      clock,
      workspaceDrift,
    },
    {
      write: (subject, content) => {
        if (content.resource === undefined && content.asOf !== undefined) return 'gone';
        const { lines } = detailsOf(subject, content, {
          connections,
          capabilities: { has: () => true },
          answers,
          workspaceDrift,
          clock,
          workspaceMemory,
        });
        return lines.map(detailsText).join('\n');
      },
      onChange: (key) => void changed.push(key),
    },
  );
});

afterEach(async () => {
  for (const subscription of updated.subscriptions) subscription.dispose();
  stores.dispose();
  await client.close();
  await service[Symbol.asyncDispose]();
});

function serveRevision(status: string): void {
  service.answers.set('/v2/deployments/d1/revisions/r1', json({ id: 'r1', status, source_revision_config: {} }));
}

/** A record whose latest revision the service hasn't told of. */
function record(latest: string): Deployment {
  return { id: 'd1', name: 'agent', source_config: {}, latest_revision_id: latest };
}

function put(said: Pick<Answer, 'record' | 'revision'>, connection: string = localConnection.name): void {
  const at = clock.monotonic();
  stores.answers.put({ connection, deploymentId: 'd1', ...said, askedAt: at, receivedAt: at });
}

function read(place: DocumentPlace, connection: string = localConnection.name): Promise<string> {
  return updated.documents.read(place.kind, { connection, place });
}

/** Opens a document and shows it. */
async function open(place: DocumentPlace, connection?: string): Promise<string> {
  const text = await read(place, connection);
  await updated.documents.setVisible(new Set([place.kind]));
  return text;
}

describe("a document that the list doesn't have", () => {
  it('tells every other surface what it was answered', async () => {
    serveRevision('BUILDING');
    expect(await open(ofRevision)).toContain('Status: r1, Building');
    expect(stores.deployments.revision('r1')?.status).toBe('BUILDING');
  });

  it('shows a newer record that another request found', async () => {
    put({ record: record('r1') });
    expect(await open(ofDeployment)).toContain('Latest: r1, not known yet');
    put({ record: record('r2') });
    await expect.poll(() => read(ofDeployment)).toContain('Latest: r2, not known yet');
    expect(service.asked()).toEqual([]);
  });

  it('shows an answer about its latest revision', async () => {
    service.answers.set('/v2/deployments', json({ resources: [record('r1')], offset: 1 }));
    expect(await open(ofDeployment)).toContain('Latest: r1, not known yet');
    put({ revision: { id: 'r1', status: 'BUILDING' } });
    await expect.poll(() => read(ofDeployment)).toContain('Latest: r1, Building');
    expect(changed).toEqual(['deployment']);
  });

  it('keeps what is known if the service is behind', async () => {
    put({ record: { ...record('r2'), updated_at: '2026-11-23T10:00:00Z' } });
    await open(ofDeployment);
    const behind = { ...record('r1'), updated_at: '2026-11-23T09:00:00Z' };
    service.answers.set('/v2/deployments', json({ resources: [behind], offset: 1 }));
    clock.advance(1);
    await updated.documents.refresh();
    expect(service.asked().filter((path) => path.startsWith('/v2/deployments?'))).toHaveLength(1);
    expect(await read(ofDeployment)).toContain('Latest: r2, not known yet');
  });
});

describe('a revision that the service refused', () => {
  beforeEach(async () => {
    // Nothing is polled.
    stores.scheduler.setAttention({ focused: false, visible: false });
    await open(ofRevision);
    requests = 0;
    clock.advance(1);
  });

  it("isn't asked for again because another revision is answered", async () => {
    put({ record: record('r2'), revision: { id: 'r2', status: 'BUILDING' } });
    await setImmediate();
    expect(requests).toBe(0);
  });

  it('is asked for again once a record names it', async () => {
    serveRevision('BUILDING');
    put({ record: record('r1') });
    await expect.poll(() => read(ofRevision)).toContain('Status: r1, Building');
  });

  it("isn't asked for again because of a record that named it before", async () => {
    put({ record: record('r1') });
    clock.advance(1);
    await updated.documents.refresh();
    requests = 0;
    put({ revision: { id: 'r2', status: 'BUILDING' } });
    await setImmediate();
    expect(requests).toBe(0);
  });
});

it('a revision that could not be asked for is asked for again when the service answers', async () => {
  service.answers.set('/v2/deployments/d1/revisions/r1', resetBeforeHeaders);
  await open(ofRevision);
  serveRevision('BUILDING');
  put({ revision: { id: 'r2', status: 'BUILDING' } });
  await expect.poll(() => read(ofRevision)).toContain('Status: r1, Building');
});

it('a deployment is asked for again once its latest revision is answered after a refusal', async () => {
  // Nothing is polled.
  stores.scheduler.setAttention({ focused: false, visible: false });
  service.answers.set('/v2/deployments', json({ resources: [record('r1')], offset: 1 }));
  put({ record: record('r1') });
  await open(ofDeployment);
  const refused = new ApiError({ kind: 'notFound', message: 'Not found.', status: 404, sent: true });
  updated.documents.fail(
    { connection: localConnection.name, deploymentId: 'd1', revisionId: 'r1' },
    { error: refused, at: clock.monotonic() },
  );
  expect(updated.documents.contentOf('deployment')?.error).toBe(refused);
  clock.advance(1);
  put({ revision: { id: 'r1', status: 'BUILDING' } });
  await expect.poll(() => updated.documents.contentOf('deployment')?.error).toBeUndefined();
});

it('a document of another connection shows what that connection answered', async () => {
  put({ record: record('r1') });
  put({ record: record('r2'), revision: { id: 'r2', status: 'BUILDING' } }, 'Another');
  expect(await open(ofDeployment, 'Another')).toContain('Latest: r2, Building');
  expect(service.asked()).toEqual([]);
});

it('a document that finds its deployment gone says so, and everywhere once that was last seen two minutes ago', async () => {
  service.answers.set('/v2/deployments', json({ resources: [], offset: 0 }));
  put({ record: record('r1') });
  await open(ofDeployment);
  clock.advance(2 * 60_000 - 1);
  await updated.documents.refresh();
  expect(await read(ofDeployment)).toBe('gone');
  expect(stores.answers.record(localConnection.name, 'd1')).toEqual(record('r1'));
  clock.advance(1);
  await updated.documents.refresh();
  expect(await read(ofDeployment)).toBe('gone');
  expect(stores.answers.record(localConnection.name, 'd1')).toBeUndefined();
});

it('a document of what a follow finds gone names no failed request', async () => {
  service.answers.set('/v2/deployments', json({ resources: [], offset: 0 }));
  put({ record: record('r1'), revision: { id: 'r1', status: 'BUILDING' } });
  await open(ofDeployment);
  // Only what is followed is polled.
  stores.scheduler.setAttention({ focused: false, visible: false });
  clock.advance(2 * 60_000);
  await stores.follower.follow({ connection: localConnection.name, deploymentId: 'd1', revisionId: 'r1' });
  await expect.poll(() => (clock.advance(0), stores.follower.followed[0]?.outcome)).toBe('gone');
  expect(await read(ofDeployment)).toBe('gone');
  expect(updated.documents.contentOf('deployment')?.error).toBeUndefined();
});

it.each([ofDeployment, ofRevision])('a document of what is gone with its deployment says so: $kind', async (place) => {
  put({ record: record('r1'), revision: { id: 'r1', status: 'DEPLOYED' } });
  expect(await open(place)).toContain('r1');
  clock.advance(1);
  stores.answers.remove({ connection: localConnection.name, deploymentId: 'd1', askedAt: clock.monotonic() });
  expect(await read(place)).toBe('gone');
  updated.documents.close(place.kind);
  expect(await open(place)).toBe('gone');
  expect(service.asked()).toEqual([]);
});
