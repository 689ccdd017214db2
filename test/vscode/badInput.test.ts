import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { createSampleDeployments } from '../host/sampleDeployments.mts';
import { json, webPage } from '../support/faults.ts';
import {
  createLocalRepository,
  createRepository,
  createSampleRepository,
  git,
  sampleFiles,
} from '../support/gitRepositories.ts';
import { addConnection } from './support/connections.ts';
import { inNewDeployment, openDraft } from './support/newDeployment.ts';
import type { Message } from './support/told.ts';
import { startRelay, startService } from './support/suite.ts';
import type { Relay, Service } from './support/suite.ts';
import { editorText, expect, pages, quickInput, run, told, tree } from './support/window.ts';
import { closeFolders, openFolder, showFile, suiteFolder } from './support/workspace.ts';

const upstream = 'https://code.example/acme/with-several-remotes';

describe('A repository with a problem', () => {
  let temporary: string;
  let service: Service;
  let relay: Relay;

  /** Makes a repository with a remote. */
  const published = async (name: string, files: Record<string, string> = sampleFiles): Promise<string> =>
    (await createRepository(temporary, { name, url: `https://code.example/acme/${name}`, files })).folder;

  before(async () => {
    temporary = await suiteFolder();
    const repositories = await Promise.all([
      createSampleRepository(temporary).then(({ folder }) => folder),
      published('with-detached-head'),
      published('with-new-branch'),
      published('without-config', { 'README.md': 'Nothing to run.\n' }),
      published('with-broken-config', { ...sampleFiles, 'graph.json': '{\n  "graphs": { "agent": }\n}\n' }),
      published('with-several-remotes'),
    ]);
    service = await startService({ repositories, stepMs: 1 });
    relay = await startRelay(service);
    await addConnection('Input', relay);
  });

  afterEach(closeFolders);

  /** Runs the command and gives the message that it ends with, for a button to be pressed. */
  async function refusal(
    text: string | RegExp,
    buttons: readonly string[],
  ): Promise<Message & { readonly ended: Promise<void> }> {
    const ended = run('deployCurrentRepository');
    const message = await told.message(text);
    expect(message).toMatchObject({ kind: 'error', buttons });
    return { ...message, ended };
  }

  async function expectRefusal(text: string | RegExp, buttons: readonly string[]): Promise<void> {
    const refused = await refusal(text, buttons);
    refused.press();
    await refused.ended;
  }

  it('is reported as no git repository, even if another folder is one', async () => {
    const folder = path.join(temporary, 'plain');
    await mkdir(folder);
    await writeFile(path.join(folder, 'notes.md'), 'Nothing to deploy.\n');
    await openFolder(folder);
    await expectRefusal(/^plain is not a git repository\. Deployments are built from git repositories\.$/, [
      'Initialize Repository',
    ]);
  });

  it('is found when a folder below its root is open', async () => {
    await openFolder(path.join(temporary, 'sample-agent/src'));
    await showFile(path.join(temporary, 'sample-agent/src/agent/graph.py'));
    if (vscode.version.startsWith('1.106.')) {
      // It opens no repository above the open folder before the user says so, and lets no extension do it.
      const folder = path.join(temporary, 'sample-agent');
      await expectRefusal(`The repository ${folder} is not open.`, ['Show Source Control']);
      return;
    }
    const dotenv = path.join(temporary, 'sample-agent/.env');
    await writeFile(dotenv, 'AT_ROOT=canary-20d1-value\n');
    await inNewDeployment(async (page) => {
      expect(page.state().words).toBe('sample-agent to Input');
      expect(page.field('repository')).toBe('https://code.example/acme/sample-agent');
      expect(page.field('config')).toBe('graph.json');
      await page.press('Import AT_ROOT from .env');
      await expect
        .poll(() => page.deployment().tables[0]?.rows)
        .toMatchObject([{ name: 'AT_ROOT', from: '.env', state: 'set' }]);
      expect(page.heard() + page.document.getText()).not.toContain('canary');
    });
    await rm(dotenv);
  });

  it('is reported to have no remote', async () => {
    const folder = path.join(temporary, 'without-remote');
    await createLocalRepository(folder, sampleFiles);
    await openFolder(folder);
    await expectRefusal('The repository has no remote.', ['Add Remote']);
  });

  it('lets the user choose among several remotes if neither the setting nor an upstream names one', async () => {
    const folder = path.join(temporary, 'second-clone');
    await git(temporary, 'clone', '--quiet', 'with-several-remotes.git', folder);
    await git(folder, 'config', `url.${path.join(temporary, 'with-several-remotes.git')}.insteadOf`, upstream);
    await git(folder, 'branch', '--unset-upstream');
    await git(folder, 'remote', 'rename', 'origin', 'upstream');
    await git(folder, 'remote', 'set-url', 'upstream', upstream);
    await git(folder, 'remote', 'add', 'fork', 'https://me:canary-token@code.example/me/with-several-remotes');
    await openFolder(folder);
    const ended = run('deployCurrentRepository');
    await expect
      .poll(() => quickInput.rows())
      .toEqual([`upstream ${upstream}`, 'fork https://code.example/me/with-several-remotes']);
    await quickInput.choose('upstream');
    await ended;
    const page = await pages.inFront();
    expect(page.state().words).toBe('with-several-remotes to Input');
    expect(page.field('repository')).toBe(upstream);
    expect(page.findings().join('\n')).toContain('upstream/main is at');
    expect(page.heard() + page.document.getText()).not.toContain('canary');
    await page.close();
  });

  it('deploys the commit if no branch is checked out', async () => {
    const folder = path.join(temporary, 'with-detached-head');
    await git(folder, 'checkout', '--quiet', '--detach');
    const commit = await git(folder, 'rev-parse', 'HEAD');
    const subject = await git(folder, 'log', '-1', '--format=%s');
    await openFolder(folder);
    await inNewDeployment((page) => {
      expect(page.state().words).toBe('with-detached-head to Input');
      expect(page.findings()).toContain(`info: ${commit.slice(0, 7)} "${subject}" will be deployed.`);
      const fields = page.deployment().groups.flatMap((group) => group.fields);
      expect(fields).toContainEqual(expect.objectContaining({ label: 'Commit', value: commit, from: 'checked out' }));
    });
  });

  it('reports a branch that the remote does not have, and offers to push it', async () => {
    const folder = path.join(temporary, 'with-new-branch');
    await git(folder, 'checkout', '--quiet', '-b', 'idea');
    await git(folder, 'config', 'push.followTags', 'true');
    await openFolder(folder);
    await inNewDeployment(async (page) => {
      expect(page.findings().join('\n')).toContain('origin has no branch idea');
      await page.press('Push the branch idea, with annotated tags');
      await expect.poll(() => page.findings().join('\n')).toMatch(/origin\/idea is at [0-9a-f]{7}/);
    });
    expect(await git(folder, 'ls-remote', '--heads', 'origin', 'idea')).toContain('refs/heads/idea');
    expect(await git(folder, 'rev-parse', '--abbrev-ref', 'idea@{upstream}')).toBe('origin/idea');
  });

  it('gets the offer of a new config file if it has none', async () => {
    await openFolder(path.join(temporary, 'without-config'));
    const refused = await refusal('This repository has no application config file, such as graph.json.', [
      'Choose File…',
      'Create Config File',
      'Open Settings',
    ]);
    refused.press('Create Config File');
    await refused.ended;
    expect(editorText()).toContain('"graphs"');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('accepts no config file from outside the repository', async () => {
    const folder = path.join(temporary, 'without-config');
    const outside = path.join(temporary, 'elsewhere/graph.json');
    await mkdir(path.dirname(outside));
    await writeFile(outside, '{}\n');
    await openFolder(folder);
    const ended = run('deployCurrentRepository');
    told.dialogGives(outside);
    (await told.message('no application config file')).press('Choose File…');
    const refused = await told.message(`${outside} is outside the repository ${folder}`);
    expect(refused.buttons).toEqual(['Choose File…']);
    told.dialogGives(path.join(folder, 'README.md'));
    refused.press('Choose File…');
    await ended;
    const page = await pages.inFront();
    expect(told.dialogs).toEqual(['Application Config File', 'Application Config File']);
    expect(page.state().deploy).toBeUndefined();
    expect(page.findings().join('\n')).toContain("error: README.md can't be used:");
    await page.close();
  });

  it('opens an invalid config file at the line with the error', async () => {
    await openFolder(path.join(temporary, 'with-broken-config'));
    await inNewDeployment(async (page) => {
      expect(page.findings()).toContain(
        "error: graph.json can't be used: not valid JSON: expected a value (line 2, column 24).",
      );
      await page.press('Open graph.json');
      await expect
        .poll(() => vscode.window.activeTextEditor)
        .toMatchObject({
          document: { fileName: path.join(temporary, 'with-broken-config/graph.json') },
          selection: { active: { line: 1, character: 23 } },
        });
    });
  });

  it('is reported as missing on the service, with a remedy', async () => {
    await openFolder(await published('without-integration'));
    const page = await openDraft();
    const says =
      'No integration on "Input" has access to acme/without-integration. Grant access on the code host, then try again.';
    const found = page.deployment().findings.find(({ message }) => message === says);
    expect(found).toMatchObject({ severity: 'error', key: 'integration' });
    const remedies = ['Choose Integration…', 'Try Again', 'Copy Repository URL'];
    expect(found?.buttons.map(({ label }) => label)).toEqual(remedies);
    await page.close();
  });

  describe('with a faulty service', () => {
    let names: string;

    before(async () => {
      await createSampleDeployments(service);
      await tree('Deployments').open();
      await run('refresh');
      await tree('Deployments').shows('weather-agent');
      names = namesIn(tree('Deployments').rows());
    });

    /** Lets the list and a deployment fail; then loads the list again by the row that tells the failure. */
    async function expectFailure(row: string, says: string, buttons: readonly string[]): Promise<void> {
      await run('refresh');
      await tree('Deployments').shows(row);
      const [failure = '', ...kept] = tree('Deployments').rows().split('\n');
      expect(failure).toContain(says);
      expect(namesIn(kept.join('\n'))).toBe(names);
      await expectRefusal(says, buttons);
    }

    async function expectNamesAgain(): Promise<void> {
      await expect.poll(() => namesIn(tree('Deployments').rows())).toBe(names);
    }

    it('keeps the rows while a web page answers, and reloads them afterwards', async () => {
      relay.break(/^/, webPage);
      const says = 'sent a web page instead of data.';
      await expectFailure("Couldn't load. Click to retry", says, ['Try Again', 'Show Log']);
      relay.mend();
      await tree('Deployments').click("Couldn't load");
      await expectNamesAgain();
    });

    it('keeps the rows while the key is rejected, and reloads them with another key', async () => {
      const row = 'API key rejected. Click to set a new one';
      const buttons = ['Set API Key', 'Try Again', 'Show Log'];
      const says = `API key rejected by ${relay.url} (401): Invalid API key. Use Set API Key.`;
      relay.break(/^/, json({ detail: 'Invalid API key' }, 401));
      await expectFailure(row, says, buttons);
      relay.mend();
      const clicked = tree('Deployments').click('API key rejected');
      await quickInput.answer('Set API Key', service.apiKey);
      await clicked;
      await expectNamesAgain();
    });

    it("keeps the rows if the service isn't running", async () => {
      await relay.stop();
      const says = `${relay.url} refused the connection. Check the base URL and that the service is running.`;
      await expectFailure("Couldn't load. Click to retry", says, [
        'Open Settings',
        'Switch Connection',
        'Try Again',
        'Show Log',
      ]);
      await relay.start();
      await tree('Deployments').click("Couldn't load");
      await expectNamesAgain();
    });
  });
});

/** The names of the deployments in the picture of the tree: what follows them may age. */
function namesIn(picture: string): string {
  return picture
    .split('\n')
    .map((line) => line.split(' ').slice(0, 2).join(' '))
    .join('\n');
}
