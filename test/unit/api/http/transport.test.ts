import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, vi } from 'vitest';
import { createTransport } from '../../../../src/api/http/createTransport.ts';
import type { Fetch } from '../../../../src/api/http/transport.ts';
import { makeAuthority, makeCertificate } from '../../../support/faultCertificates.ts';
import { failureOf, testClient } from '../../../support/faultClient.ts';
import { startFaultProxy } from '../../../support/faultProxy.ts';
import { startFaultServer } from '../../../support/faultServer.ts';
import type { Fault } from '../../../support/faultServer.ts';
import * as faults from '../../../support/faults.ts';
import { it } from '../clientTest.ts';

const page = { resources: [{ id: '1', name: 'agent' }], offset: 1 };

describe('the pool', () => {
  // undici frees a connection one turn of the event loop after its answer, so two take turns.
  it('reuses its connections', async ({ server, client }) => {
    server.answer(faults.json(page));
    for (let call = 0; call < 5; call += 1) await client.deployments.list();
    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  it("opens at most 8 connections, and waiting for one doesn't time out", async () => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url, timeoutMs: 600 });
    // Each answer comes after 150 of the 600 milliseconds, so the last of 40 waits for longer than its time-out.
    server.answer((response, request) => void setTimeout(() => faults.json(page)(response, request), 150));
    const calls = Array.from({ length: 40 }, () => client.deployments.list());
    expect(await Promise.all(calls)).toHaveLength(40);
    expect(server.connections()).toBe(8);
  });

  it('never sends a request that was cancelled while it waited', async ({ server, client }) => {
    const slow = faults.held(faults.json(page));
    server.answer(slow.fault);
    const running = Array.from({ length: 8 }, () => client.deployments.list());
    await server.arrived(8);
    const cancel = new AbortController();
    const waiting = failureOf(client.deployments.create({ name: 'a', source: 'repohost' }, cancel));
    cancel.abort();
    expect(await waiting).toMatchObject({ kind: 'cancelled', sent: false });
    slow.release();
    await Promise.all(running);
    expect(server.count('POST')).toBe(0);
  });

  it('ends a running request when it is cancelled', async ({ server, client }) => {
    server.answer(faults.stallInBody);
    const cancel = new AbortController();
    const listing = failureOf(client.deployments.list({}, { signal: cancel.signal }));
    await server.arrived(1);
    cancel.abort();
    expect(await listing).toMatchObject({ kind: 'cancelled', sent: true });
  });

  it('sends nothing for an aborted signal', async ({ server, client }) => {
    const call = client.deployments.list({}, { signal: AbortSignal.abort() });
    expect(await failureOf(call)).toMatchObject({ kind: 'cancelled', sent: false });
    expect(server.seen).toEqual([]);
  });

  it('cancels running requests when the client is closed, and rejects later ones', async ({ server, client }) => {
    server.answer(faults.stallBeforeHeaders);
    const listing = failureOf(client.deployments.list());
    await server.arrived(1);
    await client.close();
    expect((await listing).kind).toBe('cancelled');
    expect(await failureOf(client.deployments.list())).toMatchObject({ kind: 'cancelled', sent: false });
  });

  it('closes its connections after the last request once it is retired, and opens another for a later one', async ({
    server,
    client,
  }) => {
    const closed: Promise<unknown>[] = [];
    const slow = faults.held(faults.json(page));
    const watched: Fault = (response, request) => {
      closed.push(once(request.socket, 'close'));
      slow.fault(response, request);
    };
    server.answer(watched, faults.json(page));
    const running = client.deployments.list();
    await server.arrived(1);
    const retired = client.retire();
    expect(await client.deployments.list()).toEqual(page);
    slow.release();
    expect(await running).toEqual(page);
    await Promise.all([retired, ...closed]);
    expect(server.connections()).toBe(2);
    expect(await client.deployments.list()).toEqual(page);
    expect(server.connections()).toBe(3);
  });

  it('cancels what a retired client is still doing when it is closed', async ({ server, client }) => {
    server.answer(faults.stallBeforeHeaders);
    const listing = failureOf(client.deployments.list());
    await server.arrived(1);
    const retired = client.retire();
    await client.close();
    expect((await listing).kind).toBe('cancelled');
    await retired;
  });

  it('times out if a handshake never ends, after three tries of a GET and one of anything else', async () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const baseUrl = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    await using client = testClient({ baseUrl, network: { connectTimeoutMs: 200 } });
    const timedOut = { kind: 'timeout', sent: false };
    expect(await failureOf(client.listeners.create({ compute_type: 'k8s', compute_id: 'a' }))).toMatchObject(timedOut);
    expect(await failureOf(client.oauthProviders.update('calendar', { name: 'a' }))).toMatchObject(timedOut);
    expect(sockets.size).toBe(2);
    expect(await failureOf(client.deployments.list())).toMatchObject(timedOut);
    expect(sockets.size).toBe(5);
    silent.close();
    for (const socket of sockets) socket.destroy();
  });
});

describe('compressed responses', () => {
  it.for([
    { encoding: 'gzip', compress: gzipSync },
    { encoding: 'br', compress: brotliCompressSync },
  ])('are requested and read in $encoding', async ({ encoding, compress }, { server, client }) => {
    server.answer(faults.raw(compress(JSON.stringify(page)), 200, { 'content-encoding': encoding }));
    expect(await client.deployments.list()).toEqual(page);
    expect(server.seen[0]?.headers['accept-encoding']).toBe('gzip, br');
  });

  it("are rejected in an encoding that wasn't requested", async ({ server, client }) => {
    server.answer(faults.raw('x', 200, { 'content-encoding': 'zstd' }));
    expect((await failureOf(client.deployments.list())).kind).toBe('unexpectedResponse');
  });
});

describe('redirects', () => {
  it('are followed for a GET within the service, with the key', async ({ server, client }) => {
    server.answer(faults.redirect('/moved?x=1', 307), faults.json(page));
    expect(await client.deployments.list()).toEqual(page);
    expect(server.seen.map(({ path }) => path)).toEqual(['/v2/deployments', '/moved?x=1']);
    expect(server.seen[1]?.headers['x-api-key']).toBe('test-key-0123');
  });

  it('are not followed to another origin, which the message names', async () => {
    await using server = await startFaultServer();
    await using other = await startFaultServer();
    await using client = testClient({ baseUrl: server.url });
    server.answer(faults.redirect(`${other.url}/v2/deployments?token=abc`));
    const error = await failureOf(client.deployments.list());
    expect(error.message).toContain(other.url);
    expect(error.message).not.toContain('token=abc');
    expect(other.seen).toEqual([]);
  });

  it('are not followed for a POST, even within the service', async ({ server, client }) => {
    server.answer(faults.redirect('/elsewhere', 307));
    const error = await failureOf(client.listeners.create({ compute_type: 'k8s', compute_id: 'a' }));
    expect(error.kind).toBe('unexpectedResponse');
    expect(server.count('POST')).toBe(1);
  });
});

describe('the transport auto', () => {
  const unreachable = 'http://127.0.0.1:1';

  /** A fetch of an editor that knows the way: it takes requests for the unreachable address to the server. */
  function editorTo(url: string): { fetch: Fetch; calls: string[] } {
    const calls: string[] = [];
    return {
      calls,
      fetch: (address, init) => {
        calls.push(`${init.method} ${address}`);
        return fetch(address.replace(unreachable, url), init);
      },
    };
  }

  it("repeats a GET through the editor's fetch if it can't connect, and stays with it", async () => {
    await using server = await startFaultServer();
    const editor = editorTo(server.url);
    await using client = testClient({ baseUrl: unreachable, network: { mode: 'auto', fetch: editor.fetch } });
    server.answer(faults.json(page));
    expect(await client.deployments.list()).toEqual(page);
    server.answer(faults.json({ id: '1' }));
    await client.listeners.create({ compute_type: 'k8s', compute_id: 'a' });
    expect(editor.calls).toEqual([`GET ${unreachable}/v2/deployments`, `POST ${unreachable}/v2/listeners`]);
    expect(server.seen[1]).toMatchObject({ method: 'POST', body: '{"compute_type":"k8s","compute_id":"a"}' });
  });

  it('uses it for proxies that only the editor supports', async () => {
    await using server = await startFaultServer();
    server.answer(faults.json(page));
    const fetch: Fetch = (address, init) => globalThis.fetch(address.replace('https://a.example', server.url), init);
    const network = { mode: 'auto', editorProxy: 'socks5://127.0.0.1:1', fetch } as const;
    await using client = testClient({ baseUrl: 'https://a.example', network });
    expect(await client.deployments.list()).toEqual(page);
  });

  it('uses it if a proxy refuses or never responds, because the editor may know its password', async () => {
    await using server = await startFaultServer();
    server.answer(faults.json(page));
    const fetch: Fetch = (address, init) => globalThis.fetch(address.replace('https://a.example', server.url), init);
    for (const behavior of [407, 502, 'stall'] as const) {
      await using proxy = await startFaultProxy({ behavior });
      const network = { mode: 'auto', editorProxy: proxy.url, fetch, connectTimeoutMs: 200 } as const;
      await using client = testClient({ baseUrl: 'https://a.example', network });
      expect(await client.deployments.list()).toEqual(page);
    }
  });

  it('never repeats a POST there', async () => {
    await using server = await startFaultServer();
    const editor = editorTo(server.url);
    await using client = testClient({ baseUrl: unreachable, network: { mode: 'auto', fetch: editor.fetch } });
    const error = await failureOf(client.listeners.create({ compute_type: 'k8s', compute_id: 'a' }));
    expect(error).toMatchObject({ kind: 'network', sent: false });
    expect(editor.calls).toEqual([]);
  });

  it("keeps the first failure if the editor can't connect either", async () => {
    const editor = editorTo('http://127.0.0.1:2');
    await using client = testClient({ baseUrl: unreachable, network: { mode: 'auto', fetch: editor.fetch } });
    const error = await failureOf(client.deployments.list());
    expect(error.message).toContain(`${unreachable} refused the connection.`);
    expect(editor.calls.length).toBeGreaterThan(0);
  });

  it('stays with undici if the service responds with an error', async () => {
    await using server = await startFaultServer();
    const editor = editorTo(server.url);
    await using client = testClient({ baseUrl: server.url, network: { mode: 'auto', fetch: editor.fetch } });
    server.answer(faults.resetBeforeHeaders, faults.json({}, 500));
    expect((await failureOf(client.deployments.list())).kind).toBe('server');
    expect(editor.calls).toEqual([]);
  });
});

describe('the transport editor', () => {
  const network = { mode: 'editor' as const };

  it.each([
    { name: 'a stall before the headers', fault: faults.stallBeforeHeaders, kind: 'timeout', timeoutMs: 200 },
    { name: 'a stall in the body', fault: faults.stallInBody, kind: 'timeout', timeoutMs: 200 },
    { name: 'a reset', fault: faults.resetBeforeHeaders, kind: 'network' },
    { name: 'a long answer', fault: faults.tooLongChunked, kind: 'unexpectedResponse' },
    { name: 'a compressed long answer', fault: faults.tooLongDecoded, kind: 'unexpectedResponse' },
    { name: 'a redirect to another origin', fault: faults.redirect('https://a.example'), kind: 'unexpectedResponse' },
    { name: 'a status', fault: faults.json({ detail: 'no' }, 403), kind: 'forbidden' },
  ])('gives $name the same kind, and sends a POST once', async ({ fault, kind, timeoutMs }) => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url, timeoutMs, network });
    server.answer(fault);
    const error = await failureOf(client.listeners.create({ compute_type: 'k8s', compute_id: 'a' }));
    expect(error.kind).toBe(kind);
    expect(server.count('POST')).toBe(1);
  });

  it('reads compressed responses, and can be cancelled and closed', async () => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url, network });
    server.answer(faults.raw(gzipSync(JSON.stringify(page)), 200, { 'content-encoding': 'gzip' }), faults.stallInBody);
    expect(await client.deployments.list()).toEqual(page);
    const cancel = new AbortController();
    const listing = failureOf(client.deployments.list({}, { signal: cancel.signal }));
    await server.arrived(2);
    cancel.abort();
    expect((await listing).kind).toBe('cancelled');
  });

  it('reports an untrusted certificate', async () => {
    await using server = await startFaultServer({ tls: makeCertificate() });
    await using client = testClient({ baseUrl: server.url, network });
    expect((await failureOf(client.deployments.list())).kind).toBe('tls');
  });
});

describe.each(['auto', 'editor'] as const)('the transport %s', (mode) => {
  it.for([
    { name: 'proxy', own: { proxy: 'http://127.0.0.1:1' }, kind: 'proxy' },
    { name: 'CA', own: { ca: makeAuthority().cert }, kind: 'network' },
    { name: 'client certificate', own: makeCertificate(), kind: 'network' },
  ])('uses undici for a connection with its own $name', async ({ own, kind }) => {
    const fetch = vi.fn<Fetch>();
    await using client = testClient({ baseUrl: 'http://127.0.0.1:1', network: { mode, ...own, fetch } });
    expect(await failureOf(client.deployments.list())).toMatchObject({ kind, sent: false });
    expect(fetch).not.toHaveBeenCalled();
  });
});

it('reads no certificates and opens no connection before the first request', async () => {
  const transport = createTransport({ mode: 'undici', cert: 'broken', key: 'broken', proxy: 'socks5://x' });
  await transport.close();
});
