import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Git, GitError } from '../../../src/git/git.ts';
import { readKinds, readTree } from '../../../src/git/tree.ts';
import { commitFiles, createRepository, git } from '../../support/gitRepositories.ts';
import { httpBackend, startGitHttpServer } from '../../support/gitServers/gitHttpServer.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

describe.skipIf(!httpBackend)('A partial clone (needs git http-backend)', () => {
  it('is read without asking its remote, and lacks what was not fetched', async () => {
    await using temporary = await temporaryFolder();
    const { folder, bare } = await createRepository(temporary.path, { name: 'app', files: { 'a.txt': 'first' } });
    await commitFiles(folder, { 'a.txt': 'second' }, 'Change it');
    await git(folder, 'push', '--quiet');
    await git(bare, 'config', 'uploadpack.allowFilter', 'true');
    await using server = await startGitHttpServer({ folder: temporary.path });
    const partial = path.join(temporary.path, 'partial');
    await git(folder, 'clone', '--quiet', '--filter=blob:none', `${server.url}/app.git`, partial);
    const asked = server.seen.length;
    const own = new Git({ workingFolder: temporary.path }, partial);
    expect(await own.run(['ls-tree', '--name-only', 'HEAD~1'])).toBe('a.txt\n');
    expect(await own.run(['cat-file', 'blob', 'HEAD:a.txt'])).toBe('second');
    await expect(own.run(['cat-file', 'blob', 'HEAD~1:a.txt'])).rejects.toThrow('Git failed');
    expect(server.seen).toHaveLength(asked);
  });

  it('without folders tells nothing about the files of a commit that was not checked out', async () => {
    await using temporary = await temporaryFolder();
    const { folder, bare } = await createRepository(temporary.path, { name: 'app', files: { 'a/a.txt': 'first' } });
    await commitFiles(folder, { 'a/a.txt': 'second' }, 'Change it');
    await git(folder, 'push', '--quiet');
    await git(bare, 'config', 'uploadpack.allowFilter', 'true');
    await using server = await startGitHttpServer({ folder: temporary.path });
    const partial = path.join(temporary.path, 'partial');
    await git(folder, 'clone', '--quiet', '--filter=tree:0', `${server.url}/app.git`, partial);
    const asked = server.seen.length;
    const own = new Git({ workingFolder: temporary.path }, partial);
    await expect(readTree(own, 'HEAD~1', ['a/a.txt'])).rejects.toBeInstanceOf(GitError);
    expect(await readKinds(own, 'HEAD~1', ['a/a.txt'])).toBeUndefined();
    expect(await readKinds(own, 'HEAD', ['a/a.txt', 'b.txt'])).toEqual(new Map([['a/a.txt', 'file']]));
    expect(server.seen).toHaveLength(asked);
  });
});
