import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { YamlEdit } from '../../src/core/yaml/edit.ts';
import type { PageMessage } from '../../src/ui/resourceForm/pageMessages.ts';
import { setKey } from './support/forms.ts';
import { useSettings } from './support/suite.ts';
import { expect, forms, run, told } from './support/window.ts';
import { activeTab, suiteFolder } from './support/workspace.ts';

const formType = 'deploymentManager.resourceSpec';

describe('A resource form', () => {
  let temporary: string;
  let count = 0;
  /** A spec file that only this test has; it holds `# mine` and `cpu: 2`. */
  let file: vscode.Uri;
  let name: string;

  before(async () => {
    temporary = await suiteFolder();
    // VS Code on the web saves automatically unless told not to.
    await useSettings({ autoSave: 'off' }, 'files');
  });

  beforeEach(async () => {
    count += 1;
    name = `small-${count}.resource-spec.yaml`;
    file = vscode.Uri.file(path.join(temporary, name));
    await writeFile(file.fsPath, '# mine\ncpu: 2\n');
  });

  afterEach(async () => {
    for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await expect.poll(() => forms.all).toEqual([]);
  });

  const saved = () => readFile(file.fsPath, 'utf8');

  it("shows the editor's own document, and changes nothing by opening it", async () => {
    const form = await forms.open(file);
    expect(form.context()).toMatchObject({ subject: 'file', lock: '' });
    expect(form.text()).toBe('# mine\ncpu: 2\n');
    const { input } = await activeTab(name);
    expect(input).toMatchObject({ viewType: formType });
    expect(form.document.isDirty).toBe(false);
    expect(await vscode.workspace.openTextDocument(file)).toBe(form.document);
  });

  it('makes one small edit of an input, which is saved, undone and redone as in every editor', async () => {
    const form = await forms.open(file);
    const changes: vscode.TextDocumentContentChangeEvent[] = [];
    const watching = vscode.workspace.onDidChangeTextDocument(({ contentChanges }) => changes.push(...contentChanges));
    expect(await form.change(setKey('min_scale', '3'))).toBe('');
    watching.dispose();
    expect(changes.map(({ rangeLength, text }) => [rangeLength, text])).toEqual([[0, 'min_scale: 3\n']]);
    expect(form.document.isDirty).toBe(true);
    await vscode.commands.executeCommand('workbench.action.files.save');
    await expect.poll(saved).toBe('# mine\ncpu: 2\nmin_scale: 3\n');
    await form.change(setKey('cpu', '4'));
    await form.change(setKey('cpu', '5'));
    await vscode.commands.executeCommand('undo');
    await expect.poll(() => form.text()).toBe('# mine\ncpu: 4\nmin_scale: 3\n');
    await vscode.commands.executeCommand('undo');
    await expect.poll(() => form.text()).toBe('# mine\ncpu: 2\nmin_scale: 3\n');
    expect(form.document.isDirty).toBe(false);
    await vscode.commands.executeCommand('redo');
    await expect.poll(() => form.text()).toBe('# mine\ncpu: 4\nmin_scale: 3\n');
    expect(told.messages).toEqual([]);
  });

  it('shows what another editor of the document does, and is shown there', async () => {
    const form = await forms.open(file);
    expect(await form.ask('openInEditor')).toMatchObject({ failed: false });
    await typeInEditor(file, 'memory_mb: 512\n');
    await expect.poll(() => form.text()).toBe('# mine\ncpu: 2\nmemory_mb: 512\n');
    await form.change(setKey('cpu', '3'));
    const asText = vscode.window.visibleTextEditors.filter(({ document }) => document === form.document);
    expect(asText.map(({ document }) => document.getText())).toEqual(['# mine\ncpu: 3\nmemory_mb: 512\n']);
    await form.show();
    await form.ask('openInEditor');
    expect(vscode.window.tabGroups.all).toHaveLength(2);
  });

  it('applies a change by path to a newer text, and refuses one by place', async () => {
    const form = await forms.open(file);
    const { version } = form.document;
    const edit = new vscode.WorkspaceEdit();
    edit.insert(file, new vscode.Position(0, 0), '# another change\n');
    await vscode.workspace.applyEdit(edit);
    // The page sends it again for the text that it is told meanwhile.
    expect(await form.changeOf(version, [{ kind: 'splice', start: 12, end: 13, text: '7' }])).toBe('');
    expect(form.text()).toBe('# another change\n# mine\ncpu: 2\n');
    expect(await form.changeOf(version, [setKey('cpu', '9')])).toBe('');
    expect(form.text()).toBe('# another change\n# mine\ncpu: 9\n');
  });

  it('applies and undoes nothing that the page sent behind a refused change, which it had not heard of', async () => {
    const form = await forms.open(file);
    await form.change(setKey('cpu', '3'));
    const change = (id: number, edit: YamlEdit): PageMessage => {
      return { type: 'change', id, version: form.document.version, edits: [edit] };
    };
    const changes = [change(1, setKey('cpu', '9')), change(2, setKey('min_scale', '3'))];
    const edit = new vscode.WorkspaceEdit();
    edit.insert(file, new vscode.Position(0, 0), '# another change\n');
    // It is on its way to VS Code before the first change of the page, which VS Code then doesn't apply.
    const another = vscode.workspace.applyEdit(edit);
    form.send(...changes, { type: 'action', action: 'undo' });
    expect(await form.ask('copy')).toMatchObject({ failed: true, message: 'Another change came first. Try again.' });
    expect(await form.refusal(1)).toBe('');
    expect(await another).toBe(true);
    expect(form.text()).toBe('# another change\n# mine\ncpu: 3\n');
    form.send(...changes);
    await expect.poll(() => form.text()).toBe('# another change\n# mine\ncpu: 9\nmin_scale: 3\n');
    await form.ask('undo');
    await expect.poll(() => form.text()).toBe('# another change\n# mine\ncpu: 9\n');
  });

  it('takes an input once where VS Code gives it other line ends', async () => {
    await useSettings({ eol: '\r\n' }, 'files');
    await writeFile(file.fsPath, '');
    const form = await forms.open(file);
    expect(await form.change({ kind: 'splice', start: 0, end: 0, text: 'cpu: 2\n' })).toBe('');
    expect(form.text()).toBe('cpu: 2\r\n');
    expect(await form.change(setKey('min_scale', '3'))).toBe('');
    expect(form.text()).toBe('cpu: 2\r\nmin_scale: 3\r\n');
    await useSettings({ eol: 'auto' }, 'files');
  });

  it('shows one document in two groups', async () => {
    const form = await forms.open(file);
    await vscode.commands.executeCommand('workbench.action.splitEditor');
    await expect.poll(() => forms.all.length).toBe(2);
    await form.change(setKey('cpu', '6'));
    await expect.poll(() => forms.all.map((each) => each.text())).toEqual(['# mine\ncpu: 6\n', '# mine\ncpu: 6\n']);
  });

  it('keeps its changes when its file is renamed, which VS Code then shows as text', async () => {
    const form = await forms.open(file);
    await form.change(setKey('cpu', '8'));
    const renamed = vscode.Uri.file(path.join(temporary, `renamed-${count}.resource-spec.yaml`));
    const change = new vscode.WorkspaceEdit();
    change.renameFile(file, renamed);
    await vscode.workspace.applyEdit(change);
    expect((await forms.open(renamed)).text()).toBe('# mine\ncpu: 8\n');
  });

  it('keeps the text of a file that is deleted, and of one that changes on disk while it has changes', async () => {
    const form = await forms.open(file);
    await form.change(setKey('cpu', '3'));
    await writeFile(file.fsPath, '# theirs\n');
    await rm(file.fsPath);
    expect(await form.change(setKey('min_scale', '1'))).toBe('');
    expect(form.text()).toBe('# mine\ncpu: 3\nmin_scale: 1\n');
    await vscode.commands.executeCommand('workbench.action.files.save');
    await expect.poll(() => saved().catch(() => '')).toBe('# mine\ncpu: 3\nmin_scale: 1\n');
  });

  it('shows what changed on disk while it had no changes', async () => {
    const form = await forms.open(file);
    await writeFile(file.fsPath, 'cpu: 11\n');
    await expect.poll(() => form.text()).toBe('cpu: 11\n');
  });

  it('says so where the file is read-only, and keeps what was typed', async () => {
    await useSettings({ readonlyInclude: { [`**/${name}`]: true } }, 'files');
    const form = await forms.open(file);
    expect(form.context().lock).toBe('VS Code has opened this file as read-only.');
    expect(await form.change(setKey('cpu', '3'))).toBe(form.context().lock);
    expect(form.text()).toBe('# mine\ncpu: 2\n');
    expect(form.document.isDirty).toBe(false);
    await useSettings({ readonlyInclude: {} }, 'files');
  });

  it('shows only the beginning of a text that is too large, and says so', async () => {
    await writeFile(file.fsPath, `# ${'x'.repeat(256 * 1024)}\n`);
    const form = await forms.open(file);
    expect(form.context().lock).toBe('This text is longer than 256 kB, which is too long for a resource spec.');
    expect(form.text()).toHaveLength(256 * 1024 + 1);
    expect(await form.change(setKey('cpu', '3'))).toBe(form.context().lock);
  });

  it('is opened by the palette for the spec that is in front', async () => {
    await vscode.window.showTextDocument(file, { preview: false });
    await run('editResourceSpec');
    expect((await forms.inFront(`Resources: ${name}`)).document.uri.fsPath).toBe(file.fsPath);
  });

  it('copies its text', async () => {
    const form = await forms.open(file);
    expect(await form.ask('copy')).toMatchObject({ failed: false, message: 'Copied.' });
    expect(await vscode.env.clipboard.readText()).toBe('# mine\ncpu: 2\n');
  });
});

/** Adds a text to the end of a file in its editor. */
async function typeInEditor(file: vscode.Uri, text: string): Promise<void> {
  const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.fsPath === file.fsPath);
  if (editor === undefined) throw new Error('The file is not shown as text.');
  await editor.edit((edit) => edit.insert(editor.document.positionAt(editor.document.getText().length), text));
}
