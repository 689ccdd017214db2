import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Client } from '../../../../src/api/client.ts';
import { ClientCache } from '../../../../src/state/connections/clientCache.ts';
import { createClientTo } from '../../../../src/state/connections/clients.ts';
import type { NetworkSettings } from '../../../../src/state/connections/clients.ts';
import type { ServiceConnection } from '../../../../src/state/connections/connection.ts';
import { apiKeySlot, proxyPasswordSlot } from '../../../../src/state/connections/storedKeys.ts';
import { InMemorySecrets } from '../../../support/editorStorage.ts';
import { makeAuthority, makeCertificate } from '../../../support/faultCertificates.ts';
import { failureOf } from '../../../support/faultClient.ts';
import { startFaultProxy } from '../../../support/faultProxy.ts';
import { startFaultServer } from '../../../support/faultServer.ts';
import type { FaultServerOptions } from '../../../support/faultServer.ts';
import { held, json, stallBeforeHeaders } from '../../../support/faults.ts';
import { silentLog } from '../../../support/silentLog.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';

const page = { resources: [], offset: 0 };

const userAgent = 'deployment-manager/1.2.3 vscode/1.139.1';

/** A host that does not exist and is not this machine, for which alone the editor's proxy counts. */
const elsewhere = 'http://service.invalid';

interface Surroundings {
  readonly secrets?: InMemorySecrets;
  readonly network?: Partial<NetworkSettings>;
  readonly fetch?: typeof fetch;
}

function dependencies({ secrets = new InMemorySecrets(), network, fetch = globalThis.fetch }: Surroundings) {
  const settings: NetworkSettings = { mode: 'undici', timeoutMs: 5_000, strictTls: true, ...network };
  return { secrets, network: () => settings, fetch, userAgent, log: silentLog };
}

function connectionTo(baseUrl: string, changes: Partial<ServiceConnection> = {}): ServiceConnection {
  return { kind: 'service', name: 'Work', baseUrl, flavor: 'standard', ...changes };
}

async function clientOf(
  connection: ServiceConnection,
  surroundings: Surroundings = {},
): Promise<Client & AsyncDisposable> {
  const client = await createClientTo(connection, dependencies(surroundings));
  return { ...client, [Symbol.asyncDispose]: () => client.close() };
}

async function startService(options?: FaultServerOptions) {
  const server = await startFaultServer(options);
  server.answer(json(page));
  return server;
}

const newListener = { compute_type: 'k8s', compute_id: 'a' };

describe("a connection's own proxy", () => {
  it("carries its requests, even to hosts in the editor's http.noProxy", async () => {
    await using server = await startService();
    await using proxy = await startFaultProxy();
    const network = { editorProxy: 'http://127.0.0.1:1', noProxy: ['127.0.0.1', '*'] };
    await using client = await clientOf(connectionTo(server.url, { proxy: proxy.url }), { network });
    expect(await client.deployments.list()).toEqual(page);
    expect(proxy.targets).toEqual([`${server.url}/v2/deployments`]);
  });

  it("takes precedence over the editor's", async () => {
    await using own = await startFaultProxy({ behavior: 403 });
    await using editors = await startFaultProxy({ behavior: 403 });
    const connection = connectionTo(elsewhere, { proxy: own.url, allowPlainHttp: true });
    await using client = await clientOf(connection, { network: { editorProxy: editors.url } });
    await failureOf(client.deployments.list());
    expect(own.targets).toEqual([`${elsewhere}/v2/deployments`]);
    expect(editors.targets).toEqual([]);
  });

  it("is used even if other requests go through the editor's fetch", async () => {
    await using server = await startService();
    await using proxy = await startFaultProxy();
    const connection = connectionTo(server.url, { proxy: proxy.url });
    const fetch = () => Promise.reject(new Error('The fetch of the editor was used.'));
    await using client = await clientOf(connection, { network: { mode: 'editor' }, fetch });
    expect(await client.deployments.list()).toEqual(page);
    expect(proxy.targets).toHaveLength(1);
  });

  it.each([
    { stored: 'me:p@ss:w%rd', sent: 'me:p@ss:w%rd' },
    { stored: 'only-a-password', sent: ':only-a-password' },
  ])(`gets the password "$stored" from SecretStorage; the service doesn't`, async ({ stored, sent }) => {
    await using server = await startService();
    const authorization = `Basic ${Buffer.from(sent).toString('base64')}`;
    await using proxy = await startFaultProxy({ authorization });
    const connection = connectionTo(server.url, { proxy: proxy.url });
    const secrets = new InMemorySecrets();
    await secrets.store(proxyPasswordSlot(connection), stored);
    await using client = await clientOf(connection, { secrets });
    expect(await client.deployments.list()).toEqual(page);
    expect(proxy.authorizations).toEqual([authorization]);
    expect(server.seen[0]?.headers['proxy-authorization']).toBeUndefined();
  });

  it('never gets the password of another proxy', async () => {
    await using server = await startService();
    await using proxy = await startFaultProxy();
    const connection = connectionTo(server.url, { proxy: proxy.url });
    const secrets = new InMemorySecrets();
    await secrets.store(proxyPasswordSlot({ ...connection, proxy: 'http://other.example:3128' }), 'me:word');
    await using client = await clientOf(connection, { secrets });
    await client.deployments.list();
    expect(proxy.authorizations).toEqual([undefined]);
  });

  it("isn't used without its password if the keyring isn't responding", async () => {
    const secrets = new InMemorySecrets();
    secrets.read = () => Promise.reject(new Error('locked'));
    const connection = connectionTo('https://host.example', { proxy: 'http://proxy.example:3128' });
    const error = await failureOf(clientOf(connection, { secrets }));
    expect(error).toMatchObject({ kind: 'proxy', sent: false });
    expect(error.message).toBe(
      'The proxy password of "Work" can\'t be read: the keyring of this machine isn\'t responding. Unlock it and try again.',
    );
  });
});

describe("the editor's proxy", () => {
  it('carries the requests of a connection without its own proxy', async () => {
    await using proxy = await startFaultProxy({ behavior: 403 });
    const connection = connectionTo(elsewhere, { allowPlainHttp: true });
    await using client = await clientOf(connection, { network: { editorProxy: proxy.url, noProxy: ['host.example'] } });
    expect((await failureOf(client.deployments.list())).status).toBe(403);
    expect(proxy.targets).toEqual([`${elsewhere}/v2/deployments`]);
  });

  it("isn't used for hosts in http.noProxy", async () => {
    await using proxy = await startFaultProxy({ behavior: 403 });
    const connection = connectionTo(elsewhere, { allowPlainHttp: true });
    const network = { editorProxy: proxy.url, noProxy: ['service.invalid'] };
    await using client = await clientOf(connection, { network });
    expect(await failureOf(client.listeners.create(newListener))).toMatchObject({ kind: 'network', sent: false });
    expect(proxy.targets).toEqual([]);
  });
});

describe("a connection's certificate files", () => {
  const authority = makeAuthority();
  const service = {
    tls: { ...makeCertificate({ issuer: authority }), ca: authority.cert, requestCert: true, rejectUnauthorized: true },
  };

  it('authenticate a service with a private authority and the client', async () => {
    await using folder = await temporaryFolder();
    const own = makeCertificate({ issuer: authority });
    const files = await writeFiles(folder.path, {
      caFile: authority.cert,
      clientCertFile: own.cert,
      clientKeyFile: own.key,
    });
    await using server = await startService(service);
    await using client = await clientOf(connectionTo(server.url, files));
    expect(await client.deployments.list()).toEqual(page);
  });

  it.each(['caFile', 'clientCertFile', 'clientKeyFile'] as const)(
    'are named with their setting if %s is missing',
    async (setting) => {
      await using folder = await temporaryFolder();
      const missing = path.join(folder.path, 'missing.pem');
      const error = await failureOf(clientOf(connectionTo('https://host.example', { [setting]: missing })));
      expect(error).toMatchObject({ kind: 'tls', sent: false });
      expect(error.message).toBe(
        `The file ${missing} can't be read (ENOENT). Correct "${setting}" of the connection "Work".`,
      );
    },
  );

  it('are named if one is a folder', async () => {
    await using folder = await temporaryFolder();
    const place = path.join(folder.path, 'certificates');
    await mkdir(place);
    const error = await failureOf(clientOf(connectionTo('https://host.example', { caFile: place })));
    expect(error.message).toContain('EISDIR');
  });

  it('prevent the request if they are invalid, and are never quoted', async () => {
    await using folder = await temporaryFolder();
    const files = await writeFiles(folder.path, { clientCertFile: 'canary-one', clientKeyFile: 'canary-two' });
    await using server = await startService(service);
    await using client = await clientOf(connectionTo(server.url, files));
    const error = await failureOf(client.deployments.list());
    expect(error).toMatchObject({ kind: 'tls', sent: false });
    expect(error.message).toMatch(/"clientCertFile"/);
    expect(error.message).not.toContain('canary');
    expect(server.seen).toEqual([]);
  });
});

describe('the network settings', () => {
  it('turn the check of certificates off and on', async () => {
    await using server = await startService({ tls: makeCertificate() });
    await using trusting = await clientOf(connectionTo(server.url), { network: { strictTls: false } });
    expect(await trusting.deployments.list()).toEqual(page);
    await using strict = await clientOf(connectionTo(server.url), { network: { strictTls: true } });
    expect((await failureOf(strict.deployments.list())).kind).toBe('tls');
  });

  it('limit how long an answer may take', async () => {
    await using server = await startService();
    server.answer(stallBeforeHeaders);
    await using client = await clientOf(connectionTo(server.url), { network: { timeoutMs: 100 } });
    expect((await failureOf(client.listeners.create(newListener))).kind).toBe('timeout');
  });
});

describe("a connection's key", () => {
  it('is read from SecretStorage for each request, so a new one is used at once', async () => {
    await using server = await startService();
    const connection = connectionTo(server.url, { authHeader: 'Authorization', authPrefix: 'Bearer' });
    const secrets = new InMemorySecrets();
    await using client = await clientOf(connection, { secrets });
    for (const key of ['first', 'second']) {
      await secrets.store(apiKeySlot(connection), key);
      await client.deployments.list();
    }
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer first', 'Bearer second']);
  });
});

describe('the sender of a request', () => {
  it.each(['undici', 'editor'] as const)('is this product in this editor (%s)', async (mode) => {
    await using server = await startService();
    await using client = await clientOf(connectionTo(server.url), { network: { mode } });
    await client.deployments.list();
    expect(server.seen[0]?.headers['user-agent']).toBe(userAgent);
  });

  it('is what a header of the connection says', async () => {
    await using server = await startService();
    await using client = await clientOf(connectionTo(server.url, { headers: { 'User-Agent': 'Mine' } }));
    await client.deployments.list();
    expect(server.seen[0]?.headers['user-agent']).toBe('Mine');
  });
});

describe("the local service's client", () => {
  const network = { mode: 'editor', editorProxy: 'http://127.0.0.1:1' } as const;
  const fetch = () => Promise.reject(new Error('The fetch of the editor was used.'));
  const localClient = async (url: string) =>
    createClientTo({ url, apiKey: 'local-key' }, dependencies({ network, fetch }));

  it("connects directly, with the service's key and its revision filters", async () => {
    await using server = await startService({ localServiceKey: 'local-key' });
    const client = await localClient(server.url);
    await client.revisions.list('d', { status: 'DEPLOYED', remote_reconciled: false });
    await client.close();
    expect(server.seen[0]).toMatchObject({
      path: '/v2/deployments/d/revisions?status=DEPLOYED&remote_reconciled=false',
      headers: { 'x-api-key': 'local-key', 'user-agent': userAgent },
    });
    expect(server.connections()).toBe(1);
  });

  it.each([undefined, 'another-key'])(
    "sends nothing to a program that can't prove its identity (its key is %s)",
    async (localServiceKey) => {
      await using server = await startService(localServiceKey === undefined ? {} : { localServiceKey });
      const client = await localClient(server.url);
      const error = await failureOf(client.listeners.create(newListener));
      await client.close();
      expect(error).toMatchObject({ kind: 'network', sent: false });
      expect(error.message).toBe(
        `${server.url} didn't prove that it is the local service, so the API key wasn't sent. Try again, or start the local service.`,
      );
      expect(JSON.stringify(server.seen)).not.toMatch(/local-key|compute_id/);
    },
  );
});

/** Writes one file for each setting and gives the settings with their paths. */
async function writeFiles(folder: string, contents: Record<string, string>): Promise<Record<string, string>> {
  const paths = Object.keys(contents).map((name) => [name, path.join(folder, `${name}.pem`)] as const);
  for (const [name, file] of paths) await writeFile(file, contents[name] ?? '');
  return Object.fromEntries(paths);
}

describe('a replaced client', () => {
  it('ends with its last request, and is kept no longer', async () => {
    await using server = await startService();
    const slow = held(json(page));
    const closed = new Promise((resolve) => {
      server.answer((response, request) => {
        request.socket.once('close', resolve);
        slow.fault(response, request);
      });
    });
    const clients = new ClientCache();
    const make = () => createClientTo(connectionTo(server.url), dependencies({}));
    const first = await clients.get('Work', 'old settings', make);
    const listing = first.deployments.list();
    await server.arrived(1);
    expect(await clients.get('Work', 'new settings', make)).not.toBe(first);
    slow.release();
    expect(await listing).toEqual(page);
    await closed;
    const close = vi.spyOn(first, 'close');
    await clients.dispose();
    expect(close).not.toHaveBeenCalled();
  });
});
