import { execFileSync } from 'node:child_process';
import path from 'node:path';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { isRefName } from '../../../../src/core/draft/fieldProblem.ts';
import { Git } from '../../../../src/git/git.ts';
import { fullNames, resolveRef } from '../../../../src/localService/git/refs.ts';
import { RegisteredRepositories } from '../../../../src/localService/git/repositories.ts';
import { commitFiles, createLocalRepository, git } from '../../../support/gitRepositories.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';

describe('a ref name', () => {
  it.each([
    'main',
    'feature/one',
    'refs/tags/v1.0.0',
    'v1.0.0',
    'ünïcode',
    'a@b',
    'a{b}',
    'release-1.x',
    '#1',
    "it's",
    'a$b',
  ])('can be %s', (name) => {
    expect(isRefName(name)).toBe(true);
  });

  it.each([
    '',
    '-',
    '--all',
    '.a',
    '/a',
    'a/',
    'a.',
    'a..b',
    'a//b',
    'a/.b',
    'a.lock',
    'a.lock/b',
    '@',
    '@{u}',
    'a@{1}',
    'a b',
    'a~1',
    'a^',
    'a:b',
    'a?',
    'a*',
    'a[b',
    String.raw`a\b`,
    'a\nb',
    'a\0',
    'a\u007f',
    'x'.repeat(256),
  ])("can't be %j", (name) => {
    expect(isRefName(name)).toBe(false);
  });

  it('is one that git accepts', () => {
    const text = fc.string({
      unit: fc.constantFrom(...Array.from('ab/.-@{}~^:*?[\\ \t\n\u007f')),
      minLength: 1,
      maxLength: 12,
    });
    const accepted = fc.sample(text, { numRuns: 5000, seed: 1 }).filter(isRefName).slice(0, 60);
    expect(accepted.length).toBeGreaterThan(30);
    for (const name of accepted) {
      // The command fails for a name that git refuses.
      execFileSync('git', ['check-ref-format', `refs/heads/${name}`]);
    }
  });
});

describe('the full names of a ref', () => {
  it.each([
    ['main', 'origin', ['refs/remotes/origin/main', 'refs/tags/main']],
    ['refs/heads/main', 'origin', ['refs/remotes/origin/main']],
    ['refs/tags/v1', 'origin', ['refs/tags/v1']],
    ['main', undefined, ['refs/heads/main', 'refs/tags/main']],
    ['main~1', 'origin', []],
  ])('are known for %s at the remote %s', (ref, remote, names) => {
    expect(fullNames(ref, { remote, remotes: remote === undefined ? [] : [remote] })).toEqual(names);
  });
});

describe('with a remote whose name begins with the name of another one', () => {
  let folder: string;
  let app: string;
  let forked: string;

  beforeAll(async () => {
    const temporary = await temporaryFolder();
    folder = temporary.path;
    app = path.join(folder, 'app');
    await createLocalRepository(app, { 'graph.json': '{}' });
    await git(app, 'update-ref', 'refs/remotes/origin/work', 'HEAD');
    forked = await commitFiles(app, { 'a.txt': 'content' }, 'Fork');
    await git(app, 'update-ref', 'refs/remotes/origin/fork/main', 'HEAD');
    for (const name of ['origin', 'team/origin', 'origin/fork']) {
      await git(app, 'config', `remote.${name}.url`, `https://code.example/${name}/app`);
    }
    return () => temporary.remove();
  });

  const at = (remote: string) => ({
    git: new Git({ workingFolder: folder }, app),
    remote,
    remotes: ['origin', 'team/origin', 'origin/fork'],
  });

  it('finds no branch and no commit of the longer one on the shorter one', async () => {
    expect(await resolveRef(at('origin'), 'fork/main')).toBeUndefined();
    expect(await resolveRef(at('origin'), forked)).toBeUndefined();
    const found = { commit: forked, fullName: 'refs/remotes/origin/fork/main' };
    expect(await resolveRef(at('origin/fork'), 'main')).toEqual(found);
    expect(await resolveRef(at('origin/fork'), forked)).toEqual({ commit: forked });
    expect((await resolveRef(at('origin'), 'work'))?.fullName).toBe('refs/remotes/origin/work');
  });

  it("doesn't take a branch of the longer one for the default branch", async () => {
    const registered = new RegisteredRepositories({ workingFolder: folder });
    await registered.update({ folders: [app] });
    expect(await registered.list()).toMatchObject([{ remote: 'origin', defaultBranch: 'work' }]);
  });

  it('finds branches of a remote with a slash in its name', async () => {
    await git(app, 'update-ref', 'refs/remotes/team/origin/feature/one', forked);
    expect((await resolveRef(at('team/origin'), 'feature/one'))?.commit).toBe(forked);
    expect(await resolveRef(at('team/origin'), 'work')).toBeUndefined();
  });
});
