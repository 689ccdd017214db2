import { describe, expect, it } from 'vitest';
import { chooseProxy } from '../../../../src/api/http/proxy.ts';
import { makeAuthority, makeCertificate } from '../../../support/faultCertificates.ts';
import { failureOf, testClient } from '../../../support/faultClient.ts';
import { startFaultProxy } from '../../../support/faultProxy.ts';
import { startFaultServer } from '../../../support/faultServer.ts';
import { json } from '../../../support/faults.ts';

const authority = makeAuthority();
const certificate = makeCertificate({ issuer: authority });
const empty = json({ resources: [], offset: 0 });

/** Plain http is forwarded by a proxy, https is tunnelled: both ways have their own failures. */
const ways = [
  { way: 'plain http', tls: undefined },
  { way: 'https', tls: certificate },
];

async function startService(tls: typeof certificate | undefined) {
  const server = await startFaultServer(tls === undefined ? {} : { tls });
  server.answer(empty);
  return server;
}

describe.each(ways)('a proxy in front of a service that speaks $way', ({ tls }) => {
  it('carries the requests', async () => {
    await using server = await startService(tls);
    await using proxy = await startFaultProxy();
    await using client = testClient({ baseUrl: server.url, network: { proxy: proxy.url, ca: authority.cert } });
    expect(await client.deployments.list()).toEqual({ resources: [], offset: 0 });
    expect(proxy.targets).toHaveLength(1);
    expect(server.count('GET')).toBe(1);
  });

  it('gets the user name and password of its address, unlike the service', async () => {
    await using server = await startService(tls);
    await using proxy = await startFaultProxy({ authorization: `Basic ${Buffer.from('me:p@ss%').toString('base64')}` });
    const address = `http://me:p%40ss%25@127.0.0.1:${proxy.port}`;
    await using client = testClient({ baseUrl: server.url, network: { proxy: address, ca: authority.cert } });
    expect(await client.deployments.list()).toEqual({ resources: [], offset: 0 });
    expect(server.seen[0]?.headers['proxy-authorization']).toBeUndefined();
  });

  it('causes an error that names the setting if it requires a password', async () => {
    await using server = await startService(tls);
    await using proxy = await startFaultProxy({ behavior: 407 });
    await using client = testClient({ baseUrl: server.url, network: { proxy: proxy.url, ca: authority.cert } });
    const error = await failureOf(client.deployments.list());
    expect(error.kind).toBe('proxy');
    expect(error.message).toMatch(/requires a user name and password \(407\).*http\.proxy/);
    expect(error.message).toContain(`127.0.0.1:${proxy.port}`);
    expect(server.seen).toEqual([]);
  });

  it("causes an error of the kind proxy if it isn't running", async () => {
    await using server = await startService(tls);
    const port = await freePort();
    await using client = testClient({
      baseUrl: server.url,
      network: { proxy: `http://me:secret-word@127.0.0.1:${port}`, ca: authority.cert },
    });
    const error = await failureOf(client.deployments.list());
    expect(error).toMatchObject({ kind: 'proxy', sent: false });
    expect(error.message).toContain(`Couldn't connect to the proxy 127.0.0.1:${port} (ECONNREFUSED)`);
    expect(`${error.message} ${String(error.cause)}`).not.toContain('secret-word');
  });

  it("never gets a POST twice if it isn't running", async () => {
    await using server = await startService(tls);
    await using proxy = await startFaultProxy({ behavior: 407 });
    await using client = testClient({ baseUrl: server.url, network: { proxy: proxy.url, ca: authority.cert } });
    await failureOf(client.listeners.create({ compute_type: 'k8s', compute_id: 'a' }));
    expect(proxy.targets).toHaveLength(1);
  });

  it('opens at most 8 connections to the service', async () => {
    await using server = await startService(tls);
    await using proxy = await startFaultProxy();
    await using client = testClient({ baseUrl: server.url, network: { proxy: proxy.url, ca: authority.cert } });
    await Promise.all(Array.from({ length: 40 }, () => client.deployments.list()));
    expect(server.count('GET')).toBe(40);
    expect(server.connections()).toBeLessThanOrEqual(8);
  });

  it('is bypassed for the hosts of the no-proxy list', async () => {
    await using server = await startService(tls);
    await using proxy = await startFaultProxy();
    const network = { proxy: proxy.url, noProxy: ['127.0.0.1'], ca: authority.cert };
    await using client = testClient({ baseUrl: server.url, network });
    expect(await client.deployments.list()).toEqual({ resources: [], offset: 0 });
    expect(proxy.targets).toEqual([]);
  });
});

describe("a tunnel's proxy", () => {
  it('times out if it never responds', async () => {
    await using server = await startService(certificate);
    await using proxy = await startFaultProxy({ behavior: 'stall' });
    const network = { proxy: proxy.url, ca: authority.cert, connectTimeoutMs: 200 };
    await using client = testClient({ baseUrl: server.url, network });
    expect(await failureOf(client.deployments.list())).toMatchObject({ kind: 'proxy', sent: false });
  });

  it("causes an error with its status if it can't reach the service", async () => {
    await using server = await startService(certificate);
    await using proxy = await startFaultProxy({ behavior: 502 });
    await using client = testClient({ baseUrl: server.url, network: { proxy: proxy.url } });
    const error = await failureOf(client.deployments.list());
    expect(error.kind).toBe('proxy');
    expect(error.message).toContain('status 502');
  });

  it("doesn't hide an untrusted certificate of the service", async () => {
    await using server = await startService(certificate);
    await using proxy = await startFaultProxy();
    await using client = testClient({ baseUrl: server.url, network: { proxy: proxy.url } });
    const error = await failureOf(client.deployments.list());
    expect(error.kind).toBe('tls');
    expect(error.message).toContain(server.url);
  });

  it('can use https itself', async () => {
    await using server = await startService(certificate);
    await using proxy = await startFaultProxy({ tls: certificate });
    await using client = testClient({ baseUrl: server.url, network: { proxy: proxy.url, ca: authority.cert } });
    expect(await client.deployments.list()).toEqual({ resources: [], offset: 0 });
    expect(proxy.targets).toHaveLength(1);
  });

  it("causes an error of its own if its certificate isn't trusted", async () => {
    await using server = await startService(certificate);
    await using proxy = await startFaultProxy({ tls: makeCertificate() });
    await using client = testClient({ baseUrl: server.url, network: { proxy: proxy.url, ca: authority.cert } });
    const error = await failureOf(client.deployments.list());
    expect(error.kind).toBe('tls');
    expect(error.message).toContain(`Couldn't connect to the proxy 127.0.0.1:${new URL(proxy.url).port}`);
    expect(error.message).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
  });
});

describe('the choice of a proxy', () => {
  const environment = {
    HTTPS_PROXY: 'http://secure.example:1',
    http_proxy: 'plain.example:2',
    NO_PROXY: 'b.example, .c.example',
  };

  const own = { proxy: 'http://own:1' };
  const editor = { editorProxy: 'http://editor:2' };

  it.each<[string, string, Parameters<typeof chooseProxy>[1], string | undefined]>([
    ["the connection's before the editor's", 'https://a.example', { ...own, ...editor }, 'http://own:1'],
    ["the editor's before the environment's", 'https://a.example', { ...editor, environment }, 'http://editor:2'],
    ['HTTPS_PROXY for https', 'https://a.example', { environment }, 'http://secure.example:1'],
    ['http_proxy for http', 'http://a.example', { environment }, 'http://plain.example:2'],
    ['none for a host of NO_PROXY', 'https://b.example', { environment }, undefined],
    ['none for a suffix of NO_PROXY', 'https://x.c.example', { environment }, undefined],
    ['none for this machine', 'http://127.0.0.1:8080', { ...editor, environment }, undefined],
    ['none for an empty setting', 'https://a.example', { proxy: ' ', editorProxy: '' }, undefined],
    ["the editor's only for other hosts", 'https://a.example', { ...editor, noProxy: ['a.example'] }, undefined],
  ])('is %s', (_, origin, options, url) => {
    expect(chooseProxy(origin, { environment: {}, ...options })?.url).toBe(url);
  });

  it.each([
    ['socks5://proxy:1080', /^"socks5:" proxies aren't supported/],
    ['http://', /isn't a web address/],
    ['unix:///run/proxy', /isn't a web address/],
    ['://', /isn't a web address/],
    ['http://user:pass word@', /isn't a web address/],
  ])('rejects %s without quoting a password', (proxy, says) => {
    const choose = () => chooseProxy('https://a.example', { proxy });
    expect(choose).toThrow(expect.objectContaining({ name: 'ApiError', kind: 'proxy', sent: false }));
    expect(choose).toThrow(says);
    expect(choose).not.toThrow(/pass word/);
  });

  it.each([
    ['http://proxy:1', undefined],
    [' http://proxy:1 ', undefined],
    [' proxy:1 ', undefined],
    ['http://me@proxy:1', 'me:'],
    ['http://:word@proxy:1', ':word'],
    ['http://me:w%40rd@proxy:1', 'me:w@rd'],
    ['http://me:100%@proxy:1', 'me:100%'],
  ])('reads from the address %j the credentials %s', (proxy, credentials) => {
    const basic = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
    expect(chooseProxy('https://a.example', { proxy })).toEqual({ url: 'http://proxy:1', authorization: basic });
  });

  it.each([
    ['*', 'https://a.example', true],
    ['a.example', 'https://a.example', true],
    [' A.Example ', 'https://a.example', true],
    ['a.example', 'https://b.a.example', true],
    ['.a.example', 'https://b.a.example', true],
    ['*.a.example', 'https://b.a.example', true],
    ['a.example', 'https://ba.example', false],
    ['a.example:443', 'https://a.example', true],
    ['a.example:80', 'https://a.example', false],
    ['a.example:80', 'http://a.example', true],
    ['a.example:443', 'http://a.example', false],
    ['a.example:8443', 'https://a.example:8443', true],
    ['a.example:https', 'https://a.example', false],
    ['b:a.example', 'https://a.example', false],
    ['[2001:db8::1]', 'https://[2001:db8::1]', true],
    ['[2001:db8::1]:8443', 'https://[2001:db8::1]:8443', true],
    ['', 'https://a.example', false],
    ['', 'https://a.example.', false],
  ])('skips the proxy for the entry %j and %s: %s', (entry, origin, isExcluded) => {
    expect(chooseProxy(origin, { proxy: 'proxy:1', noProxy: [entry] }) === undefined).toBe(isExcluded);
  });
});

/** A port on which nothing listens. */
async function freePort(): Promise<number> {
  await using server = await startFaultServer();
  return server.port;
}
