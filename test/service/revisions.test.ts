import { beforeAll, expect, it } from 'vitest';
import type { DeploymentWire } from '../../src/api/resources/deployments.ts';
import { revisionWire } from '../../src/api/resources/revisions.ts';
import { commitFiles, git } from '../support/gitRepositories.ts';
import { runningServiceWithSample } from './support/fixture.ts';
import {
  advance,
  createDeployment,
  createListener,
  imageBody,
  listRevisions,
  refusedFields,
  repositoryBody,
} from './support/requests.ts';

const fixture = runningServiceWithSample();
const unknownId = 'f3a9b6d2-5a4e-4d0f-9f5a-2f4e1b8f0c11';
let deployment: DeploymentWire;

beforeAll(async () => {
  const body = await repositoryBody(fixture.caller, 'with-revisions', { source_config: { build_on_push: true } });
  deployment = await createDeployment(fixture.caller, body);
  for (const change of ['one', 'two']) {
    await commitFiles(fixture.sample.folder, { 'CHANGES.md': change }, change);
    await git(fixture.sample.folder, 'push', '--quiet', 'origin', 'main');
    await advance(fixture.caller, 1000);
  }
});

it('lists revisions newest first, with every field of the document', async () => {
  const revisions = await listRevisions(fixture.caller, deployment.id);
  expect(revisions.map(({ status }) => status)).toEqual(['CREATING', 'SKIPPED', 'SKIPPED']);
  expect(Object.keys(revisions[0]!).toSorted()).toEqual(Object.keys(revisionWire.shape).toSorted());
  expect(revisions[2]).toMatchObject({
    id: deployment.latest_revision_id,
    source: 'repohost',
    source_revision_config: deployment.source_revision_config,
  });
});

it('returns each revision with its own config', async () => {
  const revisions = await listRevisions(fixture.caller, deployment.id);
  const commits = revisions.map((revision) => revision.source_revision_config.repo_commit_sha);
  expect(new Set(commits).size).toBe(3);
});

it.each([
  ['status=SKIPPED', 2],
  ['status=CREATING', 1],
  ['status=CREATING,SKIPPED', 3],
  ['status=DEPLOYED', 0],
  ['status=', 3],
  ['remote_reconciled=false', 3],
  ['remote_reconciled=true', 0],
  ['limit=2', 2],
  ['limit=2&offset=2', 1],
])('filters and pages revisions with %s', async (query, count) => {
  expect(await listRevisions(fixture.caller, deployment.id, `?${query}`)).toHaveLength(count);
});

it('treats the revisions of a deployment on a listener as remote reconciled', async () => {
  const listener = await createListener(fixture.caller, { compute_id: 'cluster' });
  const body = imageBody('reconciled', { source_config: { listener_id: listener.id } });
  const { id } = await createDeployment(fixture.caller, body);
  expect(await listRevisions(fixture.caller, id, '?remote_reconciled=true')).toHaveLength(1);
  expect(await listRevisions(fixture.caller, id, '?remote_reconciled=false')).toHaveLength(0);
});

it('finds one revision by its ID in any spelling', async () => {
  const id = deployment.latest_revision_id!;
  const path = `/v2/deployments/${deployment.id.toUpperCase()}/revisions/${id.toUpperCase()}`;
  const { status, body } = await fixture.caller.get(path);
  expect(status).toBe(200);
  expect(body).toMatchObject({ id, status: 'SKIPPED' });
});

it("doesn't find a revision of another deployment", async () => {
  const other = await createDeployment(fixture.caller, imageBody('other'));
  const path = `/v2/deployments/${other.id}/revisions/${deployment.latest_revision_id}`;
  expect((await fixture.caller.get(path)).status).toBe(404);
});

it("doesn't find an unknown deployment or revision", async () => {
  expect((await fixture.caller.get(`/v2/deployments/${unknownId}/revisions`)).status).toBe(404);
  expect((await fixture.caller.get(`/v2/deployments/${unknownId}/revisions/${unknownId}`)).status).toBe(404);
  expect((await fixture.caller.get(`/v2/deployments/${deployment.id}/revisions/${unknownId}`)).status).toBe(404);
});

it("rejects an ID that isn't a UUID, with its place", async () => {
  expect(refusedFields(await fixture.caller.get('/v2/deployments/abc/revisions'))).toEqual(['path.deployment_id']);
  expect(refusedFields(await fixture.caller.get(`/v2/deployments/${unknownId}/revisions/abc`))).toEqual([
    'path.revision_id',
  ]);
});
