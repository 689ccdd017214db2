import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { commitFiles, createSampleRepository, git } from '../support/gitRepositories.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { words } from '../support/words.ts';
import { titledFrame } from './support/deploymentPage.ts';
import { CountingKeyboard, focused, layoutProblems, seriousFindings } from './support/form.ts';
import { filesWith, folderOfDrafts } from './support/files.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { opened } from './support/opened.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const file = 'agent.deployment-spec.yaml';
const themes = ['Dark Modern', 'Light Modern', 'Dark High Contrast', 'Light High Contrast'] as const;

describe('The page of a deployment file', () => {
  const resources = opened();
  let folder: string;
  let workbench: Workbench;
  let page: Frame;

  beforeAll(async () => {
    const temporary = resources.use(await temporaryFolder());
    ({ folder } = await createSampleRepository(temporary.path));
    // A broken file keeps nobody from deploying while the working copy has changes, and its build fails.
    await commitFiles(folder, { 'broken.json': '{\n' }, 'Begin another application');
    await git(folder, 'push', '--quiet');
    await writeFile(path.join(folder, 'README.md'), 'Changed.\n');
    await writeFile(path.join(folder, file), '# Ours.\nname: </script><h2>first # yet\n');
    workbench = resources.use(
      await openWorkbench({
        folder,
        theme: themes[0],
        settings: { 'files.autoSave': 'off' },
        machineSettings: {
          'deploymentManager.localService.dataFolder': path.join(temporary.path, 'local-service'),
          'deploymentManager.localService.stepMilliseconds': 300,
        },
      }),
    );
    await workbench.page.locator('.part.activitybar').getByRole('tab', { name: words.container }).waitFor();
  });

  stepsOfOneJourney(() => workbench);

  const bar = () => page.locator('footer');
  const saved = () => readFile(path.join(folder, file), 'utf8');
  /** When the file was last written, in milliseconds since 1970. */
  const savedAt = async () => (await stat(path.join(folder, file))).mtimeMs;

  async function open(): Promise<void> {
    const item = workbench.page.getByRole('menuitem', { name: 'Deploy from File…', disabled: false });
    // A menu that opens before VS Code knows that it may trust the folder keeps the command disabled.
    await vi.waitFor(
      async () => {
        await workbench.page.keyboard.press('Escape');
        await workbench.row('Files Explorer', file).click({ button: 'right' });
        await item.waitFor({ timeout: 1_000 });
      },
      { timeout: 30_000 },
    );
    await workbench.chooseFromMenu('Deploy from File…');
    page = await workbench.webview();
    await page.getByRole('heading', { level: 1 }).waitFor();
  }

  /** Shows another file, and the page again: a hidden one is gone. */
  async function leaveAndReturn(): Promise<void> {
    await workbench.row('Files Explorer', 'graph.json').click();
    await workbench.page.locator('.monaco-editor').first().waitFor();
    await workbench.page.locator('.tab', { hasText: file }).click();
    page = await workbench.webview();
  }

  const part = () =>
    page.locator('details').filter({ has: page.locator('> summary', { hasText: words.page.tables.resources }) });

  async function openResources(): Promise<void> {
    if ((await part().getAttribute('open')) === null) await part().locator('> summary').click();
  }

  /** Lets the pause in typing, after which the page sends its input, never end. */
  const typeWithoutPause = () => page.evaluate(() => Object.assign(window, { setTimeout: () => 0 }));

  /** Waits until the tab is gone: VS Code then moves the focus, which closes a menu. */
  const isClosed = () => workbench.page.getByRole('tab', { name: file }).waitFor({ state: 'detached' });

  /** Expects no serious finding of axe in any theme, and takes a picture of each. */
  async function inEveryTheme(picture: string): Promise<void> {
    for (const theme of themes) {
      await workbench.useTheme(theme);
      // The hover of the tab would cover the page.
      await workbench.page.mouse.move(0, 0);
      expect(await seriousFindings(page), theme).toEqual([]);
      await workbench.screenshot(`${picture}-${theme.toLowerCase().replaceAll(' ', '-')}`);
    }
    await workbench.useTheme(themes[0]);
  }

  it('says what is missing with a button that helps, before there is a connection', async () => {
    await open();
    await page.getByText('This workspace has no connection yet.').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('</script><h2>first');
    expect(
      await bar()
        .getByRole('button', { name: /^Deploy/ })
        .count(),
    ).toBe(0);
    // The key that deploys leads to that button.
    await page.getByLabel('Name', { exact: true }).press('Control+Enter');
    await bar().getByText('Correct this error first:').waitFor();
    expect((await focused(page)).name).toBe('Use Local Service');
    await page.getByRole('button', { name: 'Use Local Service' }).click();
    await bar()
      .getByRole('button', { name: /^Deploy/ })
      .waitFor();
    await workbench.screenshot('deployment-page');
  });

  it('writes what is typed into the file, and is saved with it', async () => {
    await page.getByLabel('Name', { exact: true }).fill('paged');
    await page.getByLabel('Name', { exact: true }).press('Control+s');
    await expect.poll(saved).toBe('# Ours.\nname: paged # yet\n');
    await expect.poll(() => workbench.page.locator('.tab.dirty').count()).toBe(0);
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('paged');
  });

  it('sends what is being typed when the pointer leaves it for something else', async () => {
    const name = () => page.getByLabel('Name', { exact: true });
    await name().click();
    await typeWithoutPause();
    await name().fill('left');
    await workbench.row('Files Explorer', 'graph.json').hover();
    await workbench.page.locator('.tab.dirty').waitFor();
    await leaveAndReturn();
    await expect.poll(() => name().inputValue()).toBe('left');
    await name().fill('paged');
    await name().press('Control+s');
    await expect.poll(saved).toBe('# Ours.\nname: paged # yet\n');
    await expect.poll(() => workbench.page.locator('.tab.dirty').count()).toBe(0);
  });

  it('has what is being typed when the browser is reloaded', async () => {
    const name = () => page.getByLabel('Name', { exact: true });
    const cpu = () => page.locator('#deployment-0-field-cpu');
    for (const [field, typed, former] of [
      [name, 'reloaded', 'paged'],
      [cpu, '4', ''],
    ] as const) {
      await openResources();
      await typeWithoutPause();
      await field().fill(typed);
      await expect
        .poll(async () => filesWith(await folderOfDrafts(workbench, 'deployment-spec'), `"${typed}"`))
        .not.toEqual([]);
      await workbench.reload();
      await open();
      await openResources();
      await expect.poll(() => field().inputValue()).toBe(typed);
      await field().press('Control+z');
      await expect.poll(() => field().inputValue()).toBe(former);
      // VS Code would restore an unsaved change that it has kept meanwhile. Until the file is written, a save asks the
      // page for what is being typed, also where nothing is unsaved.
      const before = await savedAt();
      await field().press('Control+s');
      await expect.poll(savedAt).toBeGreaterThan(before);
      await expect.poll(() => workbench.page.locator('.tab.dirty').count()).toBe(0);
    }
  });

  it('has no serious finding of axe in any theme, also in a narrow window', async () => {
    await inEveryTheme('deployment-page');
    await workbench.page.setViewportSize({ width: 620, height: 700 });
    await expect.poll(() => layoutProblems(page)).toEqual([]);
    await workbench.screenshot('deployment-page-narrow');
    await workbench.page.setViewportSize({ width: 1280, height: 800 });
  });

  it('has the sections of the resource editor, which change the file one value at a time', async () => {
    const within = (id: string) => page.locator(`#deployment-0-${id}`);
    await openResources();
    const cpu = () => within('field-cpu');
    await cpu().fill('2');
    await cpu().press('Control+s');
    await expect.poll(saved).toBe('# Ours.\nname: paged # yet\nresources:\n  cpu: 2\n');
    await part().getByText('1 error').first().waitFor({ state: 'hidden' });
    await cpu().fill('-2');
    await page.getByRole('button', { name: 'Go to Main service: CPU request' }).click();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('deployment-0-field-cpu');
    await workbench.page.keyboard.press('Control+z');
    await expect.poll(() => cpu().inputValue()).toBe('2');

    await within('section-containers').locator('> summary').click();
    await page.getByRole('button', { name: words.form.items.asYaml(words.form.fields.sidecars) }).click();
    const sidecars = () => within('field-sidecars');
    await sidecars().fill('- name: proxy\n  image: [');
    await sidecars().blur();
    await bar().getByText('1 problem to correct').waitFor();
    // A page that is hidden, closed or reloaded is gone, and what it can't write into the file would be, too.
    await leaveAndReturn();
    await expect.poll(() => sidecars().inputValue()).toBe('- name: proxy\n  image: [');
    await sidecars().press('Control+w');
    await isClosed();
    await open();
    await expect.poll(() => sidecars().inputValue()).toBe('- name: proxy\n  image: [');
    await workbench.reloadByCommand();
    page = await titledFrame(workbench, `Deploy ${file}`);
    await expect.poll(() => sidecars().inputValue()).toBe('- name: proxy\n  image: [');
    expect(await saved()).not.toContain('sidecars');
    await part().locator('> summary').click();
    await bar()
      .getByRole('button', { name: /^Deploy/ })
      .click();
    await bar().getByRole('alert').getByText('Correct this error first:').waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('deployment-0-field-sidecars');
    await sidecars().fill('- name: proxy\n  image: registry.example/proxy:1.0');
    await sidecars().press('Control+s');
    const both = '  cpu: 2\n  sidecars:\n    - name: proxy\n      image: registry.example/proxy:1.0\n';
    await expect.poll(saved).toBe(`# Ours.\nname: paged # yet\nresources:\n${both}`);
    await inEveryTheme('deployment-page-resources');
    await cpu().fill('3');
    await cpu().press('Control+s');
    await expect.poll(saved).toContain('  cpu: 3\n');
    // A save that is still on its way would meet what is written to the disk below.
    await expect.poll(() => workbench.page.locator('.tab.dirty').count()).toBe(0);
    await page.getByText('proxy: registry.example/proxy:1.0').waitFor();
    await workbench.page.setViewportSize({ width: 620, height: 700 });
    await expect.poll(() => layoutProblems(page)).toEqual([]);
    await workbench.screenshot('deployment-page-resources-narrow');
    await workbench.page.setViewportSize({ width: 1280, height: 800 });
    await writeFile(path.join(folder, file), '# Ours.\nname: paged # yet\n');
    await expect.poll(() => cpu().inputValue()).toBe('');
  });

  it('keeps what the file can not take in its field, with the reason, until it is corrected', async () => {
    const before = await saved();
    await writeFile(path.join(folder, file), 'name: paged\nref: &branch main\nbuild_command: *branch\n');
    const branch = () => page.getByLabel(words.page.fields.branch, { exact: true });
    await expect.poll(() => branch().inputValue()).toBe('main');
    await branch().fill('next');
    const reason = page.locator('.field').getByText('This value is shared through the alias "branch".');
    await reason.waitFor();
    await bar().getByText('1 problem to correct').waitFor();
    await bar()
      .getByRole('button', { name: /^Deploy/ })
      .click();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-0-ref');
    await leaveAndReturn();
    await expect.poll(() => branch().inputValue()).toBe('next');
    const refused = page.locator('.field').getByText("This was typed before and isn't in the file.");
    await refused.waitFor();
    expect(await branch().getAttribute('aria-invalid')).toBe('true');
    await workbench.screenshot('deployment-page-refused');
    await writeFile(path.join(folder, file), `name: first\n---\n${await saved()}`);
    const sections = page.locator('.deployment');
    const branches = () => sections.getByLabel(words.page.fields.branch, { exact: true });
    await expect
      .poll(() => branches().evaluateAll((all: HTMLInputElement[]) => all.map(({ value }) => value)))
      .toEqual(['', 'next']);
    await refused.waitFor();
    await workbench.screenshot('deployment-page-moved');
    await writeFile(path.join(folder, file), 'name: corrected\nref: main\n');
    await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('corrected');
    await branch().fill('other');
    await branch().press('Control+s');
    await expect.poll(saved).toBe('name: corrected\nref: other\n');
    await refused.waitFor({ state: 'hidden' });
    await expect.poll(() => workbench.page.locator('.tab.dirty').count()).toBe(0);
    await writeFile(path.join(folder, file), before);
    await expect.poll(() => branch().inputValue()).toBe('');
  });

  it('has on top what several deployments share, and says which of them has failed, in any theme', async () => {
    const before = await saved();
    await writeFile(path.join(folder, file), `${before}---\nname: second\n`);
    const shared = () => page.getByRole('group').filter({ hasText: 'Shared by 2' });
    await shared().getByLabel(words.page.fields.branch, { exact: true }).fill('next');
    await page.locator(':focus').press('Control+s');
    await expect.poll(saved).toBe('# Ours.\nname: paged # yet\nref: next\n---\nname: second\nref: next\n');
    // VS Code drops what is to be saved while it is still saving.
    await workbench.page.locator('.tab.dirty').waitFor({ state: 'hidden' });
    await page.locator('summary', { hasText: words.page.tables.sharedResources }).click();
    await page.locator('#deployment-shared-field-cpu').fill('2');
    await page.locator(':focus').press('Control+s');
    const each = 'ref: next\nresources:\n  cpu: 2\n';
    await expect.poll(saved).toBe(`# Ours.\nname: paged # yet\n${each}---\nname: second\n${each}`);
    await workbench.screenshot('deployment-page-shared');
    const inShared = (id: string) => page.locator(`#deployment-shared-${id}`);
    await inShared('section-containers').locator('> summary').click();
    await inShared('section-containers')
      .getByRole('button', { name: words.form.items.asYaml(words.form.fields.sidecars) })
      .click();
    await inShared('field-sidecars').fill('- name: [');
    await inShared('field-sidecars').blur();
    // While it is saving, VS Code misses that the file changes.
    await workbench.page.locator('.tab.dirty').waitFor({ state: 'hidden' });
    // What is not finished waits for its field while the deployments have different resources.
    await writeFile(path.join(folder, file), `${before}${each}---\nname: second\nresources:\n  cpu: 4\n`);
    await inShared('field-sidecars').waitFor({ state: 'detached' });
    await leaveAndReturn();
    await shared().getByText('different for each').first().waitFor({ state: 'attached' });
    await writeFile(path.join(folder, file), `${before}${each}---\nname: second\n${each}`);
    await expect.poll(() => inShared('field-sidecars').inputValue()).toBe('- name: [');
    await inShared('field-sidecars').fill('');
    await inShared('field-sidecars').blur();
    await writeFile(path.join(folder, file), `${before}---\nname: second\nconfig: broken.json\n`);
    const second = page.locator('.deployment').last();
    // Before, the page would deploy nothing, because its file has just changed.
    const config = second.getByLabel(words.page.fields.configFile, { exact: true });
    await expect.poll(() => config.inputValue()).toBe('broken.json');
    // What is checked only after the button is pressed would keep it from deploying.
    await second.locator('.finding').getByText("broken.json can't be used").first().waitFor();
    await second
      .locator('.deployment-head')
      .getByRole('button', { name: /^Deploy/ })
      .click();
    await second.getByRole('listitem').filter({ hasText: words.status.buildFailed }).waitFor({ timeout: 60_000 });
    await inEveryTheme('deployment-page-several');
    await git(folder, 'checkout', '--quiet', '--', 'README.md');
    // What is deployed is shown in the view.
    await workbench.openContainer('Explorer');
    await writeFile(path.join(folder, file), before);
    await shared().waitFor({ state: 'hidden' });
  });

  it('leads from a finding to the table that it is about', async () => {
    const before = await saved();
    await writeFile(path.join(folder, file), `${before}secrets: { KEY: value }\n`);
    const link = page.getByRole('button', { name: `Go to ${words.page.tables.secrets}` });
    const table = () => page.evaluate(() => document.activeElement?.id);
    await link.click();
    expect(await table()).toMatch(/^table-\d+-secrets$/);
    // So does the button in place of the one that deploys.
    await page.getByLabel('Name', { exact: true }).focus();
    await bar().getByRole('button', { name: 'Show Problems' }).click();
    await bar().getByText('Correct this error first:').waitFor();
    expect(await table()).toMatch(/^table-\d+-secrets$/);
    await writeFile(path.join(folder, file), before);
    await link.waitFor({ state: 'hidden' });
  });

  it('lists in the bar the warnings that are deployed with, which may be out of sight', async () => {
    const before = await saved();
    await writeFile(path.join(folder, file), `${before}chart: none\n`);
    // Until it is checked again, the page has a warning about the text of the test before.
    await page.locator('.finding').getByText('"chart"').first().waitFor();
    await bar().getByRole('button', { name: 'Deploy with 1 Warning' }).waitFor();
    await bar().getByRole('button', { name: 'Show Problems' }).click();
    await workbench.screenshot('deployment-page-warnings');
    await bar().getByRole('button', { name: /chart/ }).click();
    expect((await focused(page)).name).toBe('Show in Text');
    await writeFile(path.join(folder, file), before);
    await bar().getByText('Warnings:').waitFor({ state: 'hidden' });
  });

  it('keeps what has the focus in sight when findings come above it', async () => {
    const before = await saved();
    // At the top of a page, the browser does not keep the place itself.
    await page.evaluate(() => {
      window.scrollTo(0, 0);
      const footer = document.querySelector('footer')!.getBoundingClientRect();
      const controls = Array.from(document.querySelectorAll<HTMLElement>('input, select, button'));
      const lowest = controls.findLast((control) => {
        const { top, bottom } = control.getBoundingClientRect();
        return control.checkVisibility() && top > 0 && bottom < footer.top;
      });
      lowest?.focus({ preventScroll: true });
    });
    const { name } = await focused(page);
    await writeFile(path.join(folder, file), `${before}secrets: { KEY: value }\nchart: none\n`);
    const link = page.getByRole('button', { name: `Go to ${words.page.tables.secrets}` });
    await link.waitFor();
    await expect.poll(() => focused(page)).toEqual({ name, isMarked: true, isInSight: true });
    await writeFile(path.join(folder, file), before);
    await link.waitFor({ state: 'hidden' });
  });

  it('deploys with two keys, and goes on to say how that ends', async () => {
    await workbench.page.keyboard.press('Control+w');
    await isClosed();
    await open();
    const keyboard = new CountingKeyboard(workbench.page);
    await expect.poll(async () => (await focused(page)).name).toMatch(/^Deploy/);
    await keyboard.press('Enter');
    await page.getByText(/is live/).waitFor({ timeout: 60_000 });
    expect(keyboard.presses).toBe(1);
    expect(await page.getByText(/is live/).evaluate((shown) => shown.getBoundingClientRect().top)).toBeGreaterThan(0);
    expect(await page.getByRole('listitem').filter({ hasText: 'Deployed' }).count()).toBeGreaterThan(0);
    await workbench.screenshot('deployment-page-live');
    const phases = () => page.locator('.steps li').allTextContents();
    const seen = await phases();
    // A browser's reload may come before VS Code has written down which tabs are open.
    await workbench.reloadByCommand();
    page = await workbench.webview();
    await page.getByText(/is live/).waitFor({ timeout: 60_000 });
    expect(await phases()).toEqual(seen);
    expect(seen.length).toBeGreaterThan(1);
  });
});
