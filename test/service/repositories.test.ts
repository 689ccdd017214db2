import { mkdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { repositoryWire } from '../../src/api/resources/integrations.ts';
import type { RepositoryWire } from '../../src/api/resources/integrations.ts';
import { createLocalRepository, createRepository, git } from '../support/gitRepositories.ts';
import { runningServiceWithSample } from './support/fixture.ts';
import { integrationId } from './support/requests.ts';

const fixture = runningServiceWithSample();
const files = { 'graph.json': '{}' };

it('offers one integration, this computer, with a fixed ID', async () => {
  const { body } = await fixture.caller.get('/v1/integrations/forge/repohost/install');
  expect(body).toEqual([{ id: await integrationId(fixture.caller), installation_id: 1, name: 'This computer' }]);
});

it('lists a repository by the name of its remote', async () => {
  expect((await list())[0]).toEqual({
    host_integration_id: await integrationId(fixture.caller),
    id: 1,
    name: 'sample-agent',
    owner: 'acme',
    url: 'https://code.example/acme/sample-agent',
    default_branch: 'main',
  });
});

it('lists the same repositories in both lists', async () => {
  const id = await integrationId(fixture.caller);
  const { body } = await fixture.caller.get(`/v1/integrations/forge/repohost/${id.toUpperCase()}/repos`);
  expect(body).toEqual(await list());
});

it('finds no repositories of an unknown integration', async () => {
  const id = 'f3a9b6d2-5a4e-4d0f-9f5a-2f4e1b8f0c11';
  expect((await fixture.caller.get(`/v1/integrations/repohost/${id}/repos`)).status).toBe(404);
  expect((await fixture.caller.get(`/v1/integrations/forge/repohost/${id}/repos`)).status).toBe(404);
  // The document says that this id is a string in one path and a UUID in the other.
  expect((await fixture.caller.get('/v1/integrations/repohost/abc/repos')).status).toBe(404);
  expect((await fixture.caller.get('/v1/integrations/forge/repohost/abc/repos')).status).toBe(422);
});

it('uses the owner "local" and the folder\'s name if the remote is a folder', async () => {
  const { folder, bare } = await createRepository(fixture.folder, { name: 'by-path', files });
  expect(await register(folder)).toMatchObject({ owner: 'local', name: 'by-path', url: bare });
});

it('lists a repository without a remote by its folder and its current branch', async () => {
  const folder = path.join(fixture.folder, 'no-remote');
  await createLocalRepository(folder, files);
  await git(folder, 'checkout', '--quiet', '-b', 'work');
  expect(await register(folder)).toMatchObject({
    owner: 'local',
    name: 'no-remote',
    url: await realpath(folder),
    default_branch: 'work',
  });
});

it('uses the default branch of the remote', async () => {
  const { folder } = await createRepository(fixture.folder, { name: 'trunk-based', files });
  await git(folder, 'push', '--quiet', 'origin', 'main:trunk');
  await git(folder, 'remote', 'set-head', 'origin', 'trunk');
  expect(await register(folder)).toMatchObject({ default_branch: 'trunk' });
  await git(folder, 'remote', 'set-head', 'origin', '--delete');
  expect((await list()).find(({ name }) => name === 'trunk-based')).toMatchObject({ default_branch: 'main' });
});

it('registers a whole repository once for folders below its top', async () => {
  const { folder } = await createRepository(fixture.folder, {
    name: 'monorepo',
    files: { 'apps/agent/graph.json': '{}' },
  });
  await register(path.join(folder, 'apps/agent'));
  await register(folder);
  expect((await list()).filter(({ name }) => name === 'monorepo')).toHaveLength(1);
});

it('lists one of two clones of a repository', async () => {
  const clone = path.join(fixture.folder, 'second-clone');
  await createLocalRepository(clone, files);
  await git(clone, 'remote', 'add', 'origin', 'git@code.example:acme/sample-agent.git');
  await register(clone);
  expect((await list()).filter(({ name }) => name === 'sample-agent')).toHaveLength(1);
});

it('registers a bare repository', async () => {
  const { bare } = await createRepository(fixture.folder, { name: 'bare-one', files });
  expect(await register(bare)).toMatchObject({ owner: 'local', url: await realpath(bare), default_branch: 'main' });
});

it("reports a folder that can't be registered, and continues", async () => {
  const plain = path.join(fixture.folder, 'plain');
  await mkdir(plain);
  const before = await list();
  const { body } = await fixture.caller.post('/_control/repositories', {
    folders: [plain, path.join(fixture.folder, 'absent')],
  });
  expect(body).toEqual({
    problems: [`${plain} isn't in a git repository.`, `${path.join(fixture.folder, 'absent')} doesn't exist.`],
  });
  expect(await list()).toEqual(before);
});

it('no longer lists a deleted folder', async () => {
  const { folder } = await createRepository(fixture.folder, { name: 'deleted', files });
  await register(folder);
  await rm(folder, { recursive: true });
  expect((await list()).map(({ name }) => name)).not.toContain('deleted');
});

async function list(): Promise<RepositoryWire[]> {
  const id = await integrationId(fixture.caller);
  const { status, body } = await fixture.caller.get(`/v1/integrations/repohost/${id}/repos`);
  expect(status).toBe(200);
  return repositoryWire.array().parse(body);
}

/** Registers a folder and gives its record, which comes first in the list as the most recent one. */
async function register(folder: string): Promise<RepositoryWire | undefined> {
  const { body } = await fixture.caller.post('/_control/repositories', { folders: [folder] });
  expect(body).toEqual({ problems: [] });
  return (await list())[0];
}
