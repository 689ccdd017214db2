import { readdir, readFile, stat } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { MAX_UPLOAD_BYTES, uploadPlaceWire } from '../../src/api/resources/deploymentChanges.ts';
import { tarOf } from '../support/tar.ts';
import { runningService, stepMs } from './support/fixture.ts';
import { advance, createDeployment, getDeployment, imageBody, listRevisions, sentenceOf } from './support/requests.ts';

const fixture = runningService();
const minute = 60_000;
const config = JSON.stringify({ dependencies: ['.'], graphs: { agent: './agent.py:graph' } });
const archive = gzipSync(tarOf({ 'graph.json': config, 'agent.py': '' }));
let count = 0;

interface Place {
  readonly id: string;
  readonly upload_url: string;
  readonly object_path: string;
}

async function addressOf(id: string): Promise<Place> {
  const { status, body } = await fixture.caller.send('POST', `/v2/deployments/${id}/upload-url`);
  expect(status).toBe(200);
  return { id, ...uploadPlaceWire.parse(body) };
}

async function newAddress(): Promise<Place> {
  const body = { name: `upload-${(count += 1)}`, source: 'internal_source', source_config: {}, secrets: [] };
  return addressOf((await createDeployment(fixture.caller, body)).id);
}

const put = async (
  address: string,
  body: Buffer<ArrayBuffer> = archive,
  type = 'application/gzip',
): Promise<Response> => fetch(address, { method: 'PUT', headers: { 'content-type': type }, body });

const reasonOf = async (response: Response): Promise<unknown> =>
  ((await response.json()) as { detail: unknown }).detail;

const fileOf = ({ object_path: objectPath }: Place): string =>
  path.join(fixture.service.dataFolder, 'uploads', objectPath);

async function build({ id, object_path: objectPath }: Place, configPath = 'graph.json') {
  const source_revision_config = { source_tarball_path: objectPath, graph_config_path: configPath };
  const body = { revision_source: 'internal_source', source_revision_config };
  expect((await fixture.caller.send('PATCH', `/v2/deployments/${id}`, { body })).status).toBe(200);
  await advance(fixture.caller, 6 * stepMs);
  const [revision] = await listRevisions(fixture.caller, id);
  return revision!;
}

describe('an upload', () => {
  it('goes to a signed address without a key, and is built by an update', async () => {
    const place = await newAddress();
    expect(new URL(place.upload_url).origin).toBe(fixture.service.url);
    expect((await put(place.upload_url)).status).toBe(200);
    const revision = await build(place);
    expect(revision).toMatchObject({ status: 'DEPLOYED', status_message: null, source: 'internal_source' });
    expect((await getDeployment(fixture.caller, place.id)).active_revision_id).toBe(revision.id);
  });

  it('is checked as other builds are', async () => {
    const place = await newAddress();
    await put(place.upload_url, gzipSync(tarOf({ 'graph.json': config })));
    expect(await build(place)).toMatchObject({
      status: 'BUILD_FAILED',
      status_message: expect.stringContaining('agent.py (graph "agent")'),
    });
  });

  it('is stored for the user alone, and only when it is whole', async () => {
    const place = await newAddress();
    await put(place.upload_url);
    expect(await readFile(fileOf(place))).toEqual(archive);
    expect(await readdir(path.dirname(fileOf(place)))).toEqual([path.basename(fileOf(place))]);
    expect((await stat(fileOf(place))).mode & 0o077).toBe(0);
  });

  it('does not disturb another one at the same time', async () => {
    const [one, other] = [await newAddress(), await newAddress()];
    const second = gzipSync(tarOf({ other: 'x'.repeat(100_000) }));
    const answers = await Promise.all([put(one.upload_url), put(other.upload_url, second), put(one.upload_url)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect([await readFile(fileOf(one)), await readFile(fileOf(other))]).toEqual([archive, second]);
  });

  it('that breaks off leaves nothing', async () => {
    const place = await newAddress();
    const sent = request(place.upload_url, {
      method: 'PUT',
      headers: { 'content-type': 'application/gzip', 'content-length': '1000' },
    });
    sent.on('error', () => {});
    sent.write(archive.subarray(0, 10));
    const folder = path.dirname(fileOf(place));
    await expect.poll(async () => readdir(folder).catch(() => [])).toHaveLength(1);
    sent.destroy();
    await expect.poll(async () => readdir(folder)).toEqual([]);
    expect(fixture.service.errors()).toBe('');
  });

  it('of more bytes than allowed is refused before they are sent', async () => {
    const place = await newAddress();
    const sent = request(place.upload_url, {
      method: 'PUT',
      headers: { 'content-type': 'application/gzip', 'content-length': String(MAX_UPLOAD_BYTES + 1) },
    });
    sent.on('error', () => {});
    sent.flushHeaders();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(413);
    sent.destroy();
  });

  it('needs the type of a gzip archive', async () => {
    const { upload_url: address } = await newAddress();
    expect((await put(address, archive, 'application/json')).status).toBe(415);
  });
});

describe('a signed address', () => {
  it('expires', async () => {
    const { upload_url: address } = await newAddress();
    await advance(fixture.caller, 14 * minute);
    expect((await put(address)).status).toBe(200);
    await advance(fixture.caller, 2 * minute);
    const answer = await put(address);
    expect(answer.status).toBe(403);
    expect(await reasonOf(answer)).toBe('This address has expired.');
  });

  it.each<[string, (url: URL) => void]>([
    ['a later end', (url) => url.searchParams.set('expires', '9999999999999')],
    ['another signature', (url) => url.searchParams.set('signature', 'a')],
    ['no signature', (url) => url.searchParams.delete('signature')],
    ['another file', (url) => (url.pathname = url.pathname.replace(/[^/]+$/, 'other.tar.gz'))],
    ['a path out of the uploads', (url) => (url.pathname = url.pathname.replace(/[^/]+$/, '..%2F..%2Fservice.json'))],
  ])('is refused with %s', async (_, change) => {
    const url = new URL((await newAddress()).upload_url);
    change(url);
    const answer = await put(url.href);
    expect(answer.status).toBe(403);
    expect(await reasonOf(answer)).toBe('The signature of this address is wrong.');
  });

  it('is refused at another host', async () => {
    const { upload_url: address } = await newAddress();
    const sent = request(address, {
      method: 'PUT',
      headers: { host: 'evil.example', 'content-type': 'application/gzip' },
    }).end(archive);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(421);
  });

  it('is made only for a deployment of that source', async () => {
    const { id } = await createDeployment(fixture.caller, imageBody(`no-upload-${(count += 1)}`));
    const answer = await fixture.caller.send('POST', `/v2/deployments/${id}/upload-url`);
    expect(answer.status).toBe(400);
    expect(sentenceOf(answer)).toContain("'source' must be internal_source");
    const unknown = '/v2/deployments/f3a9b6d2-5a4e-4d0f-9f5a-2f4e1b8f0c11/upload-url';
    expect((await fixture.caller.send('POST', unknown)).status).toBe(404);
  });
});

describe('the archives of a deployment', () => {
  it('are the ten latest', async () => {
    const first = await newAddress();
    await put(first.upload_url);
    for (let uploads = 1; uploads < 12; uploads += 1) await put((await addressOf(first.id)).upload_url);
    const files = await readdir(path.dirname(fileOf(first)));
    expect(files).toHaveLength(10);
    expect(files).not.toContain(path.basename(fileOf(first)));
  });

  it('go with it', async () => {
    const place = await newAddress();
    await put(place.upload_url);
    await fixture.caller.send('DELETE', `/v2/deployments/${place.id}`);
    await advance(fixture.caller, 2 * stepMs);
    await expect.poll(async () => readdir(path.join(fixture.service.dataFolder, 'uploads'))).not.toContain(place.id);
  });
});
