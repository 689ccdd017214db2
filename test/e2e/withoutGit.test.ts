import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { json } from '../support/faults.ts';
import { startFaultServer } from '../support/faultServer.ts';
import type { FaultServer } from '../support/faultServer.ts';
import { createSampleRepository } from '../support/gitRepositories.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { words } from '../support/words.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { opened } from './support/opened.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

// On Windows the editor looks for git in more places than the PATH.
describe.skipIf(process.platform === 'win32')('A window without git', () => {
  const resources = opened();
  let service: FaultServer;
  let workbench: Workbench;

  beforeAll(async () => {
    const temporary = resources.use(await temporaryFolder());
    const programs = path.join(temporary.path, 'programs');
    await mkdir(programs);
    const { folder } = await createSampleRepository(temporary.path);
    service = resources.use(await startFaultServer());
    workbench = resources.use(
      await openWorkbench({
        folder,
        theme: 'Dark Modern',
        settings: { 'deploymentManager.connections': [{ name: 'Test', baseUrl: service.url }] },
        // VS Code asks the shell of the person for its PATH, unless there is none.
        env: { PATH: programs, SHELL: path.join(programs, 'no-shell') },
      }),
    );
  });

  stepsOfOneJourney(() => workbench);

  it('reports that git is not installed, and where to get it, and sends no request', async () => {
    // What the editor's git says itself.
    await workbench.notification(words.gitNotFound);
    await workbench.runCommand(words.command('deployCurrentRepository'));
    await workbench.quickInput.answer(words.setApiKey, 'a-key-of-the-tests');
    const notification = await workbench.notification(words.gitMissing);
    await expect
      .poll(() => notification.locator('.monaco-button').allInnerTexts())
      .toEqual([words.openSettings, words.downloadGit]);
    // The view was not opened and nothing is followed: a connection with a key alone makes no request.
    expect(service.seen).toEqual([]);
    await workbench.screenshot('bad-input-no-git');
  });

  it('shows links in service text as plain text', async () => {
    service.answer(json({ detail: 'Invalid API key, [get one](command:workbench.action.files.newUntitledFile)' }, 401));
    await workbench.runCommand(words.command('testConnection'));
    const notification = await workbench.notification('Invalid API key, [get one] (command:');
    expect(await notification.locator('a', { hasText: 'get one' }).count()).toBe(0);
  });
});
