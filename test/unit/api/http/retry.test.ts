import { describe, expect } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import { parseRetryAfter, retryDelay } from '../../../../src/api/http/retry.ts';
import { failureOf, testClient } from '../../../support/faultClient.ts';
import { startFaultServer } from '../../../support/faultServer.ts';
import { json, resetBeforeHeaders, webPage } from '../../../support/faults.ts';
import { it } from '../clientTest.ts';

const failed = (details: Partial<ConstructorParameters<typeof ApiError>[0]>) =>
  new ApiError({ kind: 'server', message: 'x', sent: true, ...details });

describe('the delay before the next try', () => {
  it('grows, with jitter', () => {
    const error = failed({ status: 503 });
    expect(retryDelay(error, 1, 0)).toBe(125);
    expect(retryDelay(error, 1, 1)).toBe(375);
    expect(retryDelay(error, 2, 0)).toBe(250);
    expect(retryDelay(error, 2, 1)).toBe(750);
  });

  it('exists for a connection that was lost before any response', () => {
    expect(retryDelay(failed({ kind: 'network' }), 1, 0)).toBe(125);
  });

  it('exists for a connection that was not opened in time, but not for a response that is late', () => {
    expect(retryDelay(failed({ kind: 'timeout', sent: false }), 2, 0)).toBe(250);
    expect(retryDelay(failed({ kind: 'timeout', sent: false }), 3, 0)).toBeUndefined();
    expect(retryDelay(failed({ kind: 'timeout', sent: true }), 1, 0)).toBeUndefined();
  });

  it('is none if the service asks for more than ten seconds', () => {
    expect(retryDelay(failed({ status: 429, retryAfterMs: 10_000 }), 1, 0)).toBe(10_000);
    expect(retryDelay(failed({ status: 429, retryAfterMs: 10_001 }), 1, 0)).toBeUndefined();
  });

  it('is none after the third try', () => {
    expect(retryDelay(failed({ status: 503 }), 2, 0)).toBeDefined();
    expect(retryDelay(failed({ status: 503 }), 3, 0)).toBeUndefined();
  });

  it.each(['timeout', 'tls', 'proxy', 'unexpectedResponse', 'cancelled', 'invalid'] as const)(
    'is none for a failure of the kind %s',
    (kind) => {
      expect(retryDelay(failed({ kind }), 1, 0)).toBeUndefined();
    },
  );
});

describe('Retry-After', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');

  it.each([
    ['0', 0],
    [' 12 ', 12_000],
    ['1.25', 1250],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['-5', undefined],
    ['', undefined],
    [undefined, undefined],
    ['later', undefined],
    ['12 minutes', undefined],
    ['not Thu, 01 Jan 2026 00:00:30 GMT', undefined],
    ['Thu Jan  1 00:00:30 2026', undefined],
  ])('reads %s as %s ms', (header, milliseconds) => {
    expect(parseRetryAfter(header, now)).toBe(milliseconds);
  });
});

describe('a GET that is retried', () => {
  it('waits as long as the service asks, in both notations', async ({ server, client }) => {
    const date = new Date(Date.now() + 5000).toUTCString();
    server.answer(
      json({}, 429, { 'retry-after': '2' }),
      json({}, 503, { 'retry-after': date }),
      json({ resources: [], offset: 0 }),
    );
    await client.deployments.list();
    expect(client.waits[0]).toBe(2000);
    expect(client.waits[1]).toBeGreaterThan(2000);
    expect(client.waits[1]).toBeLessThanOrEqual(5000);
  });

  it("measures a date by the service's clock", async ({ server, client }) => {
    // This computer's clock was put back by an hour, or the other one runs ahead.
    const ahead = Date.now() + 3_600_000;
    const headers = { date: new Date(ahead).toUTCString(), 'retry-after': new Date(ahead + 5000).toUTCString() };
    server.answer(json({}, 503, headers), json({ resources: [], offset: 0 }));
    await client.deployments.list();
    expect(client.waits).toEqual([5000]);
  });

  it('fails at once if it would wait too long', async ({ server, client }) => {
    server.answer(json({}, 429, { 'retry-after': '3600' }));
    expect(await failureOf(client.deployments.list())).toMatchObject({ kind: 'rateLimited', retryAfterMs: 3_600_000 });
    expect(server.count('GET')).toBe(1);
  });

  it('can be cancelled while it waits', async () => {
    await using server = await startFaultServer();
    const cancel = new AbortController();
    // The client's own wait, which has to end with the signal and not with the hour.
    await using client = testClient({ baseUrl: server.url, wait: undefined });
    server.answer(json({}, 503, { 'retry-after': '9' }));
    const listing = failureOf(client.deployments.list({}, { signal: cancel.signal }));
    await server.arrived(1);
    setTimeout(() => cancel.abort(), 50);
    expect((await listing).kind).toBe('cancelled');
    expect(server.count('GET')).toBe(1);
  });
});

describe('a create that failed after it was sent', () => {
  const create = { name: 'agent', source: 'repohost' as const };

  it('says that the deployment exists if it does', async ({ server, client }) => {
    const others = [{ id: '0' }, { id: '1', name: 'agent-2' }, { id: '2', name: 'agent' }];
    server.answer(resetBeforeHeaders, json({ resources: others, offset: 3 }));
    const error = await failureOf(client.deployments.create(create));
    expect(error).toMatchObject({ kind: 'network', sent: true });
    expect(error.message).toMatch(/A deployment named "agent" now exists\. Check it before you create another one\.$/);
    expect(server.seen[1]?.path).toBe('/v2/deployments?name_contains=agent&limit=100&offset=0');
    expect(server.count('POST')).toBe(1);
  });

  it('returns the deployment if nothing else can have made it', async ({ server, client }) => {
    const found = json({
      resources: [
        { id: '1', name: 'agent-2' },
        { id: '2', name: 'agent' },
      ],
      offset: 2,
    });
    const isMade = ({ name }: { readonly name: string }) => name === 'agent';
    for (const failure of [json({}, 504), resetBeforeHeaders, webPage, json({ id: 7 }, 201)]) {
      server.answer(failure, found);
      expect(await client.deployments.create(create, { isMade })).toMatchObject({ id: '2', name: 'agent' });
    }
    expect(server.count('POST')).toBe(4);
  });

  it('only says that the deployment exists if something else can have made it', async ({ server, client }) => {
    const agent = { id: '2', name: 'agent' };
    server.answer(json({}, 504), json({ resources: [agent], offset: 1 }));
    expect((await failureOf(client.deployments.create(create, { isMade: () => false }))).message).toMatch(/now exists/);
    server.answer(json({}, 504), json({ resources: [agent, { ...agent, id: '3' }], offset: 2 }));
    expect((await failureOf(client.deployments.create(create, { isMade: () => true }))).message).toMatch(/now exists/);
  });

  it('says that none was found if only similar names exist', async ({ server, client }) => {
    server.answer(json({}, 504), json({ resources: [{ id: '1', name: 'agent-2' }], offset: 1 }));
    const error = await failureOf(client.deployments.create(create));
    expect(error).toMatchObject({ kind: 'server', status: 504 });
    expect(error.message).toMatch(/The deployment "agent" may have been created, but isn't listed yet\.$/);
  });

  it('says that the result is unknown if the lookup fails too', async ({ server, client }) => {
    server.answer(json({}, 500));
    expect((await failureOf(client.deployments.create(create))).message).toMatch(
      /The deployment "agent" may have been created\. The service couldn't be asked\.$/,
    );
  });

  it('looks nothing up if it was rejected or never sent', async ({ server, client }) => {
    server.answer(json({ detail: 'no' }, 409));
    await failureOf(client.deployments.create(create));
    await using unreachable = testClient({ baseUrl: 'http://127.0.0.1:1' });
    const error = await failureOf(unreachable.deployments.create(create));
    expect(error.message).not.toContain('"agent"');
    expect(server.count('GET')).toBe(0);
  });
});

describe('a registration of a cluster that failed after it was sent', () => {
  const create = { compute_type: 'k8s', compute_id: 'production' };

  it.for([
    ['production', /The cluster "production" is now registered\.$/],
    ['production-2', /The cluster "production" may have been registered, but isn't listed yet\.$/],
  ] as const)('reports the result of the lookup with %s', async ([computeId, words], { server, client }) => {
    server.answer(resetBeforeHeaders, json({ resources: [{ id: '1', compute_id: computeId }], offset: 1 }));
    expect((await failureOf(client.listeners.create(create))).message).toMatch(words);
    expect(server.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v2/listeners',
      'GET /v2/listeners?limit=100&offset=0',
    ]);
  });
});
