import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Deployment } from '../../../../src/api/resources/deployments.ts';
import type { Revision } from '../../../../src/api/resources/revisions.ts';
import type { Answers } from '../../../../src/state/answers/answers.ts';
import { localConnection } from '../../../../src/state/connections/connection.ts';
import { Deployments } from '../../../../src/state/lists/deployments.ts';
import type { DeploymentsChange } from '../../../../src/state/lists/deployments.ts';
import { testAnswers } from '../../../support/answers.ts';
import { InMemoryMemory } from '../../../support/editorStorage.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { testClient } from '../../../support/faultClient.ts';
import type { TestClient } from '../../../support/faultClient.ts';
import { held, json, raw, stallBeforeHeaders } from '../../../support/faults.ts';
import { startSmallService } from '../../../support/smallService.ts';
import type { SmallService } from '../../../support/smallService.ts';
import { readySession, TestConnections, work } from '../../../support/testConnections.ts';

let service: SmallService;
let client: TestClient;
let clients: TestClient[];
let connections: TestConnections;
let workspaceMemory: InMemoryMemory;
let clock: FakeClock;
let answers: Answers;
let deployments: Deployments;
let changes: DeploymentsChange[];

beforeEach(async () => {
  service = await startSmallService();
  service.deployments = ['c', 'b', 'a'].map((id) => ({ id, name: `agent-${id}` }));
  service.revisions.set('a', [
    { id: 'a3', status: 'BUILDING' },
    { id: 'a2', status: 'DEPLOYED' },
    { id: 'a1', status: 'BUILD_FAILED' },
  ]);
  client = testClient({ baseUrl: service.url });
  clients = [client];
  workspaceMemory = new InMemoryMemory();
  connections = new TestConnections(readySession(work, client));
  clock = new FakeClock();
  ({ answers } = testAnswers({ workspaceMemory, clock }));
  deployments = new Deployments({ connections, answers, workspaceMemory, pageSize: () => 2, clock });
  changes = [];
  deployments.onDidChange((change) => changes.push(change));
});

afterEach(async () => {
  deployments.dispose();
  await Promise.all(clients.map((each) => each.close()));
  await service[Symbol.asyncDispose]();
});

const { signal } = new AbortController();
const names = () => deployments.state.entries.map((row) => ('name' in row ? row.name : 'unreadable'));
const revisionIds = () => deployments.revisionsOf('a').entries.map(({ id }) => id);

/** An answer of the poller, which came now unless told otherwise. */
function answer(deploymentId: string, revision: Revision, record?: Deployment, at = clock.monotonic()): void {
  answers.put({ connection: deployments.connection, deploymentId, revision, record, askedAt: at, receivedAt: at });
}

/** Loads the whole list, and opens a deployment. */
async function loadAll(): Promise<void> {
  await deployments.refresh();
  await deployments.loadMore();
  await deployments.openRevisions('a');
}

/** Connects to the service with the names of its filters of revisions. */
function connectFiltering(connection = work): TestClient {
  const filtering = testClient({ baseUrl: service.url, flavor: 'local' });
  clients.push(filtering);
  connections.connect(readySession(connection, filtering));
  return filtering;
}

describe('the list of deployments', () => {
  it('loads one page with one request, and more on request', async () => {
    await deployments.refresh();
    expect(names()).toEqual(['agent-c', 'agent-b']);
    expect(service.asked()).toEqual(['/v2/deployments?limit=2&offset=0']);
    await deployments.loadMore();
    expect(names()).toEqual(['agent-c', 'agent-b', 'agent-a']);
    expect(deployments.find('a')).toMatchObject({ name: 'agent-a' });
    expect(deployments.find('z')).toBeUndefined();
  });

  it('has an unreadable entry next to the others', async () => {
    service.fault = json({ resources: [{ id: 'x' }, { id: 'c', name: 'agent-c' }], offset: 2 });
    await deployments.refresh();
    expect(names()).toEqual(['unreadable', 'agent-c']);
    expect(deployments.find('x')).toBeUndefined();
  });

  it('has a created deployment first', async () => {
    await deployments.refresh();
    answer('d', { id: 'd1', status: 'QUEUED' }, { id: 'd', name: 'agent-d' });
    deployments.add('d');
    expect(names()).toEqual(['agent-d', 'agent-c', 'agent-b']);
  });
});

describe('a disposed list of deployments', () => {
  it('cancels its requests and reports nothing more', async () => {
    const late = held(json({ resources: [{ id: 'old', name: 'old' }], offset: 1 }));
    service.fault = late.fault;
    const refreshed = deployments.refresh();
    deployments.dispose();
    changes.length = 0;
    late.release();
    await refreshed;
    connections.connect({ kind: 'none' });
    answer('c', { id: 'r', status: 'QUEUED' }, { id: 'c', name: 'changed' });
    expect(names()).toEqual([]);
    expect(changes).toEqual([]);
  });
});

describe('a change of connection', () => {
  it('closes all deployments', async () => {
    await deployments.refresh();
    await deployments.openRevisions('c');
    const { session } = connections;
    connections.connect({ kind: 'none' });
    connections.connect(session);
    await deployments.refresh();
    await deployments.loadRevisions('c');
    service.asked();
    await deployments.refresh();
    expect(service.asked()).toEqual(['/v2/deployments?limit=2&offset=0']);
  });

  it('has closed them when it is told, so a view can open others at once', async () => {
    await deployments.refresh();
    await deployments.openRevisions('c');
    const { session } = connections;
    connections.connect({ kind: 'none' });
    const opened: Promise<void>[] = [];
    const listening = deployments.onDidChange(() => opened.push(deployments.openRevisions('b')));
    connections.connect(session);
    listening.dispose();
    await Promise.all(opened);
    await deployments.refresh();
    service.asked();
    await deployments.refresh();
    expect(service.asked()).toEqual(expect.arrayContaining([expect.stringContaining('/v2/deployments/b/revisions')]));
  });

  it('hides entries, revisions and what is known about them, until it is changed back', async () => {
    await deployments.refresh();
    await deployments.openRevisions('a');
    const { session } = connections;
    connections.connect({ kind: 'none' });
    expect(deployments.state).toEqual({ entries: [], hasMore: false, loading: false });
    expect(deployments.revisionsOf('a').entries).toEqual([]);
    expect(deployments.revision('a3')).toBeUndefined();
    expect(changes.at(-1)).toEqual({ kind: 'list' });
    service.asked();
    connections.connect(session);
    expect(names()).toEqual(['agent-c', 'agent-b']);
    expect(revisionIds()).toEqual(['a3', 'a2']);
    expect(service.asked()).toEqual([]);
  });
});

describe('the filter of deployments', () => {
  it('is sent to the service, remembered for the connection, and restarts the list', async () => {
    await deployments.refresh();
    await deployments.setFilter({ name_contains: 'agent-a' });
    expect(service.asked().at(-1)).toBe('/v2/deployments?name_contains=agent-a&limit=2&offset=0');
    expect(names()).toEqual(['agent-a']);
    const { session } = connections;
    connections.connect(readySession(localConnection, client));
    expect(deployments.filter).toEqual({});
    connections.connect(session);
    expect(deployments.filter).toEqual({ name_contains: 'agent-a' });
  });

  it('keeps the entries of the old filter until the service answers without an error', async () => {
    await deployments.refresh();
    service.fault = raw('out of order', 500);
    await deployments.setFilter({ name_contains: 'agent-a' });
    expect(names()).toEqual(['agent-c', 'agent-b']);
    expect(deployments.state.error).toBeDefined();
    service.fault = undefined;
    await deployments.refresh();
    expect(names()).toEqual(['agent-a']);
    expect(deployments.state.error).toBeUndefined();
  });
});

describe('the filter of revisions', () => {
  beforeEach(async () => {
    await loadAll();
  });

  it('shows only revisions with the selected statuses, even if the service sends all', async () => {
    await deployments.setRevisionFilter({ status: ['DEPLOYED'] });
    expect(revisionIds()).toEqual(['a2']);
    expect(deployments.revisionsOf('a')).toMatchObject({ hidden: 1, hasMore: true, noneFits: false });
    await deployments.setRevisionFilter({ status: [] });
    expect(revisionIds()).toEqual(['a3', 'a2']);
    expect(deployments.revisionsOf('a')).toMatchObject({ hidden: 0, noneFits: false });
  });

  it('is sent to a service that filters, also for revisions that are opened later', async () => {
    connectFiltering();
    await loadAll();
    service.asked();
    await deployments.setRevisionFilter({ status: ['BUILD_FAILED', 'BUILDING'] });
    expect(service.asked()).toEqual(['/v2/deployments/a/revisions?limit=2&offset=0&status=BUILDING%2CBUILD_FAILED']);
    expect(revisionIds()).toEqual(['a3', 'a1']);
    expect(deployments.revisionsOf('a')).toMatchObject({ hidden: 0 });
  });

  it('is sent for reconciled revisions only where the service documents its name', async () => {
    const filtering = connectFiltering({ ...work, flavor: 'langsmith' });
    await loadAll();
    service.asked();
    await deployments.setRevisionFilter({ status: [], remote_reconciled: true });
    expect(service.asked()).toEqual(['/v2/deployments/a/revisions?limit=2&offset=0&remote_reconciled=true']);
    expect(deployments.filters.filtered).toBe('revisions');
    connections.connect(readySession(work, filtering));
    expect(deployments.filters.revisions).toEqual({ status: [] });
    expect(deployments.filters.filtered).toBe(false);
  });

  it('says that no revision matches if the service filtered them all', async () => {
    service.revisions.set('a', []);
    connections.connect(readySession(localConnection, client));
    await deployments.setRevisionFilter({ status: [], remote_reconciled: true });
    await deployments.openRevisions('a');
    expect(deployments.revisionsOf('a')).toMatchObject({ entries: [], noneFits: true });
  });

  it('is remembered for the connection', async () => {
    await deployments.setRevisionFilter({ status: ['DEPLOYED'] });
    const { session } = connections;
    connections.connect(readySession(localConnection, client));
    expect(deployments.filters.revisions.status).toEqual([]);
    connections.connect(session);
    expect(deployments.filters.revisions.status).toEqual(['DEPLOYED']);
  });

  it('reports that none matches after an answer, but not after a failure', async () => {
    await deployments.setRevisionFilter({ status: ['SKIPPED'] });
    expect(deployments.revisionsOf('a')).toMatchObject({ entries: [], hidden: 2, hasMore: true, noneFits: true });
    expect(deployments.revisionsOf('b')).toMatchObject({ entries: [], noneFits: false });
    service.fault = raw('out of order', 500);
    await deployments.loadRevisions('a');
    expect(deployments.revisionsOf('a')).toMatchObject({ entries: [], noneFits: false });
  });

  it('takes effect before the service answers', async () => {
    changes.length = 0;
    const setting = deployments.setRevisionFilter({ status: ['DEPLOYED'] });
    expect(deployments.revisionsOf('a').entries.map(({ id }) => id)).toEqual(['a2']);
    expect(changes[0]).toEqual({ kind: 'list' });
    await setting;
  });

  it("is cleared with the other one, without reloading what wasn't filtered", async () => {
    await deployments.setRevisionFilter({ status: ['DEPLOYED'] });
    service.asked();
    await deployments.clearFilters();
    expect(deployments.filters.revisions.status).toEqual([]);
    expect(service.asked()).toEqual(['/v2/deployments/a/revisions?limit=2&offset=0']);
    expect(names()).toEqual(['agent-c', 'agent-b', 'agent-a']);
    await deployments.setFilter({ name_contains: 'agent-a' });
    await deployments.setRevisionFilter({ status: ['DEPLOYED'] });
    await deployments.clearFilters();
    expect(deployments.filter).toEqual({});
    expect(revisionIds()).toEqual(['a3', 'a2']);
    await deployments.setFilter({ name_contains: 'agent-a' });
    service.asked();
    await deployments.clearFilters();
    expect(service.asked()).toEqual(['/v2/deployments?limit=2&offset=0']);
    await deployments.clearFilters();
    expect(service.asked()).toEqual([]);
  });
});

describe('the newest revisions', () => {
  const newestIds = async () => (await deployments.newestRevisions('a', signal)).map(({ id }) => id);

  it("are requested only if the list doesn't have them all", async () => {
    expect(await newestIds()).toEqual(['a3', 'a2', 'a1']);
    expect(service.asked()).toEqual(['/v2/deployments/a/revisions?limit=100&offset=0']);
    await deployments.openRevisions('a');
    expect(await newestIds()).toEqual(['a3', 'a2', 'a1']);
    await deployments.loadMoreRevisions('a');
    service.asked();
    expect(await newestIds()).toEqual(['a3', 'a2', 'a1']);
    expect(service.asked()).toEqual([]);
  });

  it('include revisions that the filter hides or the service leaves out', async () => {
    connectFiltering();
    await deployments.setRevisionFilter({ status: ['DEPLOYED'] });
    await deployments.openRevisions('a');
    expect(revisionIds()).toEqual(['a2']);
    expect(await newestIds()).toEqual(['a3', 'a2', 'a1']);
  });

  it('include loaded older ones, each once', async () => {
    service.revisions.set(
      'a',
      Array.from({ length: 103 }, (_, index) => ({ id: `a${103 - index}` })),
    );
    await deployments.openRevisions('a');
    for (let page = 1; page <= 50; page += 1) await deployments.loadMoreRevisions('a');
    expect(revisionIds()).toHaveLength(102);
    expect(await newestIds()).toEqual(revisionIds());
  });

  it('are no longer waited for once the user cancels', async () => {
    service.fault = stallBeforeHeaders;
    const stop = new AbortController();
    const asked = deployments.newestRevisions('a', stop.signal);
    await service.arrived(service.seen.length + 1);
    stop.abort();
    await expect(asked).rejects.toMatchObject({ kind: 'cancelled' });
  });

  it('are those of the connection that was current when they were asked for', async () => {
    let connected = (_client: TestClient): void => undefined;
    const connecting = new Promise<TestClient>((resolve) => (connected = resolve));
    connections.connect({ kind: 'ready', connection: work, client: () => connecting });
    const asked = newestIds();
    connections.connect(readySession(localConnection, client));
    connected(client);
    expect(await asked).toEqual(['a3', 'a2', 'a1']);
    expect(deployments.revision('a3')).toBeUndefined();
    expect(answers.revision('Work', 'a3')?.status).toBe('BUILDING');
  });

  it('fail with the service instead of naming a single revision', async () => {
    service.fault = raw('out of order', 500);
    await expect(deployments.newestRevisions('a', signal)).rejects.toMatchObject({ kind: 'server' });
  });
});

describe('the revision before another one', () => {
  it('is among the newest, or asked for', async () => {
    expect(await deployments.revisionBefore('a', 'a3', signal)).toMatchObject({ id: 'a2' });
    service.asked();
    expect(await deployments.revisionBefore('a', 'a1', signal)).toBeUndefined();
    expect(service.asked()).toContain('/v2/deployments/a/revisions?limit=1&offset=3');
    expect(await deployments.revisionBefore('a', 'unknown', signal)).toBeUndefined();
  });
});

describe('a revision newer than the record of its deployment', () => {
  const record = (latest: string) => ({
    id: 'a',
    name: 'agent-a',
    active_revision_id: latest,
    latest_revision_id: latest,
  });
  const asksForRecord = '/v2/deployments?deployment_ids=a&limit=1';

  beforeEach(async () => {
    service.deployments = [record('a2')];
    await deployments.refresh();
    service.deployments = [record('a3')];
    service.asked();
  });

  it('requests the record again, so both name the same latest revision', async () => {
    await deployments.openRevisions('a');
    expect(service.asked()).toEqual(['/v2/deployments/a/revisions?limit=2&offset=0', asksForRecord]);
    expect(deployments.find('a')).toMatchObject({ active_revision_id: 'a3' });
    expect(revisionIds()).toEqual(['a3', 'a2']);
    await deployments.loadMoreRevisions('a');
    await deployments.loadRevisions('a');
    expect(service.asked()).not.toContain(asksForRecord);
  });

  it('requests the record again for a comparison too', async () => {
    await deployments.newestRevisions('a', signal);
    expect(deployments.find('a')).toMatchObject({ active_revision_id: 'a3' });
  });

  it("doesn't request it behind a filter, where the first one may not be the newest", async () => {
    connectFiltering();
    service.deployments = [record('a3')];
    await deployments.refresh();
    await deployments.setRevisionFilter({ status: ['DEPLOYED'] });
    await deployments.openRevisions('a');
    expect(service.asked()).not.toContain(asksForRecord);
  });

  it("is shown even if the record can't be loaded", async () => {
    service.deployments = [];
    await deployments.openRevisions('a');
    expect(revisionIds()).toEqual(['a3', 'a2']);
    expect(deployments.find('a')).toMatchObject({ active_revision_id: 'a2' });
  });
});

describe('what is listed', () => {
  it('stays known, with its revisions, however much else is', async () => {
    const listed = { id: 'c', name: 'agent-c', active_revision_id: 'c1', latest_revision_id: 'c2' };
    service.deployments = [listed];
    await deployments.refresh();
    await deployments.openRevisions('a');
    for (const id of ['c1', 'c2']) answer('c', { id });
    const others = Array.from({ length: 3_000 }, (_, place) => ({ id: `other-${place}`, name: 'other' }));
    const times = { askedAt: clock.monotonic(), receivedAt: clock.monotonic() };
    answers.put(
      ...others.map((record) => ({
        connection: 'Work',
        deploymentId: record.id,
        record,
        revision: { id: `of-${record.id}` },
        ...times,
      })),
    );
    expect(deployments.state.entries).toEqual([listed]);
    expect(['c1', 'c2'].map((id) => deployments.revision(id)?.id)).toEqual(['c1', 'c2']);
    expect(revisionIds()).toEqual(['a3', 'a2']);
  });
});

describe('an answer of the poller', () => {
  beforeEach(async () => {
    await loadAll();
    changes.length = 0;
  });

  it('replaces its entry and is reported for that deployment', () => {
    answer('a', { id: 'a3', status: 'DEPLOYED' });
    expect(deployments.revision('a3')).toMatchObject({ status: 'DEPLOYED' });
    expect(deployments.revisionsOf('a').entries[0]).toMatchObject({ id: 'a3', status: 'DEPLOYED' });
    expect(changes.at(-1)).toEqual({ kind: 'deployment', deploymentId: 'a' });
  });

  it('comes first if it is the latest revision', () => {
    answer('a', { id: 'a4', status: 'CREATING' }, { id: 'a', name: 'agent-a', latest_revision_id: 'a4' });
    expect(revisionIds()).toEqual(['a4', 'a3', 'a2']);
  });

  it('is known but not listed if it is older than the loaded entries', () => {
    answer('a', { id: 'a1', status: 'BUILD_FAILED' });
    expect(revisionIds()).toEqual(['a3', 'a2']);
    expect(deployments.revision('a1')).toMatchObject({ status: 'BUILD_FAILED' });
  });

  it('overrides the answer to an earlier first request', async () => {
    deployments.closeRevisions('a');
    await deployments.refresh();
    const late = held(json({ resources: [{ id: 'a3', status: 'DEPLOYING' }], offset: 1 }));
    service.fault = late.fault;
    const before = service.seen.length;
    const opening = deployments.openRevisions('a');
    await service.arrived(before + 1);
    clock.advance(1);
    answer('a', { id: 'a3', status: 'DEPLOYED' }, { id: 'a', name: 'agent-a', latest_revision_id: 'a3' });
    late.release();
    await opening;
    expect(deployments.revision('a3')).toMatchObject({ status: 'DEPLOYED' });
    expect(deployments.revisionsOf('a').entries).toMatchObject([{ id: 'a3', status: 'DEPLOYED' }]);
  });

  it("isn't listed if the list was never requested", async () => {
    deployments.closeRevisions('a');
    await deployments.refresh();
    answer('a', { id: 'a3', status: 'DEPLOYED' }, { id: 'a', name: 'agent-a', latest_revision_id: 'a3' });
    expect(revisionIds()).toEqual([]);
  });

  it("replaces a loaded record, and leaves out one that isn't loaded", () => {
    answer('b', { id: 'b1' }, { id: 'b', name: 'renamed' });
    expect(changes.at(-1)).toEqual({ kind: 'deployment', deploymentId: 'b' });
    answer('z', { id: 'z1' }, { id: 'z', name: 'unseen' });
    expect(names()).toEqual(['agent-c', 'renamed', 'agent-a']);
  });

  it("doesn't replace a record that was requested later", async () => {
    const at = clock.monotonic();
    clock.advance(1_000);
    await deployments.refresh();
    answer('b', { id: 'b1' }, { id: 'b', name: 'renamed' }, at);
    expect(names()).toEqual(['agent-c', 'agent-b', 'agent-a']);
  });
});

describe('the observation of a revision', () => {
  it("has the times of the record's request and of its own answer", async () => {
    const record = { id: 'a', name: 'agent-a', active_revision_id: 'a2' };
    service.fault = (response, request) => {
      clock.advance(1_000);
      json({ resources: [record], offset: 1 })(response, request);
    };
    await deployments.refresh();
    service.fault = undefined;
    await deployments.openRevisions('a');
    expect(deployments.observe('a', 'a3')).toMatchObject({
      revision: { id: 'a3' },
      revisionAt: 6_000,
      deployment: { id: 'a' },
      deploymentAt: 5_000,
      active: { id: 'a2' },
    });
  });

  it('has the time of its own answer even if the record was requested again after it', async () => {
    service.deployments = [{ id: 'a', name: 'agent-a', latest_revision_id: 'a2' }];
    await deployments.refresh();
    service.fault = (response, request) => {
      const isRecord = request.url?.includes('deployment_ids') === true;
      if (isRecord) clock.advance(1_000);
      const resources = isRecord ? service.deployments : service.revisions.get('a');
      json({ resources, offset: 1 })(response, request);
    };
    await deployments.openRevisions('a');
    expect(clock.monotonic()).toBe(6_000);
    expect(deployments.observe('a', 'a3')).toMatchObject({ revisionAt: 5_000 });
  });

  it('keeps its time while other entries change, and is renewed by an answer of the poller', async () => {
    service.deployments = [{ id: 'a', name: 'agent-a' }];
    await deployments.refresh();
    await deployments.openRevisions('a');
    clock.advance(1_000);
    answer('a', { id: 'a2', status: 'DEPLOYED' }, { id: 'a', name: 'agent-a' });
    expect(deployments.observe('a', 'a3')).toMatchObject({ revisionAt: 5_000, deploymentAt: 6_000 });
    expect(deployments.observe('a', 'a2')).toMatchObject({ revisionAt: 6_000, deploymentAt: 6_000 });
  });
});
