import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, watch } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { restoreForm } from '../../src/ui/resourceForm/openForm.ts';

describe('A resource form that VS Code restores', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'restored-form-'));
  });

  after(async () => rm(folder, { recursive: true, force: true }));

  it('removes no folder but its own, whatever the stored state says', async () => {
    const storage = path.join(folder, 'storage');
    const documents = path.join(folder, 'documents');
    const own = path.join(storage, 'resource-spec/0b0c37af-1111-4222-8333-444455556666');
    for (const place of [documents, own]) {
      await mkdir(place, { recursive: true });
      await writeFile(path.join(place, 'deployment.resource-spec.yaml'), 'cpu: 1');
    }
    const changes = watch(path.dirname(own));
    // The one whose folder may go is closed last: when it is gone, the other one would be too.
    for (const place of [documents, own]) {
      await restoreAndClose(storage, vscode.Uri.file(path.join(place, 'deployment.resource-spec.yaml')));
    }
    while (existsSync(own)) await once(changes, 'change');
    changes.close();
    assert.ok(existsSync(documents), 'A folder of the user is still there.');
  });
});

async function restoreAndClose(storage: string, scratchUri: vscode.Uri): Promise<void> {
  const panel = vscode.window.createWebviewPanel('test', 'Resources', vscode.ViewColumn.Active);
  const context = {
    title: 'Resources',
    flavor: 'standard',
    readOnly: true,
    fileUri: '',
    scratchUri: scratchUri.toString(),
    documentHash: '',
    keptHash: '',
  };
  const state = { context, text: '', drafts: '', view: 'form', openSections: '', scroll: '' };
  await restoreForm(panel, state, {
    extensionUri: vscode.Uri.file(storage),
    storageUri: vscode.Uri.file(storage),
    log: { debug: () => undefined, error: () => undefined },
    flavor: () => 'standard',
    chooseSpecOfDeployment: async () => undefined,
    useForDeployment: async () => undefined,
    openForms: new Set(),
    reopenOffers: new Set(),
  });
  panel.dispose();
}
