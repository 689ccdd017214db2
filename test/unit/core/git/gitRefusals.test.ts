import { execFile } from 'node:child_process';
import { chmod, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explainGitFailure, gitFailureIn } from '../../../../src/core/git/gitWords.ts';
import type { GitFailure } from '../../../../src/core/git/gitWords.ts';
import { commitFiles, createRepository, git, isolatedEnvironment } from '../../../support/gitRepositories.ts';
import { httpBackend, startGitHttpServer } from '../../../support/gitServers/gitHttpServer.ts';
import type { GitHttpServer } from '../../../support/gitServers/gitHttpServer.ts';
import { declinePushes, writeHook } from '../../../support/gitServers/serverHooks.ts';
import { prepareSshServer, sshd } from '../../../support/gitServers/sshServer.ts';
import type { SshServer } from '../../../support/gitServers/sshServer.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../../../support/temporaryFolder.ts';

const passphrase = 'canary-90ac-passphrase';

let temporary: TemporaryFolder;
let folder: string;
let bare: string;

beforeAll(async () => {
  temporary = await temporaryFolder();
  ({ folder, bare } = await createRepository(temporary.path, { name: 'app', files: { 'a.txt': 'a' } }));
  await commitFiles(folder, { 'b.txt': 'b' }, 'Write more');
});

afterAll(async () => temporary.remove());

/** What git prints, to both streams, when it pushes the commit that is checked out, as VS Code's git runs it. */
async function push(remote: string, variables: NodeJS.ProcessEnv = {}): Promise<string> {
  const commit = await git(folder, 'rev-parse', 'HEAD');
  const env = { ...isolatedEnvironment(), LC_ALL: 'en_US.UTF-8', ...variables };
  return new Promise((resolve, reject) => {
    const args = ['push', remote, `${commit}:refs/heads/main`];
    execFile('git', args, { cwd: folder, env, timeout: 20_000 }, (error, stdout, stderr) => {
      if (error === null) reject(new Error('The push succeeded.'));
      else resolve(`${stdout}${stderr}`);
    }).stdin?.end();
  });
}

function expectFailure(output: string, failure: GitFailure, words: string): void {
  expect([gitFailureIn(output), output]).toEqual([failure, output]);
  const explained = explainGitFailure(output);
  expect(explained).toContain(words);
  expect(explained).not.toContain('canary-');
}

describe('A push that is refused', () => {
  it.each([
    {
      as: 'GitHub does for a protected branch',
      says: [
        'error: GH006: Protected branch update failed for refs/heads/main.',
        '- Changes must be made through a pull request.',
      ],
      reason: 'protected branch hook declined',
      failure: 'protected',
    },
    {
      as: 'GitHub does by a rule of the repository',
      says: [
        'error: GH013: Repository rule violations found for refs/heads/main.',
        '- Changes must be made through a pull request.',
      ],
      reason: 'push declined due to repository rule violations',
      failure: 'protected',
    },
    {
      as: 'GitLab does for a protected branch',
      says: ['GitLab: You are not allowed to push code to protected branches on this project.'],
      reason: 'pre-receive hook declined',
      failure: 'protected',
    },
    {
      as: 'GitHub does for a large file',
      says: [
        'error: GH001: Large files detected.',
        'error: File model.bin is 120.00 MB; this exceeds the limit of 100.00 MB',
      ],
      reason: 'pre-receive hook declined',
      failure: 'declined',
    },
  ] as const)('as $as is $failure', async ({ says, reason, failure }) => {
    await declinePushes(bare, { branch: 'main', says, reason });
    const output = await push('origin');
    await rm(path.join(bare, 'hooks/proc-receive'));
    await git(bare, 'config', '--unset', 'receive.procReceiveRefs');
    expectFailure(output, failure, reason);
    for (const line of says) expectFailure(output, failure, line.replace(/^error: /, '').replace(/\.$/, ''));
  });

  it('by a hook of the remote is declined, and by one of the clone stopped there', async () => {
    await writeHook(bare, 'update', ['echo "Every commit needs a ticket." >&2', 'exit 1']);
    expectFailure(await push('origin'), 'declined', 'Every commit needs a ticket');
    await rm(path.join(bare, 'hooks/update'));
    await writeHook(path.join(folder, '.git'), 'pre-push', ['echo Running 3 tests', 'echo 1 failed >&2', 'exit 1']);
    const output = await push('origin');
    await rm(path.join(folder, '.git/hooks/pre-push'));
    expectFailure(output, 'hook', 'Running 3 tests');
    expectFailure(output, 'hook', '1 failed');
  });

  it('because the remote is ahead is behind, whether the clone knows it or not', async () => {
    const elsewhere = path.join(temporary.path, 'elsewhere');
    const ahead = path.join(temporary.path, 'ahead.git');
    await git(temporary.path, 'clone', '--quiet', '--bare', bare, ahead);
    await git(temporary.path, 'clone', '--quiet', ahead, elsewhere);
    await git(elsewhere, 'config', 'user.name', 'Other Author');
    await git(elsewhere, 'config', 'user.email', 'other@code.example');
    await commitFiles(elsewhere, { 'c.txt': 'c' }, 'Write elsewhere');
    await git(elsewhere, 'push', '--quiet');
    expectFailure(await push(ahead), 'behind', 'fetch first');
    await git(folder, 'fetch', '--quiet', ahead);
    expectFailure(await push(ahead), 'behind', 'non-fast-forward');
  });

  it('because nothing is there is not found, and because nobody answers a matter of the network', async () => {
    expectFailure(
      await push(path.join(temporary.path, 'gone.git')),
      'notFound',
      'does not appear to be a git repository',
    );
    expectFailure(await push('https://code.invalid/acme/app.git'), 'network', 'Could not resolve host');
    expectFailure(await push('http://127.0.0.1:9/app.git'), 'network', 'Failed to connect');
  });
});

describe.skipIf(!httpBackend)('A push over HTTP that is refused (needs git http-backend)', () => {
  let server: GitHttpServer;

  beforeAll(async () => {
    server = await startGitHttpServer({ folder: temporary.path, user: 'ada', password: 'right' });
  });

  afterAll(async () => server[Symbol.asyncDispose]());

  const address = (password: string, name = 'app') => `${server.url.replace('//', `//ada:${password}@`)}/${name}.git`;

  it('for a wrong password, or without one, is a matter of credentials', async () => {
    expectFailure(await push(address('canary-wrong')), 'credentials', 'Authentication failed');
    const asked = `${server.url}/app.git`;
    expectFailure(await push(asked), 'credentials', 'could not read Username');
    expectFailure(await push(asked, { GIT_ASKPASS: 'true' }), 'credentials', 'Authentication failed');
  });

  it.each([
    { status: 403, words: 'Write access to repository not granted.', failure: 'credentials' },
    { status: 403, words: 'Permission to acme/app.git denied to ada.', failure: 'credentials' },
    { status: 401, words: 'Invalid username or token.', failure: 'credentials' },
    { status: 404, words: 'Repository not found.', failure: 'notFound' },
    {
      status: 404,
      words: "The project you were looking for could not be found or you don't have permission to view it.",
      failure: 'notFound',
    },
    { status: 500, words: 'Out of order.', failure: 'other' },
  ] as const)('with $status and "$words" is $failure', async ({ status, words, failure }) => {
    server.answer({ status, words });
    const output = await push(address('canary-right'));
    server.answer('serve');
    expectFailure(output, failure, words.replace(/\.$/, ''));
  });

  it('for a repository that is not served is not found', async () => {
    expectFailure(await push(address('right', 'absent')), 'notFound', 'not found');
  });
});

describe.skipIf(sshd === undefined)('A push over SSH that is refused (needs sshd)', () => {
  let ssh: SshServer;
  let asked: NodeJS.ProcessEnv;

  beforeAll(async () => {
    ssh = await prepareSshServer(path.join(temporary.path, 'ssh'), passphrase);
    asked = await answering(passphrase);
  });

  /** The variables of a git whose questions about SSH are answered with these words. */
  async function answering(words: string): Promise<NodeJS.ProcessEnv> {
    const program = path.join(temporary.path, `ssh/answer-${words.length}`);
    await writeFile(program, `#!/bin/sh\necho '${words}'\n`);
    await chmod(program, 0o755);
    return { SSH_ASKPASS: program, SSH_ASKPASS_REQUIRE: 'force' };
  }

  const address = (name = 'app') => `code.example:${temporary.path}/${name}.git`;

  it.each([
    { because: 'of an unknown key', command: 'strangersCommand', says: 'Permission denied', failure: 'credentials' },
    {
      because: 'the host is unknown',
      command: 'unknownHostCommand',
      says: 'Host key verification failed',
      failure: 'hostKey',
    },
  ] as const)('because $because is a matter of the $failure', async ({ command, says, failure }) => {
    expectFailure(await push(address(), { ...asked, GIT_SSH_COMMAND: ssh[command] }), failure, says);
  });

  it('for a wrong passphrase is a matter of credentials', async () => {
    const wrong = await answering('canary-wrong-passphrase');
    const output = await push(address(), { ...wrong, GIT_SSH_COMMAND: ssh.command });
    expectFailure(output, 'credentials', 'Permission denied');
  });

  it('for a repository that is not there is not found', async () => {
    const output = await push(address('gone'), { ...asked, GIT_SSH_COMMAND: ssh.command });
    expectFailure(output, 'notFound', 'does not appear to be a git repository');
  });

  it.each([
    { by: 'a network without the host', to: 'git@code.invalid:acme/app.git', says: 'Could not resolve hostname' },
    { by: 'a host where nothing listens', to: 'ssh://git@127.0.0.1:9/acme/app.git', says: 'Connection refused' },
  ])('by $by is a matter of the network', async ({ to, says }) => {
    expectFailure(await push(to, { GIT_SSH_COMMAND: 'ssh -F none' }), 'network', says);
  });
});
