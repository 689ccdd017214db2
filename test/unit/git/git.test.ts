import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Git, GitError, GitMissingError, GitTooOldError } from '../../../src/git/git.ts';
import { createLocalRepository } from '../../support/gitRepositories.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'git-run-'));
  await createLocalRepository(path.join(folder, 'app'), { 'a.txt': 'content' });
});

afterEach(() => {
  vi.unstubAllEnvs();
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const repository = () => path.join(folder, 'app');
const git = (program?: string) => new Git({ path: program, workingFolder: folder }, repository());

it("returns git's output", async () => {
  expect(await git().run(['cat-file', 'blob', 'HEAD:a.txt'])).toBe('content');
});

it('ignores variables that lead git to another repository', async () => {
  vi.stubEnv('GIT_DIR', '/nowhere');
  vi.stubEnv('GIT_COMMON_DIR', '/nowhere');
  vi.stubEnv('GIT_WORK_TREE', '/nowhere');
  expect(await git().run(['cat-file', 'blob', 'HEAD:a.txt'])).toBe('content');
});

it('reads a repository of another owner, which an older git takes from no command line', async () => {
  const variables = { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' };
  expect(await git().run(['cat-file', 'blob', 'HEAD:a.txt'], { variables })).toBe('content');
  expect(await git().run(['config', '--global', '--list'])).toBe('safe.directory=*\n');
});

describe.skipIf(process.platform === 'win32')('a program called git', () => {
  const mark = () => path.join(folder, 'was-run');

  /** Puts a program called git into a folder; it leaves a mark where it runs. */
  async function plant(place: string): Promise<string> {
    await mkdir(place, { recursive: true });
    const program = path.join(place, 'git');
    await writeFile(program, `#!/bin/sh\necho > '${mark()}'\necho run in "$(pwd -P)"\n`);
    await chmod(program, 0o755);
    return program;
  }

  afterEach(async () => rm(mark(), { force: true }));

  it.each(['.', '', 'bin', './bin', 'app/bin'])(
    'is never run in the repository, even if the PATH begins with the entry %j',
    async (entry) => {
      await plant(repository());
      await plant(path.join(repository(), 'bin'));
      vi.stubEnv('PATH', [entry, process.env['PATH']].join(':'));
      expect(await git().run(['cat-file', 'blob', 'HEAD:a.txt'])).toBe('content');
      vi.stubEnv('PATH', [entry, '/nowhere', entry].join(':'));
      await expect(git().run(['cat-file', 'blob', 'HEAD:a.txt'])).rejects.toBeInstanceOf(GitMissingError);
      expect(existsSync(mark())).toBe(false);
    },
  );

  it('runs by its absolute path, or if the PATH contains the absolute path of its folder', async () => {
    const tools = path.join(folder, 'tools');
    const program = await plant(tools);
    const answer = `run in ${await realpath(folder)}\n`;
    expect(await git(program).run(['version'])).toBe(answer);
    vi.stubEnv('PATH', `${tools}:${process.env['PATH']}`);
    expect(await git().run(['version'])).toBe(answer);
  });
});

describe.skipIf(process.platform === 'win32')('the version of git', () => {
  it.each([
    ['git version 1.8.3.1', '1.8.3.1'],
    ['git version 2.9.5', '2.9.5'],
    ['git version 2.29.2.windows.1', '2.29.2'],
    ['git version 2.30.0', undefined],
    ['git version 2.39.5 (Apple Git-154)', undefined],
    ['git version 10.1', undefined],
    ['hub version 2', undefined],
  ])('"%s" is too old: %s', async (words, tooOld) => {
    const program = path.join(folder, words.replaceAll(/\W/g, '-'), 'git');
    await mkdir(path.dirname(program), { recursive: true });
    await writeFile(program, `#!/bin/sh\necho '${words}'\n`, { mode: 0o755 });
    const checked = await git(program)
      .checkVersion()
      .catch((error: unknown) => error);
    if (tooOld === undefined) expect(checked).toBeUndefined();
    else expect(checked).toEqual(new GitTooOldError(tooOld));
  });

  it('is the reason to count as missing, and new enough here', async () => {
    expect(new GitTooOldError('2.20.1')).toBeInstanceOf(GitMissingError);
    expect(new GitTooOldError('2.20.1').message).toBe('Git 2.20.1 is too old. Install Git 2.30 or newer.');
    expect(await git().checkVersion()).toBeUndefined();
  });
});

it('reports a failure of git with its code and in one line', async () => {
  const failure: unknown = await git()
    .run(['cat-file', 'blob', 'HEAD:absent'])
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(GitError);
  expect(failure).toMatchObject({ exitCode: 128 });
  expect(String(failure)).toMatch(/^GitError: Git failed: path 'absent' does not exist[^\n]*$/);
});

it.skipIf(process.platform === 'win32').each([
  ['warning: slow\nfatal: no commit\nmore', 'no commit'],
  ['warning: slow\nerror: no commit', 'error: no commit'],
  ['sh: not found\nmore', 'sh: not found'],
])('reports of %j the reason', async (words, reason) => {
  const program = path.join(folder, 'failing git', 'git');
  await mkdir(path.dirname(program), { recursive: true });
  await writeFile(program, `#!/bin/sh\nprintf '${words.replaceAll('\n', String.raw`\n`)}' >&2\nexit 1\n`, {
    mode: 0o755,
  });
  await expect(git(program).run(['status'])).rejects.toEqual(new GitError(`Git failed: ${reason}`, 1));
});

it('ends git if it prints too much', async () => {
  await expect(git().run(['rev-parse', 'HEAD'], { maxBytes: 10 })).rejects.toThrow("Git's output is too large.");
});

it.skipIf(process.platform === 'win32')('ends git if it takes too long', async () => {
  const slow = ['-c', 'alias.slow=!sleep 20; :', 'slow'];
  await expect(git().run(slow, { timeLimit: 500 })).rejects.toThrow('Git took longer than 0.5 seconds.');
});

it('ends git with the service', async () => {
  const stopped = git().until(AbortSignal.abort());
  await expect(stopped.run(['rev-parse', 'HEAD'])).rejects.toThrow('was stopped');
  await expect(stopped.in(folder).run(['version'])).rejects.toThrow('was stopped');
});

it('distinguishes a missing folder from missing git', async () => {
  const gone = path.join(folder, 'gone');
  await expect(git().in(gone).run(['status'])).rejects.toThrow(`The folder ${gone} no longer exists.`);
  vi.stubEnv('PATH', folder);
  await expect(git().run(['status'])).rejects.toBeInstanceOf(GitMissingError);
});
