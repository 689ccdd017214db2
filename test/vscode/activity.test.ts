import { before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { advanceClock } from '../support/serviceSeed.ts';
import { commitFiles, createRepository, git, sampleFiles } from '../support/gitRepositories.ts';
import { addConnection } from './support/connections.ts';
import { deployAndClose, openDraft } from './support/newDeployment.ts';
import { pollQuickly, startService } from './support/suite.ts';
import type { Service } from './support/suite.ts';
import { editorText, expect, run, statusBar, told, tree } from './support/window.ts';
import { openFolder, suiteFolder } from './support/workspace.ts';

describe('The activity of this machine', () => {
  const stepMs = 600_000;
  let folder: string;
  let service: Service;

  before(async () => {
    const url = 'https://code.example/acme/active-agent';
    const files = sampleFiles;
    ({ folder } = await createRepository(await suiteFolder(), { name: 'active-agent', url, files }));
    service = await startService({ repositories: [folder], stepMs, devControls: true });
    await pollQuickly();
    await openFolder(folder);
    await tree('Deployments').open();
    await addConnection('Activity', service);
  });

  const blocks = () => editorText().trim().split('\n\n').slice(1);

  async function showActivity(): Promise<readonly string[]> {
    await run('showActivity');
    return blocks();
  }

  it('begins with what is created here', async () => {
    void run('clearActivity');
    (await told.message('Clear the activity of this machine?')).press('Clear Activity');
    await expect.poll(showActivity).toEqual(['Nothing has been deployed from this machine yet.']);
    await vscode.window.showTextDocument(vscode.Uri.joinPath(vscode.Uri.file(folder), 'graph.json'));
    const page = await openDraft();
    expect(page.state().words).toBe('active-agent to Activity');
    await deployAndClose(page);
    await expect
      .poll(showActivity)
      .toEqual([expect.stringMatching(/^active-agent on Activity: in progress\n {2}main @ \w{7} · created [^\n]*$/)]);
  });

  it('says how it ended, from which commit, and how long it took', async () => {
    await advanceClock(service, 13 * stepMs);
    const commit = await git(folder, 'rev-parse', '--short=7', 'HEAD');
    await expect.poll(statusBar).toBe(`active-agent: main @ ${commit} is live`);
    await expect
      .poll(showActivity)
      .toEqual([
        expect.stringMatching(
          new RegExp(`^active-agent on Activity: Deployed, live\n {2}main @ ${commit} · created .* · took \\d+ [hm] `),
        ),
      ]);
  });

  it('has what is built from a push of this clone', async () => {
    const commit = (await commitFiles(folder, { 'notes.md': 'Pushed.\n' }, 'Write notes')).slice(0, 7);
    await git(folder, 'push', '--quiet', 'origin', 'main');
    await advanceClock(service, 0);
    await run('refresh');
    await expect.poll(statusBar).toBe('active-agent: Creating');
    await advanceClock(service, 13 * stepMs);
    await expect.poll(statusBar).toBe(`active-agent: main @ ${commit} is live`);
    await expect
      .poll(showActivity)
      .toEqual([
        expect.stringMatching(new RegExp(`^active-agent on Activity: Deployed, live\n {2}main @ ${commit} · pushed `)),
        expect.stringContaining('created'),
      ]);
  });

  it('is kept unless its deletion is confirmed', async () => {
    const asked = run('clearActivity');
    const question = await told.message('Clear the activity of this machine?');
    expect(question.isModal).toBe(true);
    question.press();
    await asked;
    expect(await showActivity()).toHaveLength(2);
    void run('clearActivity');
    (await told.message('Clear the activity of this machine?')).press('Clear Activity');
    await expect.poll(showActivity).toEqual(['Nothing has been deployed from this machine yet.']);
  });
});
