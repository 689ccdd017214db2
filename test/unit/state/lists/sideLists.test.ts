import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localConnection } from '../../../../src/state/connections/connection.ts';
import { Agents } from '../../../../src/state/lists/agents.ts';
import { createListenerStore, type ListenerStore } from '../../../../src/state/lists/listStore.ts';
import { Repositories } from '../../../../src/state/lists/repositories.ts';
import { InMemoryMemory } from '../../../support/editorStorage.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { testClient } from '../../../support/faultClient.ts';
import type { TestClient } from '../../../support/faultClient.ts';
import { json } from '../../../support/faults.ts';
import { startListService } from '../../../support/listService.ts';
import type { ListService } from '../../../support/listService.ts';
import { home, readySession, TestConnections, work } from '../../../support/testConnections.ts';

const integration = '5f0c1c2e-0000-4000-8000-000000000001';
const installPath = '/v1/integrations/forge/repohost/install';
const availablePath = `/v1/integrations/repohost/${integration}/repos`;
const forgePath = `/v1/integrations/forge/repohost/${integration}/repos`;

let service: ListService;
let client: TestClient;
let connections: TestConnections;
let clock: FakeClock;
let workspaceMemory: InMemoryMemory;

beforeEach(async () => {
  service = await startListService();
  client = testClient({ baseUrl: service.url });
  connections = new TestConnections(readySession(work, client));
  clock = new FakeClock();
  workspaceMemory = new InMemoryMemory();
});

afterEach(async () => {
  await client.close();
  await service[Symbol.asyncDispose]();
});

const idsOf = ({ entries }: { readonly entries: readonly { readonly id?: string }[] }) => entries.map(({ id }) => id);

describe('the list of listeners', () => {
  let listeners: ListenerStore;

  beforeEach(() => {
    service.answers.set('/v2/listeners', json({ resources: [{ id: 'b' }, { id: 'a' }], offset: 2 }));
    listeners = createListenerStore({ connections, pageSize: () => 2, clock });
  });

  afterEach(() => listeners.dispose());

  it('is loaded page by page, and once however often the view requests it', async () => {
    await Promise.all([listeners.of().load(), listeners.of().load()]);
    await listeners.of().load();
    expect(service.asked()).toEqual(['/v2/listeners?limit=2&offset=0']);
    expect(listeners.of().state).toMatchObject({ hasMore: true, loading: false, loadedAt: clock.now() });
    service.answers.set('/v2/listeners', json({ resources: [{ id: 'c' }], offset: 3 }));
    await listeners.of().loadMore();
    expect(service.asked()).toEqual(['/v2/listeners?limit=2&offset=2']);
    expect(idsOf(listeners.of().state)).toEqual(['b', 'a', 'c']);
    expect(listeners.of().find('c')).toEqual({ id: 'c' });
    expect(listeners.of().find('z')).toBeUndefined();
  });

  it('has a created listener first, without a request', async () => {
    await listeners.of().load();
    service.asked();
    let tellings = 0;
    listeners.onDidChange(() => (tellings += 1));
    listeners.of().put({ id: 'new', compute_id: 'production' });
    expect(idsOf(listeners.of().state)).toEqual(['new', 'b', 'a']);
    expect(tellings).toBe(1);
    expect(service.asked()).toEqual([]);
  });

  it("can't be requested without a connection", async () => {
    connections.connect({ kind: 'none' });
    await listeners.of().load();
    expect(listeners.of().state.error).toEqual(new Error('A list was asked for without a connection.'));
    expect(service.asked()).toEqual([]);
  });
});

describe('the list of repositories', () => {
  const agent = { id: 1, name: 'agent', owner: 'acme', url: 'https://code.example/acme/agent' };
  const tool = { id: 2, name: 'tool', owner: 'acme', url: 'https://code.example/acme/tool' };
  let repositories: Repositories;

  beforeEach(() => {
    service.answers.set(installPath, json([{ id: integration, installation_id: 7, name: 'acme' }]));
    service.answers.set(availablePath, json([agent]));
    service.answers.set(forgePath, json([agent, tool]));
    repositories = new Repositories({ connections, clock });
  });

  afterEach(() => repositories.dispose());

  it('has the repositories of the opened installation from both listings, each once', async () => {
    await repositories.installations.of().load();
    expect(repositories.installations.of().find(integration)?.name).toBe('acme');
    expect(service.asked()).toEqual([installPath]);
    await Promise.all([
      repositories.ofInstallation.of(integration).load(),
      repositories.ofInstallation.of(integration).load(),
    ]);
    expect(service.asked().toSorted()).toEqual([forgePath, availablePath].toSorted());
    expect(idsOf(repositories.ofInstallation.of(integration).state)).toEqual(['1', '2']);
    expect(repositories.ofInstallation.of(integration).state.hasMore).toBe(false);
    expect(repositories.find(integration, '2')).toEqual({ id: '2', integrationId: integration, record: tool });
  });

  it('uses the integration that a record names', async () => {
    service.answers.set(forgePath, json([{ ...tool, host_integration_id: 'other' }]));
    await repositories.ofInstallation.of(integration).load();
    expect(repositories.find(integration, '2')?.integrationId).toBe('other');
  });

  it("has the repositories of one listing if the service doesn't offer the other", async () => {
    service.answers.delete(availablePath);
    await repositories.ofInstallation.of(integration).load();
    expect(idsOf(repositories.ofInstallation.of(integration).state)).toEqual(['1', '2']);
    service.answers.set(availablePath, json([agent]));
    service.answers.delete(forgePath);
    await repositories.ofInstallation.of(integration).refresh();
    expect(idsOf(repositories.ofInstallation.of(integration).state)).toEqual(['1']);
  });

  it.each([availablePath, forgePath])('fails as a whole if %s fails, and keeps its entries', async (path) => {
    await repositories.ofInstallation.of(integration).load();
    service.answers.set(path, json({ detail: 'no' }, 403));
    await repositories.ofInstallation.of(integration).refresh();
    const state = repositories.ofInstallation.of(integration).state;
    expect(state.error).toMatchObject({ kind: 'forbidden' });
    expect(idsOf(state)).toEqual(['1', '2']);
  });

  it('fails if the service offers neither listing', async () => {
    service.answers.delete(availablePath);
    service.answers.delete(forgePath);
    await repositories.ofInstallation.of(integration).load();
    expect(repositories.ofInstallation.of(integration).state.error).toMatchObject({ kind: 'notFound' });
  });

  it('has unreadable entries next to the others', async () => {
    service.answers.set(availablePath, json([agent, { id: 'x' }]));
    await repositories.ofInstallation.of(integration).load();
    expect(repositories.ofInstallation.of(integration).state.entries).toMatchObject([
      { id: '1' },
      { id: '2' },
      { unreadable: true, id: 'x' },
    ]);
  });

  it('is refreshed only for opened installations', async () => {
    await repositories.refreshLoaded();
    expect(service.asked()).toEqual([]);
    await repositories.installations.of().load();
    await repositories.refreshLoaded();
    expect(service.asked()).toEqual([installPath, installPath]);
    await repositories.installations.of().refresh();
    await repositories.ofInstallation.of(integration).load();
    service.asked();
    await repositories.refreshLoaded();
    expect(service.asked()).toHaveLength(3);
  });

  it('is dropped with its connection', async () => {
    await repositories.installations.of().load();
    await repositories.ofInstallation.of(integration).load();
    connections.connect(readySession(home, client));
    expect(repositories.installations.of().state.entries).toEqual([]);
    expect(repositories.ofInstallation.of(integration).state.loadedAt).toBeUndefined();
  });
});

describe('the list of agents', () => {
  let agents: Agents;

  beforeEach(() => {
    service.answers.set('/v2/auth/agents/weather/connections', json({ data: [{ id: 'c1', provider_id: 'github' }] }));
    agents = new Agents({ connections, workspaceMemory, clock });
  });

  afterEach(() => agents.dispose());

  it('is remembered for its connection, in the order of adding, without repeats', async () => {
    await agents.add('weather');
    await agents.add('travel');
    await agents.add('weather');
    expect(agents.ids).toEqual(['weather', 'travel']);
    expect(new Agents({ connections, workspaceMemory, clock }).ids).toEqual(['weather', 'travel']);
    connections.connect(readySession(home, client));
    expect(agents.ids).toEqual([]);
    connections.connect(readySession(work, client));
    expect(agents.ids).toEqual(['weather', 'travel']);
  });

  it('begins with the sample of the local service, until the user removes it', async () => {
    connections.connect({ kind: 'ready', connection: localConnection, client: async () => client });
    expect(agents.ids).toEqual(['sample-agent']);
    await agents.add('weather');
    expect(agents.ids).toEqual(['sample-agent', 'weather']);
    await agents.remove('weather');
    await agents.remove('sample-agent');
    expect(agents.ids).toEqual([]);
    expect(new Agents({ connections, workspaceMemory, clock }).ids).toEqual([]);
    connections.connect(readySession(work, client));
    expect(agents.ids).toEqual([]);
  });

  it('has no sample where the local service has none, once it is shown', async () => {
    service.answers.set('/v2/auth/agents/sample-agent/connections', json({ data: [] }));
    connections.connect({ kind: 'ready', connection: localConnection, client: async () => client });
    await agents.load();
    expect(service.asked()).toEqual(['/v2/auth/agents/sample-agent/connections']);
    expect(agents.ids).toEqual([]);
    await agents.add('weather');
    expect(agents.ids).toEqual(['weather']);
    await agents.load();
    expect(service.asked()).toEqual([]);
  });

  it.each([['not a list'], [[1, '', null, 'weather']]])('ignores invalid values if %j is stored', async (stored) => {
    await workspaceMemory.update('agents:Work', stored);
    expect(agents.ids).toEqual(Array.isArray(stored) ? ['weather'] : []);
  });

  it('loads the connections of an agent when it is opened', async () => {
    await agents.add('weather');
    expect(service.asked()).toEqual([]);
    await Promise.all([agents.connections.of('weather').load(), agents.connections.of('weather').load()]);
    expect(service.asked()).toEqual(['/v2/auth/agents/weather/connections']);
    expect(agents.find('weather', 'c1')?.provider_id).toBe('github');
    await agents.connections.of('weather').refresh();
    await agents.connections.refreshLoaded();
    expect(service.asked()).toHaveLength(2);
  });

  it('fails for each agent separately', async () => {
    await agents.connections.of('unknown').load();
    await agents.connections.of('weather').load();
    expect(agents.connections.of('unknown').state.error).toMatchObject({ kind: 'notFound' });
    expect(agents.connections.of('weather').state.error).toBeUndefined();
  });

  it('drops an agent without a request', async () => {
    await agents.add('weather');
    await agents.connections.of('weather').load();
    service.asked();
    await agents.remove('weather');
    expect(agents.ids).toEqual([]);
    expect(agents.connections.of('weather').state.entries).toEqual([]);
    expect(service.asked()).toEqual([]);
  });
});
