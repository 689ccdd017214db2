import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RegisteredRepositories } from '../../../../src/localService/git/repositories.ts';
import { createLocalRepository } from '../../../support/gitRepositories.ts';

let folder: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'repositories-')));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

// As on macOS, where /var is a link to /private/var.
it('unregisters a folder that was registered through a link, even after it was deleted', async () => {
  await mkdir(path.join(folder, 'private/var'), { recursive: true });
  await symlink(path.join(folder, 'private/var'), path.join(folder, 'var'), 'junction');
  for (const taken of ['var/one', 'var/two', 'private/var/three'])
    await createLocalRepository(path.join(folder, taken), { 'graph.json': '{}' });
  const registered = new RegisteredRepositories({ workingFolder: folder });
  const [one, two, three] = ['one', 'two', 'three'].map((name) => path.join(folder, 'private/var', name));
  await registered.take({ folders: ['var/one', 'var/two', 'var/three'].map((name) => path.join(folder, name)) });
  expect(registered.folders()).toEqual([three, two, one]);
  await rm(path.join(folder, 'var/one'), { recursive: true });
  await registered.take({ restricted: [path.join(folder, 'var/one'), path.join(folder, 'var/two/below')] });
  expect(registered.folders()).toEqual([three]);
});

it('lists a repository whose path has blanks and more than 300 characters', async () => {
  const app = path.join(folder, 'a long name '.repeat(13), 'another one '.repeat(13), 'app');
  await createLocalRepository(app, { 'graph.json': '{}' });
  const registered = new RegisteredRepositories({ workingFolder: folder });
  expect(await registered.take({ folders: [app] })).toEqual([]);
  expect(await registered.list()).toMatchObject([{ name: 'app', url: app, defaultBranch: 'main' }]);
});

// A shell script stands in the place of git.
it.skipIf(process.platform === 'win32')('unregisters a folder while git is still reading it', async () => {
  const app = path.join(folder, 'app');
  await createLocalRepository(app, { 'graph.json': '{}' });
  const git = path.join(folder, 'slow-git');
  const go = path.join(folder, 'go');
  await writeFile(git, `#!/bin/sh\nwhile [ ! -e "${go}" ]; do sleep 0.01; done\nexec git "$@"\n`);
  await chmod(git, 0o755);
  const registered = new RegisteredRepositories({ path: git, workingFolder: folder });
  const offered = registered.take({ folders: [app] });
  const takenBack = registered.take({ restricted: [app] });
  await writeFile(go, '');
  expect(await offered).toEqual([]);
  await takenBack;
  expect(registered.folders()).toEqual([]);
});
