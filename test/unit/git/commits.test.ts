import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmptyCommit, isOnRemote, moveBranch } from '../../../src/git/commits.ts';
import { Git } from '../../../src/git/git.ts';
import { commitFiles, createRepository, git } from '../../support/gitRepositories.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporaryFolder.ts';

let temporary: TemporaryFolder;
let folder: string;
let parent: string;
let own: Git;

beforeEach(async () => {
  temporary = await temporaryFolder();
  ({ folder } = await createRepository(temporary.path, { name: 'app', files: { 'a.txt': 'a' } }));
  parent = await git(folder, 'rev-parse', 'HEAD');
  own = new Git({ workingFolder: temporary.path }, folder);
});

afterEach(async () => temporary.remove());

const author = { name: 'Åsa Example', email: 'asa@code.example' };

it('what is committed is on a remote once it was pushed, with or without an upstream', async () => {
  expect(await isOnRemote(own, 'a.txt')).toBe(true);
  await git(folder, 'checkout', '--quiet', '-b', 'other', '--no-track');
  await commitFiles(folder, { 'b.txt': 'b' }, 'Write b');
  expect(await isOnRemote(own, 'a.txt')).toBe(true);
  expect(await isOnRemote(own, 'b.txt')).toBe(false);
  await git(folder, 'push', '--quiet', 'origin', 'other');
  expect(await isOnRemote(own, 'b.txt')).toBe(true);
});

describe('an empty commit', () => {
  it('stands on its parent with the same files, whatever is committed or staged here', async () => {
    await commitFiles(folder, { 'b.txt': 'b' }, 'Stay at home');
    const head = await git(folder, 'rev-parse', 'HEAD');
    const commit = await createEmptyCommit(own, { parent, message: 'Rebuild agent', author });
    expect(await git(folder, 'log', '-1', '--format=%P %an <%ae> %cn %s', commit)).toBe(
      `${parent} Åsa Example <asa@code.example> Åsa Example Rebuild agent`,
    );
    expect(await git(folder, 'diff', '--stat', parent, commit)).toBe('');
    expect(await git(folder, 'rev-parse', 'HEAD')).toBe(head);
  });

  it('is not signed, so no program asks for a passphrase', async () => {
    await git(folder, 'config', 'commit.gpgSign', 'true');
    await git(folder, 'config', 'gpg.program', '/nowhere/asks');
    const commit = await createEmptyCommit(own, { parent, message: 'Rebuild', author });
    expect(await git(folder, 'cat-file', 'commit', commit)).not.toContain('gpgsig');
  });

  it('moves the branch along that is at its parent, and leaves another one alone', async () => {
    const commit = await createEmptyCommit(own, { parent, message: 'Rebuild', author });
    await moveBranch(own, 'main', parent, commit);
    expect(await git(folder, 'rev-parse', 'main')).toBe(commit);
    expect(await git(folder, 'status', '--porcelain')).toBe('');
    await expect(moveBranch(own, 'main', parent, commit)).rejects.toThrow();
    await expect(moveBranch(own, 'none', parent, commit)).rejects.toThrow();
    expect(await git(folder, 'for-each-ref', '--format=%(refname)', 'refs/heads')).toBe('refs/heads/main');
  });
});
