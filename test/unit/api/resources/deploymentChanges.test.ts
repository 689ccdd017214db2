import { Readable } from 'node:stream';
import { describe, expect } from 'vitest';
import type { Client } from '../../../../src/api/client.ts';
import type { DeploymentPatch } from '../../../../src/api/resources/deploymentChanges.ts';
import type { Revision } from '../../../../src/api/resources/revisions.ts';
import { makeAuthority, makeCertificate } from '../../../support/faultCertificates.ts';
import { failureOf, testClient } from '../../../support/faultClient.ts';
import { startFaultServer } from '../../../support/faultServer.ts';
import type { Fault, FaultServer } from '../../../support/faultServer.ts';
import { json, raw, redirect, resetBeforeHeaders, resetInBody, truncatedJson } from '../../../support/faults.ts';
import { it } from '../clientTest.ts';
import * as samples from '../samples.ts';

const { id, latest_revision_id: newId } = samples.deployment;
const latest = samples.uuid(4);
const config = { repo_ref: 'main', graph_config_path: 'graph.json' };
const made = { ...samples.revision, id: newId, source_revision_config: { ...config, repo_commit_sha: 'abc' } };
const before = { ...made, id: latest };
const earlier: Revision = { id: samples.uuid(3), source_revision_config: { ...config, repo_commit_sha: 'def' } };
const record = { ...samples.deployment, source_revision_config: made.source_revision_config };
const page = (...resources: object[]): Fault => json({ resources, offset: resources.length });
const signed = '?expires=1&signature=canary-signature';

/** Each leaves open whether the service has made the change. */
const openOutcomes: [string, Fault][] = [
  ['the connection breaks', resetBeforeHeaders],
  ['the answer breaks off', resetInBody],
  ['the service fails', json({ detail: 'Oops' }, 500)],
  ['the answer ends in the middle', truncatedJson],
  ['the answer is a web page', raw('<html>', 200, { 'content-type': 'text/html' })],
  ['the answer leads elsewhere', redirect('/elsewhere')],
];

/** The changes that make a revision. */
const revisionChanges: [string, string, (client: Client) => Promise<unknown>][] = [
  [
    'an update',
    `PATCH /v2/deployments/${id}`,
    async (client) => client.changes.update(id, { source_revision_config: config }, { latest }),
  ],
  [
    'a redeploy',
    `POST /v2/deployments/${id}/revisions/${earlier.id}/redeploy`,
    async (client) => client.changes.redeploy(id, earlier, { latest }),
  ],
];

const everyChange: [string, (client: Client) => Promise<unknown>][] = [
  ...revisionChanges.map(([name, , make]): [string, (client: Client) => Promise<unknown>] => [name, make]),
  ['an interruption', async (client) => client.changes.interrupt(id, newId)],
  ['a deletion', async (client) => client.changes.remove(id, false)],
  ['an upload', async (client) => client.changes.upload(id, archiveOf('x'))],
];

const archiveOf = (text: string) => ({ content: Readable.from([Buffer.from(text)]), size: text.length });

const requestsOf = ({ seen }: FaultServer): string[] => seen.map((request) => `${request.method} ${request.path}`);

/** The requests that change something. */
const changesOf = (server: FaultServer): string[] => requestsOf(server).filter((text) => !text.startsWith('GET '));

describe.each(revisionChanges)('%s', (_, request, make) => {
  it('gives the record that the service answers', async ({ server, client }) => {
    server.answer(json(record));
    expect(await make(client)).toMatchObject({ id, latest_revision_id: newId, secrets: [{ name: 'API_TOKEN' }] });
    expect(requestsOf(server)).toEqual([request]);
  });

  it.each<[string, Fault]>([
    ...openOutcomes,
    ['the answer is about another deployment', json({ ...record, id: newId })],
  ])('is found when %s, and is sent once', async (_, fault) => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url });
    server.answer(fault, page(made, before), page(record));
    expect(await make(client)).toMatchObject({ id, latest_revision_id: newId });
    expect(changesOf(server)).toEqual([request]);
  });

  it.each<[string, Fault[], string]>([
    [
      'another revision is newer too',
      [page(made, { ...made, id: samples.uuid(8) }, before)],
      'A new revision now exists.',
    ],
    [
      'the newer revision has another config',
      [page({ ...made, source_revision_config: { ...config, repo_ref: 'next' } }, before)],
      'A new revision now exists.',
    ],
    [
      'the record names another latest one',
      [page(made, before), page({ ...record, latest_revision_id: latest })],
      'A new revision now exists.',
    ],
    ['the record is gone', [page(made, before), page()], 'A new revision now exists.'],
    ['no revision is newer', [page(before)], "isn't listed yet."],
    ["the service can't be asked", [json({}, 400)], "The service couldn't be asked."],
  ])("isn't assumed when %s", async (_, lookup, words) => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url });
    server.answer(json({ detail: 'Oops' }, 502), ...lookup);
    const { message, kind } = await failureOf(make(client));
    expect(kind).toBe('server');
    expect(message).toContain(words);
    expect(changesOf(server)).toEqual([request]);
  });
});

describe('an update', () => {
  it('is sent with the names of the flavor', async () => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url, flavor: 'langsmith' });
    server.answer(json(record));
    const patch: DeploymentPatch = { revision_source: 'repohost', source_revision_config: config };
    await client.changes.update(id, patch, { latest });
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({
      revision_source: 'github',
      source_revision_config: { repo_ref: 'main', langgraph_config_path: 'graph.json' },
    });
  });

  it("of secrets alone isn't assumed to be the newer revision, and names no value", async ({ server, client }) => {
    server.answer(resetBeforeHeaders, page(made, before), page(record));
    const secrets = [{ name: 'API_TOKEN', value: 'canary-value' }];
    const { message } = await failureOf(client.changes.update(id, { secrets }, { latest }));
    expect(message).toContain('A new revision now exists.');
    expect(message + client.logged.join('')).not.toContain('canary-value');
  });

  it.each<[object, string]>([
    [{ colour: 'red' }, ''],
    [{ source_revision_config: { repo_commit_sha: 'abc' } }, 'source_revision_config.repo_commit_sha'],
    [{ revision_source: 'external_docker' }, 'revision_source'],
    [{ secrets: [{ name: 'A' }] }, 'secrets.0.value'],
  ])('with %o is refused before it is sent', async (patch, field) => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url });
    const { kind, fields } = await failureOf(client.changes.update(id, patch, { latest }));
    expect({ kind, fields: fields?.map(({ path }) => path) }).toEqual({ kind: 'invalid', fields: [field] });
    expect(server.seen).toEqual([]);
  });
});

describe.each(everyChange)('%s', (_, make) => {
  it.each([400, 401, 403, 404, 405, 409, 422, 429])('fails at once with %i', async (status) => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url });
    server.answer(json({ detail: 'No.' }, status, { 'retry-after': '0' }));
    expect(await failureOf(make(client))).toMatchObject({ status });
    expect(server.seen).toHaveLength(1);
  });

  it("doesn't reach another path with an id that would change it", async ({ server, client }) => {
    for (const wrong of ['', '.', '..']) {
      const call = async (): Promise<unknown> => client.changes.interrupt(wrong, wrong);
      expect(await failureOf(call())).toMatchObject({ kind: 'invalid', sent: false });
    }
    expect(server.seen).toEqual([]);
  });
});

describe('an interruption', () => {
  it.each([
    [200, '{}'],
    [202, ''],
    [204, undefined],
  ])('has worked with %i', async (status, body) => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url });
    server.answer((response) => response.writeHead(status).end(body));
    await client.changes.interrupt(id, newId);
    expect(requestsOf(server)).toEqual([`POST /v2/deployments/${id}/revisions/${newId}/interruption`]);
  });

  it('has worked if the revision is INTERRUPTED afterwards', async ({ server, client }) => {
    server.answer(resetBeforeHeaders, json({ ...made, status: 'INTERRUPTED' }));
    await client.changes.interrupt(id, newId);
    expect(server.count('POST')).toBe(1);
  });

  it.each<[string, Fault]>([
    ['goes on', json(made)],
    ["can't be asked for", json({}, 404)],
  ])("isn't assumed if the revision %s", async (_, lookup) => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url });
    server.answer(resetBeforeHeaders, lookup);
    expect((await failureOf(client.changes.interrupt(id, newId))).message).toContain(
      "It isn't known whether the build",
    );
    expect(server.count('POST')).toBe(1);
  });
});

describe('a deletion', () => {
  it.each([true, false])('says what becomes of the tracing project: %s', async (deletesProject) => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url });
    server.answer((response) => response.writeHead(204).end());
    await client.changes.remove(id, deletesProject);
    expect(requestsOf(server)).toEqual([`DELETE /v2/deployments/${id}?delete_tracing_project=${deletesProject}`]);
  });

  it.each<[string, Fault]>([
    ['is gone', page()],
    ['is AWAITING_DELETE', page({ ...record, status: 'AWAITING_DELETE' })],
    ['is AWAITING_FINAL_DELETE', page({ ...record, status: 'AWAITING_FINAL_DELETE' })],
  ])('has worked if the deployment %s afterwards', async (_, lookup) => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url });
    server.answer(resetBeforeHeaders, lookup);
    await client.changes.remove(id, false);
    expect(server.count('DELETE')).toBe(1);
  });

  it.each<[string, Fault]>([
    ['is still READY', page(record)],
    ['is not the one that the service returns', page({ ...record, id: 'another' })],
    ["can't be asked for", json({}, 400)],
  ])("isn't assumed if the deployment %s", async (_, lookup) => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url });
    server.answer(resetBeforeHeaders, lookup);
    const { message } = await failureOf(client.changes.remove(id, false));
    expect(message).toContain("It isn't known whether the deployment will be deleted.");
    expect(server.count('DELETE')).toBe(1);
  });
});

describe('an upload', () => {
  const placeAt = (origin: string): Fault =>
    json({ upload_url: `${origin}/bucket/a.tar.gz${signed}`, object_path: 'd/a.tar.gz' });

  it('goes to the signed address without the key and own headers', async () => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url, headers: { 'X-Tenant-Id': 'acme' }, userAgent: 'us/1.0' });
    server.answer(placeAt(server.url), (response) => response.writeHead(200).end());
    expect(await client.changes.upload(id, archiveOf('archive'))).toBe('d/a.tar.gz');
    const [asked, sent] = server.seen;
    expect(asked).toMatchObject({ method: 'POST', path: `/v2/deployments/${id}/upload-url`, body: '' });
    expect(sent).toMatchObject({ method: 'PUT', path: `/bucket/a.tar.gz${signed}`, body: 'archive' });
    const { host: _, connection: __, ...headers } = sent?.headers ?? {};
    expect(headers).toEqual({
      'accept-encoding': 'gzip, br',
      'content-type': 'application/gzip',
      'content-length': '7',
      'x-goog-content-length-range': '0,209715200',
      'user-agent': 'us/1.0',
    });
  });

  it('goes to another host over https, but not over plain http', async ({ server }) => {
    const authority = makeAuthority();
    await using client = testClient({ baseUrl: server.url, network: { ca: authority.cert } });
    await using secure = await startFaultServer({ tls: makeCertificate({ issuer: authority }) });
    await using plain = await startFaultServer();
    secure.answer((response) => response.writeHead(200).end());
    server.answer(placeAt(secure.url), placeAt(plain.url));
    expect(await client.changes.upload(id, archiveOf('archive'))).toBe('d/a.tar.gz');
    expect(secure.seen).toMatchObject([{ method: 'PUT', body: 'archive' }]);
    expect(secure.seen[0]?.headers).not.toHaveProperty('x-api-key');
    expect((await failureOf(client.changes.upload(id, archiveOf('archive')))).message).toContain("can't be used");
    expect(plain.seen).toEqual([]);
  });

  it('keeps the signature out of the log and of errors', async ({ server, client }) => {
    for (const fault of [
      json({ detail: `No access to ${server.url}/bucket/a.tar.gz${signed}` }, 403),
      raw(`<Error>${signed} canary-signature</Error>`, 400, { 'content-type': 'application/xml' }),
      resetBeforeHeaders,
      redirect(`/other${signed}`),
    ]) {
      server.answer(placeAt(server.url), fault);
      const error = await failureOf(client.changes.upload(id, archiveOf('x')));
      const said = [error.message, error.stack, JSON.stringify(error), String(error.cause), ...client.logged].join(' ');
      expect(said).not.toContain('canary-signature');
    }
    expect(client.logged.join(' ')).toContain('PUT');
  });

  it('that its store refuses with 404 says nothing about the service', async ({ server, client }) => {
    server.answer(placeAt(server.url), json({}, 404));
    const { status, message } = await failureOf(client.changes.upload(id, archiveOf('x')));
    expect({ status, message }).toEqual({
      status: undefined,
      message: `${server.url} didn't take the upload. Try again.`,
    });
  });

  it('is sent once, and follows no redirect', async ({ server, client }) => {
    server.answer(placeAt(server.url), redirect('/elsewhere', 307));
    expect(await failureOf(client.changes.upload(id, archiveOf('x')))).toMatchObject({ kind: 'unexpectedResponse' });
    server.answer(placeAt(server.url), json({}, 503));
    expect(await failureOf(client.changes.upload(id, archiveOf('x')))).toMatchObject({ kind: 'server' });
    expect(server.count('PUT')).toBe(2);
  });

  it.each([
    'ftp://elsewhere.example/a',
    'file:///etc/passwd',
    'https://user:password@elsewhere.example/a',
    '/relative',
    '',
  ])("doesn't go to %j", async (address) => {
    await using server = await startFaultServer();
    await using client = testClient({ baseUrl: server.url });
    server.answer(json({ upload_url: address, object_path: 'a' }));
    const error = await failureOf(client.changes.upload(id, archiveOf('x')));
    expect(error.message).toContain("named an address for the upload that can't be used");
    expect(error.message).not.toContain('password');
    expect(server.seen).toHaveLength(1);
  });

  it.each([{}, { upload_url: 'https://a.example' }, { upload_url: 7, object_path: 'a' }])(
    'fails without a place: %j',
    async (answer) => {
      await using server = await startFaultServer();
      await using client = testClient({ baseUrl: server.url });
      server.answer(json(answer));
      expect(await failureOf(client.changes.upload(id, archiveOf('x')))).toMatchObject({ kind: 'unexpectedResponse' });
    },
  );

  it('can be cancelled while it is sent', async ({ server, client }) => {
    const cancel = new AbortController();
    server.answer(placeAt(server.url));
    const content = Readable.from(
      (async function* () {
        yield Buffer.from('half');
        cancel.abort();
        await new Promise(() => {});
      })(),
    );
    const call = client.changes.upload(id, { content, size: 8 }, { signal: cancel.signal });
    expect(await failureOf(call)).toMatchObject({ kind: 'cancelled' });
  });
});
