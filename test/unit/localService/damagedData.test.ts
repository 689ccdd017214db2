import { readFile, writeFile } from 'node:fs/promises';
import * as sqlite from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { flavors } from '../../../src/api/flavor.ts';
import type { Http } from '../../../src/api/http/http.ts';
import { createDeployments } from '../../../src/api/resources/deployments.ts';
import { listenerReader } from '../../../src/api/resources/listeners.ts';
import { isUnreadable } from '../../../src/api/resources/page.ts';
import { readList } from '../../../src/api/resources/reading.ts';
import { revisionReader } from '../../../src/api/resources/revisions.ts';
import { ServiceInProcess } from './serviceInProcess.ts';

const step = 1000;
const unused = () => Promise.reject(new Error('unused'));
const http: Http = {
  origin: 'http://127.0.0.1',
  flavor: flavors.standard,
  get: async (route, query = {}) => {
    const parameters = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
    return (await local.ask(`${route}?${new URLSearchParams(parameters).toString()}`)).body;
  },
  query: unused,
  send: unused,
  perform: unused,
  upload: unused,
  describe: unused,
};

let local: ServiceInProcess;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] });
  local = await ServiceInProcess.create();
  local.open().start();
});

afterEach(async () => {
  await local.remove();
  vi.useRealTimers();
});

/** Changes the database while the service is stopped, as another program would. */
async function damage(sql: string): Promise<void> {
  await local.stop();
  const connection = new sqlite.DatabaseSync(local.file);
  connection.exec(sql);
  connection.close();
  local.open().start();
}

async function names(): Promise<unknown> {
  const { status, body } = await local.ask('/v2/deployments');
  expect(status).toBe(200);
  return (body['resources'] as { name?: string }[]).map(({ name }) => name ?? 'unreadable');
}

describe('a damaged row', () => {
  it.each([
    `source_config_json = '{'`,
    `secret_names_json = ''`,
    'created_at = 9000000000000000',
    'updated_at = 9223372036854775807',
  ])('of a deployment with %s is listed as unreadable, and the others as they are', async (change) => {
    const { id } = await local.deploy('broken');
    await local.deploy('whole');
    await damage(`UPDATE deployments SET ${change} WHERE id = '${id}'`);
    expect((await names()) as string[]).toEqual(expect.arrayContaining(['whole', 'unreadable']));
    const client = createDeployments(http);
    const { resources } = await client.list();
    expect(resources.filter(isUnreadable)).toMatchObject([{ id }]);
    await client.list();
    expect(local.errors).toEqual([expect.stringContaining(`${local.file} has an entry that can't be read: ${id}`)]);
    await expect(client.find(id)).rejects.toThrow(/unknown format/);
  });

  it('of a revision or a listener is listed as unreadable, and the others as they are', async () => {
    const { id, latest_revision_id: revision } = await local.deploy('agent');
    await local.ask('/v2/listeners', { compute_type: 'k8s', compute_id: 'one' });
    await local.ask('/v2/listeners', { compute_type: 'k8s', compute_id: 'two' });
    await damage(`UPDATE revisions SET config_json = '['; UPDATE listeners SET compute_config_json = '' WHERE
      compute_id = 'one'`);
    const revisions = (await local.ask(`/v2/deployments/${id}/revisions`)).body['resources'];
    expect(readList(http, revisionReader, revisions)).toMatchObject([{ unreadable: true, id: revision }]);
    const listeners = (await local.ask('/v2/listeners')).body['resources'];
    const read = readList(http, listenerReader, listeners);
    expect(read.map((row) => isUnreadable(row))).toContain(true);
    expect(read).toEqual(expect.arrayContaining([expect.objectContaining({ compute_id: 'two' })]));
    const damaged = read.find((row) => isUnreadable(row));
    for (const path of [`/v2/deployments/${id}/revisions/${revision}`, `/v2/listeners/${damaged?.id}`]) {
      const single = await local.ask(path);
      expect(single).toMatchObject({ status: 500, body: { detail: expect.stringContaining(local.file) } });
    }
  });

  it('stops no other deployment, and is local.errors once', async () => {
    const broken = await local.deploy('broken');
    const whole = await local.deploy('whole');
    await damage(`UPDATE revisions SET config_json = '[' WHERE id = '${broken.latest_revision_id}'`);
    await vi.advanceTimersByTimeAsync(20 * step);
    const { body } = await local.ask(`/v2/deployments/${whole.id}/revisions/${whole.latest_revision_id}`);
    expect(body['status']).toBe('DEPLOYED');
    expect(local.errors).toEqual([expect.stringContaining(broken.latest_revision_id)]);
  });

  it('whose build cannot begin fails it', async () => {
    const { id, latest_revision_id: revision } = await local.deploy('agent');
    await damage(`UPDATE deployments SET source_config_json = '7' WHERE id = '${id}'`);
    await vi.advanceTimersByTimeAsync(20 * step);
    const { body } = await local.ask(`/v2/deployments/${id}/revisions/${revision}`);
    expect(body).toMatchObject({ status: 'BUILD_FAILED' });
    expect(local.errors).toHaveLength(1);
  });
});

it('tries a failed step again less and less often, and reports the failure once', async () => {
  const { id, latest_revision_id: revision } = await local.deploy('agent');
  const run = vi.spyOn(local.database, 'run').mockImplementation(() => {
    throw new Error('The disk fails.');
  });
  await vi.advanceTimersByTimeAsync(600 * step);
  const { length } = run.mock.calls;
  expect(length).toBeGreaterThan(5);
  expect(length).toBeLessThan(60);
  expect(local.errors).toEqual(['Error: The disk fails.']);
  run.mockRestore();
  await vi.advanceTimersByTimeAsync(120 * step);
  expect((await local.ask(`/v2/deployments/${id}/revisions/${revision}`)).body['status']).toBe('DEPLOYED');
});

describe('a damaged page', () => {
  it('is said with the path and what to do, and leaves readable what is elsewhere', { timeout: 180_000 }, async () => {
    for (let count = 0; count < 12; count += 1) await local.deploy(`agent-${count}`);
    await local.ask('/v2/listeners', { compute_type: 'k8s', compute_id: 'one' });
    const { id } = await local.deploy('last');
    await local.stop();
    const whole = await readFile(local.file);
    const pageSize = whole.readUInt16BE(16);
    let served = 0;
    for (let page = 0; page < whole.length; page += pageSize) {
      await writeFile(local.file, Buffer.from(whole).fill(0xa5, page, page + pageSize));
      try {
        local.open().start();
      } catch (error) {
        expect(String(error)).toMatch(/service\.sqlite (?:is damaged|isn't a readable database)\. Move it away/);
        await local.stop();
        continue;
      }
      for (const route of ['/v2/deployments', '/v2/listeners', `/v2/deployments/${id}/revisions`]) {
        const { status, body } = await local.ask(`${route}?limit=100`);
        if (status === 200 && Array.isArray(body['resources']) && body['resources'].length > 0) served += 1;
        else
          expect([status, body]).toEqual([
            500,
            { detail: expect.stringContaining(`${local.file} is damaged. Move it away`) },
          ]);
      }
      await local.ask('/v2/deployments', { name: 'new', source: 'external_docker', source_revision_config: {} });
      await vi.advanceTimersByTimeAsync(5 * step);
      // Said, and not again with each retry.
      expect(local.errors.length).toBeLessThan(5);
      expect(new Set(local.errors).size).toBe(local.errors.length);
      for (const words of local.errors) expect(words).toContain(local.file);
      await local.stop();
    }
    expect(served).toBeGreaterThan((2 * whole.length) / pageSize);
    await writeFile(local.file, whole);
    local.open().start();
  });
});
