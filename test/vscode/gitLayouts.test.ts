import path from 'node:path';
import { afterEach, before, describe, it } from 'mocha';
import { liveActions } from '../../src/core/draft/liveActions.ts';
import { commitFiles, git } from '../support/gitRepositories.ts';
import { addRemote, openLayouts, read } from './support/layouts.ts';
import type { Clone, Layouts } from './support/layouts.ts';
import { expect } from './support/window.ts';
import { closeRepositories } from './support/workspace.ts';

/** How a repository is open, where its remote is, and what the branch is called there. */
interface Layout extends Clone {
  readonly branch?: string;
}

/** Repositories as people have them, each made of a clone that is pushed to `origin`. Each takes VS Code a second. */
const layouts: Record<string, (clone: Clone, another: () => Promise<Clone>) => Promise<Layout>> = {
  'a worktree, on a branch that has another name at the remote': async ({ folder, bare }) => {
    await git(folder, 'push', '--quiet', 'origin', 'main:release/1.x');
    await git(folder, 'worktree', 'add', '--quiet', '--track', '-b', 'work', '../tree', 'origin/release/1.x');
    return { folder: path.join(folder, '../tree'), bare, branch: 'release/1.x' };
  },
  'a submodule, to a remote whose name has a slash': async ({ bare }, another) => {
    const outer = await another();
    await git(outer.folder, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', bare, 'vendor/agent');
    const inner = path.join(outer.folder, 'vendor/agent');
    await git(inner, 'remote', 'rename', 'origin', 'team/fork');
    await nameAuthor(inner);
    return { folder: inner, bare };
  },
  'a shallow clone, to an address only for pushes': async ({ folder, bare }) => {
    await commitFiles(folder, { 'second.md': 'Second.\n' }, 'Add a second');
    await git(folder, 'push', '--quiet');
    const shallow = path.join(bare, '../shallow');
    await git(folder, 'clone', '--quiet', '--depth=1', `file://${bare}`, shallow);
    await nameAuthor(shallow);
    await git(shallow, 'remote', 'set-url', 'origin', 'https://code.example/acme/agent');
    await git(shallow, 'config', `url.${bare}.pushInsteadOf`, 'https://code.example/acme/agent');
    return { folder: shallow, bare };
  },
  'a clone of two remotes, whose settings push otherwise': async ({ folder, bare }) => {
    await addRemote(folder, 'upstream');
    await git(folder, 'push', '--quiet', 'upstream', 'main');
    for (const [name, value] of [
      ['remote.pushDefault', 'upstream'],
      ['remote.origin.push', 'refs/heads/*:refs/heads/everything/*'],
      ['push.default', 'nothing'],
    ] as const) {
      await git(folder, 'config', name, value);
    }
    return { folder, bare };
  },
  'a clone that signs, on a branch that is called like a tag': async ({ folder, bare }) => {
    await git(folder, 'tag', 'main');
    await git(folder, 'push', '--quiet', 'origin', 'refs/tags/main');
    return { folder, bare };
  },
};

const oddBranches = ['ünï/#1', "it's", 'a$(exit)', 'a;b&c', 'x@y', 'a%20b', '+main', '"a"'];

async function nameAuthor(folder: string): Promise<void> {
  await git(folder, 'config', 'user.name', 'Sample Author');
  await git(folder, 'config', 'user.email', 'author@code.example');
}

describe('A push from', () => {
  let open: Layouts;

  before(async () => void (open = await openLayouts()));
  afterEach(closeRepositories);
  /** The commit of each ref. */
  const refs = async (bare: string) =>
    Object.fromEntries(
      (await git(bare, 'for-each-ref', '--format=%(refname) %(objectname)')).split('\n').map((line) => line.split(' ')),
    );

  for (const [name, make] of Object.entries(layouts)) {
    it(`${name}, takes exactly the commit that was shown, and a rebuild one empty commit`, async () => {
      const { folder, bare, branch = 'main' } = await make(await open.clone(), () => open.clone());
      const before = await refs(bare);
      const shown = await commitFiles(folder, { 'more.md': 'More.\n' }, 'Write more');
      const repository = await read(folder);
      const ref = { kind: 'branch', name: branch } as const;
      expect(repository.checkedOut).toEqual(ref);
      expect(await repository.stateOf(ref)).toMatchObject({ headCommit: shown, ahead: 1, behind: 0 });
      const later = await commitFiles(folder, { 'later.md': 'Later.\n' }, 'Commit meanwhile');
      await git(folder, 'config', 'commit.gpgSign', 'true');
      await git(folder, 'config', 'gpg.program', '/nowhere/asks-for-a-passphrase');
      await repository.push({ branch, commit: shown });
      expect(await refs(bare)).toEqual({ ...before, [`refs/heads/${branch}`]: shown });
      expect(await repository.stateOf(ref)).toMatchObject({ headCommit: later, remoteCommit: shown, ahead: 1 });

      const empty = await repository.pushEmptyCommit({ branch, commit: shown }, 'Rebuild agent');
      expect(await refs(bare)).toEqual({ ...before, [`refs/heads/${branch}`]: empty });
      expect(await git(bare, 'log', '-1', '--format=%P %s', empty)).toBe(`${shown} Rebuild agent`);
      expect(await git(bare, 'diff', '--stat', shown, empty)).toBe('');
      expect(await git(folder, 'rev-parse', 'HEAD')).toBe(later);
    });
  }

  it('a clone takes a branch of any name as it is', async () => {
    const { folder, bare } = await open.clone();
    const before = await refs(bare);
    const repository = await read(folder);
    const commit = before['refs/heads/main'];
    for (const branch of oddBranches) await repository.push({ branch, commit });
    const pushed = oddBranches.map((branch) => [`refs/heads/${branch}`, commit]);
    expect(await refs(bare)).toEqual({ ...before, ...Object.fromEntries(pushed) });
  });

  it('a clone whose branch is called like an option of git is not offered', async () => {
    const { bare } = await open.clone();
    // Only this makes such a branch, which a clone then checks out.
    await git(bare, 'update-ref', 'refs/heads/--mirror', 'refs/heads/main');
    await git(bare, 'symbolic-ref', 'HEAD', 'refs/heads/--mirror');
    const folder = path.join(bare, '../mirror');
    await git(bare, 'clone', '--quiet', bare, folder);
    await nameAuthor(folder);
    await commitFiles(folder, { 'more.md': 'More.\n' }, 'Write more');
    const repository = await read(folder);
    const ref = { kind: 'branch', name: '--mirror' } as const;
    expect(repository.checkedOut).toEqual(ref);
    const state = await repository.stateOf(ref);
    expect(state).toMatchObject({ branch: '--mirror', ahead: 1 });
    const deployed = [{ id: 'd1', name: 'agent', buildsOnPush: true, liveCommit: undefined, hasPage: false }];
    const { actions } = liveActions({ ref, deployed, git: state });
    expect(actions.map(({ kind }) => kind)).toEqual(['show', 'deployNew']);
  });
});
