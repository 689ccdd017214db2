import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { newDraft } from './support/drafts.ts';
import { setKey } from './support/forms.ts';
import { useSettings } from './support/suite.ts';
import { expect, forms, quickInput, run, told } from './support/window.ts';
import { suiteFolder } from './support/workspace.ts';

describe('A draft of resources', () => {
  let temporary: string;
  const drafts: string[] = [];

  before(async () => {
    temporary = await suiteFolder();
    await useSettings({ autoSave: 'off' }, 'files');
  });

  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await expect.poll(() => forms.all).toEqual([]);
  });

  after(async () => {
    for (const file of drafts) await rm(path.dirname(file), { recursive: true, force: true });
  });

  const isThere = (file: string) =>
    access(file).then(
      () => true,
      () => false,
    );

  async function begin() {
    const form = await newDraft();
    const { fsPath } = form.document.uri;
    drafts.push(fsPath);
    return { form, file: fsPath, saved: () => readFile(fsPath, 'utf8') };
  }

  it('is saved with each change, readable only by its owner, and asks nothing when it is closed', async () => {
    const { form, file, saved } = await begin();
    expect(path.basename(file)).toBe('deployment.resource-spec.yaml');
    expect(form.context()).toMatchObject({ subject: 'draft', title: 'Resources', lock: '' });
    await form.change(setKey('cpu', '1.5'));
    await expect.poll(saved).toBe('cpu: 1.5\n');
    await form.change(setKey('memory_mb', '512'));
    await expect.poll(saved).toBe('cpu: 1.5\nmemory_mb: 512\n');
    if (process.platform !== 'win32') {
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700);
    }
    await vscode.commands.executeCommand('undo');
    await expect.poll(saved).toBe('cpu: 1.5\n');
    await expect.poll(() => form.document.isDirty).toBe(false);
    await form.close();
    expect(told.messages).toEqual([]);
    expect(await saved()).toBe('cpu: 1.5\n');
  });

  it('that was closed is offered again, with what it has', async () => {
    const { form, file, saved } = await begin();
    await form.change(setKey('cpu', '3'));
    await expect.poll(saved).toBe('cpu: 3\n');
    await form.close();
    const opened = run('editResourceSpec');
    const row = (): string => quickInput.rows().find((each) => each.startsWith('Resources 3 cores')) ?? '';
    await expect.poll(row).not.toBe('');
    await quickInput.choose(row());
    await opened;
    const again = await forms.inFront('Resources');
    expect(again.document.uri.fsPath).toBe(file);
    expect(again.text()).toBe('cpu: 3\n');
  });

  it('is removed when it is closed without changes', async () => {
    const { form, file, saved } = await begin();
    await form.change(setKey('cpu', '3'));
    await expect.poll(saved).toBe('cpu: 3\n');
    await form.change(setKey('cpu'));
    await expect.poll(saved).toBe('');
    await form.close();
    await expect.poll(() => isThere(path.dirname(file))).toBe(false);
  });

  it('stays while it is open as text', async () => {
    const { form, file } = await begin();
    await form.ask('openInEditor');
    await form.close();
    expect(await isThere(file)).toBe(true);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await expect.poll(() => isThere(file)).toBe(false);
  });

  it('takes what a formatter makes of it at each save', async () => {
    await useSettings({ formatOnSave: true }, 'editor');
    const formatter = vscode.languages.registerDocumentFormattingEditProvider('yaml', {
      provideDocumentFormattingEdits: (document) => {
        const text = document.getText();
        const whole = new vscode.Range(document.positionAt(0), document.positionAt(text.length));
        return [vscode.TextEdit.replace(whole, text.replaceAll(/^(\w+): */gm, '$1:  '))];
      },
    });
    try {
      const { form, saved } = await begin();
      await form.change(setKey('cpu', '1.5'));
      await expect.poll(saved).toBe('cpu:  1.5\n');
      await form.change(setKey('memory_mb', '512'));
      await expect.poll(saved).toBe('cpu:  1.5\nmemory_mb:  512\n');
      await form.change(setKey('cpu', '2'));
      await expect.poll(saved).toBe('cpu:  2\nmemory_mb:  512\n');
      await expect.poll(() => form.text()).toBe('cpu:  2\nmemory_mb:  512\n');
      await expect.poll(() => form.document.isDirty).toBe(false);
      await vscode.commands.executeCommand('undo');
      await expect.poll(saved).toBe('cpu:  1.5\nmemory_mb:  512\n');
    } finally {
      formatter.dispose();
    }
  });

  it('becomes a file where the user saves it', async () => {
    const { form, file } = await begin();
    await form.change(setKey('cpu', '1.5'));
    told.dialogGives(path.join(temporary, 'mine'));
    await form.ask('saveAs');
    const asFile = await forms.inFront('Resources: mine.resource-spec.yaml');
    expect(asFile.context().subject).toBe('file');
    expect(await readFile(path.join(temporary, 'mine.resource-spec.yaml'), 'utf8')).toBe('cpu: 1.5\n');
    await expect.poll(() => isThere(file)).toBe(false);
  });

  it('stays with this window until its last tab is closed', async () => {
    const { form, file } = await begin();
    const owner = path.join(path.dirname(file), 'window');
    await form.change(setKey('cpu', '2'));
    await vscode.commands.executeCommand('workbench.action.splitEditor');
    await expect.poll(() => forms.all.length).toBe(2);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await expect.poll(() => forms.all.length).toBe(1);
    expect(await isThere(owner)).toBe(true);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await expect.poll(() => isThere(owner)).toBe(false);
  });

  it('is read-only while another window has it', async () => {
    const { form, file, saved } = await begin();
    await form.change(setKey('cpu', '2'));
    await expect.poll(saved).toBe('cpu: 2\n');
    const owner = path.join(path.dirname(file), 'window');
    expect(await isThere(owner)).toBe(true);
    await form.close();
    await expect.poll(() => isThere(owner)).toBe(false);
    // What counts is that the other process runs.
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    });
    assert.ok(other.pid);
    await writeFile(owner, String(other.pid));
    await vscode.commands.executeCommand('vscode.openWith', vscode.Uri.file(file), 'deploymentManager.resourceSpec');
    const taken = await forms.inFront('Resources');
    const words = 'Another window has this draft. Close it there, then open it here again.';
    expect(taken.context().lock).toBe(words);
    expect(await taken.change(setKey('cpu', '3'))).toBe(words);
    expect(await saved()).toBe('cpu: 2\n');
    await writeFile(file, '');
    await expect.poll(() => taken.text()).toBe('');
    await taken.close();
    // Drafts are left one after another: once the next one is gone, this one was left.
    const next = await begin();
    await next.form.close();
    await expect.poll(() => isThere(next.file)).toBe(false);
    expect(await readFile(owner, 'utf8')).toBe(String(other.pid));
    other.kill();
    await once(other, 'exit');
    await vscode.commands.executeCommand('vscode.openWith', vscode.Uri.file(file), 'deploymentManager.resourceSpec');
    expect((await forms.inFront('Resources')).context().lock).toBe('');
  });
});
