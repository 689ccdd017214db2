import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSampleRepository } from '../support/gitRepositories.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../support/temporaryFolder.ts';
import { failuresShowTheWindow } from './support/failures.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const fileName = 'small.resource-spec.yaml';

describe('A resource spec as a file', () => {
  let temporary: TemporaryFolder;
  let folder: string;
  let workbench: Workbench;

  beforeAll(async () => {
    temporary = await temporaryFolder();
    ({ folder } = await createSampleRepository(temporary.path));
    await writeFile(path.join(folder, fileName), 'cpu: 2\ncpu_limit: 1\n');
    workbench = await openWorkbench({
      folder,
      theme: 'Dark Modern',
      // Words of the document would otherwise stand among the keys that fit; VS Code on the web saves by itself.
      settings: { 'editor.wordBasedSuggestions': 'off', 'editor.autoIndent': 'none', 'files.autoSave': 'off' },
    });
  });

  failuresShowTheWindow(() => workbench);

  afterAll(async () => {
    await workbench?.stop();
    await temporary?.remove();
  });

  const tab = (name: string) => workbench.page.getByRole('tab', { name, exact: true });

  async function chooseEditResources(): Promise<void> {
    // A menu that has just opened ignores the mouse button, but not the key.
    await workbench.page.getByRole('menuitem', { name: 'Edit Resources…' }).hover();
    await workbench.page.keyboard.press('Enter');
  }

  /** Waits for the form of the file. */
  async function expectForm(): Promise<Frame> {
    const form = await workbench.webview();
    await form.getByRole('heading', { name: `Resources: ${fileName}`, level: 1 }).waitFor();
    expect(await form.locator('#field-memory_limit_mb').inputValue()).toBe('4096');
    return form;
  }

  async function closeForm(): Promise<void> {
    const form = tab(`Resources: ${fileName}`);
    await form.getByRole('button', { name: /^Close/ }).click();
    await form.waitFor({ state: 'detached' });
  }

  it('gets its mistakes underlined with the words of the form', async () => {
    await workbench.row('Files Explorer', fileName).dblclick();
    await workbench.page.locator('.monaco-editor .squiggly-error').first().waitFor();
    await workbench.page.keyboard.press('Control+Shift+m');
    await workbench.page.getByText('The limit (1) is below the request (2).').first().waitFor();
    await workbench.screenshot('spec-file-problems');
  });

  it('gets the help of a field when the mouse rests on it', async () => {
    const { page } = workbench;
    await page
      .locator('.monaco-editor .view-line span')
      .filter({ hasText: /^cpu_limit$/ })
      .first()
      .hover();
    await page.locator('.monaco-hover').getByText('Main service: CPU limit').waitFor();
    await workbench.screenshot('spec-file-hover');
  });

  it('gets the keys that are missing yet offered', async () => {
    const { page } = workbench;
    await page.locator('.monaco-editor .view-lines').first().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('memory_l');
    await page.keyboard.press('Control+Space');
    const suggestions = page.locator('.suggest-widget.visible');
    await suggestions.getByText('memory_limit_mb').first().waitFor();
    await workbench.screenshot('spec-file-completion');
    await page.keyboard.press('Enter');
    await page.keyboard.type('4096');
    await page.keyboard.press('Control+s');
    const saved = () => readFile(path.join(folder, fileName), 'utf8');
    await expect.poll(saved).toBe('cpu: 2\ncpu_limit: 1\nmemory_limit_mb: 4096');
  });

  it('opens in the form from the title bar of its editor, with what is not saved yet', async () => {
    const { page } = workbench;
    await page.keyboard.type(' # later');
    await workbench.screenshot('spec-file-title');
    await page.locator('.editor-actions').getByRole('button', { name: 'Edit Resources…' }).click();
    const form = await expectForm();
    expect(await form.locator('#yaml').inputValue()).toContain('4096 # later');
    await closeForm();
    await workbench.runCommand('File: Revert File');
  });

  it('opens in the form from the menu of its tab', async () => {
    await tab(fileName).click({ button: 'right' });
    await chooseEditResources();
    await expectForm();
    await closeForm();
  });

  it('opens in the form from the explorer', async () => {
    await workbench.row('Files Explorer', fileName).click({ button: 'right' });
    await chooseEditResources();
    await expectForm();
    await workbench.screenshot('spec-file-form');
  });

  it('is refused in words when it is too large to be one', async () => {
    await writeFile(path.join(folder, 'huge.resource-spec.yaml'), `# ${'x'.repeat(256 * 1024)}\n`);
    await workbench.row('Files Explorer', 'huge.resource-spec.yaml').click({ button: 'right' });
    await chooseEditResources();
    await workbench.notification('huge.resource-spec.yaml is larger than 256 kB. That is no resource spec.');
  });
});
