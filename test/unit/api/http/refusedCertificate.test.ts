import { Socket } from 'node:net';
import tls from 'node:tls';
import { afterEach, expect, it, vi } from 'vitest';
import type { Fetch } from '../../../../src/api/http/transport.ts';
import { makeAuthority, makeCertificate } from '../../../support/faultCertificates.ts';
import { failureOf, testClient } from '../../../support/faultClient.ts';
import { startFaultProxy } from '../../../support/faultProxy.ts';
import { startFaultServer } from '../../../support/faultServer.ts';
import { json } from '../../../support/faults.ts';

const newListener = { compute_type: 'k8s', compute_id: 'a' };
const page = { resources: [], offset: 0 };

/** The fetch of this process accepts any certificate while it is set, as the one of an editor does. */
function checkNoCertificates(): void {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
}

async function startImpostor() {
  const server = await startFaultServer({ tls: makeCertificate() });
  server.answer(json(page));
  return server;
}

/** A fetch that accepts everything, and what it was asked for. */
function acceptingFetch(): { fetch: Fetch; calls: string[] } {
  const calls: string[] = [];
  return { calls, fetch: async (address) => (calls.push(address), Response.json(page)) };
}

/** Lets every connection over https fail before anything is sent. */
function failEachConnection(failure: Error): void {
  vi.spyOn(tls, 'connect').mockImplementation(() => {
    const socket = new Socket();
    process.nextTick(() => socket.destroy(failure));
    return socket as tls.TLSSocket;
  });
}

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

it('never tries a certificate that undici rejected through the editor', async () => {
  await using impostor = await startImpostor();
  const { fetch, calls } = acceptingFetch();
  await using client = testClient({ baseUrl: impostor.url, network: { mode: 'auto', fetch } });
  expect(await failureOf(client.deployments.list())).toMatchObject({ kind: 'tls', sent: false });
  expect(calls).toEqual([]);
});

it("never tries a proxy's certificate that undici rejected through the editor", async () => {
  await using proxy = await startFaultProxy({ tls: makeCertificate() });
  const { fetch, calls } = acceptingFetch();
  const network = { mode: 'auto', fetch, editorProxy: proxy.url } as const;
  await using client = testClient({ baseUrl: 'https://service.invalid', network });
  expect((await failureOf(client.deployments.list())).kind).toBe('tls');
  expect(calls).toEqual([]);
});

it.each(['EE_KEY_TOO_SMALL', 'ERR_SOMETHING_NEW', ''])(
  'never tries an unknown failure (%j) through the editor',
  async (code) => {
    failEachConnection(Object.assign(new Error('x'), { code }));
    const { fetch, calls } = acceptingFetch();
    await using client = testClient({ baseUrl: 'https://a.example', network: { mode: 'auto', fetch } });
    expect(await failureOf(client.deployments.list())).toMatchObject({ sent: false });
    expect(tls.connect).toHaveBeenCalled();
    expect(calls).toEqual([]);
  },
);

it.each(['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'ENETUNREACH'])(
  'tries a service without a connection (%s) through the editor',
  async (code) => {
    failEachConnection(Object.assign(new Error('x'), { code }));
    const { fetch, calls } = acceptingFetch();
    await using client = testClient({ baseUrl: 'https://a.example', network: { mode: 'auto', fetch } });
    expect(await client.deployments.list()).toEqual(page);
    expect(calls).toHaveLength(1);
  },
);

it.each(['auto', 'editor'] as const)(
  'sends an impostor nothing with the transport %s while NODE_TLS_REJECT_UNAUTHORIZED=0 is set',
  async (mode) => {
    checkNoCertificates();
    await using impostor = await startImpostor();
    await using client = testClient({ baseUrl: impostor.url, network: { mode, environment: process.env } });
    expect((await failureOf(client.deployments.list())).kind).toBe('tls');
    expect((await failureOf(client.listeners.create(newListener))).kind).toBe('tls');
    expect(impostor.seen).toEqual([]);
  },
);

it.each([
  ['editor', 'https://a.example'],
  // Nothing listens there.
  ['auto', 'https://127.0.0.1:1'],
] as const)(
  'says what to do with the transport %s while NODE_TLS_REJECT_UNAUTHORIZED=0 is set',
  async (mode, baseUrl) => {
    const { fetch, calls } = acceptingFetch();
    const environment = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    await using client = testClient({ baseUrl, network: { mode, fetch, environment } });
    const error = await failureOf(client.deployments.list());
    expect(error).toMatchObject({ kind: 'tls', sent: false });
    expect(error.message).toBe(
      `Nothing was sent to ${baseUrl}: NODE_TLS_REJECT_UNAUTHORIZED=0 makes the editor accept any certificate. Unset the variable and restart the editor, or set deploymentManager.network.transport to "undici".`,
    );
    expect(calls).toEqual([]);
  },
);

it.each([
  { name: 'plain http', baseUrl: 'http://127.0.0.1:1' },
  { name: 'a connection whose certificates are not to be checked', baseUrl: 'https://a.example', strictTls: false },
])('allows $name despite NODE_TLS_REJECT_UNAUTHORIZED=0', async ({ baseUrl, strictTls }) => {
  const { fetch, calls } = acceptingFetch();
  const network = { mode: 'editor', fetch, strictTls, environment: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } } as const;
  await using client = testClient({ baseUrl, network });
  expect(await client.deployments.list()).toEqual(page);
  expect(calls).toHaveLength(1);
});

it('checks certificates with undici despite NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
  checkNoCertificates();
  const authority = makeAuthority();
  await using server = await startFaultServer({ tls: makeCertificate({ issuer: authority }) });
  server.answer(json(page));
  await using stranger = testClient({ baseUrl: server.url });
  expect((await failureOf(stranger.deployments.list())).kind).toBe('tls');
  await using friend = testClient({ baseUrl: server.url, network: { ca: authority.cert } });
  expect(await friend.deployments.list()).toEqual(page);
});
