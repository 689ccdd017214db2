import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Deployment } from '../../../../src/api/resources/deployments.ts';
import { searchDeployments, searchRef } from '../../../../src/state/workspace/searchDeployments.ts';
import { failureOf, testClient, type TestClient } from '../../../support/faultClient.ts';
import { json } from '../../../support/faults.ts';
import { startSmallService, type SmallService } from '../../../support/smallService.ts';

let service: SmallService;
let client: TestClient;

beforeEach(async () => {
  service = await startSmallService();
  client = testClient({ baseUrl: service.url });
});

afterEach(async () => {
  await client.close();
  await service[Symbol.asyncDispose]();
});

const isOurs = ({ id }: Deployment): boolean => id.startsWith('ours');
const other = (place: number): { id: string; name: string } => ({ id: `other-${place}`, name: `other-${place}` });
const others = (count: number) => Array.from({ length: count }, (_, place) => other(place));

async function search(loaded: readonly Deployment[] = [], usualNames: readonly string[] = ['agent']) {
  const { signal } = new AbortController();
  const { deployments, ...rest } = await searchDeployments(
    client,
    { loaded, usualNames, isWanted: isOurs },
    { signal },
  );
  return { ids: deployments.map(({ id }) => id), ...rest };
}

describe('the search for the deployments of a branch', () => {
  const repositoryUrl = 'https://code.example/acme/shop';
  const ref = { kind: 'branch', name: 'main' } as const;
  const deployed = (name: string, graph_config_path: string, repo_ref = 'main', repo_url = repositoryUrl) => ({
    id: name,
    name,
    source_config: { repo_url },
    source_revision_config: { repo_ref, graph_config_path },
  });

  it('finds all applications, with one request for the usual names and one for those that are loaded', async () => {
    const bought = deployed('till', 'apps/till/graph.json');
    service.deployments = [
      deployed('shop-chat', 'apps/chat/graph.json'),
      deployed('shop-billing', 'apps/billing/graph.json'),
      deployed('shop-next', 'apps/chat/graph.json', 'next'),
      deployed('shop-fork', 'apps/chat/graph.json', 'main', 'https://code.example/me/shop'),
      ...others(150),
      bought,
    ];
    const found = await searchRef(client, { loaded: [bought], repositoryUrl, ref }, {});
    expect(found.map(({ name }) => name)).toEqual(['till', 'shop-chat', 'shop-billing']);
    expect(service.asked()).toHaveLength(2);
  });

  it('reads no further pages if it finds none', async () => {
    service.deployments = others(150);
    expect(await searchRef(client, { loaded: [], repositoryUrl, ref }, {})).toEqual([]);
    expect(service.asked()).toHaveLength(1);
  });
});

describe('the search for the deployments of a repository', () => {
  it('finds a loaded one, as the service has it now, and others of the usual name', async () => {
    service.deployments = [
      { id: 'ours', name: 'renamed' },
      { id: 'ours-too', name: 'agent-2' },
    ];
    const loaded = [{ id: 'ours', name: 'agent' }];
    expect(await search(loaded)).toEqual({ ids: ['ours', 'ours-too'], stoppedAt: 'name', read: 0 });
    expect(service.asked().toSorted()).toEqual([
      '/v2/deployments?deployment_ids=ours&limit=100&offset=0',
      '/v2/deployments?name_contains=agent&limit=100&offset=0',
    ]);
  });

  it('finds a loaded one once, and none that is gone', async () => {
    service.deployments = [{ id: 'ours', name: 'agent' }];
    const loaded = [
      { id: 'ours', name: 'agent' },
      { id: 'ours-gone', name: 'agent-2' },
    ];
    expect(await search(loaded)).toMatchObject({ ids: ['ours'], stoppedAt: 'name' });
  });

  it('asks for each usual name that another one does not contain', async () => {
    service.deployments = [{ id: 'ours', name: 'greeter' }];
    expect(await search([], ['agent', 'agent-2', 'greeter'])).toMatchObject({ ids: ['ours'], stoppedAt: 'name' });
    expect(service.asked()).toHaveLength(2);
  });

  it('finds one by its usual name with one request', async () => {
    service.deployments = [...others(300), { id: 'ours', name: 'my-agent' }];
    expect(await search()).toEqual({ ids: ['ours'], stoppedAt: 'name', read: 0 });
    expect(service.asked()).toHaveLength(1);
  });

  it('finds all of its usual name, also where they are more than a page', async () => {
    const ours = Array.from({ length: 130 }, (_, index) => ({ id: `ours-${index}`, name: `agent-${index}` }));
    service.deployments = ours;
    expect((await search()).ids).toHaveLength(130);
    expect(service.asked()).toHaveLength(2);
  });

  it('finds one of another name on a later page, and asks no further', async () => {
    service.deployments = [...others(250), { id: 'ours', name: 'billing' }, ...others(250)];
    expect(await search()).toEqual({ ids: ['ours'], stoppedAt: 'page', read: 300 });
    expect(service.asked()).toHaveLength(4);
  });

  it('says that it saw the whole list', async () => {
    service.deployments = others(130);
    expect(await search()).toEqual({ ids: [], stoppedAt: 'end', read: 130 });
  });

  it('stops after five pages, and says so', async () => {
    service.deployments = [...others(500), { id: 'ours', name: 'billing' }];
    expect(await search()).toEqual({ ids: [], stoppedAt: 'limit', read: 500 });
    expect(service.asked()).toHaveLength(6);
  });

  it('finds a loaded one although the service refuses to search names', async () => {
    const row = { id: 'ours', name: 'agent' };
    service.fault = (response, request) =>
      (request.url?.includes('name_contains') === true
        ? json({ detail: 'Not for you' }, 403)
        : json({ resources: [row], offset: 1 }))(response, request);
    expect(await search([row])).toMatchObject({ ids: ['ours'] });
  });

  it('fails with the service', async () => {
    service.fault = json({ detail: 'Not for you' }, 403);
    expect((await failureOf(search())).kind).toBe('forbidden');
  });
});
