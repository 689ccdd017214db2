import { chmod, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RegisteredRepositories } from '../../../../src/localService/git/repositories.ts';
import { createLocalRepository, git as runGit } from '../../../support/gitRepositories.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';

let folder: string;

beforeEach(async ({ onTestFinished }) => {
  const temporary = await temporaryFolder();
  onTestFinished(() => temporary.remove());
  folder = temporary.path;
});

afterEach(() => void vi.unstubAllEnvs());

// As on macOS, where /var is a link to /private/var.
it('unregisters a folder that was registered through a link, even after it was deleted', async () => {
  await mkdir(path.join(folder, 'private/var'), { recursive: true });
  await symlink(path.join(folder, 'private/var'), path.join(folder, 'var'), 'junction');
  for (const taken of ['var/one', 'var/two', 'private/var/three'])
    await createLocalRepository(path.join(folder, taken), { 'graph.json': '{}' });
  const registered = new RegisteredRepositories({ workingFolder: folder });
  const [one, two, three] = ['one', 'two', 'three'].map((name) => path.join(folder, 'private/var', name));
  await registered.update({ folders: ['var/one', 'var/two', 'var/three'].map((name) => path.join(folder, name)) });
  expect(registered.folders()).toEqual([three, two, one]);
  await rm(path.join(folder, 'var/one'), { recursive: true });
  await registered.update({ restricted: [path.join(folder, 'var/one'), path.join(folder, 'var/two/below')] });
  expect(registered.folders()).toEqual([three]);
});

it('lists a repository whose path has blanks and more than 300 characters', async () => {
  const app = path.join(folder, 'a long name '.repeat(13), 'another one '.repeat(13), 'app');
  await createLocalRepository(app, { 'graph.json': '{}' });
  const registered = new RegisteredRepositories({ workingFolder: folder });
  expect(await registered.update({ folders: [app] })).toEqual([]);
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
  const offered = registered.update({ folders: [app] });
  const takenBack = registered.update({ restricted: [app] });
  await writeFile(go, '');
  expect(await offered).toEqual([]);
  await takenBack;
  expect(registered.folders()).toEqual([]);
});

it('is certain that there is no repository of a URL also while a registered folder is gone', async () => {
  const [app, gone] = [path.join(folder, 'stays'), path.join(folder, 'gone')];
  for (const each of [app, gone]) await createLocalRepository(each, { 'graph.json': '{}' });
  const registered = new RegisteredRepositories({ workingFolder: folder });
  await registered.update({ folders: [app, gone] });
  await rename(gone, `${gone}-elsewhere`);
  expect(registered.folders()).toEqual([app]);
  expect(await registered.find('https://code.example/acme/other')).toEqual({ repository: undefined, isCertain: true });
  await rename(`${gone}-elsewhere`, gone);
  expect(registered.folders()).toEqual([gone, app]);
});

describe('a repository is found by the address that the extension sends', () => {
  async function registered(url: string): Promise<RegisteredRepositories> {
    const app = path.join(folder, 'app');
    await createLocalRepository(app, { 'graph.json': '{}' });
    await runGit(app, 'remote', 'add', 'origin', url);
    const repositories = new RegisteredRepositories({ workingFolder: folder });
    expect(await repositories.update({ folders: [app] })).toEqual([]);
    return repositories;
  }

  // A shell script stands in the place of ssh, which reads its configuration from no other place than the home folder.
  it.skipIf(process.platform === 'win32')('if its remote has an alias of ssh', async () => {
    const ssh = path.join(folder, 'ssh');
    await writeFile(ssh, `#!/bin/sh\n[ "$*" = '-G -- work' ] && echo hostname github.com\n`);
    await chmod(ssh, 0o755);
    vi.stubEnv('PATH', `${folder}${path.delimiter}${process.env['PATH']}`);
    const repositories = await registered('git@work:acme/agent.git');
    expect((await repositories.find('git@github.com:acme/agent.git')).repository).toMatchObject({
      owner: 'acme',
      url: 'https://github.com/acme/agent',
    });
  });

  it("if the user's git configuration rewrites its remote", async () => {
    const settings = path.join(folder, 'settings');
    await runGit(folder, 'config', '--file', settings, 'url.https://me:canary@code.example/.insteadOf', 'code:');
    vi.stubEnv('GIT_CONFIG_GLOBAL', settings);
    const repositories = await registered('code:acme/agent');
    expect((await repositories.find('https://code.example/acme/agent.git')).repository).toMatchObject({
      owner: 'acme',
      url: 'https://code.example/acme/agent',
    });
  });

  it('but not if a password in it is not escaped, which is not shown either', async () => {
    const repositories = await registered('https://me:can/ary@code.example/acme/agent');
    expect((await repositories.find('https://code.example/acme/agent')).repository).toBeUndefined();
    expect(await repositories.list()).toMatchObject([{ owner: 'local', name: 'app', url: path.join(folder, 'app') }]);
  });
});
