import { access, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSampleRepository } from '../support/gitRepositories.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../support/temporaryFolder.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { storedState } from './support/storedState.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const fileName = 'small.resource-spec.yaml';
const renamed = 'renamed.resource-spec.yaml';

/** The form and the document of its file as two tabs of one group, so that only one of them is on the screen. */
describe('The document of a resource form', () => {
  let temporary: TemporaryFolder;
  let folder: string;
  let workbench: Workbench;

  beforeAll(async () => {
    temporary = await temporaryFolder();
    ({ folder } = await createSampleRepository(temporary.path));
    await writeFile(path.join(folder, fileName), 'cpu: 2\n');
    workbench = await openWorkbench({
      folder,
      theme: 'Dark Modern',
      // VS Code on the web saves by itself unless told not to.
      settings: { 'files.autoSave': 'off' },
    });
  });

  stepsOfOneJourney(() => workbench);

  afterAll(async () => {
    await workbench?.stop();
    await temporary?.remove();
  });

  /** A tab by its name, behind which VS Code says in which group it is when there are several. */
  const tab = (name: string) => workbench.page.getByRole('tab', { name: new RegExp(`^${name}(,|$)`) });

  async function showForm(name: string) {
    await tab(`Resources: ${name}`).click();
    const form = await workbench.webview();
    await form.getByRole('heading', { name: `Resources: ${name}`, level: 1 }).waitFor();
    return form;
  }

  /** Adds a line to the document that is on the screen. */
  async function typeLine(line: string): Promise<void> {
    await workbench.page.locator('.editor-group-container .monaco-editor .view-lines').first().click();
    await workbench.page.keyboard.press('Control+End');
    await workbench.page.keyboard.type(`${line}\n`);
  }

  it('is saved while the form is hidden: the form has it when it is shown, and gives back what it had', async () => {
    // The menu has no entries of the extension before VS Code knows it.
    await workbench.page.locator('.part.activitybar').getByRole('tab', { name: 'Deployments' }).waitFor();
    await workbench.row('Files Explorer', fileName).click({ button: 'right' });
    // A menu that has just opened ignores the mouse button, but not the key.
    await workbench.page.getByRole('menuitem', { name: 'Edit Resources…' }).hover();
    await workbench.page.keyboard.press('Enter');
    const form = await workbench.webview();
    await form.locator('#field-min_scale').fill('3');
    await form.locator('#section-containers summary').click();
    await form.locator('#field-sidecars').fill('- name: "halfway');
    await form.locator('#section-containers').getByText('1 error').waitFor();

    await workbench.row('Files Explorer', fileName).dblclick();
    await typeLine('memory_mb: 512');
    await workbench.page.keyboard.press('Control+s');
    await expect.poll(() => readFile(path.join(folder, fileName), 'utf8')).toBe('cpu: 2\nmemory_mb: 512\n');

    const shown = await showForm(fileName);
    await shown.getByText(`Taken over from ${fileName}.`).waitFor();
    expect(await shown.locator('#yaml').inputValue()).toBe('cpu: 2\nmemory_mb: 512\n');
    expect(await shown.locator('#field-sidecars').inputValue()).toBe('');
    await workbench.screenshot('form-taken-over');
    await shown.getByRole('button', { name: 'Undo' }).click();
    expect(await shown.locator('#yaml').inputValue()).toBe('cpu: 2\nmin_scale: 3\n');
    expect(await shown.locator('#field-sidecars').inputValue()).toBe('- name: "halfway');
    await shown.locator('#field-sidecars').fill('');
  });

  it('is saved after a reload, before the form was shown again: the form has it then', async () => {
    await workbench.row('Files Explorer', fileName).dblclick();
    await typeLine('max_scale: 7');
    await expect.poll(() => storedState(workbench.page)).toContain('min_scale');
    // The document was looked at last, and not the form: else the form would be shown after the reload.
    await expect.poll(() => storedState(workbench.page)).toMatch(/mru[\\"]*:\[1,0\]/);
    await expect.poll(() => backups(workbench.janitor.folder)).toContainEqual(expect.stringContaining('max_scale: 7'));
    await workbench.reload();
    await workbench.page.locator('.tab.dirty').waitFor();
    await workbench.page.locator('.editor-group-container .monaco-editor .view-lines').first().click();
    await workbench.page.keyboard.press('Control+s');
    const saved = 'cpu: 2\nmemory_mb: 512\nmax_scale: 7\n';
    await expect.poll(() => readFile(path.join(folder, fileName), 'utf8')).toBe(saved);
    const form = await showForm(fileName);
    await expect.poll(() => form.locator('#yaml').inputValue()).toBe(saved);
  });

  it('is renamed: the form follows', async () => {
    await workbench.row('Files Explorer', fileName).click();
    await workbench.page.keyboard.press('F2');
    await workbench.page.locator('.explorer-item-edited input').fill(renamed);
    await workbench.page.keyboard.press('Enter');
    await tab(`Resources: ${renamed}`).waitFor();
    await workbench.row('Files Explorer', renamed).dblclick();
    await typeLine('cpu_limit: 4');
    await workbench.page.keyboard.press('Control+s');
    const form = await showForm(renamed);
    await expect.poll(() => form.locator('#field-cpu_limit').inputValue()).toBe('4');
  });

  it('is deleted: the form keeps its text and opens another document, not the deleted one', async () => {
    await rm(path.join(folder, renamed));
    const form = await showForm(renamed);
    const text = await form.locator('#yaml').inputValue();
    await form.getByRole('button', { name: 'Open in Editor' }).click();
    await form.getByText('Save the document to bring it back into the form.').waitFor();
    await tab('deployment.resource-spec.yaml').waitFor();
    await typeLine('db_storage_gi: 20');
    await workbench.page.keyboard.press('Control+s');
    await expect.poll(() => form.locator('#yaml').inputValue()).toBe(`${text}db_storage_gi: 20\n`);
    await expect(access(path.join(folder, renamed))).rejects.toThrow('ENOENT');
  });
});

/** What VS Code keeps of documents that are not saved; it writes that a moment after they were changed. */
async function backups(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const kept = files.filter((file) => file.isFile() && /[/\\\\]Backups[/\\\\]/.test(file.parentPath));
  return Promise.all(kept.map((file) => readFile(path.join(file.parentPath, file.name), 'utf8')));
}
