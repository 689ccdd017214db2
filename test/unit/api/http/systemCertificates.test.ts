import { writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeAuthority, makeCertificate } from '../../../support/faultCertificates.ts';
import { startFaultServer } from '../../../support/faultServer.ts';
import { json } from '../../../support/faults.ts';
import { bundledClient } from './bundledClient.ts';

/** Runs in a process of its own, because what the system trusts is read once for a process; prints what it got. */
const PROBE = `
const tls = require('node:tls');
const { readFileSync } = require('node:fs');
const [, bundle, url, ca, hides] = process.argv;
if (hides) delete tls.getCACertificates;
const { createClient, createTransport } = require(bundle);
const transport = createTransport({ mode: 'undici', environment: {}, ...(ca ? { ca: readFileSync(ca, 'utf8') } : {}) });
const client = createClient({ baseUrl: url, auth: async () => 'key', transport });
client.deployments.list()
  .then(() => 'answered', (error) => error.kind)
  .then((outcome) => client.close().then(() => console.log(outcome)));
`;

const authority = makeAuthority('Authority of this machine');
const other = makeAuthority('Authority of a connection');
const client = bundledClient();

beforeAll(async () => {
  await writeFile(client.pathOf('system.pem'), authority.cert);
  await writeFile(client.pathOf('other.pem'), other.cert);
});

interface Machine {
  /** Whether the system trusts the authority. */
  readonly trusts?: boolean;
  /** The file of the connection's own authority. */
  readonly caFile?: string;
  /** Whether this Node is one that cannot ask the system. */
  readonly cannotAsk?: boolean;
}

/** What a client in a process of such a machine gets from a service whose certificate `issuer` has signed. */
async function outcome({ trusts = false, caFile = '', cannotAsk = false }: Machine, issuer = authority) {
  await using server = await startFaultServer({ tls: makeCertificate({ issuer }) });
  server.answer(json({ resources: [], offset: 0 }));
  const { SSL_CERT_FILE: _file, SSL_CERT_DIR: _folder, NODE_EXTRA_CA_CERTS: _extra, ...env } = process.env;
  const trusted = trusts ? { SSL_CERT_FILE: client.pathOf('system.pem') } : {};
  const args = [server.url, caFile && client.pathOf(caFile), cannotAsk ? '1' : ''];
  return await client.run(PROBE, args, { ...env, ...trusted });
}

// Only on Linux can a test tell a process what the system trusts without changing the system.
describe.skipIf(process.platform !== 'linux')('a certificate authority of the system', () => {
  it('is trusted', async () => {
    expect(await outcome({ trusts: true })).toBe('answered');
  });

  it('is trusted unlike another authority', async () => {
    expect(await outcome({ trusts: false })).toBe('tls');
    expect(await outcome({ trusts: true }, other)).toBe('tls');
  });

  it('stays trusted next to the "caFile" of a connection', async () => {
    expect(await outcome({ trusts: true, caFile: 'other.pem' })).toBe('answered');
    expect(await outcome({ trusts: true, caFile: 'other.pem' }, other)).toBe('answered');
  });

  it('is unknown to older versions of Node, where "caFile" still works', async () => {
    expect(await outcome({ trusts: true, cannotAsk: true })).toBe('tls');
    expect(await outcome({ cannotAsk: true, caFile: 'other.pem' }, other)).toBe('answered');
  });
});
