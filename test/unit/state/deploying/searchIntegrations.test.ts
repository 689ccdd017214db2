import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { searchIntegrations } from '../../../../src/state/deploying/searchIntegrations.ts';
import { failureOf, testClient, type TestClient } from '../../../support/faultClient.ts';
import { json, stallBeforeHeaders } from '../../../support/faults.ts';
import { startListService, type ListService } from '../../../support/listService.ts';

const wanted = 'git@code.example:acme/agent.git';
const agent = { id: 1, name: 'agent', owner: 'acme', url: 'https://code.example/acme/agent', default_branch: 'main' };
const refused = json({ detail: 'Not for you' }, 403);

const installPath = '/v1/integrations/forge/repohost/install';
const availableOf = (id: string): string => `/v1/integrations/repohost/${id}/repos`;
const forgeOf = (id: string): string => `/v1/integrations/forge/repohost/${id}/repos`;

let service: ListService;
let client: TestClient;

beforeEach(async () => {
  service = await startListService();
  client = testClient({ baseUrl: service.url });
  service.answers.set(
    installPath,
    json([
      { id: 'one', name: 'acme' },
      { id: 'two', name: 'other' },
    ]),
  );
  for (const id of ['one', 'two']) {
    service.answers.set(availableOf(id), json([]));
    service.answers.set(forgeOf(id), json([]));
  }
});

afterEach(async () => {
  await client.close();
  await service[Symbol.asyncDispose]();
});

const search = (signal = new AbortController().signal) => searchIntegrations(client, wanted, { signal });

const match = {
  integrationId: 'one',
  integrationName: 'acme',
  repositoryUrl: 'https://code.example/acme/agent',
  defaultBranch: 'main',
};

describe('the search for the integration of a repository', () => {
  it.each([availableOf, forgeOf])('finds it in either listing', async (listingOf) => {
    service.answers.set(listingOf('one'), json([agent]));
    expect(await search()).toEqual({ matches: [match], failures: [] });
  });

  it('takes user name and password out of its address', async () => {
    const url = 'https://me:canary-token@code.example/acme/agent';
    service.answers.set(availableOf('one'), json([{ ...agent, url }]));
    expect(await search()).toEqual({ matches: [match], failures: [] });
  });

  it('finds all that have it', async () => {
    for (const id of ['one', 'two']) service.answers.set(forgeOf(id), json([agent]));
    expect((await search()).matches.map(({ integrationId }) => integrationId)).toEqual(['one', 'two']);
  });

  it('finds none, without a failure', async () => {
    expect(await search()).toEqual({ matches: [], failures: [] });
  });

  it.each([
    { broken: availableOf, whole: forgeOf, fault: refused, kind: 'forbidden' },
    { broken: forgeOf, whole: availableOf, fault: refused, kind: 'forbidden' },
    { broken: availableOf, whole: forgeOf, fault: json({ detail: 'Broken' }, 500), kind: 'server' },
  ])(
    'uses what one listing gives where the other fails ($kind), and tells it',
    async ({ broken, whole, fault, kind }) => {
      service.answers.set(broken('one'), fault);
      service.answers.set(whole('one'), json([agent]));
      expect(await search()).toMatchObject({
        matches: [match],
        failures: [{ integrationName: 'acme', error: { kind } }],
      });
    },
  );

  it('uses what one integration gives where another fails, and tells it', async () => {
    service.answers.set(availableOf('one'), json([agent]));
    service.answers.set(availableOf('two'), refused);
    service.answers.set(forgeOf('two'), refused);
    expect(await search()).toMatchObject({ matches: [match], failures: [{ integrationName: 'other' }] });
  });

  it('fails where the integrations cannot be listed', async () => {
    service.answers.set(installPath, refused);
    expect(await failureOf(search())).toMatchObject({ kind: 'forbidden' });
  });

  it('ends every request when it is cancelled', async () => {
    const cancel = new AbortController();
    const listings = ['one', 'two'].flatMap((id) => [availableOf(id), forgeOf(id)]);
    for (const listing of listings) service.answers.set(listing, stallBeforeHeaders);
    const cancelled = search(cancel.signal);
    await service.arrived(1 + listings.length);
    cancel.abort();
    const errors = (await cancelled).failures.map(({ error }) => error);
    expect(errors).toMatchObject([{ kind: 'cancelled' }, { kind: 'cancelled' }]);
  });
});
