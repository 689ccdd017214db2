import { describe, expect } from 'vitest';
import type { LogPlace } from '../../../../src/api/resources/logs.ts';
import { failureOf, testClient } from '../../../support/faultClient.ts';
import { startFaultServer } from '../../../support/faultServer.ts';
import type { Fault } from '../../../support/faultServer.ts';
import { json, raw, resetBeforeHeaders } from '../../../support/faults.ts';
import { it } from '../clientTest.ts';

const build: LogPlace = { type: 'build', deploymentId: 'd', revisionId: 'r' };
const deploy: LogPlace = { ...build, type: 'deploy' };
const application: LogPlace = { ...build, type: 'application' };

const time = '2026-11-21T10:00:00.000Z';
const entry = { id: '1', timestamp: time, level: 'INFO', message: 'Started' };
const read = { id: '1', time: Date.parse(time), level: 'INFO', message: 'Started' };
const page = (...logs: unknown[]): Fault => json({ logs, next_offset: null });
const notFound = json({ detail: 'Not Found' }, 404);

describe('a request for a log', () => {
  it.each<[LogPlace, string]>([
    [build, '/v1/projects/d/revisions/r/build_logs'],
    [deploy, '/v1/projects/d/revisions/r/deploy_logs'],
    [application, '/v1/projects/d/deploy_logs'],
  ])('of %o goes to the older call, with its query as the body', async (place, path) => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url });
    server.answer(page(entry));
    const query = {
      limit: 50,
      order: 'desc',
      level: 'ERROR',
      query: 'text',
      start_time: time,
      end_time: time,
      offset: '7',
    } as const;
    expect(await client.logs.read(place, query)).toEqual({ entries: [read], nextOffset: undefined });
    const [request, ...others] = server.seen;
    expect(others).toEqual([]);
    expect(request).toMatchObject({ method: 'POST', path });
    expect(JSON.parse(request?.body ?? '')).toEqual(query);
  });

  it.each<[LogPlace, string]>([
    [build, 'build'],
    [deploy, 'deploy'],
    [application, 'deploy'],
  ])('of %o goes to the newer call after a 404, and then always', async (place, type) => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url });
    server.answer(notFound, page(entry));
    expect((await client.logs.read(place, { order: 'asc', limit: 10 })).entries).toEqual([read]);
    await client.logs.read(place, {});
    expect(server.seen.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET']);
    const address = `/v2/deployments/d/revisions/r/logs?type=${type}`;
    expect(server.asked().slice(1)).toEqual([`${address}&order=asc&limit=10`, address]);
  });

  it('goes to the newer call after a 405, too', async ({ server, client }) => {
    server.answer(json({ detail: 'Method Not Allowed' }, 405), page(entry));
    expect((await client.logs.read(build, {})).entries).toEqual([read]);
  });

  it('fails with the status of the newer call if there is neither, and tries both again', async ({
    server,
    client,
  }) => {
    server.answer(notFound);
    for (let reads = 0; reads < 2; reads += 1) {
      expect(await failureOf(client.logs.read(build, {}))).toMatchObject({ kind: 'notFound', status: 404 });
    }
    expect(server.seen.map(({ method }) => method)).toEqual(['POST', 'GET', 'POST', 'GET']);
  });

  it("isn't sent to the newer call after another failure", async ({ server, client }) => {
    server.answer(json({ detail: 'Not enabled' }, 403));
    expect(await failureOf(client.logs.read(build, {}))).toMatchObject({ kind: 'forbidden' });
    expect(server.seen).toHaveLength(1);
  });

  it('is repeated as a GET is, because it changes nothing', async ({ server, client }) => {
    server.answer(resetBeforeHeaders, json({}, 503), page(entry));
    expect((await client.logs.read(build, {})).entries).toEqual([read]);
    expect(server.count('POST')).toBe(3);
  });

  it.each<[object, string]>([
    [{ limit: 0 }, 'limit'],
    [{ limit: 1001 }, 'limit'],
    [{ order: 'up' }, 'order'],
    [{ level: 'LOUD' }, 'level'],
  ])('with %o is refused before it is sent', async (query, field) => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url });
    const { kind, fields } = await failureOf(client.logs.read(build, query));
    expect({ kind, fields: fields?.map(({ path }) => path) }).toEqual({ kind: 'invalid', fields: [field] });
    expect(server.seen).toEqual([]);
  });
});

describe('a log entry', () => {
  it.each<[string, object, object]>([
    ['a time in milliseconds', { timestamp: Date.parse(time) }, {}],
    ['a time in another zone', { timestamp: '2026-11-21T11:00:00+01:00' }, {}],
    ['a number as its id', { id: 1 }, {}],
    ['a level in lowercase', { level: 'info' }, {}],
    ['an unknown level', { level: 'critical' }, { level: 'CRITICAL' }],
    ['no level', { level: null }, { level: '' }],
    ['no message', { message: undefined }, { message: '' }],
    ['no id', { id: null }, { id: '' }],
    ['no time', { timestamp: undefined }, { time: undefined }],
    ['a time that is none', { timestamp: 'yesterday' }, { time: undefined }],
    ['a time that no calendar has', { timestamp: 1e300 }, { time: undefined }],
    ['a time that no query can name', { timestamp: 253_402_300_800_000 }, { time: undefined }],
    ['a time before 1970', { timestamp: -1 }, { time: undefined }],
    ['an endless level', { level: 'x'.repeat(100) }, { level: 'X'.repeat(20) }],
    ['more than 20,000 characters', { message: 'ä'.repeat(3_000_000) }, { message: 'ä'.repeat(20_000) }],
    ['unknown fields', { labels: { a: 'b' } }, {}],
  ])('with %s is read', async (_, fields, expected) => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url });
    server.answer(page({ ...entry, ...fields }));
    expect((await client.logs.read(build, {})).entries).toEqual([{ ...read, ...expected }]);
  });

  it('that is damaged hides no other one', async ({ server, client }) => {
    server.answer(page('text', null, 7, { ...entry, message: { nested: true } }, entry, [entry]));
    expect((await client.logs.read(build, {})).entries).toEqual([read]);
  });

  it('after a thousand is left out', async ({ server, client }) => {
    server.answer(page(...Array.from({ length: 1200 }, (_, id) => ({ ...entry, id }))));
    const { entries } = await client.logs.read(build, {});
    expect([entries.length, entries.at(-1)?.id]).toEqual([1000, '999']);
  });
});

describe('a page of a log', () => {
  it.each<[unknown, string | undefined]>([
    ['8', '8'],
    [8, '8'],
    ['', undefined],
    [null, undefined],
    [undefined, undefined],
    [{ after: 8 }, undefined],
    ['7', undefined],
    [7, undefined],
  ])('after offset 7 with the next offset %j leads to %j', async (next, expected) => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url });
    server.answer(json({ logs: [entry], next_offset: next }));
    expect((await client.logs.read(build, { offset: '7' })).nextOffset).toBe(expected);
  });

  it.each([json({ detail: 'fine' }), json([]), raw('<html>'), raw('')])("that isn't one fails", async (fault) => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url });
    server.answer(fault);
    expect(await failureOf(client.logs.read(build, {}))).toMatchObject({ kind: 'unexpectedResponse' });
  });
});
