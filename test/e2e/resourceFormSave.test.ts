import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSampleRepository } from '../support/gitRepositories.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../support/temporaryFolder.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const fileName = 'small.resource-spec.yaml';

describe('Saving a resource form', () => {
  let temporary: TemporaryFolder;
  let folder: string;
  let workbench: Workbench;

  beforeAll(async () => {
    temporary = await temporaryFolder();
    ({ folder } = await createSampleRepository(temporary.path));
    await writeFile(path.join(folder, fileName), '# mine\ncpu: 2\n');
    workbench = await openWorkbench({
      folder,
      theme: 'Dark Modern',
      // VS Code on the web saves by itself unless told not to.
      settings: { 'files.autoSave': 'off', 'files.simpleDialog.enable': true },
    });
    // The menu has no entries of the extension before VS Code knows it.
    await workbench.page.locator('.part.activitybar').getByRole('tab', { name: 'Deployments' }).waitFor();
  });

  stepsOfOneJourney(() => workbench);

  afterAll(async () => {
    await workbench?.stop();
    await temporary?.remove();
  });

  const saved = (name = fileName) => readFile(path.join(folder, name), 'utf8');
  const tab = (name: string) => workbench.page.getByRole('tab', { name, exact: true });

  async function shown(title: string): Promise<Frame> {
    await tab(title).click();
    await expect.poll(async () => (await workbench.webview()).locator('h1').innerText()).toBe(title);
    return workbench.webview();
  }

  it('writes the file that it was opened on, without asking for a name', async () => {
    await workbench.row('Files Explorer', fileName).click({ button: 'right' });
    // A menu that has just opened ignores the mouse button, but not the key.
    await workbench.page.getByRole('menuitem', { name: 'Edit Resources…' }).hover();
    await workbench.page.keyboard.press('Enter');
    const form = await shown(`Resources: ${fileName}`);
    await form.locator('#field-min_scale').fill('3');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.getByText(`Saved to ${fileName}.`).waitFor();
    expect(await saved()).toBe('# mine\ncpu: 2\nmin_scale: 3\n');
    await workbench.screenshot('form-saved');
  });

  it('is done by the key for saving too, from wherever the focus is in the form', async () => {
    const form = await shown(`Resources: ${fileName}`);
    await form.locator('#field-max_scale').fill('4');
    // What is typed now is not saved.
    expect(await form.getByText(`Saved to ${fileName}.`).count()).toBe(0);
    await workbench.page.keyboard.press('Control+s');
    await expect.poll(() => saved()).toBe('# mine\ncpu: 2\nmin_scale: 3\nmax_scale: 4\n');
  });

  it('leads to what cannot be saved yet', async () => {
    const form = await shown(`Resources: ${fileName}`);
    await form.locator('#section-containers summary').click();
    await form.locator('#field-sidecars').fill('- name: "halfway');
    await form.locator('#field-cpu').focus();
    await workbench.page.keyboard.press('Control+s');
    await form.getByRole('alert').getByText('Correct this first:').waitFor();
    expect(await form.locator(':focus').getAttribute('id')).toBe('field-sidecars');
    await form.locator('#field-sidecars').fill('');
    expect(await saved()).toBe('# mine\ncpu: 2\nmin_scale: 3\nmax_scale: 4\n');
  });

  it('asks before it takes the place of what was typed in an editor, and that can be brought back there', async () => {
    const { page } = workbench;
    await workbench.row('Files Explorer', fileName).dblclick();
    const lines = page.locator('.editor-group-container .monaco-editor .view-lines').first();
    await lines.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('db_storage_gi: 20');
    const form = await shown(`Resources: ${fileName}`);
    await form.locator('#field-max_scale').fill('5');
    await page.keyboard.press('Control+s');
    const question = page.getByRole('dialog').filter({ hasText: `${fileName} was changed while the form was open.` });
    await question.waitFor();
    await workbench.screenshot('form-overwrite');
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await saved()).toBe('# mine\ncpu: 2\nmin_scale: 3\nmax_scale: 4\n');
    expect(await page.locator('.tab.dirty').count()).toBe(1);

    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await question.getByRole('button', { name: 'Overwrite' }).click();
    await expect.poll(() => saved()).toBe('# mine\ncpu: 2\nmin_scale: 3\nmax_scale: 5\n');
    await form.getByText(`Saved to ${fileName}.`).waitFor();
    expect(await page.locator('.tab.dirty').count()).toBe(0);
    await tab(fileName).click();
    await lines.click();
    await page.keyboard.press('Control+z');
    await lines.getByText('db_storage_gi').waitFor();
    await workbench.runCommand('File: Revert File');
  });

  it('asks for a name where there is no file yet', async () => {
    await workbench.runCommand('Deployment Manager: Edit Resources…');
    const form = await shown('Resources');
    expect(await form.getByRole('button', { name: 'Save', exact: true }).isVisible()).toBe(false);
    await form.locator('#field-cpu').fill('1.5');
    await workbench.page.keyboard.press('Control+s');
    const name = workbench.quickInput.box.locator('input.input');
    await expect.poll(() => name.inputValue()).toContain('deployment.resource-spec.yaml');
    await workbench.page.keyboard.press('Enter');
    await form.getByText('Saved to deployment.resource-spec.yaml.').waitFor();
    expect(await saved('deployment.resource-spec.yaml')).toBe('cpu: 1.5\n');
    await form.getByRole('button', { name: 'Save', exact: true }).waitFor();
  });
});
