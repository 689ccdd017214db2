import { describe, expect, it } from 'vitest';
import { deploymentWire } from '../../src/api/resources/deployments.ts';
import type { DeploymentWire } from '../../src/api/resources/deployments.ts';
import { revisionWire } from '../../src/api/resources/revisions.ts';
import { commitFiles, createRepository, git, sampleFiles } from '../support/gitRepositories.ts';
import { runningServiceWithSample, stepMs } from './support/fixture.ts';
import {
  advance,
  createDeployment,
  createListener,
  getDeployment,
  imageBody,
  listRevisions,
  refusedFields,
  repositoryBody,
  sentenceOf,
  statuses,
} from './support/requests.ts';
import type { Answer } from './support/caller.ts';

const fixture = runningServiceWithSample();
const unknownId = 'f3a9b6d2-5a4e-4d0f-9f5a-2f4e1b8f0c11';
let count = 0;

const patch = async (id: string, body: unknown): Promise<Answer> =>
  fixture.caller.send('PATCH', `/v2/deployments/${id}`, { body });
const revisionPath = (id: string, revisionId: string): string => `/v2/deployments/${id}/revisions/${revisionId}`;
const remove = async (id: string, query = ''): Promise<Answer> =>
  fixture.caller.send('DELETE', `/v2/deployments/${id}${query}`);

async function deployed(body: Record<string, unknown>): Promise<DeploymentWire> {
  const created = await createDeployment(fixture.caller, body);
  await advance(fixture.caller, 6 * stepMs);
  return getDeployment(fixture.caller, created.id);
}

const image = async (): Promise<DeploymentWire> => deployed(imageBody(`image-${(count += 1)}`));

async function push(): Promise<string> {
  const text = `change ${(count += 1)}`;
  const commit = await commitFiles(fixture.sample.folder, { 'CHANGES.md': `${text}\n` }, text);
  await git(fixture.sample.folder, 'push', '--quiet', 'origin', 'main');
  return commit;
}

describe('one deployment', () => {
  it('is returned as the list has it', async () => {
    const { id } = await image();
    const { status, body } = await fixture.caller.get(`/v2/deployments/${id.toUpperCase()}`);
    expect(status).toBe(200);
    expect(body).toEqual(await getDeployment(fixture.caller, id));
  });

  it.each(['GET', 'PATCH', 'DELETE'])("isn't found by %s if it doesn't exist", async (method) => {
    const body = method === 'PATCH' ? {} : undefined;
    expect((await fixture.caller.send(method, `/v2/deployments/${unknownId}`, { body })).status).toBe(404);
    expect(refusedFields(await fixture.caller.send(method, '/v2/deployments/abc', { body }))).toEqual([
      'path.deployment_id',
    ]);
  });

  it('supports no other method', async () => {
    const { status, headers } = await fixture.caller.send('PUT', `/v2/deployments/${unknownId}`, { body: {} });
    expect(status).toBe(405);
    expect(headers.get('allow')).toBe('GET, PATCH, DELETE');
  });
});

describe('an update', () => {
  it('of secrets replaces them all, and makes a revision', async () => {
    const body = imageBody(`secrets-${(count += 1)}`, { secrets: ['A', 'B'].map((name) => ({ name, value: 'x' })) });
    const before = await deployed(body);
    const answer = await patch(before.id, { secrets: [{ name: 'C', value: 'canary-value' }] });
    expect(answer.status).toBe(200);
    const after = deploymentWire.parse(answer.body);
    expect(after.secrets).toEqual([{ name: 'C', value: '' }]);
    expect(after.latest_revision_id).not.toBe(before.latest_revision_id);
    expect(after.active_revision_id).toBe(before.active_revision_id);
    expect(after.source_revision_config).toEqual(before.source_revision_config);
    expect(await statuses(fixture.caller, before.id)).toEqual(['CREATING', 'DEPLOYED']);
  });

  it.each<[string, object]>([
    ['nothing', {}],
    ['nulls', { secrets: null, source_config: null, source_revision_config: null, revision_source: null }],
    ['an empty list of secrets', { secrets: [] }],
    ['fields of null', { source_revision_config: { image_uri: null }, source_config: { resource_spec: null } }],
    ['an unknown field', { colour: 'red' }],
  ])('with %s changes nothing', async (_, body) => {
    const before = await image();
    const { status, body: after } = await patch(before.id, body);
    expect(status).toBe(200);
    expect({ ...deploymentWire.parse(after), updated_at: '' }).toEqual({ ...before, updated_at: '' });
  });

  it('of the resource spec replaces the whole of it, and makes a revision', async () => {
    const before = await image();
    await patch(before.id, {
      source_config: { resource_spec: { cpu: 1, memory_mb: 512 }, custom_url: 'https://a.example' },
    });
    const { body } = await patch(before.id, { source_config: { resource_spec: { cpu: 2 } } });
    expect(body).toMatchObject({ source_config: { resource_spec: { cpu: 2 }, custom_url: 'https://a.example' } });
    expect(body).not.toMatchObject({ source_config: { resource_spec: { memory_mb: 512 } } });
    expect(await statuses(fixture.caller, before.id)).toEqual(['CREATING', 'SKIPPED', 'DEPLOYED']);
  });

  it('of settings without a revision makes none', async () => {
    const listener = await createListener(fixture.caller, { compute_id: `cluster-${(count += 1)}` });
    const before = await image();
    const { body } = await patch(before.id, {
      source_config: { deployment_type: 'prod', listener_id: listener.id },
      secret_references: [{ name: 'DB', secret_name: 'db', secret_key: 'password' }],
    });
    expect(body).toMatchObject({
      latest_revision_id: before.latest_revision_id,
      source_config: { deployment_type: 'prod', listener_id: listener.id },
      secret_references: [{ name: 'DB' }],
    });
    expect(
      (await fixture.caller.get('/v2/deployments?deployment_type=prod&remote_reconciled=true')).body,
    ).toMatchObject({
      resources: [{ id: before.id }],
    });
  });

  it('of secrets resolves the ref anew', async () => {
    const before = await deployed(await repositoryBody(fixture.caller, `anew-${(count += 1)}`));
    const commit = await push();
    const { body } = await patch(before.id, { secrets: [{ name: 'A', value: 'x' }] });
    expect(body).toMatchObject({ source_revision_config: { repo_ref: 'main', repo_commit_sha: commit } });
  });

  it('of the ref is watched for pushes from then on', async () => {
    const { folder } = fixture.sample;
    const { id } = await deployed(
      await repositoryBody(fixture.caller, `ref-${(count += 1)}`, { source_config: { build_on_push: true } }),
    );
    await git(folder, 'push', '--quiet', 'origin', 'main:refs/heads/next');
    expect((await patch(id, { source_revision_config: { repo_ref: 'next' } })).status).toBe(200);
    await advance(fixture.caller, 6 * stepMs);
    const commit = await commitFiles(folder, { 'CHANGES.md': 'next' }, 'Change the next one');
    await advance(fixture.caller, stepMs);
    expect(await statuses(fixture.caller, id)).toEqual(['DEPLOYED', 'DEPLOYED']);
    await git(folder, 'push', '--quiet', 'origin', 'main:refs/heads/next');
    await advance(fixture.caller, stepMs);
    const [latest] = await listRevisions(fixture.caller, id);
    expect(latest?.source_revision_config).toMatchObject({ repo_ref: 'next', repo_commit_sha: commit });
  });

  it('of the repository is watched for pushes from then on', async () => {
    const name = `moved-${(count += 1)}`;
    const url = `https://code.example/acme/${name}`;
    const other = await createRepository(fixture.folder, { name, url, files: sampleFiles });
    await fixture.caller.post('/_control/repositories', { folders: [other.folder] });
    const body = await repositoryBody(fixture.caller, name, { source_config: { build_on_push: true } });
    const { id } = await deployed(body);
    const change = { source_config: { repo_url: url }, source_revision_config: { repo_ref: 'main' } };
    expect((await patch(id, change)).status).toBe(200);
    await advance(fixture.caller, 6 * stepMs);
    const commit = await commitFiles(other.folder, { 'CHANGES.md': '' }, 'Change');
    await git(other.folder, 'push', '--quiet', 'origin', 'main');
    await advance(fixture.caller, stepMs);
    const [latest] = await listRevisions(fixture.caller, id);
    expect(latest?.source_revision_config.repo_commit_sha).toBe(commit);
  });

  it.each<[string, object, string]>([
    ['another source', { revision_source: 'internal_source' }, "'revision_source'"],
    [
      'a field of another source',
      { source_revision_config: { repo_ref: 'main' } },
      "'source_revision_config.repo_ref'",
    ],
    ['an unknown listener', { source_config: { listener_id: unknownId } }, "'source_config.listener_id'"],
    ['a secret twice', { secrets: ['A', 'A'].map((name) => ({ name, value: '' })) }, "'secrets[1].name'"],
  ])('rejects %s and stores nothing of it', async (_, body, field) => {
    const before = await image();
    const answer = await patch(before.id, { source_config: { custom_url: 'https://new.example' }, ...body });
    expect(answer.status).toBe(400);
    expect(sentenceOf(answer)).toContain(field);
    expect(await getDeployment(fixture.caller, before.id)).toEqual(before);
  });

  it('rejects references to secrets for a repository', async () => {
    const { id } = await deployed(await repositoryBody(fixture.caller, `references-${(count += 1)}`));
    const answer = await patch(id, { secret_references: [{ name: 'DB' }] });
    expect(answer.status).toBe(400);
    expect(sentenceOf(answer)).toContain("'secret_references'");
  });

  it('rejects fields of the wrong shape, with their places', async () => {
    const { id } = await image();
    const answer = await patch(id, { secrets: 'A', source_config: { build_on_push: 'yes' } });
    expect(refusedFields(answer).toSorted()).toEqual(['body.secrets', 'body.source_config.build_on_push']);
    expect(refusedFields(await patch(id, { source_revision_config: { repo_commit_sha: 'a' } }))).toEqual([
      'body.source_revision_config.repo_commit_sha',
    ]);
  });

  it('at once with others loses none of them', async () => {
    const { id } = await deployed(await repositoryBody(fixture.caller, `at-once-${(count += 1)}`));
    const bodies = [
      { secrets: [{ name: 'A', value: 'x' }] },
      { source_config: { custom_url: 'https://a.example' } },
      { source_config: { deployment_type: 'dev' } },
    ];
    const answers = await Promise.all(bodies.map(async (body) => patch(id, body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await getDeployment(fixture.caller, id)).toMatchObject({
      secrets: [{ name: 'A' }],
      source_config: { custom_url: 'https://a.example', deployment_type: 'dev' },
    });
  });
});

describe('a new revision', () => {
  it('is made even if nothing changes, and returned', async () => {
    const before = await image();
    const answer = await fixture.caller.post(`/v2/deployments/${before.id}/revisions`, {});
    expect(answer.status).toBe(201);
    const revision = revisionWire.parse(answer.body);
    expect(revision).toMatchObject({ status: 'CREATING', source_revision_config: before.source_revision_config });
    expect((await getDeployment(fixture.caller, before.id)).latest_revision_id).toBe(revision.id);
  });
});

describe('a redeploy', () => {
  const redeploy = async (id: string, revisionId: string): Promise<Answer> =>
    fixture.caller.send('POST', `${revisionPath(id, revisionId)}/redeploy`);

  it("has the earlier revision's config with its commit, and becomes live", async () => {
    const body = await repositoryBody(fixture.caller, `back-${(count += 1)}`, {
      source_config: { build_on_push: true },
    });
    const first = await deployed(body);
    const tip = await push();
    await advance(fixture.caller, 0);
    await advance(fixture.caller, 6 * stepMs);
    const answer = await redeploy(first.id, first.latest_revision_id!);
    expect(answer.status).toBe(200);
    const after = deploymentWire.parse(answer.body);
    expect(after.source_revision_config).toEqual(first.source_revision_config);
    expect(after.source_revision_config.repo_commit_sha).not.toBe(tip);
    await advance(fixture.caller, 6 * stepMs);
    expect((await getDeployment(fixture.caller, first.id)).active_revision_id).toBe(after.latest_revision_id);
  });

  it('stays until the next push, also after a restart of the watch', async () => {
    const body = await repositoryBody(fixture.caller, `held-${(count += 1)}`, {
      source_config: { build_on_push: true },
    });
    const first = await deployed(body);
    await push();
    await advance(fixture.caller, 0);
    await redeploy(first.id, first.latest_revision_id!);
    // The folders are part of what the watch remembers, so it asks git again.
    await fixture.caller.post('/_control/repositories', { folders: [fixture.sample.folder] });
    await git(fixture.sample.folder, 'pack-refs', '--all');
    await advance(fixture.caller, stepMs);
    const [latest] = await listRevisions(fixture.caller, first.id);
    expect(latest?.source_revision_config).toEqual(first.source_revision_config);
    const commit = await push();
    await advance(fixture.caller, 0);
    const [newest] = await listRevisions(fixture.caller, first.id);
    expect(newest?.source_revision_config.repo_commit_sha).toBe(commit);
  });

  it("doesn't find an unknown deployment, or a revision of another one", async () => {
    const [one, other] = [await image(), await image()];
    expect((await redeploy(unknownId, one.latest_revision_id!)).status).toBe(404);
    expect((await redeploy(other.id, one.latest_revision_id!)).status).toBe(404);
    expect(refusedFields(await redeploy(one.id, 'abc'))).toEqual(['path.revision_id']);
  });
});

describe('an interruption', () => {
  const interrupt = async (id: string, revisionId: string): Promise<Answer> =>
    fixture.caller.send('POST', `${revisionPath(id, revisionId)}/interruption`);

  it.each([
    [0, 'CREATING'],
    [3, 'BUILDING'],
    [5, 'DEPLOYING'],
  ])('after %i steps stops a revision that is %s', async (steps, status) => {
    const { id, latest_revision_id: revisionId } = await createDeployment(
      fixture.caller,
      await repositoryBody(fixture.caller, `stopped-${(count += 1)}`),
    );
    await advance(fixture.caller, steps * stepMs);
    expect(await statuses(fixture.caller, id)).toEqual([status]);
    expect(await interrupt(id, revisionId!)).toMatchObject({ status: 204, body: undefined });
    await advance(fixture.caller, 6 * stepMs);
    expect(await listRevisions(fixture.caller, id)).toMatchObject([
      { status: 'INTERRUPTED', status_message: 'Stopped on request.' },
    ]);
    expect((await getDeployment(fixture.caller, id)).active_revision_id).toBeNull();
  });

  it('gives the turn to the next revision', async () => {
    const { id, latest_revision_id: first } = await createDeployment(fixture.caller, imageBody(`turn-${(count += 1)}`));
    await advance(fixture.caller, 3 * stepMs);
    await patch(id, { secrets: [{ name: 'A', value: 'x' }] });
    await advance(fixture.caller, stepMs);
    await interrupt(id, first!);
    await advance(fixture.caller, 6 * stepMs);
    expect(await statuses(fixture.caller, id)).toEqual(['DEPLOYED', 'INTERRUPTED']);
  });

  it('of a revision that has ended is refused in words', async () => {
    const { id, latest_revision_id: revisionId } = await image();
    const answer = await interrupt(id, revisionId!);
    expect(answer.status).toBe(409);
    expect(sentenceOf(answer)).toBe('The revision has already ended: it is DEPLOYED.');
    expect((await interrupt(id, unknownId)).status).toBe(404);
  });
});

describe('a deletion', () => {
  it('takes two steps, and then nothing is left', async () => {
    const { id, latest_revision_id: revisionId } = await image();
    await fixture.caller.post(`/v2/deployments/${id}/revisions`, {});
    expect(await remove(id)).toMatchObject({ status: 204, body: undefined });
    expect((await getDeployment(fixture.caller, id)).status).toBe('AWAITING_DELETE');
    expect(await statuses(fixture.caller, id)).toEqual(['INTERRUPTED', 'DEPLOYED']);
    await advance(fixture.caller, stepMs);
    expect((await getDeployment(fixture.caller, id)).status).toBe('AWAITING_DELETE');
    await advance(fixture.caller, stepMs);
    expect((await fixture.caller.get(`/v2/deployments?deployment_ids=${id}`)).body).toMatchObject({ resources: [] });
    expect((await fixture.caller.get(`/v2/deployments/${id}`)).status).toBe(404);
    expect((await fixture.caller.get(revisionPath(id, revisionId!))).status).toBe(404);
    expect((await remove(id)).status).toBe(404);
  });

  it('leaves the name to the tracing project, unless that is deleted too', async () => {
    const [kept, freed] = [await image(), await image()];
    await remove(kept.id, '?delete_tracing_project=false');
    await remove(freed.id, '?delete_tracing_project=true');
    await advance(fixture.caller, 2 * stepMs);
    expect((await fixture.caller.post('/v2/deployments', imageBody(kept.name))).status).toBe(409);
    expect((await fixture.caller.post('/v2/deployments', imageBody(freed.name))).status).toBe(201);
  });

  it('allows no changes meanwhile, but may be repeated', async () => {
    const { id, latest_revision_id: revisionId } = await image();
    await remove(id);
    for (const answer of [
      await patch(id, { secrets: [{ name: 'A', value: 'x' }] }),
      await fixture.caller.post(`/v2/deployments/${id}/revisions`, {}),
      await fixture.caller.send('POST', `${revisionPath(id, revisionId!)}/redeploy`),
      await fixture.caller.send('POST', `/v2/deployments/${id}/upload-url`),
    ]) {
      expect(answer.status).toBe(409);
      expect(sentenceOf(answer)).toBe('The deployment is being deleted.');
    }
    expect((await remove(id)).status).toBe(204);
    expect(refusedFields(await remove(id, '?delete_tracing_project=perhaps'))).toEqual([
      'query.delete_tracing_project',
    ]);
  });

  it('lets no push build a revision', async () => {
    const body = await repositoryBody(fixture.caller, `gone-${(count += 1)}`, {
      source_config: { build_on_push: true },
    });
    const { id } = await deployed(body);
    await remove(id);
    await push();
    await advance(fixture.caller, stepMs);
    expect(await listRevisions(fixture.caller, id)).toHaveLength(1);
  });
});
