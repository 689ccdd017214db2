import { readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { passTo } from '../support/faultRelay.ts';
import { json } from '../support/faults.ts';
import { startFaultServer } from '../support/faultServer.ts';
import type { FaultServer } from '../support/faultServer.ts';
import { createSampleRepository, git } from '../support/gitRepositories.ts';
import type { SampleRepository } from '../support/gitRepositories.ts';
import { callService, createFromImage } from '../support/serviceSeed.ts';
import { addConnection, addKeylessConnection, removeConnection, switchConnection } from './support/connections.ts';
import { addSecret, discard, inNewDeployment, leave, openDraft } from './support/newDeployment.ts';
import type { Page } from './support/pages.ts';
import { startService } from './support/suite.ts';
import type { Service } from './support/suite.ts';
import { describeWindow, editorText, expect, quickInput, run, told } from './support/window.ts';
import { openFolder, showFile, suiteFolder } from './support/workspace.ts';

const first = 'canary-1f0e-secret';
const second = 'canary-2b7c-secret';
const stored = 'Stored on This Machine';

describe('Secrets', () => {
  let sample: SampleRepository;
  let service: Service;
  let other: Service;
  let wire: FaultServer;

  before(async () => {
    sample = await createSampleRepository(await suiteFolder());
    [service, other] = await Promise.all([
      startService({ repositories: [sample.folder], stepMs: 1 }),
      startService({ repositories: [sample.folder], stepMs: 1 }),
    ]);
    wire = await startFaultServer();
    wire.answer((response, request) => {
      const isCreate = request.method === 'POST';
      (isCreate ? json({ id: `d${wire.seen.length}`, name: 'sample-agent' }, 201) : passTo(service.url))(
        response,
        request,
      );
    });
    await addKeylessConnection('Secrets B', other.url);
    await addConnection('Secrets A', { url: wire.url, apiKey: service.apiKey });
    await openFolder(sample.folder);
  });

  beforeEach(() => {
    wire.seen.length = 0;
  });

  after(async () => {
    await wire[Symbol.asyncDispose]();
  });

  const posted = (): unknown[] =>
    wire.seen
      .filter(({ method }) => method === 'POST')
      .map(({ body }) => (JSON.parse(body) as { secrets: unknown }).secrets);

  /** Opens the page of a new deployment, works in it and deploys. */
  async function deploy(work: (page: Page) => Promise<void>): Promise<void> {
    const page = await openDraft();
    await work(page);
    await page.press('Deploy');
    await expect.poll(() => page.deployment().progress).toBeDefined();
    await page.close();
  }

  /** The rows of secrets: each name, where its value comes from, and whether it is there. */
  const rows = (page: Page): string[] =>
    page.deployment().tables[0]?.rows.map(({ name, from, state }) => `${name} ${from}: ${state}`) ?? [];

  /** The rows of secrets, without where their values come from. */
  const states = (page: Page): string[] =>
    page.deployment().tables[0]?.rows.map(({ name, state }) => `${name}: ${state}`) ?? [];

  const summary = (page: Page): string | undefined => page.deployment().tables[0]?.summary;

  /** Chooses where the value of a secret comes from. */
  async function takeFrom(page: Page, name: string, origin: string): Promise<void> {
    const chosen = page.pressInRow(name, 'Where From…');
    await quickInput.asked(`Where ${name} Comes From`);
    await quickInput.choose(origin);
    await chosen;
  }

  async function setValue(page: Page, name: string, value: string): Promise<void> {
    const set = page.pressInRow(name, 'Set Value…');
    await quickInput.answer(`Value of ${name}`, value);
    await set;
  }

  /** Every file that this window keeps of a draft, and what VS Code keeps of this window. */
  async function filesHaving(page: Page, text: string): Promise<string[]> {
    const { fsPath } = page.document.uri;
    const userData = fsPath.slice(0, fsPath.lastIndexOf(`${path.sep}User${path.sep}`));
    const entries = await readdir(userData, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
    const having = await Promise.all(
      files.map(async (file) => ((await readFile(file).catch(() => '')).includes(text) ? [file] : [])),
    );
    return having.flat();
  }

  it('that are typed stay for a suggested name, also when the usual one is free again', async () => {
    const { id } = await createFromImage(service, 'sample-agent');
    const page = await openDraft();
    expect(page.field('name')).toBe('sample-agent-2');
    await addSecret(page, 'TYPED', first);
    await expect.poll(() => rows(page)).toContain('TYPED this window: set');
    await leave(page);
    await callService(service, 'DELETE', `/v2/deployments/${id}`);
    await run('refresh');
    const again = await openDraft();
    await expect.poll(() => rows(again)).toContain('TYPED this window: set');
    expect(again.field('name')).toBe('sample-agent-2');
    await discard(again);
  });

  it('that are half typed are there again, the value masked', async () => {
    const page = await openDraft();
    const adding = page.press('Add Secret…');
    await quickInput.asked('Add Secret');
    await quickInput.fill('HALF');
    await quickInput.cancel();
    await adding;
    const added = page.press('Add Secret…');
    await quickInput.asked('Add Secret');
    expect(quickInput.box().value).toBe('HALF');
    await quickInput.accept();
    await quickInput.asked('Value of HALF');
    await quickInput.fill(first);
    await quickInput.cancel();
    await added;
    await expect.poll(() => rows(page)).toContain('HALF asked for: missing');
    const set = page.pressInRow('HALF', 'Set Value…');
    await quickInput.asked('Value of HALF');
    expect(quickInput.box()).toMatchObject({ value: first, password: true });
    await quickInput.accept();
    await set;
    await expect.poll(() => rows(page)).toContain('HALF this window: set');
    const other = page.press('Add Secret…');
    await quickInput.asked('Add Secret');
    expect(quickInput.box().value).toBe('');
    await quickInput.cancel();
    await other;
    await discard(page);
  });

  it('are stored when the person says so, and used silently the next time', async () => {
    await deploy(async (page) => {
      await addSecret(page, 'TOKEN', first);
      await addSecret(page, 'ONCE', 'once');
      await takeFrom(page, 'TOKEN', stored);
      await expect.poll(() => states(page)).toEqual(['TOKEN: set', 'ONCE: set']);
      expect(page.document.getText()).toContain('secrets:\n  TOKEN: stored\n  ONCE: ask\n');
      expect(page.heard()).not.toContain(first);
    });
    await deploy(async (page) => {
      expect(rows(page)).toEqual(['ONCE asked for: missing', 'TOKEN this machine: set']);
      expect(page.findings()).toContain('error: Enter the value of ONCE, or remove it.');
      await page.pressInRow('ONCE', 'Remove');
      await expect.poll(() => rows(page)).toEqual(['TOKEN this machine: set']);
      expect(page.heard()).not.toContain(first);
    });
    const token = { name: 'TOKEN', value: first };
    expect(posted()).toEqual([[token, { name: 'ONCE', value: 'once' }], [token]]);
    expect(describeWindow()).not.toContain(first);
  });

  it('that are typed stay in this window when the page is closed, and reach only the service', async () => {
    const canary = 'canary-7e15-typed';
    const page = await openDraft();
    await addSecret(page, 'TYPED', canary);
    await expect.poll(() => rows(page)).toContain('TYPED this window: set');
    await expect.poll(() => page.deployment().isChecking).toBe(false);
    const shown = page.press('Show Request');
    await quickInput.choose('Copy as JSON');
    await shown;
    expect(await vscode.env.clipboard.readText()).toContain('TYPED');
    expect(await vscode.env.clipboard.readText()).not.toContain(canary);
    expect(editorText()).not.toContain(canary);
    await page.close();
    // The request took the place of this editor.
    await showFile(path.join(sample.folder, 'graph.json'));
    const again = await openDraft();
    expect(rows(again)).toContain('TYPED this window: set');
    expect(await filesHaving(again, 'TYPED: ask')).toContain(again.document.uri.fsPath);
    expect(await filesHaving(again, canary)).toEqual([]);
    await again.type('name', 'renamed-agent');
    await again.press('Deploy');
    await expect.poll(() => again.deployment().progress).toBeDefined();
    expect(posted()).toEqual([expect.arrayContaining([{ name: 'TYPED', value: canary }])]);
    expect(page.heard() + again.heard() + describeWindow()).not.toContain(canary);
    expect(await filesHaving(again, canary)).toEqual([]);
    await again.close();
  });

  it('in the address of the remote reach neither the page nor its draft', async () => {
    const canary = 'canary-9c4e-password';
    await git(sample.folder, 'remote', 'set-url', 'origin', sample.url.replace('//', `//me:${canary}@`));
    await inNewDeployment(async (page) => {
      expect(page.field('repository')).toBe(sample.url);
      const folder = path.dirname(page.document.uri.fsPath);
      const texts = await Promise.all((await readdir(folder)).map((name) => readFile(path.join(folder, name), 'utf8')));
      expect(texts.join()).toContain(sample.url);
      expect(texts.join() + page.heard() + describeWindow()).not.toContain(canary);
    });
    await git(sample.folder, 'remote', 'set-url', 'origin', sample.url);
  });

  it('that were typed and sent are forgotten, also under the name that the deployment had before', async () => {
    const page = await openDraft();
    const name = page.field('name');
    await page.pressInRow('TYPED', 'Remove');
    await addSecret(page, 'SENT', 'sent');
    await page.type('name', 'another-agent');
    await page.press('Deploy');
    await expect.poll(() => page.deployment().progress).toBeDefined();
    await page.type('name', name);
    await expect.poll(() => rows(page)).toContain('SENT asked for: missing');
    await page.close();
  });

  it('are not used for another config file or connection, where their names are asked for', () =>
    inNewDeployment(async (page) => {
      await page.type('config', 'other/graph.json');
      await expect.poll(() => rows(page)).toContain('TOKEN this machine: missing');
      await page.type('connection', 'Secrets B');
      const set = page.press('Set API Key');
      await quickInput.answer('Set API Key', other.apiKey);
      await set;
      await page.type('config', 'graph.json');
      await expect.poll(() => page.deployment().isChecking).toBe(false);
      await expect.poll(() => page.findings().join('\n')).toMatch(/error: Enter the values? of .*TOKEN/);
      await page.type('connection', 'Secrets A');
      await expect.poll(() => rows(page)).toContain('TOKEN this machine: set');
    }));

  it('are changed and no longer stored', async () => {
    await deploy(async (page) => {
      await page.pressInRow('SENT', 'Remove');
      await addSecret(page, 'EXTRA', 'extra');
      await takeFrom(page, 'EXTRA', stored);
      await setValue(page, 'TOKEN', second);
      await expect.poll(() => states(page)).toEqual(['TOKEN: set', 'EXTRA: set']);
      await takeFrom(page, 'EXTRA', 'Stop Remembering');
      await expect.poll(() => page.document.getText()).toContain('EXTRA: ask\n');
      await expect.poll(() => rows(page)).toContain('EXTRA this window: set');
    });
    await deploy(async (page) => {
      expect(rows(page)).toEqual(['EXTRA asked for: missing', 'TOKEN this machine: set']);
      await page.pressInRow('EXTRA', 'Remove');
    });
    const changed = { name: 'TOKEN', value: second };
    expect(posted()).toEqual([[changed, { name: 'EXTRA', value: 'extra' }], [changed]]);
  });

  it('that are imported over stored ones are sent instead of them', async () => {
    const imported = 'canary-4d1a-secret';
    await vscode.env.clipboard.writeText(`TOKEN=${imported}`);
    await deploy(async (page) => {
      expect(rows(page)).toEqual(['TOKEN this machine: set']);
      const pressed = page.press('Import from Clipboard');
      await quickInput.asked('Import Secrets');
      await quickInput.accept();
      await pressed;
      await expect.poll(() => rows(page)).toEqual(['TOKEN this window: set']);
      expect(page.document.getText()).toContain('TOKEN: stored\n');
    });
    expect(posted()).toEqual([[{ name: 'TOKEN', value: imported }]]);
  });

  it('are replaced and deleted in their list, which shows names only', async () => {
    await inNewDeployment(async (page) => {
      await addSecret(page, 'MODEL_KEY', 'model');
      await takeFrom(page, 'MODEL_KEY', stored);
    });
    const managed = run('manageSecrets');
    await quickInput.asked('Manage Secrets');
    const place = 'code.example/acme/sample-agent · graph.json · Secrets A · open here';
    expect(quickInput.rows()).toEqual([`MODEL_KEY ${place}`, `TOKEN ${place}`]);
    await quickInput.choose('TOKEN');
    await quickInput.choose('Replace Value…');
    await expect.poll(() => quickInput.box()).toMatchObject({ password: true });
    await quickInput.answer('Value of TOKEN', '');
    await expect.poll(() => quickInput.message()).toContain('Enter a value.');
    await quickInput.answer('Value of TOKEN', first);
    await quickInput.asked('Manage Secrets');
    await quickInput.choose('MODEL_KEY');
    await quickInput.choose('Delete');
    (await told.message('Delete the stored value of MODEL_KEY?')).press('Delete');
    await expect.poll(() => quickInput.rows()).toEqual([`TOKEN ${place}`]);
    await quickInput.cancel();
    await managed;
    await deploy(async () => undefined);
    expect(posted()).toEqual([[{ name: 'TOKEN', value: first }]]);
    expect(describeWindow()).not.toContain('canary');
  });

  it('are listed for a connection that was removed, and all of a place are deleted at once', async () => {
    await inNewDeployment(async (page) => {
      await page.type('connection', 'Secrets B');
      await expect.poll(() => rows(page)).toEqual(['TOKEN this machine: missing']);
      for (const name of ['ONE', 'TWO']) {
        await addSecret(page, name, name);
        await takeFrom(page, name, stored);
      }
    });
    await removeConnection('Secrets B');
    await switchConnection('Secrets A');
    const managed = run('manageSecrets');
    await quickInput.asked('Manage Secrets');
    expect(quickInput.rows().filter((row) => row.includes('Secrets B (no longer configured)'))).toHaveLength(2);
    await quickInput.choose('TWO');
    await quickInput.choose('Delete All 2 of code.example/acme/sample-agent');
    await told.message('Delete all 2 stored secrets of code.example/acme/sample-agent on Secrets B?');
    told.clear();
    await quickInput.asked('Manage Secrets');
    expect(quickInput.rows()).toHaveLength(3);
    await quickInput.choose('ONE');
    await quickInput.choose('Delete All 2 of code.example/acme/sample-agent');
    (await told.message('Delete all 2 stored secrets')).press('Delete');
    await expect.poll(() => quickInput.rows()).toHaveLength(1);
    await quickInput.choose('TOKEN');
    await quickInput.choose('Delete');
    (await told.message('Delete the stored value of TOKEN?')).press('Delete');
    await managed;
    const empty = run('manageSecrets');
    (await told.message('No secrets are stored on this machine.')).press();
    await empty;
  });

  it('come from the file that the config names first, and its problems stay on the page', async () => {
    const file = path.join(sample.folder, '.env');
    expect(await readFile(path.join(sample.folder, 'graph.json'), 'utf8')).toContain('.env');
    await writeFile(file, `TOKEN=${first}\nEMPTY=\nno assignment\n`);
    await inNewDeployment(async (page) => {
      const imported = page.press('Import from .env File…');
      await quickInput.asked('Import Secrets');
      expect(quickInput.rows()).toEqual(['.env named by graph.json', 'Other File…']);
      await quickInput.choose('.env');
      await expect.poll(() => quickInput.rows()).toEqual(['TOKEN line 1']);
      await quickInput.accept();
      const problems = [
        ".env, line 2: EMPTY has no value, so it can't be imported.",
        ".env, line 3: This line isn't in the form NAME=value and was skipped.",
      ];
      expect(await imported).toMatchObject({ failed: false, message: problems.join('\n') });
      await expect.poll(() => rows(page)).toEqual(['TOKEN this window: set']);
      await addSecret(page, 'MORE', 'more');
      await expect.poll(() => rows(page)).toEqual(['TOKEN this window: set', 'MORE this window: set']);
      expect(page.deployment().facts).toContain(`${problems[0]} More of .env can't be imported.`);
      expect(page.heard()).not.toContain(first);
    });
    await rm(file);
  });

  it('do not come from a file that the repository links to elsewhere', async () => {
    const file = path.join(sample.folder, '.env');
    const foreign = path.join(path.dirname(sample.folder), 'foreign.env');
    await writeFile(foreign, 'TOKEN=canary-0b7e-secret\n');
    await symlink(foreign, file);
    await inNewDeployment(async (page) => {
      const imported = page.press('Import from .env File…');
      await quickInput.asked('Import Secrets');
      await quickInput.choose('.env');
      const { message } = await imported;
      expect(message).toContain("Couldn't read .env:");
      expect(message).toContain('The file links outside its folder.');
      told.dialogGives(file);
      await takeFrom(page, 'TOKEN', 'A .env File…');
      await expect.poll(() => rows(page)).toEqual(['TOKEN .env: missing']);
      await expect
        .poll(() => page.findings())
        .toContain("warning: Couldn't read .env: The file links outside its folder.");
      expect(page.heard()).not.toContain('canary');
    });
    await rm(file);
    await rm(foreign);
  });

  it('get a missing value from the file that the config names', async () => {
    const file = path.join(sample.folder, '.env');
    await writeFile(file, `TOKEN=${first}\nno assignment\n`);
    await deploy(async (page) => {
      expect(page.findings()).toContain('error: Enter the value of TOKEN, or remove it.');
      await page.press('Import TOKEN from .env');
      await expect.poll(() => rows(page)).toEqual(['TOKEN .env: set']);
      expect(page.document.getText()).toContain('TOKEN:\n    env-file: .env\n');
      expect(page.deployment().facts.join('\n')).toContain('.env, line 2: This line');
    });
    expect(posted()).toEqual([[{ name: 'TOKEN', value: first }]]);
    await rm(file);
  });

  it('do not come from a clipboard without any, which is said', () =>
    inNewDeployment(async (page) => {
      const before = rows(page);
      for (const [text, why] of [
        ['', 'Nothing to import from Clipboard.'],
        ['c2VjcmV0MTIzNDU=', "Clipboard, line 1: This line isn't in the form NAME=value and was skipped."],
      ] as const) {
        await vscode.env.clipboard.writeText(text);
        const { message } = await page.press('Import from Clipboard');
        expect(message).toContain(why);
        expect(rows(page)).toEqual(before);
      }
      expect(page.heard()).not.toContain('c2VjcmV0');
    }));

  it('come from the clipboard, 30 lines at once, and only their names are shown', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `CLIP_${index + 1}`);
    const lines = names.map((name, index) => `${name}=canary-${index + 1}`);
    await vscode.env.clipboard.writeText(['# copied', ...lines, 'EMPTY=', 'just words'].join('\r\n'));
    await deploy(async (page) => {
      const edit = new vscode.WorkspaceEdit();
      const place = page.document.positionAt(page.document.getText().indexOf('TOKEN:'));
      edit.insert(page.document.uri, place, 'CLIP_1: ask # from the vault\n  ');
      await vscode.workspace.applyEdit(edit);
      await expect.poll(() => summary(page)).toBe('2 secrets · chosen');
      await page.pressInRow('TOKEN', 'Remove');
      const imported = page.press('Import from Clipboard');
      await quickInput.asked('Import Secrets');
      expect(quickInput.message()).toBe('Names in Clipboard; 2 problems are shown afterwards');
      expect(quickInput.rows()).toEqual(names.map((name, index) => `${name} line ${index + 2}`));
      expect(describeWindow()).not.toContain('canary');
      await quickInput.accept();
      const { message } = await imported;
      expect(message).toContain("Clipboard, line 32: EMPTY has no value, so it can't be imported.");
      expect(message).toContain("Clipboard, line 33: This line isn't in the form NAME=value and was skipped.");
      await expect.poll(() => summary(page)).toBe('30 secrets · chosen');
      expect(page.document.getText()).toContain('secrets:\n  CLIP_1: ask # from the vault\n  CLIP_2: ask\n');
      expect(page.heard() + page.document.getText()).not.toContain('canary');
    });
    expect(posted()).toEqual([names.map((name, index) => ({ name, value: `canary-${index + 1}` }))]);
  });
});
