import { beforeAll, describe, expect, it } from 'vitest';
import type { DeploymentWire } from '../../src/api/resources/deployments.ts';
import { logPageWire } from '../../src/api/resources/logs.ts';
import type { LogQuery } from '../../src/api/resources/logs.ts';
import { commitFiles, git } from '../support/gitRepositories.ts';
import type { Answer } from './support/caller.ts';
import { runningServiceWithSample, stepMs } from './support/fixture.ts';
import { advance, createDeployment, imageBody, refusedFields, repositoryBody } from './support/requests.ts';

const fixture = runningServiceWithSample();
const unknownId = 'f3a9b6d2-5a4e-4d0f-9f5a-2f4e1b8f0c11';
let count = 0;

interface Ids {
  readonly id: string;
  readonly latest_revision_id?: string | null | undefined;
}

const path = ({ id, latest_revision_id: revisionId }: Ids, kind: 'build' | 'deploy'): string =>
  `/v1/projects/${id}/revisions/${revisionId}/${kind}_logs`;

const buildLog = async (ids: Ids, query: LogQuery = {}) => pageOf(await fixture.caller.post(path(ids, 'build'), query));

const applicationLog = async ({ id }: Ids, query: LogQuery = {}) =>
  pageOf(await fixture.caller.post(`/v1/projects/${id}/deploy_logs`, query));

function pageOf({ status, body }: Answer) {
  expect(status).toBe(200);
  return logPageWire.parse(body);
}

const messages = ({ logs }: { readonly logs: readonly { readonly message: string }[] }): string[] =>
  logs.map(({ message }) => message);

async function write(ids: Ids, lines: readonly { readonly level?: string; readonly message: string }[]): Promise<void> {
  const address = `/_dev/revisions/${ids.latest_revision_id}/logs`;
  expect((await fixture.caller.post(address, { type: 'deploy', lines })).status).toBe(200);
}

async function deployed(body: Record<string, unknown>): Promise<DeploymentWire> {
  const created = await createDeployment(fixture.caller, body);
  await advance(fixture.caller, 6 * stepMs);
  return created;
}

const repository = async (overrides = {}): Promise<DeploymentWire> =>
  deployed(await repositoryBody(fixture.caller, `log-${(count += 1)}`, overrides));

describe('the log of a build', () => {
  it('has each step with its time, and the result', async () => {
    const created = await repository();
    const { logs } = await buildLog(created);
    expect(logs.map(({ level, message }) => `${level} ${message}`)).toEqual([
      'INFO Waiting for a builder.',
      'INFO The build starts.',
      'INFO Repository: acme/sample-agent',
      'INFO Ref: main',
      expect.stringMatching(/^INFO Commit: [0-9a-f]{40}$/),
      'INFO Config: graph.json',
      'INFO Graphs: agent',
      'INFO The build succeeded.',
    ]);
    const times = logs.map(({ timestamp }) => timestamp);
    expect(times).toEqual(times.toSorted());
  });

  it('grows as the revision moves', async () => {
    const created = await createDeployment(fixture.caller, await repositoryBody(fixture.caller, `log-${(count += 1)}`));
    expect((await buildLog(created)).logs).toEqual([]);
    await advance(fixture.caller, 2 * stepMs);
    expect(messages(await buildLog(created))).toEqual(['Waiting for a builder.']);
    await advance(fixture.caller, stepMs);
    expect(messages(await buildLog(created))).toEqual(['Waiting for a builder.', 'The build starts.']);
    await fixture.caller.send(
      'POST',
      `/v2/deployments/${created.id}/revisions/${created.latest_revision_id}/interruption`,
    );
    expect(messages(await buildLog(created)).at(-1)).toBe('Stopped on request.');
  });

  it('ends with the reason of a failure, and with its place', async () => {
    await commitFiles(fixture.sample.folder, { 'broken.json': '{\n  "graphs": {\n' }, 'Break');
    await git(fixture.sample.folder, 'push', '--quiet', 'origin', 'main');
    const created = await repository({ source_revision_config: { graph_config_path: 'broken.json' } });
    const { logs } = await buildLog(created, { level: 'ERROR' });
    expect(messages({ logs })).toEqual([
      expect.stringContaining("broken.json can't be used"),
      '  File "broken.json", line 3',
    ]);
  });

  it('has the warning of a build', async () => {
    const files = { 'warned.json': JSON.stringify({ dependencies: ['.'], graphs: { agent: 'package.module:graph' } }) };
    await commitFiles(fixture.sample.folder, files, 'Use a package');
    await git(fixture.sample.folder, 'push', '--quiet', 'origin', 'main');
    const created = await repository({ source_revision_config: { graph_config_path: 'warned.json' } });
    expect(await buildLog(created, { level: 'WARNING' })).toMatchObject({
      logs: [{ level: 'WARNING', message: expect.stringContaining('Not in the application') }],
    });
  });

  it('is empty for an image, which is not built', async () => {
    const created = await deployed(imageBody(`log-${(count += 1)}`));
    expect(await buildLog(created)).toEqual({ logs: [], next_offset: null });
  });
});

describe('the log of the application', () => {
  it('has a line for each state of each revision', async () => {
    const created = await repository({ source_config: { build_on_push: true } });
    const { body } = await fixture.caller.post(`/v2/deployments/${created.id}/revisions`, {});
    await advance(fixture.caller, 6 * stepMs);
    const [first, second] = [created.latest_revision_id, (body as { id: string }).id];
    const commit = created.source_revision_config.repo_commit_sha?.slice(0, 7);
    expect(messages(await applicationLog(created))).toEqual([
      `Deploying revision ${first} (commit ${commit}).`,
      `Revision ${first} is live.`,
      `Deploying revision ${second} (commit ${commit}).`,
      `Revision ${second} is live.`,
      `Revision ${first} is replaced by ${second}.`,
    ]);
    await fixture.caller.send('DELETE', `/v2/deployments/${created.id}`);
    expect(messages(await applicationLog(created)).at(-1)).toBe(`Revision ${second} is deleted.`);
  });

  it('can be read of one revision, in both forms', async () => {
    const created = await deployed(imageBody(`log-${(count += 1)}`));
    const { body } = await fixture.caller.post(`/v2/deployments/${created.id}/revisions`, {});
    await advance(fixture.caller, 6 * stepMs);
    const second = { id: created.id, latest_revision_id: (body as { id: string }).id };
    const older = pageOf(await fixture.caller.post(path(second, 'deploy'), {}));
    expect(messages(older)).toHaveLength(2);
    const newer = `/v2/deployments/${created.id}/revisions/${second.latest_revision_id}/logs`;
    expect((await fixture.caller.get(`${newer}?type=deploy`)).body).toEqual(older);
    expect((await fixture.caller.get(`${newer}?type=build`)).body).toEqual({ logs: [], next_offset: null });
  });
});

describe('a page of a log', () => {
  let created: DeploymentWire;

  beforeAll(async () => {
    created = await createDeployment(fixture.caller, imageBody('pages'));
    await write(created, [{ message: 'one' }, { level: 'WARNING', message: 'Two' }]);
    await advance(fixture.caller, stepMs);
    await write(created, [
      { level: 'ERROR', message: 'three' },
      { level: 'DEBUG', message: 'four' },
    ]);
  });

  it.each<[LogQuery, string[]]>([
    [{}, ['one', 'Two', 'three', 'four']],
    [{ order: 'asc' }, ['one', 'Two', 'three', 'four']],
    [{ order: 'desc' }, ['four', 'three', 'Two', 'one']],
    [{ level: 'DEBUG' }, ['one', 'Two', 'three', 'four']],
    [{ level: 'INFO' }, ['one', 'Two', 'three']],
    [{ level: 'WARNING' }, ['Two', 'three']],
    [{ level: 'ERROR' }, ['three']],
    [{ query: 'T' }, ['Two', 'three']],
    [{ query: '%' }, []],
    [{ query: '', offset: '' }, ['one', 'Two', 'three', 'four']],
    [{ level: null, query: null, limit: null, order: null, offset: null }, ['one', 'Two', 'three', 'four']],
  ])('with %o has %j', async (query, expected) => {
    expect(messages(await applicationLog(created, query))).toEqual(expected);
  });

  it('is limited by times, which are inclusive and in any time zone', async () => {
    const { logs } = await applicationLog(created);
    const later = logs[2]!.timestamp;
    expect(messages(await applicationLog(created, { start_time: later }))).toEqual(['three', 'four']);
    expect(messages(await applicationLog(created, { end_time: logs[1]!.timestamp }))).toEqual(['one', 'Two']);
    const elsewhere = `${new Date(Date.parse(later) + 3_600_000).toISOString().slice(0, -1)}+01:00`;
    expect(messages(await applicationLog(created, { start_time: elsewhere }))).toEqual(['three', 'four']);
    const address = `/v2/deployments/${created.id}/revisions/${created.latest_revision_id}/logs`;
    const query = new URLSearchParams({ type: 'deploy', start_time: elsewhere, level: 'INFO' });
    expect((await fixture.caller.get(`${address}?${query.toString()}`)).body).toMatchObject({
      logs: [{ message: 'three' }],
    });
  });

  it.each(['asc', 'desc'] as const)('in the order %s leads to the next one, to the end', async (order) => {
    const seen: string[] = [];
    let offset: string | null | undefined;
    for (let pages = 0; pages < 2; pages += 1) {
      const page = await applicationLog(created, { order, limit: 2, offset });
      seen.push(...messages(page));
      offset = page.next_offset;
    }
    expect(seen.toSorted()).toEqual(['Two', 'four', 'one', 'three']);
    expect(offset).toBeNull();
  });

  it('is not moved by new lines', async () => {
    const ids = await createDeployment(fixture.caller, imageBody('moving-pages'));
    await write(
      ids,
      ['a', 'b', 'c'].map((message) => ({ message })),
    );
    const { next_offset: offset } = await applicationLog(ids, { order: 'desc', limit: 1 });
    await write(ids, [{ message: 'd' }]);
    expect(messages(await applicationLog(ids, { order: 'desc', offset }))).toEqual(['b', 'a']);
  });

  it('comes from the newest 10,000 lines', async () => {
    const ids = await createDeployment(fixture.caller, imageBody('long'));
    const lines = Array.from({ length: 5001 }, (_, index) => ({ message: `line ${index}` }));
    await write(ids, lines);
    await write(ids, lines);
    const { logs } = await applicationLog(ids, { limit: 1000 });
    expect(logs).toHaveLength(1000);
    expect(logs[0]?.message).toBe('line 2');
  });

  it.each<[object, string]>([
    [{ limit: 0 }, 'body.limit'],
    [{ limit: 1001 }, 'body.limit'],
    [{ order: 'up' }, 'body.order'],
    [{ level: 'LOUD' }, 'body.level'],
    [{ offset: 'next' }, 'body.offset'],
    [{ start_time: 'yesterday' }, 'body.start_time'],
  ])('is refused with %o', async (query, field) => {
    expect(refusedFields(await fixture.caller.post(path(created, 'build'), query))).toEqual([field]);
  });

  it('needs the type in the newer form', async () => {
    const address = `/v2/deployments/${created.id}/revisions/${created.latest_revision_id}/logs`;
    expect(refusedFields(await fixture.caller.get(address))).toEqual(['query.type']);
    expect(refusedFields(await fixture.caller.get(`${address}?type=application`))).toEqual(['query.type']);
    expect((await fixture.caller.post(address, {})).status).toBe(405);
  });

  it("isn't found for an unknown deployment or revision", async () => {
    const other = await createDeployment(fixture.caller, imageBody(`log-${(count += 1)}`));
    const wrong = { id: other.id, latest_revision_id: created.latest_revision_id };
    const missing = { id: unknownId, latest_revision_id: created.latest_revision_id };
    for (const ids of [wrong, missing]) {
      expect((await fixture.caller.post(path(ids, 'build'), {})).status).toBe(404);
      expect((await fixture.caller.post(path(ids, 'deploy'), {})).status).toBe(404);
    }
    expect((await fixture.caller.post(`/v1/projects/${unknownId}/deploy_logs`, {})).status).toBe(404);
  });
});
