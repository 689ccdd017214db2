import assert from 'node:assert/strict';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, before, describe, it } from 'mocha';
import { commitFiles, createLocalRepository, createRepository, git } from '../support/gitRepositories.ts';
import { addRemote, app, config, detect, detected, openLayouts, read } from './support/layouts.ts';
import type { Detected, Layouts } from './support/layouts.ts';
import { useSettings } from './support/suite.ts';
import { expect } from './support/window.ts';
import { closeEditors, closeRepositories, showFile } from './support/workspace.ts';

const plain: Detected = {
  root: 'agent',
  remote: 'origin',
  ref: 'branch main',
  configPaths: ['graph.json'],
  says: ['origin/main is at COMMIT.'],
};

describe('The repository of a file', () => {
  let layouts: Layouts;

  before(async () => void (layouts = await openLayouts()));
  afterEach(closeRepositories);
  const clone = (files?: Record<string, string>) => layouts.clone(files);

  it('is the clone around it, on its branch', async () => {
    const { folder } = await clone();
    expect(await detect(folder)).toEqual(plain);
  });

  it('is a worktree, on a branch of its own', async () => {
    const { folder } = await clone();
    await git(folder, 'worktree', 'add', '--quiet', '-b', 'feature', '../tree');
    expect(await detect(path.join(folder, '../tree'))).toEqual({
      ...plain,
      root: 'tree',
      ref: 'branch feature',
      says: [
        'As of the last fetch, origin has no branch feature. Push it first, or fetch if someone else has pushed it.',
      ],
    });
  });

  it('is a worktree of a bare repository, which is not one to deploy itself', async () => {
    const { bare } = await clone();
    const own = path.join(bare, '../own');
    await git(bare, 'clone', '--quiet', '--bare', bare, path.join(own, '.bare'));
    await git(path.join(own, '.bare'), 'config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*');
    await git(path.join(own, '.bare'), 'fetch', '--quiet');
    await writeFile(path.join(own, '.git'), 'gitdir: ./.bare\n');
    await git(own, 'worktree', 'add', '--quiet', 'main');
    expect(await detect(path.join(own, 'main'))).toEqual({ ...plain, root: 'main' });
    for (const folder of [own, path.join(own, '.bare')]) {
      await expect(read(folder)).rejects.toThrow('is a bare repository, which has no files.');
    }
  });

  it('is a submodule, at its commit, whose files are not those of the repository around it', async () => {
    const { bare } = await clone();
    const { folder } = await clone();
    await git(folder, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', bare, 'vendor/lib');
    await git(path.join(folder, 'vendor/lib'), 'checkout', '--quiet', '--detach');
    await commitFiles(folder, {}, 'Add a submodule');
    await git(folder, 'push', '--quiet');
    expect(await detect(path.join(folder, 'vendor/lib'))).toEqual({
      ...plain,
      root: 'lib',
      ref: 'commit COMMIT',
      says: ['COMMIT will be deployed.'],
    });
    expect(await detect(folder)).toEqual(plain);
  });

  it('is the innermost, although only the one around it is open', async () => {
    const { folder } = await clone();
    const inner = await createRepository(path.join(folder, 'deep/er'), { name: 'inner', files: app });
    expect(await detect(folder)).toEqual({ ...plain, says: [expect.stringContaining('uncommitted file')] });
    expect(await detect(inner.folder)).toEqual({ ...plain, root: 'inner' });
  });

  it('has a folder on this computer as its remote', async () => {
    const { bare } = await clone();
    await git(bare, 'clone', '--quiet', bare, '../local');
    const repository = await read(path.join(bare, '../local'));
    expect(repository.remoteUrl).toBe(bare);
    expect(await detected(repository)).toEqual({ ...plain, root: 'local' });
  });

  it('has a remote whose address git rewrites and ssh has an alias for', async () => {
    const { folder } = await clone();
    await git(folder, 'remote', 'set-url', 'origin', 'short:acme/agent');
    await git(folder, 'config', 'url.git@work:.insteadOf', 'short:');
    // It stands in the place of ssh, whose configuration is the user's own.
    const programs = path.join(folder, '../programs');
    await mkdir(programs);
    await writeFile(path.join(programs, 'ssh'), '#!/bin/sh\n[ "$*" = "-G -- work" ] && echo hostname code.example\n');
    await chmod(path.join(programs, 'ssh'), 0o755);
    const known = process.env['PATH'];
    process.env['PATH'] = `${programs}${path.delimiter}${known}`;
    try {
      const { remoteUrl, fetchUrl } = await read(folder);
      expect({ remoteUrl, fetchUrl }).toEqual({
        remoteUrl: 'git@code.example:acme/agent',
        fetchUrl: 'git@work:acme/agent',
      });
    } finally {
      process.env['PATH'] = known;
    }
  });

  it('has a remote whose name begins with the name of another one', async () => {
    const { folder } = await clone();
    const bare = path.join(folder, '../fork.git');
    await git(folder, 'init', '--quiet', '--bare', bare);
    // Newer versions of git add no such remote, but use one.
    await git(folder, 'config', 'remote.origin/fork.url', bare);
    await git(folder, 'config', 'remote.origin/fork.fetch', '+refs/heads/*:refs/remotes/origin/fork/*');
    await commitFiles(folder, { 'late.txt': 'late' }, 'Fork');
    await git(folder, 'push', '--quiet', 'origin/fork', 'HEAD:refs/heads/work');
    await git(folder, 'checkout', '--quiet', '--detach');
    const repository = await read(folder);
    const commit = { kind: 'commit', name: await git(folder, 'rev-parse', 'HEAD') } as const;
    const [origin, fork] = repository.remotes;
    assert.ok(origin && fork);
    const known = async (remote: typeof fork) => {
      const through = repository.through(remote);
      return [await through.refs(), (await through.stateOf(commit)).remoteBranchExists];
    };
    expect(await known(origin)).toEqual([[commit, { kind: 'branch', name: 'main' }], false]);
    expect(await known(fork)).toEqual([[commit, { kind: 'branch', name: 'work' }], true]);
    const work = { kind: 'branch', name: 'fork/work' } as const;
    expect((await repository.stateOf(work)).remoteBranchExists).toBe(false);
  });

  it('is reached through a symbolic link', async () => {
    const { folder } = await clone();
    const link = path.join(folder, '../link');
    await symlink(folder, link);
    expect(await detect(link)).toEqual({ ...plain, root: 'link' });
  });

  for (const [kind, options] of [
    ['a lightweight', []],
    ['an annotated', ['--annotate', '--message', 'Release']],
  ] as const) {
    it(`is at ${kind} tag that is checked out`, async () => {
      const { folder } = await clone();
      await git(folder, 'tag', ...options, 'v1.0.0');
      await git(folder, 'checkout', '--quiet', 'v1.0.0');
      const says = ["v1.0.0 is at COMMIT in this clone. Push the tag if origin doesn't have it."];
      expect(await detect(folder)).toEqual({ ...plain, ref: 'tag v1.0.0', says });
    });
  }

  it('is on the branch, not at the tag of the same name', async () => {
    const { folder } = await clone();
    await git(folder, 'tag', 'main');
    expect(await detect(folder)).toEqual(plain);
  });

  it('offers the tags and the commit of a detached HEAD first', async () => {
    const { folder } = await clone();
    const commit = await git(folder, 'rev-parse', 'HEAD');
    await git(folder, 'tag', 'v1');
    await git(folder, 'tag', 'v1-final');
    await commitFiles(folder, { 'more.md': 'More.\n' }, 'Write more');
    await git(folder, 'tag', 'later');
    await git(folder, 'checkout', '--quiet', '--detach', commit);
    const names = (await (await read(folder)).refs()).map(({ kind, name }) => `${kind} ${name}`);
    expect(names.slice(0, 2).toSorted()).toEqual(['tag v1', 'tag v1-final']);
    expect(names.slice(2)).toEqual([`commit ${commit}`, 'branch main', 'tag later']);
  });

  it('is at a commit that was not pushed', async () => {
    const { folder } = await clone();
    await git(folder, 'checkout', '--quiet', '--detach');
    await commitFiles(folder, { 'more.md': 'More.\n' }, 'Write more');
    expect(await detect(folder)).toEqual({
      ...plain,
      ref: 'commit COMMIT',
      says: ['As of the last fetch, no branch of origin has COMMIT. Push it first.'],
    });
  });

  it('is on a branch that the remote knows by another name, and pushes there', async () => {
    const { folder, bare } = await clone();
    await git(folder, 'push', '--quiet', 'origin', 'main:feature-1');
    await git(folder, 'checkout', '--quiet', '-b', 'work', '--track', 'origin/feature-1');
    const commit = await commitFiles(folder, { 'more.md': 'More.\n' }, 'Write more');
    const repository = await read(folder);
    expect(await detected(repository)).toEqual({
      ...plain,
      ref: 'branch feature-1',
      says: ['origin/feature-1 is at COMMIT; 1 local commit will not be deployed.'],
    });
    await repository.push({ branch: 'feature-1', commit });
    expect(await git(bare, 'rev-parse', 'feature-1')).toBe(commit);
  });

  it('is on a branch that was never pushed, although it follows another branch of the clone', async () => {
    const { folder } = await clone();
    await git(folder, 'checkout', '--quiet', '-b', 'idea', '--track', 'main');
    expect(await detect(folder)).toEqual({
      ...plain,
      ref: 'branch idea',
      says: ['As of the last fetch, origin has no branch idea. Push it first, or fetch if someone else has pushed it.'],
    });
  });

  it('is on a branch whose upstream was deleted', async () => {
    const { folder } = await clone();
    await git(folder, 'checkout', '--quiet', '-b', 'done');
    await git(folder, 'push', '--quiet', '--set-upstream', 'origin', 'done');
    await git(folder, 'push', '--quiet', 'origin', '--delete', 'done');
    expect((await detect(folder)).says[0]).toContain('origin has no branch done.');
  });

  it('has no commit yet', async () => {
    const folder = path.join(layouts.folder, 'empty');
    await createLocalRepository(folder, app);
    await git(folder, 'checkout', '--quiet', '--orphan', 'fresh');
    await addRemote(folder, 'origin');
    expect(await detect(folder)).toMatchObject({ ref: 'branch fresh', configPaths: ['graph.json'] });
  });

  it('was pushed to the upstream, not to the remote that is deployed from', async () => {
    const { folder, bare } = await clone();
    await addRemote(folder, 'upstream');
    await commitFiles(folder, { 'more.md': 'More.\n' }, 'Write more');
    await git(folder, 'push', '--quiet', '--set-upstream', 'upstream', 'main');
    const repository = await read(folder);
    expect(await detected(repository)).toEqual({
      ...plain,
      says: [
        'main is pushed to upstream, not to origin.',
        'origin/main is at COMMIT; 1 local commit will not be deployed.',
      ],
    });
    const [, upstream] = repository.remotes;
    assert.ok(upstream, 'There are two remotes.');
    expect(repository.remoteUrl).not.toBe(bare);
    expect(await detected(repository.through(upstream))).toEqual({
      ...plain,
      remote: 'upstream',
      says: ['upstream/main is at COMMIT.'],
    });
  });

  it('has the remote of its upstream where none has the name of the setting', async () => {
    const { folder } = await clone();
    await git(folder, 'remote', 'rename', 'origin', 'fork');
    await addRemote(folder, 'upstream');
    await git(folder, 'push', '--quiet', '--set-upstream', 'upstream', 'main');
    expect((await detect(folder)).remote).toBe('upstream');
  });

  it('has the config files that the window hides, but none of third-party code', async () => {
    const { folder } = await clone({ ...app, 'apps/one/graph.json': config, 'node_modules/kit/graph.json': config });
    await useSettings({ exclude: { '**/apps': true } }, 'files');
    expect((await detect(folder)).configPaths).toEqual(['graph.json', 'apps/one/graph.json']);
  });

  it('has the open file as its config file, whatever its name, if it has graphs', async () => {
    const { folder } = await clone({ ...app, 'apps/one/service.json': config, 'apps/one/other.json': '{}' });
    await showFile(path.join(folder, 'apps/one/service.json'));
    expect((await read()).configPaths).toEqual(['apps/one/service.json', 'graph.json']);
    await showFile(path.join(folder, 'apps/one/other.json'));
    expect((await read()).configPaths).toEqual(['graph.json']);
    await closeEditors();
  });

  it('says which files of the graphs the remote does not have', async () => {
    const graphs = { agent: './agent.py:graph', late: './late.py:graph', built: './built.js:graph' };
    const files = { ...app, 'graph.json': JSON.stringify({ dependencies: ['.'], graphs }), '.gitignore': 'built.js\n' };
    const { folder } = await clone(files);
    await writeFile(path.join(folder, 'built.js'), '');
    await commitFiles(folder, { 'late.py': 'graph = None\n' }, 'Write it late');
    expect((await detect(folder)).says.slice(0, 2)).toEqual([
      "Git ignores built.js, so a push doesn't include it. Remove it from .gitignore, then commit it.",
      'As of the last fetch, missing from origin/main: late.py. A graph needs it, so commit and push it.',
    ]);
  });
});
