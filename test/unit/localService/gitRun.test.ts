import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { GitError, GitMissingError, runGit } from '../../../src/localService/git/run.ts';
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

test('git gives what it printed', async () => {
  expect(await runGit(repository(), ['cat-file', 'blob', 'HEAD:a.txt'])).toBe('content');
});

test('git is not led to another repository by the environment', async () => {
  vi.stubEnv('GIT_DIR', '/nowhere');
  vi.stubEnv('GIT_WORK_TREE', '/nowhere');
  expect(await runGit(repository(), ['cat-file', 'blob', 'HEAD:a.txt'])).toBe('content');
});

test('the failure of git is told with its code and in one line', async () => {
  const failure: unknown = await runGit(repository(), ['cat-file', 'blob', 'HEAD:absent']).catch(
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(GitError);
  expect(failure).toMatchObject({ exitCode: 128 });
  expect(String(failure)).toMatch(/^GitError: Git failed: path 'absent' does not exist[^\n]*$/);
});

test('git that prints too much is ended', async () => {
  await expect(runGit(repository(), ['rev-parse', 'HEAD'], { maxBytes: 10 })).rejects.toThrow(
    'Git printed more than is accepted.',
  );
});

test.skipIf(process.platform === 'win32')('git that takes too long is ended', async () => {
  const slow = ['-c', 'alias.slow=!sleep 20 >/dev/null 2>&1 </dev/null', 'slow'];
  await expect(runGit(repository(), slow, { timeLimit: 200 })).rejects.toThrow('Git took longer than 0.2 seconds.');
});

test('git is ended with the service', async () => {
  const stopping = AbortSignal.abort();
  await expect(runGit(repository(), ['rev-parse', 'HEAD'], { signal: stopping })).rejects.toThrow('was stopped');
});

test('a folder that is gone is told apart from git that is not there', async () => {
  const gone = path.join(folder, 'gone');
  await expect(runGit(gone, ['status'])).rejects.toThrow(`The folder ${gone} is gone.`);
  vi.stubEnv('PATH', folder);
  await expect(runGit(repository(), ['status'])).rejects.toBeInstanceOf(GitMissingError);
});
