import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { commitFiles, createSampleRepository, git } from '../support/gitRepositories.ts';
import { httpBackend, startGitHttpServer } from '../support/gitServers/gitHttpServer.ts';
import { prepareSshServer, sshd } from '../support/gitServers/sshServer.ts';
import { startLocalService } from '../support/localService.ts';
import { createFromRepository, untilEnded } from '../support/serviceSeed.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { words } from '../support/words.ts';
import { enterKey } from './support/connection.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { opened } from './support/opened.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const { deployed, following } = words;
const password = 'canary-51b2-password';
const passphrase = 'canary-8d03-passphrase';

describe.skipIf(!httpBackend)('A push for which git asks (needs git http-backend)', () => {
  const resources = opened();
  let sshFolder: string;
  let workbench: Workbench;
  let folder: string;
  let bare: string;

  beforeAll(async () => {
    const temporary = resources.use(await temporaryFolder());
    sshFolder = path.join(temporary.path, 'ssh');
    const sample = await createSampleRepository(temporary.path);
    ({ folder, bare } = sample);
    const server = resources.use(await startGitHttpServer({ folder: temporary.path, user: 'ada', password }));
    await reachThrough(`${server.url}/sample-agent.git`);
    await git(folder, 'config', 'credential.helper', '');
    const service = resources.use(await startLocalService({ repositories: [folder], stepMs: 1 }));
    await untilEnded(service, [await createFromRepository(service, 'sample-agent', sample.url)]);
    workbench = resources.use(
      await openWorkbench({
        folder,
        theme: 'Dark Modern',
        settings: {
          'deploymentManager.connections': [{ name: 'Test', baseUrl: service.url }],
          'deploymentManager.follow.minIntervalSeconds': 0.2,
          'deploymentManager.follow.maxIntervalSeconds': 1,
          'git.autofetch': false,
        },
      }),
    );
    await enterKey(workbench, service.apiKey);
  });

  stepsOfOneJourney(() => workbench);

  /** Lets git reach the remote at another address, as `insteadOf` does. */
  async function reachThrough(address: string): Promise<void> {
    const config = path.join(folder, '.git/config');
    const before = await git(folder, 'config', '--name-only', '--get-regexp', String.raw`^url\..*\.insteadof$`);
    for (const name of before.split('\n')) await git(folder, 'config', '--unset-all', name);
    await appendFile(config, `[url "${address}"]\n\tinsteadOf = https://code.example/acme/sample-agent\n`);
  }

  /** Commits a file, and chooses to push it. */
  async function push(name: string): Promise<void> {
    await commitFiles(folder, { [name]: 'One more.\n' }, `Add ${name}`);
    await workbench.page.keyboard.press('ControlOrMeta+Shift+F8');
    await choosePush();
  }

  const choosePush = () => workbench.quickInput.choose(deployed.push('1 commit', 'sample-agent'));

  function question(asked: string) {
    return workbench.quickInput.box.getByPlaceholder(asked, { exact: true });
  }

  /** Waits for git's own question, and types the answer as slowly as a person, so nothing may close the question. */
  async function answerGit(asked: string, answer: string): Promise<void> {
    const line = question(asked);
    await line.waitFor();
    await line.pressSequentially(answer, { delay: 20 });
    expect(await line.inputValue({ timeout: 1_000 })).toBe(answer);
    await line.press('Enter');
  }

  async function isLive(): Promise<void> {
    const commit = await git(folder, 'rev-parse', 'HEAD');
    await workbench.statusBarEntry(following.isLive(`sample-agent: main @ ${commit.slice(0, 7)}`)).waitFor();
    expect(await git(bare, 'rev-parse', 'main')).toBe(commit);
  }

  it('over HTTP is offered again after a question that was left', async () => {
    const { quickInput } = workbench;
    await push('one.md');
    // Git asks for a password without a user name too.
    for (const asked of ['Username', 'Password']) await question(asked).press('Escape');
    await expect.poll(async () => (await quickInput.rows()).join(' ')).toContain(deployed.credentials);
    await workbench.screenshot('git-credentials');
  });

  it('over HTTP gets the user name and the password, and is followed until it is live', async () => {
    await choosePush();
    await answerGit('Username', 'ada');
    await answerGit('Password', password);
    await isLive();
    expect(await workbench.page.content()).not.toContain(password);
  });

  it.skipIf(sshd === undefined)(
    "over SSH gets trust in the server's key, and the passphrase (needs sshd)",
    async () => {
      const ssh = await prepareSshServer(sshFolder, passphrase);
      await git(folder, 'config', 'remote.origin.pushurl', `code.example:${bare}`);
      await git(folder, 'config', 'core.sshCommand', ssh.askingCommand);
      await push('two.md');
      await workbench.quickInput.choose('yes');
      await answerGit('Passphrase', passphrase);
      await isLive();
    },
  );
});
