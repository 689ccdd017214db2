import assert from 'node:assert/strict';
import { access, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { openForm, restoreForm } from '../../src/ui/resourceForm/openForm.ts';
import type { ResourceFormDependencies } from '../../src/ui/resourceForm/resourceForms.ts';
import { closeForms, formInFront } from './support/forms.ts';
import type { Form } from './support/forms.ts';
import { expect, told } from './support/window.ts';
import { suiteFolder } from './support/workspace.ts';

describe('The storage of a resource form', () => {
  let temporary: string;
  let storage: string;

  beforeEach(async () => {
    temporary = await suiteFolder();
    storage = path.join(temporary, 'storage');
  });

  afterEach(async () => {
    await closeForms();
  });

  const forms = () => readdir(path.join(storage, 'resource-spec')).catch(() => []);

  /** What is kept of the only form. */
  async function kept(): Promise<string> {
    const [id = ''] = await forms();
    return readFile(path.join(storage, 'resource-spec', id, 'form.json'), 'utf8').catch(() => '');
  }

  async function openWith(text: string, dependencies = dependenciesOn(storage)): Promise<Form> {
    await openForm({ title: 'Kept' }, dependencies);
    const form = await formInFront('Kept');
    await form.change({ text });
    await expect.poll(kept).toContain(JSON.stringify(text));
    return form;
  }

  it('is readable only by its owner, and removed with a form without changes', async () => {
    const form = await openWith('cpu: 3\n');
    const [id = ''] = await forms();
    const { mode } = await stat(path.join(storage, 'resource-spec', id, 'form.json'));
    if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o600);
    await form.ask('copy');
    await form.close();
    await expect.poll(forms).toEqual([]);
  });

  it('stays removed if a form is closed before its request has ended', async () => {
    const errors: string[] = [];
    let used = (): void => undefined;
    const form = await openWith('cpu: 3\n', {
      ...dependenciesOn(storage),
      log: { debug: () => undefined, error: (text) => void errors.push(text) },
      useForDeployment: () => new Promise((resolve) => (used = resolve)),
    });
    await form.ask('copy');
    void form.ask('use');
    await form.close();
    await expect.poll(forms).toEqual([]);
    used();
    // After everything that follows from it at once.
    await new Promise(setImmediate);
    expect(errors).toEqual([]);
    expect(await forms()).toEqual([]);
  });

  it('stays while reopening is offered, and is removed when that is declined', async () => {
    const form = await openWith('cpu: 3\n');
    await form.close();
    const offer = await told.message('"Kept" was closed with changes');
    expect(await kept()).toContain('cpu: 3');
    offer.press();
    await expect.poll(forms).toEqual([]);
  });

  it('is used again by a reopened form', async () => {
    const form = await openWith('cpu: 3\n');
    const before = await forms();
    await form.close();
    (await told.message('"Kept" was closed with changes')).press('Reopen');
    const again = await formInFront('Kept');
    await again.change({ text: 'cpu: 4\n' });
    await expect.poll(kept).toContain('cpu: 4');
    expect(await forms()).toEqual(before);
  });

  it('removes only its own folder, whatever the window remembers', async () => {
    const documents = path.join(temporary, 'documents');
    await mkdir(documents);
    await writeFile(path.join(documents, 'form.json'), 'a');
    const form = await openWith('cpu: 3\n');
    const [id = ''] = await forms();
    await form.ask('copy');
    for (const remembered of [{ id: '../../documents' }, { id }]) {
      const panel = vscode.window.createWebviewPanel('test', 'Restored', vscode.ViewColumn.Active);
      await restoreForm(panel, remembered, dependenciesOn(storage));
      panel.dispose();
    }
    await expect.poll(forms).toEqual([]);
    await access(path.join(documents, 'form.json'));
  });
});

function dependenciesOn(storage: string): ResourceFormDependencies {
  const extension = vscode.extensions.getExtension('deployment-manager.deployment-manager');
  assert.ok(extension);
  return {
    extensionUri: extension.extensionUri,
    storageUri: vscode.Uri.file(storage),
    log: { debug: () => undefined, error: () => undefined },
    connections: { current: async () => ({ kind: 'none' }) },
    useForDeployment: async () => undefined,
    openForms: new Set(),
    reopenOffers: new Set(),
  };
}
