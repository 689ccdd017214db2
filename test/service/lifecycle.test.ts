import { describe, expect, it } from 'vitest';
import type { DeploymentWire } from '../../src/api/resources/deployments.ts';
import { commitFiles, git } from '../support/gitRepositories.ts';
import { runningServiceWithSample, stepMs } from './support/fixture.ts';
import {
  advance,
  createDeployment,
  getDeployment,
  imageBody,
  listRevisions,
  repositoryBody,
  statuses,
} from './support/requests.ts';

const fixture = runningServiceWithSample();

const wayToSuccess = ['CREATING', 'QUEUED', 'AWAITING_BUILD', 'BUILDING', 'AWAITING_DEPLOY', 'DEPLOYING', 'DEPLOYED'];

describe('a revision', () => {
  it('goes through the documented statuses, one per step', async () => {
    const { id } = await createDeployment(fixture.caller, imageBody('steps'));
    const seen = await statuses(fixture.caller, id);
    for (let step = 0; step < 8; step++) {
      await advance(fixture.caller, stepMs);
      seen.push(...(await statuses(fixture.caller, id)));
    }
    expect(seen).toEqual([...wayToSuccess, 'DEPLOYED', 'DEPLOYED']);
    expect((await listRevisions(fixture.caller, id))[0]?.status_message).toBeNull();
  });

  it('says why its build failed, and never becomes active', async () => {
    const body = await repositoryBody(fixture.caller, 'fails', { source_revision_config: { repo_ref: 'absent' } });
    const { id } = await createDeployment(fixture.caller, body);
    await advance(fixture.caller, 10 * stepMs);
    const [revision] = await listRevisions(fixture.caller, id);
    expect(revision).toMatchObject({ status: 'BUILD_FAILED', source_revision_config: { repo_commit_sha: null } });
    expect(revision?.status_message).toContain('no branch, tag or commit "absent"');
    expect(await getDeployment(fixture.caller, id)).toMatchObject({
      status: 'AWAITING_DATABASE',
      active_revision_id: null,
    });
  });
});

describe('a deployment', () => {
  it('becomes READY with its first DEPLOYED revision, which becomes the active one', async () => {
    const created = await createDeployment(fixture.caller, imageBody('ready'));
    expect(created).toMatchObject({ status: 'AWAITING_DATABASE', active_revision_id: null });
    await advance(fixture.caller, 5 * stepMs);
    expect(await getDeployment(fixture.caller, created.id)).toMatchObject({
      status: 'AWAITING_DATABASE',
      active_revision_id: null,
    });
    await advance(fixture.caller, stepMs);
    expect(await getDeployment(fixture.caller, created.id)).toMatchObject({
      status: 'READY',
      active_revision_id: created.latest_revision_id,
    });
  });
});

describe('a push', () => {
  it('creates a revision, and the old one stays active until the new one is live', async () => {
    const created = await deployedOnPush('pushed');
    const commit = await push('first change');
    await advance(fixture.caller, 0);
    const [latest] = await listRevisions(fixture.caller, created.id);
    expect(latest).toMatchObject({ status: 'CREATING', source_revision_config: { repo_commit_sha: commit } });
    expect(await getDeployment(fixture.caller, created.id)).toMatchObject({
      latest_revision_id: latest!.id,
      active_revision_id: created.latest_revision_id,
      source_revision_config: { repo_commit_sha: commit },
    });
    await advance(fixture.caller, 6 * stepMs);
    expect(await getDeployment(fixture.caller, created.id)).toMatchObject({ active_revision_id: latest!.id });
    expect(await statuses(fixture.caller, created.id)).toEqual(['DEPLOYED', 'DEPLOYED']);
  });

  it("ignores a deployment that isn't built on push", async () => {
    const { id } = await createDeployment(fixture.caller, await repositoryBody(fixture.caller, 'not-on-push'));
    await push('unwanted change');
    await advance(fixture.caller, 6 * stepMs);
    expect(await statuses(fixture.caller, id)).toEqual(['DEPLOYED']);
  });

  it('keeps the old revision active if its build fails', async () => {
    const created = await deployedOnPush('broken-push');
    await commitFiles(fixture.sample.folder, { 'graph.json': '{' }, 'Break the config');
    await git(fixture.sample.folder, 'push', '--quiet', 'origin', 'main');
    await advance(fixture.caller, 0);
    await advance(fixture.caller, 6 * stepMs);
    await git(fixture.sample.folder, 'revert', '--no-edit', 'HEAD');
    await git(fixture.sample.folder, 'push', '--quiet', 'origin', 'main');
    expect(await statuses(fixture.caller, created.id)).toEqual(['BUILD_FAILED', 'DEPLOYED']);
    expect(await getDeployment(fixture.caller, created.id)).toMatchObject({
      status: 'READY',
      active_revision_id: created.latest_revision_id,
    });
  });

  it('changes waiting revisions to SKIPPED, but not the one in progress', async () => {
    const created = await deployedOnPush('many-pushes');
    await push('goes into work');
    await advance(fixture.caller, 0);
    await advance(fixture.caller, 3 * stepMs);
    await push('has to wait');
    await advance(fixture.caller, 0);
    await advance(fixture.caller, 1 * stepMs);
    expect(await statuses(fixture.caller, created.id)).toEqual(['QUEUED', 'AWAITING_DEPLOY', 'DEPLOYED']);
    await push('takes its place');
    await advance(fixture.caller, 0);
    expect(await statuses(fixture.caller, created.id)).toEqual(['CREATING', 'SKIPPED', 'AWAITING_DEPLOY', 'DEPLOYED']);
    await advance(fixture.caller, 10 * stepMs);
    expect(await statuses(fixture.caller, created.id)).toEqual(['DEPLOYED', 'SKIPPED', 'DEPLOYED', 'DEPLOYED']);
  });

  it('waits until the revision in progress has ended', async () => {
    const created = await deployedOnPush('patient');
    await push('is held');
    await advance(fixture.caller, 0);
    const [held] = await listRevisions(fixture.caller, created.id);
    await force(held!.id, 'BUILDING', true);
    await push('waits');
    await advance(fixture.caller, 0);
    await advance(fixture.caller, 1000 * stepMs);
    expect(await statuses(fixture.caller, created.id)).toEqual(['QUEUED', 'BUILDING', 'DEPLOYED']);
    await force(held!.id, 'INTERRUPTED', false);
    await advance(fixture.caller, 6 * stepMs);
    expect(await statuses(fixture.caller, created.id)).toEqual(['DEPLOYED', 'INTERRUPTED', 'DEPLOYED']);
  });
});

async function deployedOnPush(name: string): Promise<DeploymentWire> {
  const body = await repositoryBody(fixture.caller, name, { source_config: { build_on_push: true } });
  const created = await createDeployment(fixture.caller, body);
  await advance(fixture.caller, 6 * stepMs);
  return created;
}

async function push(text: string): Promise<string> {
  const commit = await commitFiles(fixture.sample.folder, { 'CHANGES.md': `${text}\n` }, text);
  await git(fixture.sample.folder, 'push', '--quiet', 'origin', 'main');
  return commit;
}

async function force(revisionId: string, status: string, hold: boolean): Promise<void> {
  expect((await fixture.caller.post(`/_dev/revisions/${revisionId}`, { status, hold })).status).toBe(200);
}
