import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readRemotes } from '../../../src/git/configuredRemotes.ts';
import { Git } from '../../../src/git/git.ts';
import { createLocalRepository, git } from '../../support/gitRepositories.ts';

let folder: string;
const app = () => path.join(folder, 'app');
const read = () => readRemotes(new Git({ workingFolder: folder }, app()));

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'remotes-'));
  vi.stubEnv('HOME', folder);
  vi.stubEnv('XDG_CONFIG_HOME', path.join(folder, 'xdg'));
  vi.stubEnv('GIT_CONFIG_GLOBAL', undefined);
  vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1');
  await createLocalRepository(app(), { 'a.txt': 'content' });
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** What git itself says of a remote, which runs no command of the configuration. */
async function fetchedFrom(name: string): Promise<string> {
  const settings = path.join(folder, '.gitconfig');
  return git(app(), '-c', `include.path=${settings}`, 'remote', 'get-url', name);
}

it('lists remotes in their order with their first URL', async () => {
  await git(app(), 'remote', 'add', 'upstream', 'https://code.example/team/app');
  await git(app(), 'remote', 'add', 'me/origin', 'git@code.example:me/app.git');
  await git(app(), 'remote', 'set-url', '--add', 'upstream', 'https://mirror.example/team/app');
  expect(await read()).toEqual(
    [
      ['upstream', 'https://code.example/team/app'],
      ['me/origin', 'git@code.example:me/app.git'],
    ].map(([name, url]) => ({ name, url, fetchUrl: url })),
  );
});

it('reads the name of a remote whose address looks like another setting', async () => {
  const url = 'https://code.example/a\n.url\nb';
  await git(app(), 'config', 'remote.origin.url', url);
  expect(await read()).toEqual([{ name: 'origin', url, fetchUrl: url }]);
});

it('lists a remote that can only be pushed to, and takes where another one is fetched from', async () => {
  await git(app(), 'config', 'remote.mirror.pushurl', 'https://mirror.example/team/app');
  await git(app(), 'config', 'remote.origin.pushurl', 'git@code.example:team/app.git');
  await git(app(), 'config', 'remote.origin.url', 'https://code.example/team/app');
  expect((await read()).map(({ name, url }) => [name, url])).toEqual([
    ['origin', 'https://code.example/team/app'],
    ['mirror', 'https://mirror.example/team/app'],
  ]);
});

it('lists none in a repository without remotes', async () => {
  expect(await read()).toEqual([]);
});

it.each([
  ['a short form', 'https://code.example/', 'code:', 'code:acme/app'],
  ['another protocol', 'git@code.example:', 'https://code.example/', 'https://code.example/acme/app'],
  ['a token', 'https://me:canary@code.example/', 'https://code.example/', 'https://code.example/acme/app'],
  ['letters in another case', 'https://code.example/', 'Code:', 'code:acme/app'],
  ['the end', 'https://code.example/', 'app', 'code:acme/app'],
])('rewrites %s as git does', async (_, base, insteadOf, url) => {
  await git(app(), 'remote', 'add', 'origin', url);
  await git(app(), 'config', '--file', path.join(folder, '.gitconfig'), `url.${base}.insteadOf`, insteadOf);
  expect(await read()).toEqual([{ name: 'origin', url, fetchUrl: await fetchedFrom('origin') }]);
});

it('takes the longest rewrite, wherever it is configured, and none for pushes', async () => {
  await git(app(), 'remote', 'add', 'origin', 'code:acme/app');
  await git(app(), 'config', 'url.https://short.example/.insteadOf', 'code:');
  await git(app(), 'config', '--add', 'url.https://short.example/.insteadOf', 'other:');
  await git(app(), 'config', 'url.https://push.example/.pushInsteadOf', 'code:acme/app');
  const included = path.join(folder, 'work.gitconfig');
  await git(app(), 'config', '--file', included, 'url.https://long.example/.insteadOf', 'code:acme/');
  await writeFile(path.join(folder, '.gitconfig'), `[includeIf "gitdir:${app()}/"]\n  path = work.gitconfig\n`);
  expect(await read()).toEqual([{ name: 'origin', url: 'code:acme/app', fetchUrl: 'https://long.example/app' }]);
  expect(await fetchedFrom('origin')).toBe('https://long.example/app');
});

it("reads the user's settings for the remotes only", async () => {
  await writeFile(path.join(folder, '.gitconfig'), '[core]\n  abbrev = 5\n');
  const isolated = new Git({ workingFolder: folder }, app());
  await expect(isolated.run(['config', '--get', 'core.abbrev'])).rejects.toThrow('Git failed');
  expect(await isolated.run(['config', '--get', 'core.abbrev'], { withUserSettings: true })).toBe('5\n');
});
