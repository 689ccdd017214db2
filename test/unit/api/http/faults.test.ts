import { describe, expect } from 'vitest';
import type { ApiErrorKind } from '../../../../src/api/errors.ts';
import { failureOf, testClient } from '../../../support/faultClient.ts';
import { startFaultServer } from '../../../support/faultServer.ts';
import type { Fault } from '../../../support/faultServer.ts';
import * as faults from '../../../support/faults.ts';
import { it } from '../clientTest.ts';

interface Case {
  readonly fault: Fault;
  readonly kind: ApiErrorKind;
  /** How often a GET is sent. One whose answer is too large asks for smaller pages. */
  readonly gets: number;
  readonly timeoutMs?: number;
}

const problem = { detail: 'it broke' };

/** What each fault becomes; the second half of every test counts that a POST was sent once. */
const matrix: Record<string, Case> = {
  'a stall before the headers': { fault: faults.stallBeforeHeaders, kind: 'timeout', gets: 1, timeoutMs: 150 },
  'a stall in the middle of the headers': { fault: faults.stallInHeaders, kind: 'timeout', gets: 1, timeoutMs: 150 },
  'a stall in the middle of the body': { fault: faults.stallInBody, kind: 'timeout', gets: 1, timeoutMs: 150 },
  'a reset before the headers': { fault: faults.resetBeforeHeaders, kind: 'network', gets: 3 },
  'a reset in the middle of the body': { fault: faults.resetInBody, kind: 'network', gets: 3 },
  'an answer that ends early': { fault: faults.cutOff, kind: 'network', gets: 3 },
  'truncated JSON': { fault: faults.truncatedJson, kind: 'unexpectedResponse', gets: 1 },
  'an empty body': { fault: faults.emptyBody, kind: 'unexpectedResponse', gets: 1 },
  'invalid UTF-8': { fault: faults.invalidUtf8, kind: 'unexpectedResponse', gets: 1 },
  'a web page': { fault: faults.webPage, kind: 'unexpectedResponse', gets: 1 },
  'something that is not HTTP': { fault: faults.notHttp, kind: 'unexpectedResponse', gets: 1 },
  'an answer of 9 MB with its length': { fault: faults.tooLongAnnounced, kind: 'unexpectedResponse', gets: 16 },
  'an answer of 9 MB in chunks': { fault: faults.tooLongChunked, kind: 'unexpectedResponse', gets: 16 },
  'an answer that decodes to 9 MB': { fault: faults.tooLongDecoded, kind: 'unexpectedResponse', gets: 16 },
  'two million values in a few kB': { fault: faults.tooManyValues, kind: 'unexpectedResponse', gets: 16 },
  'a hundred lists in each other': { fault: faults.tooDeep, kind: 'unexpectedResponse', gets: 16 },
  'damaged compression': { fault: faults.damagedGzip, kind: 'unexpectedResponse', gets: 1 },
  'an endless redirect': { fault: faults.endlessRedirect, kind: 'unexpectedResponse', gets: 6 },
  'a redirect to another origin': {
    fault: faults.redirect('https://elsewhere.example/v2/deployments'),
    kind: 'unexpectedResponse',
    gets: 1,
  },
  'status 400': { fault: faults.json(problem, 400), kind: 'invalid', gets: 1 },
  'status 401': { fault: faults.json(problem, 401), kind: 'unauthorized', gets: 1 },
  'status 403': { fault: faults.json(problem, 403), kind: 'forbidden', gets: 1 },
  'status 404': { fault: faults.json(problem, 404), kind: 'notFound', gets: 1 },
  'status 407': { fault: faults.json(problem, 407), kind: 'proxy', gets: 1 },
  'status 408': { fault: faults.json(problem, 408), kind: 'timeout', gets: 3 },
  'status 409': { fault: faults.json(problem, 409), kind: 'conflict', gets: 1 },
  'status 422': { fault: faults.json(problem, 422), kind: 'invalid', gets: 1 },
  'status 429': { fault: faults.json(problem, 429), kind: 'rateLimited', gets: 3 },
  'status 500': { fault: faults.json(problem, 500), kind: 'server', gets: 1 },
  'status 501': { fault: faults.json(problem, 501), kind: 'server', gets: 1 },
  'status 502': { fault: faults.json(problem, 502), kind: 'server', gets: 3 },
  'status 503': { fault: faults.json(problem, 503), kind: 'server', gets: 3 },
  'status 504': { fault: faults.json(problem, 504), kind: 'server', gets: 3 },
};

describe('a GET', () => {
  it.each(Object.entries(matrix))('reports %s', async (_name, { fault, kind, gets, timeoutMs }) => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url, timeoutMs });
    server.answer(fault);
    const error = await failureOf(client.deployments.list());
    expect(error.kind).toBe(kind);
    expect(error.sent).toBe(true);
    expect(error.message).toContain(server.url);
    expect(server.count('GET')).toBe(gets);
  });
});

describe('a POST or a PATCH', () => {
  it.each(Object.entries(matrix))('is sent exactly once with %s', async (_name, { fault, kind, timeoutMs }) => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url, timeoutMs });
    server.answer(fault);
    const created = await failureOf(client.deployments.create({ name: 'a', source: 'repohost' }));
    const registered = await failureOf(client.listeners.create({ compute_type: 'k8s', compute_id: 'a' }));
    const updated = await failureOf(client.oauthProviders.update('a', { name: 'b' }));
    expect([created.kind, registered.kind, updated.kind]).toEqual([kind, kind, kind]);
    expect(server.seen.filter(({ method, path }) => method === 'POST' && path === '/v2/deployments')).toHaveLength(1);
    expect(server.seen.filter(({ method, path }) => method === 'POST' && path === '/v2/listeners')).toHaveLength(1);
    expect(server.count('PATCH')).toBe(1);
  });
});

describe('a service with a temporary failure', () => {
  it.for([429, 502, 503, 504])('is asked again after %i', async (status, { server, client }) => {
    server.answer(faults.json(problem, status), faults.resetBeforeHeaders, faults.json({ resources: [], offset: 0 }));
    expect(await client.deployments.list()).toEqual({ resources: [], offset: 0 });
    expect(server.count('GET')).toBe(3);
  });

  it('is read despite a wrong content type or a byte order mark', async ({ server, client }) => {
    server.answer(faults.raw('\uFEFF{"resources":[],"offset":0}', 200, { 'content-type': 'text/html' }));
    expect(await client.deployments.list()).toEqual({ resources: [], offset: 0 });
  });

  it('is read if it is slow but within the timeout', async ({ server, client }) => {
    const slow = faults.held(faults.json({ resources: [], offset: 0 }));
    server.answer(slow.fault);
    const listing = client.deployments.list();
    await server.arrived(1);
    slow.release();
    expect(await listing).toEqual({ resources: [], offset: 0 });
  });
});
