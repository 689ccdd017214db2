import { execFileSync } from 'node:child_process';
import { mkdir, open, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lastContact, wasPushed } from '../../../../src/ui/workspace/lastFetch.ts';
import { createRepository, git } from '../../../support/gitRepositories.ts';
import { temporaryFolder, type TemporaryFolder } from '../../../support/temporaryFolder.ts';

const remoteUrl = 'https://code.example/acme/app.git';
const main = { remote: 'origin', remoteUrl, branch: 'main' };
const minute = 60_000;
const now = Date.parse('2026-01-01T12:00:00Z');
const commits = `${'0'.repeat(40)} ${'a'.repeat(40)}`;

/** A line of FETCH_HEAD. */
const fetchedLine = (branch: string, url = 'https://code.example/acme/app') =>
  `${'a'.repeat(40)}\t\tbranch '${branch}' of ${url}\n`;
/** A line of a reflog. */
const loggedLine = (time: number) => `${commits} A <a@code.example> ${time / 1000} +0100\tupdate by push\n`;

let folder: TemporaryFolder;

beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

async function write(name: string, text: string, time = now): Promise<void> {
  const file = path.join(folder.path, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  await utimes(file, time / 1000, time / 1000);
}

describe('the last contact with a remote', () => {
  it('is the last fetch of the branch', async () => {
    await write('.git/FETCH_HEAD', fetchedLine('other') + fetchedLine('main'), now - 180 * minute);
    expect(await lastContact({ root: folder.path, ...main })).toEqual({ kind: 'fetched', time: now - 180 * minute });
  });

  it.skipIf(process.platform === 'win32').each(['.git', '.git/FETCH_HEAD'])(
    'is unknown if %s is a pipe, which is not waited for',
    async (name) => {
      const pipe = path.join(folder.path, name);
      await mkdir(path.dirname(pipe), { recursive: true });
      execFileSync('mkfifo', [pipe]);
      let wasWaitedFor = false;
      // Opening both ends ends whatever waits for the other one.
      const timer = setTimeout(() => {
        wasWaitedFor = true;
        void open(pipe, 'r+').then((handle) => handle.close());
      }, 4000);
      expect(await lastContact({ root: folder.path, ...main })).toBeUndefined();
      expect(wasWaitedFor).toBe(false);
      clearTimeout(timer);
    },
  );

  it('is a later push', async () => {
    await write('.git/FETCH_HEAD', fetchedLine('main'), now - 180 * minute);
    const old = loggedLine(now - 300 * minute);
    await write('.git/logs/refs/remotes/origin/main', old.repeat(100) + loggedLine(now - minute));
    expect(await lastContact({ root: folder.path, ...main })).toEqual({ kind: 'updated', time: now - minute });
  });

  it('is a later change of the branch if git keeps no log', async () => {
    await write('.git/FETCH_HEAD', fetchedLine('main'), now - 180 * minute);
    await write('.git/refs/remotes/origin/main', 'a'.repeat(40), now - minute);
    expect(await lastContact({ root: folder.path, ...main })).toEqual({ kind: 'updated', time: now - minute });
  });

  it('is the fetch if the branch was changed before', async () => {
    await write('.git/FETCH_HEAD', fetchedLine('main'), now - 180 * minute);
    await write('.git/logs/refs/remotes/origin/main', loggedLine(now - 300 * minute));
    expect(await lastContact({ root: folder.path, ...main })).toEqual({ kind: 'fetched', time: now - 180 * minute });
  });

  it.each([
    ['another branch', fetchedLine('other')],
    ['another remote', fetchedLine('main', 'https://code.example/someone/app')],
    ['a tag', fetchedLine('main').replace('branch', 'tag')],
    ['nothing', ''],
  ])('is unknown if the last fetch was of %s', async (_, text) => {
    await write('.git/FETCH_HEAD', text, now - 180 * minute);
    await write('.git/logs/refs/remotes/origin/main', loggedLine(now - 300 * minute));
    expect(await lastContact({ root: folder.path, ...main })).toBeUndefined();
  });

  it('is unknown in a new clone', async () => {
    expect(await lastContact({ root: folder.path, ...main })).toBeUndefined();
  });

  it('is the fetch if other branches are in a folder of its name', async () => {
    await write('.git/FETCH_HEAD', fetchedLine('team'), now - 180 * minute);
    await write('.git/refs/remotes/origin/team/one', 'a'.repeat(40));
    await write('.git/logs/refs/remotes/origin/team/one', loggedLine(now));
    const contact = await lastContact({ root: folder.path, ...main, branch: 'team' });
    expect(contact).toEqual({ kind: 'fetched', time: now - 180 * minute });
  });

  it('is shared by the worktrees of a clone', async () => {
    const { folder: clone, bare } = await createRepository(folder.path, { name: 'app', files: { 'a.txt': 'a' } });
    const worktree = path.join(folder.path, 'worktree');
    await git(clone, 'worktree', 'add', '--quiet', worktree);
    const known = { ...main, remoteUrl: bare };
    expect(await lastContact({ root: worktree, ...known })).toBeUndefined();
    await git(clone, 'fetch', '--quiet', 'origin');
    const contact = await lastContact({ root: clone, ...known });
    expect(contact?.kind).toBe('fetched');
    expect(await lastContact({ root: worktree, ...known })).toEqual(contact);
  });
});

describe('a push', () => {
  const commit = 'a'.repeat(40);
  const branch = { remote: 'origin', ref: 'refs/heads/main' };
  const wasItPushed = () => wasPushed({ root: folder.path, ...branch }, commit);

  it.each([
    ['is noted by git', loggedLine(now), true],
    [
      'is noted before a fetch',
      loggedLine(now) + loggedLine(now).replace('update by push', 'fetch: fast-forward'),
      true,
    ],
    ['is a fetch', loggedLine(now).replace('update by push', 'fetch: fast-forward'), false],
    ['was of another commit', loggedLine(now).replace(commit, 'b'.repeat(40)), false],
    ['is quoted in a message', loggedLine(now).replace('update by push', 'fetch: update by push'), false],
  ])('%s', async (_, reflog, expected) => {
    await write('.git/logs/refs/remotes/origin/main', reflog);
    expect(await wasItPushed()).toBe(expected);
  });

  it('is looked for in no other folder, whatever the service calls the branch', async () => {
    await write('.git/logs/refs/remotes/main', loggedLine(now));
    for (const ref of ['../main', 'refs/heads/../main', String.raw`..\main`]) {
      expect(await wasPushed({ root: folder.path, remote: 'origin', ref }, commit)).toBe(false);
    }
    await write('.git/logs/refs/remotes/origin/main', loggedLine(now));
    expect(await wasPushed({ root: folder.path, remote: 'origin', ref: 'main' }, commit)).toBe(true);
  });

  it('is unknown without notes', async () => {
    expect(await wasItPushed()).toBe(false);
  });

  it("is noted by git's own push, and not by a clone that fetches it", async () => {
    const { folder: clone, bare } = await createRepository(folder.path, { name: 'app', files: { 'a.md': 'A' } });
    const head = await git(clone, 'rev-parse', 'HEAD');
    expect(await wasPushed({ root: clone, ...branch }, head)).toBe(true);
    await git(folder.path, 'clone', '--quiet', bare, 'other');
    expect(await wasPushed({ root: path.join(folder.path, 'other'), ...branch }, head)).toBe(false);
  });
});
