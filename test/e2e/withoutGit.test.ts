import { mkdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { json } from '../support/faults.ts';
import { startFaultServer } from '../support/faultServer.ts';
import type { FaultServer } from '../support/faultServer.ts';
import { createLocalRepository, createSampleRepository, git, sampleFiles } from '../support/gitRepositories.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../support/temporaryFolder.ts';
import { words } from '../support/words.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

// On Windows the editor looks for git in more places than the PATH.
describe.skipIf(process.platform === 'win32')('A window without git', () => {
  let temporary: TemporaryFolder;
  let programs: string;
  let service: FaultServer;
  let workbench: Workbench;

  beforeAll(async () => {
    temporary = await temporaryFolder();
    programs = path.join(temporary.path, 'programs');
    await mkdir(programs);
    await symlink(path.join(await git(temporary.path, '--exec-path'), 'git'), path.join(programs, 'git'));
    const folder = path.join(temporary.path, 'git-disabled');
    await createLocalRepository(folder, { ...sampleFiles, '.vscode/settings.json': '{ "git.enabled": false }' });
    service = await startFaultServer();
    workbench = await openWorkbench({
      folder,
      theme: 'Dark Modern',
      settings: { 'deploymentManager.connections': [{ name: 'Test', baseUrl: service.url }] },
      // VS Code asks the shell of the person for its PATH, unless there is none.
      env: { PATH: programs, SHELL: path.join(programs, 'no-shell') },
    });
  });

  stepsOfOneJourney(() => workbench);

  afterAll(async () => {
    await workbench?.stop();
    await service?.[Symbol.asyncDispose]();
    await temporary?.remove();
  });

  async function expectGitMissing(): Promise<void> {
    const notification = await workbench.notification(words.gitMissing);
    await expect
      .poll(() => notification.locator('.monaco-button').allInnerTexts())
      .toEqual([words.openSettings, words.downloadGit]);
  }

  it('reports that git is disabled, and sends no request', async () => {
    await workbench.runCommand(words.command('deployCurrentRepository'));
    await workbench.quickInput.answer(words.setApiKey, 'a-key-of-the-tests');
    await expectGitMissing();
    // The view was not opened and nothing is followed: a connection with a key alone makes no request.
    expect(service.seen).toEqual([]);
  });

  it('reports that git is not installed, and where to get it', async () => {
    await rm(path.join(programs, 'git'));
    const { folder } = await createSampleRepository(temporary.path);
    await workbench.openFolder(folder);
    // What the editor's git says itself: without it, no extension runs yet in the window that was loaded.
    await workbench.notification(words.gitNotFound);
    await workbench.runCommand(words.command('deployCurrentRepository'));
    await expectGitMissing();
    await workbench.screenshot('bad-input-no-git');
  });

  it('shows links in service text as plain text', async () => {
    service.answer(json({ detail: 'Invalid API key, [get one](command:workbench.action.files.newUntitledFile)' }, 401));
    await workbench.runCommand(words.command('testConnection'));
    const notification = await workbench.notification('Invalid API key, [get one] (command:');
    expect(await notification.locator('a', { hasText: 'get one' }).count()).toBe(0);
  });
});
