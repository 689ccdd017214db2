import { access, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { closeForms, drafted, formInFront, formsCalled, openForm } from './support/forms.ts';
import { useSettings } from './support/suite.ts';
import { expect, told } from './support/window.ts';
import { suiteFolder } from './support/workspace.ts';

const halfway = drafted('sidecars', '- name: "halfway');

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
    await closeForms();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const saved = () => readFile(file.fsPath, 'utf8');

  it('saves to the file that it was opened on, without asking', async () => {
    const form = await openForm(file);
    await form.change({ text: '# mine\ncpu: 2\nmin_scale: 3\n' });
    expect(await form.save()).toMatchObject({ failed: false, message: `Saved to ${name}.` });
    expect(await saved()).toBe('# mine\ncpu: 2\nmin_scale: 3\n');
    expect(told.messages).toEqual([]);
  });

  it('asks before overwriting text typed in an editor, where that can be undone', async () => {
    const form = await openForm(file);
    const document = await typeInEditor(file, 'db_storage_gi: 20');
    await form.change({ text: '# mine\ncpu: 5\n' });
    const left = form.save();
    const question = await told.message(`${name} was changed while the form was open. Overwrite it?`);
    expect(question).toMatchObject({ isModal: true, buttons: ['Overwrite'] });
    question.press();
    expect(await left).toMatchObject({ failed: false, message: '' });
    expect(await saved()).toBe('# mine\ncpu: 2\n');
    expect(document.isDirty).toBe(true);

    const overwritten = form.save();
    (await told.message(`${name} was changed`)).press('Overwrite');
    expect(await overwritten).toMatchObject({ failed: false, message: `Saved to ${name}.` });
    expect(await saved()).toBe('# mine\ncpu: 5\n');
    expect(document.isDirty).toBe(false);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    await expect.poll(() => document.getText()).toContain('db_storage_gi');
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('asks for a name once if there is no file yet', async () => {
    const form = await openForm();
    await form.change({ text: 'cpu: 1.5\n' });
    expect(await form.save()).toMatchObject({ failed: false, message: '' });
    told.dialogGives(path.join(temporary, 'deployment.resource-spec.yaml'));
    const answer = { failed: false, message: 'Saved to deployment.resource-spec.yaml.' };
    expect(await form.save()).toMatchObject(answer);
    expect(await form.save()).toMatchObject(answer);
    expect(await readFile(path.join(temporary, 'deployment.resource-spec.yaml'), 'utf8')).toBe('cpu: 1.5\n');
  });

  it('keeps its state while it is hidden', async () => {
    const form = await openForm(file);
    const held = { text: 'cpu: 2\nmin_scale: 3\n', drafts: halfway, view: 'both' } as const;
    await form.change(held);
    await vscode.window.showTextDocument(file);
    await form.show();
    expect(form.state()).toMatchObject(held);
  });

  it('loads the text that was saved while it was hidden', async () => {
    const form = await openForm(file);
    await form.change({ text: 'cpu: 2\nmin_scale: 3\n', drafts: halfway });
    const document = await typeInEditor(file, 'memory_mb: 512\n');
    await document.save();
    await form.show();
    await expect.poll(() => form.state()).toMatchObject({ text: '# mine\ncpu: 2\nmemory_mb: 512\n', drafts: [] });
  });

  it('follows its renamed file', async () => {
    const form = await openForm(file);
    const renamed = vscode.Uri.file(path.join(temporary, 'renamed.resource-spec.yaml'));
    const change = new vscode.WorkspaceEdit();
    change.renameFile(file, renamed);
    await vscode.workspace.applyEdit(change);
    await expect.poll(() => formsCalled('Resources: renamed.resource-spec.yaml')).toEqual([form]);
    const document = await typeInEditor(renamed, 'cpu_limit: 4\n');
    await document.save();
    await form.show();
    await expect.poll(() => form.state().text).toBe('# mine\ncpu: 2\ncpu_limit: 4\n');
  });

  it('keeps its text when its file is deleted, and opens another document', async () => {
    const form = await openForm(file);
    await rm(file.fsPath);
    const answer = await form.ask('openInEditor');
    expect(answer).toMatchObject({ failed: false, message: 'Save the document to bring it back into the form.' });
    const document = vscode.window.activeTextEditor?.document;
    expect(document?.fileName).toMatch(/[/\\]deployment\.resource-spec\.yaml$/);
    expect(document?.getText()).toBe('# mine\ncpu: 2\n');
    await (await typeInEditor(document?.uri ?? file, 'db_storage_gi: 20\n')).save();
    await expect.poll(() => form.state().text).toBe('# mine\ncpu: 2\ndb_storage_gi: 20\n');
    await expect(access(file.fsPath)).rejects.toThrow('ENOENT');
  });

  it('offers to reopen only after closing with unsaved changes', async () => {
    await (await openForm(file)).close();

    const copied = await openForm();
    await copied.change({ text: 'cpu: 3\n' });
    expect(await copied.ask('copy')).toMatchObject({ failed: false, message: 'Copied.' });
    expect(await vscode.env.clipboard.readText()).toBe('cpu: 3\n');
    await copied.close();

    const takenBack = await openForm(file);
    await takenBack.change({ text: 'cpu: 7\n' });
    await takenBack.change({ text: '# mine\ncpu: 2\n' });
    await takenBack.close();

    const changed = await openForm(file);
    await changed.change({ text: 'cpu: 2\nmin_scale: 3\n', drafts: halfway, view: 'both' });
    await changed.close();
    const offer = await told.message(
      `"Resources: ${name}" was closed with changes that weren't saved, copied, or used.`,
    );
    expect(offer.buttons).toEqual(['Reopen']);
    expect(told.messages).toEqual([offer]);

    offer.press('Reopen');
    const again = await formInFront(`Resources: ${name}`);
    expect(again.state()).toMatchObject({ text: 'cpu: 2\nmin_scale: 3\n', drafts: halfway, view: 'both' });
  });

  it('offers to reopen two closed forms of the same title together, and later one alone', async () => {
    const first = await openForm();
    await first.change({ text: 'cpu: 5\n' });
    const second = await openForm();
    await second.change({ text: 'cpu: 6\n' });
    await second.close();
    await told.message('"Resources" was closed with changes');
    await first.close();
    const offer = await told.message("2 resource forms were closed with changes that weren't saved, copied, or used.");
    expect(offer.buttons).toEqual(['Reopen All']);
    offer.press('Reopen All');
    await expect.poll(() => formsCalled('Resources').length).toBe(2);
    const [one, other] = formsCalled('Resources');
    await one?.show();
    await other?.show();
    const texts = formsCalled('Resources').map((form) => form.state().text);
    expect(texts.toSorted()).toEqual(['cpu: 5\n', 'cpu: 6\n']);

    await other?.close();
    await expect.poll(() => told.messages.filter(({ buttons }) => buttons.includes('Reopen')).length).toBe(2);
    told.messages.at(-1)?.press('Reopen');
    await expect.poll(() => formsCalled('Resources').length).toBe(2);
  });
});

/** Adds a text to the end of a file in its editor, which takes the place of a form in the same column. */
async function typeInEditor(file: vscode.Uri, text: string): Promise<vscode.TextDocument> {
  const editor = await vscode.window.showTextDocument(file, { preview: false });
  await editor.edit((edit) => edit.insert(editor.document.positionAt(editor.document.getText().length), text));
  return editor.document;
}
