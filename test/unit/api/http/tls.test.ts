import type { ServerOptions } from 'node:https';
import { describe, expect, it } from 'vitest';
import { describeConnectionFailure } from '../../../../src/api/http/connectionFailures.ts';
import { makeAuthority, makeCertificate } from '../../../support/faultCertificates.ts';
import { failureOf, testClient } from '../../../support/faultClient.ts';
import { startFaultServer } from '../../../support/faultServer.ts';
import { json } from '../../../support/faults.ts';

const authority = makeAuthority();
const empty = json({ resources: [], offset: 0 });

const HOUR_MS = 3_600_000;
const hoursFromNow = (hours: number) => new Date(Date.now() + hours * HOUR_MS);

async function startSecureServer(tls: ServerOptions = makeCertificate({ issuer: authority })) {
  const server = await startFaultServer({ tls });
  server.answer(empty);
  return server;
}

describe('an error of the kind tls', () => {
  it.each([
    { name: 'self-signed', tls: makeCertificate(), trusted: undefined, says: /self-signed.*"caFile"/ },
    {
      name: 'of an unknown authority',
      tls: makeCertificate({ issuer: authority }),
      trusted: undefined,
      says: /authority that isn't trusted.*"caFile"/,
    },
    {
      name: 'expired',
      tls: makeCertificate({ issuer: authority, notBefore: hoursFromNow(-2), notAfter: hoursFromNow(-1) }),
      trusted: authority.cert,
      says: /has expired/,
    },
    {
      name: 'not valid yet',
      tls: makeCertificate({ issuer: authority, notBefore: hoursFromNow(1), notAfter: hoursFromNow(2) }),
      trusted: authority.cert,
      says: /isn't valid yet.*clock/,
    },
    {
      name: 'of another host',
      tls: makeCertificate({ issuer: authority, hosts: ['other.example'] }),
      trusted: authority.cert,
      says: /belongs to another host.*base URL/,
    },
  ])('says what to do if the certificate is $name', async ({ tls, trusted, says }) => {
    await using server = await startSecureServer(tls);
    await using client = testClient({ baseUrl: server.url, network: { ca: trusted } });
    const error = await failureOf(client.deployments.list());
    expect(error).toMatchObject({ kind: 'tls', sent: false });
    expect(error.message).toMatch(says);
    expect(server.seen).toEqual([]);
  });

  it("says what to do if the service doesn't support https", async () => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url.replace('http:', 'https:') });
    const error = await failureOf(client.deployments.list());
    expect(error).toMatchObject({ kind: 'tls', sent: false });
    expect(error.message).toContain("doesn't support https");
  });

  it("says what to do if the connection's certificate file isn't a PEM file", async () => {
    await using server = await startSecureServer();
    await using client = testClient({ baseUrl: server.url, network: { cert: 'not a certificate', key: 'nor a key' } });
    const error = await failureOf(client.deployments.list());
    expect(error).toMatchObject({ kind: 'tls', sent: false });
    expect(error.message).toMatch(/"clientCertFile"/);
    expect(error.message).not.toContain('nor a key');
  });
});

describe('a service with a certificate of its own authority', () => {
  it('is reached with the authority', async () => {
    await using server = await startSecureServer();
    await using client = testClient({ baseUrl: server.url, network: { ca: authority.cert } });
    expect(await client.deployments.list()).toEqual({ resources: [], offset: 0 });
  });

  it('is reached with the self-signed certificate itself', async () => {
    const tls = makeCertificate();
    await using server = await startSecureServer(tls);
    await using client = testClient({ baseUrl: server.url, network: { ca: tls.cert } });
    expect(await client.deployments.list()).toEqual({ resources: [], offset: 0 });
  });

  it("is reached if the editor doesn't check certificates", async () => {
    await using server = await startSecureServer(makeCertificate({ hosts: ['other.example'] }));
    await using client = testClient({ baseUrl: server.url, network: { strictTls: false } });
    expect(await client.deployments.list()).toEqual({ resources: [], offset: 0 });
  });
});

describe('a service that requires a client certificate', () => {
  const tls = {
    ...makeCertificate({ issuer: authority }),
    ca: authority.cert,
    requestCert: true,
    rejectUnauthorized: true,
  };

  it('responds to a client with a certificate', async () => {
    await using server = await startSecureServer(tls);
    const own = makeCertificate({ issuer: authority });
    await using client = testClient({ baseUrl: server.url, network: { ca: authority.cert, ...own } });
    expect(await client.deployments.list()).toEqual({ resources: [], offset: 0 });
  });

  it.each([
    'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
    'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
    'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
  ])('causes an error that names the settings if the handshake fails with %s', (code) => {
    const cause = Object.assign(new Error('alert'), { code });
    const error = describeConnectionFailure(cause, { origin: 'https://a.example' }, true);
    expect(error.kind).toBe('tls');
    expect(error.message).toMatch(/"clientCertFile" and "clientKeyFile"/);
  });

  it('gets no request from a client without a certificate', async () => {
    await using server = await startSecureServer(tls);
    await using client = testClient({ baseUrl: server.url, network: { ca: authority.cert } });
    const error = await failureOf(client.listeners.create({ compute_type: 'k8s', compute_id: 'a' }));
    expect(['tls', 'network']).toContain(error.kind);
    expect(server.seen).toEqual([]);
  });
});
