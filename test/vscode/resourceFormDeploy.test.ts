import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { addConnection } from './support/connections.ts';
import { newDraft } from './support/drafts.ts';
import { setKey } from './support/forms.ts';
import { deployAndClose } from './support/newDeployment.ts';
import { startService } from './support/suite.ts';
import type { Service } from './support/suite.ts';
import { expect, forms, pages, quickInput, run, tree } from './support/window.ts';
import { openSample } from './support/workspace.ts';

const connection = 'Resource Forms';

describe('Resources of a deployment', () => {
  let folder: string;
  let service: Service;

  before(async () => {
    ({ folder } = await openSample());
    service = await startService({ repositories: [folder], stepMs: 50 });
    await tree('Deployments').open();
    await addConnection(connection, service);
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('go from the form to the page, can be edited there, and are deployed', async () => {
    const form = await newDraft();
    const numbers = { min_scale: '1', max_scale: '1', cpu: '1', memory_mb: '2048' };
    await form.change(...Object.entries(numbers).map(([key, number]) => setKey(key, number)));
    const used = form.ask('use');
    await quickInput.choose(/^Open Repository/);
    expect(await used).toMatchObject({ failed: false, message: '' });
    const page = await pages.inFront();
    const resources = (): string | undefined => page.deployment().resources?.summary;
    expect(resources()).toBe('1 replica, 1 core, 2048 MB · resource form');
    expect(await page.edit([setKey('max_scale', '3'), setKey('cpu'), setKey('memory_mb', '4096')])).toBe('');
    await expect.poll(resources).toBe('1 to 3 replicas, 4096 MB · chosen');
    expect(page.document.getText()).toContain('resources:\n  min_scale: 1\n  max_scale: 3\n  memory_mb: 4096\n');
    await deployAndClose(page);
    await tree('Deployments').shows('sample-agent');
  });

  it('stay as they are where a change could not be read, as does what was sent behind it, and take what was meant for them before they moved', async () => {
    const file = vscode.Uri.file(path.join(folder, 'own.deployment-spec.yaml'));
    const before =
      'name: own # ours\nresources:\n    cpu: 1 # agreed\n---\nname: other\nresources: small.resource-spec.yaml\n';
    await writeFile(file.fsPath, before);
    await writeFile(path.join(folder, 'small.resource-spec.yaml'), 'cpu: 2\n');
    const page = await pages.open(file);
    const [broken, behind] = [page.edit([setKey('sidecars', '[')]), page.edit([setKey('cpu', '8')])];
    expect(await broken).toMatch(/bracket/);
    expect(page.document.getText()).toBe(before);
    page.hear(0);
    expect(await page.edit([setKey('cpu', '3')])).toBe('');
    await behind;
    expect(page.document.getText()).toBe(before.replace('cpu: 1', 'cpu: 3'));
    // One step of undo.
    await vscode.commands.executeCommand('undo');
    await expect.poll(() => page.document.getText()).toBe(before);
    expect(await page.edit([setKey('cpu', '4')], 1)).toMatch(/can't change "resources"/);
    page.hear(1);
    const { number } = page.deployment(0);
    const edited = async (text: string): Promise<void> => {
      const edit = new vscode.WorkspaceEdit();
      edit.replace(file, new vscode.Range(0, 0, page.document.lineCount, 0), text);
      await vscode.workspace.applyEdit(edit);
    };
    await edited(`name: first\n---\n${before}`);
    await expect.poll(() => page.state().deployments.length).toBe(3);
    expect(await page.editOf(number, [setKey('cpu', '16')])).toBe('');
    expect(page.document.getText()).toBe(`name: first\n---\n${before.replace('cpu: 1', 'cpu: 16')}`);
    await edited('');
    expect(await page.editOf(number, [setKey('cpu', '32')])).toMatch(/no longer has this deployment/);
    await edited(before);
    await expect.poll(() => page.state().deployments.map((each) => each.number)).toContain(number);
    page.hear(0);
    await page.press('Edit small.resource-spec.yaml', 1);
    await (await forms.inFront('Resources: small.resource-spec.yaml')).close();
    await page.close();
    await Promise.all([rm(file.fsPath), rm(path.join(folder, 'small.resource-spec.yaml'))]);
  });

  it('can start on the page from a deployment or a file', async () => {
    await writeFile(path.join(folder, 'begun.deployment-spec.yaml'), 'name: begun\n');
    await writeFile(path.join(folder, 'start.resource-spec.yaml'), 'cpu: 4\n');
    const page = await pages.open(vscode.Uri.file(path.join(folder, 'begun.deployment-spec.yaml')));
    const fromDeployment = page.press('Deployment…');
    await quickInput.choose('sample-agent');
    expect(await fromDeployment).toMatchObject({ failed: false, message: 'Loaded from sample-agent.' });
    expect(page.document.getText()).toContain('  memory_mb: 4096\n');
    const fromFile = page.press('File…');
    await quickInput.choose('start.resource-spec.yaml');
    expect(await fromFile).toMatchObject({ failed: false, message: 'Loaded from start.resource-spec.yaml.' });
    expect(page.document.getText()).toBe('name: begun\nresources:\n  cpu: 4\n');
    await page.close();
    for (const name of ['begun.deployment-spec.yaml', 'start.resource-spec.yaml']) await rm(path.join(folder, name));
  });

  it('of an existing deployment are shown as read-only, for a row and for the selection', async () => {
    const shown = {
      subject: 'deployment',
      lock: 'Read-only: the resources that the service reports for this deployment.',
    };
    await run('showResourceSpec', await tree('Deployments').shows('sample-agent'));
    const form = await forms.inFront('Resources (read-only): sample-agent');
    expect(form.context()).toMatchObject(shown);
    expect(form.text()).toContain('memory_mb: 4096\n');
    expect(await form.change(setKey('cpu', '1'))).toBe(shown.lock);
    await form.close();
    await tree('Deployments').select('sample-agent');
    await run('showResourceSpec');
    expect((await forms.inFront('Resources (read-only): sample-agent')).context()).toMatchObject(shown);
  });

  it('can be loaded into another form, from a deployment or a file', async () => {
    const form = await newDraft();
    const fromDeployment = form.ask('loadDeployment');
    await quickInput.choose('sample-agent');
    expect(await fromDeployment).toMatchObject({ failed: false, message: 'Loaded from sample-agent.', canUndo: true });
    expect(form.text()).toContain('max_scale: 3\n');

    const file = path.join(folder, 'other.resource-spec.yaml');
    await writeFile(file, 'cpu: 4\n');
    // The second time, there is nothing to undo.
    for (const canUndo of [true, false]) {
      const fromFile = form.ask('loadFile');
      await quickInput.choose('other.resource-spec.yaml');
      expect(await fromFile).toMatchObject({ message: 'Loaded from other.resource-spec.yaml.', canUndo });
    }
    expect(form.text()).toBe('cpu: 4\n');
    await form.ask('undo');
    await expect.poll(() => form.text()).toContain('max_scale: 3\n');
    await rm(file);
  });
});
