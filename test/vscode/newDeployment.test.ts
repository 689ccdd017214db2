import { mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { passTo } from '../support/faultRelay.ts';
import { held, json } from '../support/faults.ts';
import { createSampleRepository } from '../support/gitRepositories.ts';
import type { SampleRepository } from '../support/gitRepositories.ts';
import { createFromImage, createFromRepository } from '../support/serviceSeed.ts';
import { addConnection } from './support/connections.ts';
import { addSecret, discard, inNewDeployment, leave, openDraft } from './support/newDeployment.ts';
import type { Page } from './support/pages.ts';
import { startRelay, startService } from './support/suite.ts';
import type { Relay, Service } from './support/suite.ts';
import { describeWindow, expect, pages, quickInput, run, told, tree } from './support/window.ts';
import { activeTab, openFolder, showFile, suiteFolder } from './support/workspace.ts';

describe('The page of a new deployment', () => {
  let temporary: string;
  let sample: SampleRepository;
  let service: Service;
  let relay: Relay;

  before(async () => {
    temporary = await suiteFolder();
    sample = await createSampleRepository(temporary);
    service = await startService({ repositories: [sample.folder], stepMs: 1 });
    await createFromImage(service, 'taken');
    relay = await startRelay(service);
    await addConnection('New', relay);
    await openFolder(sample.folder);
  });

  // A page that a failed test left in front belongs to no repository.
  beforeEach(() => showFile(path.join(sample.folder, 'graph.json')));

  const posts = (): string[] => relay.requests.filter((request) => request.startsWith('POST '));

  const secretsOf = (page: Page) => page.deployment().tables[0]?.rows;

  it('is the page of a file that only its owner can read, and that goes if nothing was entered', async () => {
    const page = await openDraft();
    const file = page.document.uri.fsPath;
    expect(page.document.getText()).toBe(
      [
        'name: sample-agent',
        'repository: https://code.example/acme/sample-agent',
        'ref: main',
        'config: graph.json',
        'type: dev',
        'build_on_push: true',
        '',
      ].join('\n'),
    );
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(page.state().deploy?.label).toBe('Deploy');
    await page.close();
    await expect.poll(() => stat(path.dirname(file)).catch(() => 'gone')).toBe('gone');
    expect(posts()).toEqual([]);
  });

  it('has what was entered again, with the values of secrets, and begins anew if the user wants that', async () => {
    const page = await openDraft();
    await page.type('name', 'left-behind');
    await addSecret(page, 'MODEL_KEY', 'canary-77aa-secret');
    await expect
      .poll(() => readFile(page.document.uri.fsPath, 'utf8'))
      .toMatch(/^name: left-behind$[^]*MODEL_KEY: ask$/m);
    await page.close();
    const again = await openDraft();
    expect(again.deployment().facts).toContainEqual(expect.stringMatching(/^Your draft of /));
    expect(again.field('name')).toBe('left-behind');
    expect(secretsOf(again)).toMatchObject([{ name: 'MODEL_KEY', state: 'set' }]);
    expect(again.state().words).toBe('left-behind to New');
    expect(describeWindow() + JSON.stringify(again.state())).not.toContain('canary-77aa');
    await again.press('Start Over');
    await pages.inFront();
    expect(again.field('name')).toBe('sample-agent');
    expect(secretsOf(again)).toEqual([]);
    expect(again.deployment().facts.join('\n')).not.toContain('Your draft');
    await again.close();
    await expect.poll(() => stat(path.dirname(again.document.uri.fsPath)).catch(() => 'gone')).toBe('gone');
  });

  it('can be taken from another window, which may have ended without giving it back', async () => {
    const page = await openDraft();
    await page.type('name', 'taken-over');
    await leave(page);
    // What counts is that the process runs.
    const owner = path.join(page.document.uri.fsPath, '../window');
    await writeFile(owner, String(process.ppid));
    const locked = await openDraft();
    expect(locked.state()).toMatchObject({ lock: expect.stringMatching(/^Another window has this draft/) });
    expect(locked.state().deploy).toBeUndefined();
    void locked.press('Use It Here');
    (await told.message('Use this draft here?')).press('Use It Here');
    await expect.poll(async () => (await pages.inFront()).state().lock).toBe('');
    const own = await pages.inFront();
    expect(own.field('name')).toBe('taken-over');
    expect(await readFile(owner, 'utf8')).toBe(String(process.pid));
    await discard(own);
  });

  it('has every letter and comes to rest where the user has files in another encoding', async () => {
    const files = vscode.workspace.getConfiguration('files');
    await files.update('encoding', 'windows1252', vscode.ConfigurationTarget.Global);
    const page = await openDraft();
    await page.type('ref', 'größe');
    await leave(page);
    const again = await openDraft();
    expect(again.field('ref')).toBe('größe');
    await again.type('ref', 'größer');
    await expect.poll(() => readFile(again.document.uri.fsPath, 'utf8')).toContain('ref: größer\n');
    await expect.poll(() => again.document.isDirty).toBe(false);
    const { version } = again.document;
    await leave(again);
    const last = await openDraft();
    expect(last.field('ref')).toBe('größer');
    expect(last.document.version).toBe(version);
    await discard(last);
    await files.update('encoding', undefined, vscode.ConfigurationTarget.Global);
  });

  it('offers to set another key where it says that the key is rejected', () =>
    inNewDeployment(async (page) => {
      relay.break(/./, json({ detail: 'It was revoked.' }, 401));
      await page.type('repository', 'https://code.example/acme/other');
      const found = () => page.deployment().findings.filter(({ message }) => message.startsWith('API key rejected'));
      await expect
        .poll(() => found().map(({ buttons }) => buttons.map(({ label }) => label)))
        .toEqual([expect.arrayContaining(['Set API Key', 'Try Again'])]);
      relay.mend();
    }));

  it('is gone when it was discarded, also if it is begun again at once', async () => {
    const page = await openDraft();
    await page.type('name', 'unwanted');
    await expect.poll(() => readFile(page.document.uri.fsPath, 'utf8')).toContain('name: unwanted');
    await discard(page);
    const again = await openDraft();
    expect(again.field('name')).toBe('sample-agent');
    expect(again.deployment().facts.join('\n')).not.toContain('Your draft');
    await again.close();
  });

  it('is gone when it was discarded, also while VS Code saves it', async () => {
    const page = await openDraft();
    let save = (): void => undefined;
    const held = new Promise<void>((resolve) => (save = resolve));
    const holding = vscode.workspace.onWillSaveTextDocument((event) => event.waitUntil(held.then(() => [])));
    await page.type('name', 'unwanted');
    const discarded = discard(page);
    const begun = path.join(path.dirname(page.document.uri.fsPath), 'begun.json');
    await expect.poll(() => readFile(begun, 'utf8')).toContain('"done":true');
    save();
    holding.dispose();
    await discarded;
    expect(page.document.isDirty).toBe(false);
    await expect.poll(() => stat(path.dirname(begun)).catch(() => 'gone')).toBe('gone');
  });

  it('is continued by each command that leads to it, with the open clone', async () => {
    const begun = run('createDeployment');
    await quickInput.choose('Open Repository');
    await begun;
    const page = await pages.inFront();
    await page.type('name', 'by-create');
    await expect.poll(() => readFile(page.document.uri.fsPath, 'utf8')).toContain('name: by-create');
    await page.close();
    const again = await openDraft();
    expect(again.field('name')).toBe('by-create');
    await again.close();
    const continued = run('createDeployment');
    await quickInput.choose('Open Repository');
    await continued;
    const last = await pages.inFront();
    expect(last.field('name')).toBe('by-create');
    expect(last.deployment().findings.flatMap(({ buttons }) => buttons)).toContainEqual(
      expect.objectContaining({ label: 'Fetch from origin' }),
    );
    expect([...last.findings(), ...last.deployment().facts].join('\n')).not.toContain('Without a working copy here');
    await discard(last);
  });

  it('says that a name is missing or taken while it is typed, and takes a free one', () =>
    inNewDeployment(async (page) => {
      await page.type('name', '');
      await expect.poll(() => page.findings()).toContain('error: Enter a name.');
      expect(page.state().deploy).toBeUndefined();
      const repository = () => page.deployment().groups[0]?.fields.find(({ key }) => key === 'repository');
      expect(repository()?.pick?.label).toBe('Choose…');
      await page.type('name', 'my\tagent');
      await expect.poll(() => page.findings().join()).toContain('error: ');
      await expect.poll(() => page.deployment().isChecking).toBe(false);
      expect(page.field('name')).toBe('my\tagent');
      await page.type('name', 'taken');
      await expect.poll(() => page.findings()).toContain('error: "taken" is taken on New; choose another name.');
      expect(page.state().deploy).toBeUndefined();
      expect(page.state().words).toBe('1 problem to correct');
      await page.press('Use taken-2');
      await expect.poll(() => page.state().words).toBe('taken-2 to New');
      expect(page.field('name')).toBe('taken-2');
    }));

  it('says on its button how many warnings are passed over, and asks nothing more', () =>
    inNewDeployment(async (page) => {
      await page.type('name', 'not usual');
      await expect.poll(() => page.state().deploy?.label).toBe('Deploy with 1 Warning');
      expect(posts()).toEqual([]);
      relay.break(/^POST /, json({ detail: 'Not this name.' }, 400));
      await page.press('Deploy with 1 Warning');
      await expect.poll(() => page.findings().join('\n')).toContain('Not this name.');
      expect(posts()).toHaveLength(1);
      expect(told.messages).toEqual([]);
    }));

  it('imports what the dotenv file of the config names', async () => {
    const file = path.join(sample.folder, '.env');
    await writeFile(file, 'MODEL_KEY=canary-6d20-secret\nMODE=fast\nPATH=/bin\n');
    await inNewDeployment(async (page) => {
      expect(page.findings().join('\n')).toContain('Add MODEL_KEY, MODE as secrets');
      expect(page.deployment().facts).toContain(
        ".env, line 3: PATH is set by the platform and can't be a secret. Choose another name.",
      );
      await page.press('Import 2 Names from .env');
      await pages.inFront();
      expect(secretsOf(page)).toMatchObject([
        { name: 'MODEL_KEY', from: '.env', state: 'set' },
        { name: 'MODE', from: '.env', state: 'set' },
      ]);
      expect(JSON.stringify(page.deployment().findings)).not.toContain('Import');
      expect(describeWindow() + JSON.stringify(page.state())).not.toContain('canary-6d20');
    });
    await rm(file);
  });

  it('imports nothing from a dotenv file that leads out of the repository', async () => {
    const file = path.join(sample.folder, '.env');
    await writeFile(path.join(temporary, 'elsewhere.env'), 'FOREIGN_KEY=canary-0b7e-secret\n');
    await symlink(path.join(temporary, 'elsewhere.env'), file);
    await inNewDeployment((page) => {
      const shown = JSON.stringify(page.state());
      expect(shown).not.toMatch(/Import [^f]* from \.env/);
      expect(shown).not.toContain('FOREIGN_KEY');
    });
    await rm(file);
  });

  it('imports secrets from a file, and names the lines that could not be read', () =>
    inNewDeployment(async (page) => {
      const file = path.join(temporary, 'secrets.env');
      await writeFile(file, 'MODEL_KEY=canary-5e11-secret\nno assignment\nPATH=/bin\nMODE="two words"\n');
      told.dialogGives(file);
      const imported = page.press('Import from .env File…');
      await quickInput.asked('Import Secrets');
      expect(told.dialogs).toEqual(['Import Secrets']);
      expect(quickInput.rows()).toEqual(['MODEL_KEY line 1', 'MODE line 4']);
      await quickInput.accept();
      const { message } = await imported;
      expect(message).toContain("secrets.env, line 2: This line isn't in the form NAME=value and was skipped.");
      expect(message).toContain("secrets.env, line 3: PATH is set by the platform and can't be a secret.");
      await pages.inFront();
      expect(secretsOf(page)).toMatchObject([
        { name: 'MODEL_KEY', state: 'set' },
        { name: 'MODE', state: 'set' },
      ]);
      expect(describeWindow() + JSON.stringify(page.state())).not.toContain('canary-5e11');
    }));

  describe('of a repository that is already deployed', () => {
    before(async () => {
      await createFromRepository(service, 'sample-agent');
      await tree('Deployments').open();
      await run('refresh');
      await tree('Deployments').shows('sample-agent');
    });

    it('says so at once, and has a name that is free, which follows the config file until the user types one', () =>
      inNewDeployment(async (page) => {
        expect(page.document.getText()).toContain('name: sample-agent-2\n');
        expect(page.findings()).toContain('info: Already deployed from main: "sample-agent"; a push builds it.');
        expect(page.findings().join('\n')).not.toContain('is taken');
        await page.type('config', 'services/one/graph.json');
        expect(page.field('name')).toBe('sample-agent-one');
        await page.type('name', 'mine');
        await page.type('config', 'graph.json');
        expect(page.field('name')).toBe('mine');
      }));

    it('asks twice for names: whether the branch is deployed, and which names are taken', async () => {
      await inNewDeployment(() => {
        expect(relay.requests.filter((request) => request.includes('name_contains=sample-agent'))).toHaveLength(2);
      });
    });

    it('shows the details of its deployment', async () => {
      await inNewDeployment(async (page) => {
        await page.press('Show Deployment');
        await activeTab('sample-agent.yaml');
      });
    });

    it('can be deployed even if the service rejects the check of names', async () => {
      relay.break(/name_contains/, json({ detail: 'Not for this key.' }, 403));
      await inNewDeployment((page) => {
        expect(page.state().words).toBe('sample-agent-2 to New');
        expect(page.findings().join('\n')).toContain("Couldn't check whether the name is available:");
        expect(page.findings()).toContain('info: Already deployed from main: "sample-agent"; a push builds it.');
      });
    });
  });

  describe('whose answer is lost', () => {
    it('is shown and followed if it was created all the same', async () => {
      relay.break(/^POST \/v2\/deployments/, passTo(service.url, json({ detail: 'Gateway time-out.' }, 504)));
      const page = await openDraft();
      await page.type('name', 'answered-late');
      await expect.poll(() => page.state().words).toBe('answered-late to New');
      await page.press('Deploy');
      await expect.poll(() => page.deployment().progress?.look).toBe('success');
      expect(posts()).toHaveLength(1);
      await page.close();
      await tree('Deployments').open();
      await expect.poll(() => tree('Deployments').selected()).toContain('answered-late');
      const followed = run('showFollowed');
      await expect.poll(() => quickInput.rows().join('\n')).toContain('answered-late');
      await quickInput.cancel();
      await followed;
    });
  });

  describe('whose check fails', () => {
    it('says why, and does not go on checking', async () => {
      const page = await openDraft();
      const begun = path.join(page.document.uri.fsPath, '../begun.json');
      const content = await readFile(begun);
      await rm(begun);
      await mkdir(begun);
      await createFromImage(service, page.field('name'));
      // The name is taken by now, and another one can't be noted.
      expect(await page.press(/^Deploy/)).toMatchObject({ failed: true, message: expect.stringContaining('EISDIR') });
      await expect.poll(() => page.deployment().isChecking).toBe(false);
      await rm(begun, { recursive: true });
      await writeFile(begun, content);
      await discard(page);
    });
  });

  describe('whose page is closed while it is sent', () => {
    /** Deploys a draft, closes its page before the service has answered, and gives what lets that go on. */
    async function closeWhileSent(name: string, before?: (page: Page) => unknown): Promise<() => void> {
      const { fault, release } = held(passTo(service.url));
      relay.break(/^POST \/v2\/deployments/, fault);
      const page = await openDraft();
      await page.type('name', name);
      await expect.poll(() => page.state().words).toBe(`${name} to New`);
      void page.press('Deploy');
      await expect.poll(posts).toHaveLength(1);
      await before?.(page);
      await page.close();
      return release;
    }

    it('is created once, also if its page is opened again before the service has answered', async () => {
      const release = await closeWhileSent('sent-once');
      const again = await openDraft();
      const message = 'sent-once is being created already. Wait for the answer.';
      expect(await again.press('Deploy')).toMatchObject({ failed: true, message });
      expect(posts()).toHaveLength(1);
      release();
      await expect.poll(() => again.deployment().progress?.look).toBe('success');
      expect(again.findings().join()).not.toContain('already');
      expect(posts()).toHaveLength(1);
      await again.close();
    });

    it('is shown as made by its next page, which another tab hid when the service answered', async () => {
      const release = await closeWhileSent('sent-hidden');
      const { uri } = (await openDraft()).document;
      await showFile(path.join(sample.folder, 'graph.json'));
      release();
      await expect.poll(() => tree('Deployments').rows()).toContain('sent-hidden');
      await vscode.commands.executeCommand('vscode.openWith', uri, 'deploymentManager.deployment');
      const again = await pages.inFront();
      await expect.poll(() => again.deployment().progress?.look).toBe('success');
      await again.close();
    });

    it('keeps what was edited as text meanwhile, which is not deployed', async () => {
      const release = await closeWhileSent('sent-edited', ({ document }) => showFile(document.uri.fsPath));
      const { activeTextEditor: editor } = vscode.window;
      await editor?.edit((edit) => edit.insert(new vscode.Position(0, 0), '# Not deployed\n'));
      await editor?.document.save();
      release();
      await expect.poll(() => tree('Deployments').rows()).toContain('sent-edited');
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await showFile(path.join(sample.folder, 'graph.json'));
      const page = await openDraft();
      expect(page.document.getText()).toMatch(/^# Not deployed\n/);
      await discard(page);
    });
  });

  describe('that another window has taken and sent', () => {
    it('keeps the name that it was sent under', async () => {
      const page = await openDraft();
      const begun = path.join(page.document.uri.fsPath, '../begun.json');
      const content = JSON.parse(await readFile(begun, 'utf8'));
      content.deployments[0].isSent = true;
      await writeFile(begun, JSON.stringify(content));
      const name = page.field('name');
      await createFromImage(service, name);
      expect(await page.press(/^Deploy/)).toMatchObject({ failed: true });
      await expect.poll(() => page.deployment().isChecking).toBe(false);
      expect(page.findings().join()).toContain(`"${name}" is taken on New`);
      expect(page.field('name')).toBe(name);
      await discard(page);
    });
  });

  describe('whose secret is set again while it is sent', () => {
    it('keeps the new value, and says that it is set, not that it was sent', async () => {
      const { fault, release } = held(passTo(service.url));
      relay.break(/^POST \/v2\/deployments/, fault);
      const page = await openDraft();
      await page.type('name', 'set-again');
      await addSecret(page, 'TOKEN', 'canary-old');
      await addSecret(page, 'OTHER', 'canary-other');
      await expect.poll(() => page.state().words).toBe('set-again to New');
      const deployed = page.press(/^Deploy/);
      await expect.poll(posts).toHaveLength(1);
      const set = page.pressInRow('TOKEN', 'Set Value…');
      await quickInput.answer('Value of TOKEN', 'canary-new');
      await set;
      release();
      await deployed;
      await expect.poll(() => page.deployment().progress?.look).toBe('success');
      // Until the next check, the page has the values of the last one.
      await expect
        .poll(() => secretsOf(page))
        .toMatchObject([
          { name: 'TOKEN', from: 'this window', state: 'set' },
          { name: 'OTHER', state: 'sent' },
        ]);
      await page.close();
    });
  });
});
