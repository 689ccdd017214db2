import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createSampleRepository } from '../support/gitRepositories.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { words } from '../support/words.ts';
import { CountingKeyboard, focused, layoutProblems, seriousFindings } from './support/form.ts';
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
    await writeFile(path.join(folder, file), '# Ours.\nname: first # yet\n');
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

  it('says what is missing with a button that helps, before there is a connection', async () => {
    await open();
    await page.getByText('This workspace has no connection yet.').waitFor();
    expect(
      await bar()
        .getByRole('button', { name: /^Deploy/ })
        .count(),
    ).toBe(0);
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

  it('has no serious finding of axe in any theme, also in a narrow window', async () => {
    for (const theme of themes) {
      await workbench.useTheme(theme);
      expect(await seriousFindings(page), theme).toEqual([]);
      await workbench.screenshot(`deployment-page-${theme.toLowerCase().replaceAll(' ', '-')}`);
    }
    await workbench.useTheme(themes[0]);
    await workbench.page.setViewportSize({ width: 620, height: 700 });
    await expect.poll(() => layoutProblems(page)).toEqual([]);
    await workbench.screenshot('deployment-page-narrow');
    await workbench.page.setViewportSize({ width: 1280, height: 800 });
  });

  it('has on top what several deployments share, which changes for all at once', async () => {
    const before = await saved();
    await writeFile(path.join(folder, file), `${before}---\nname: second\n`);
    const shared = page.getByRole('group').filter({ hasText: 'For All 2' });
    await shared.getByLabel(words.page.fields.branch, { exact: true }).fill('next');
    await page.locator(':focus').press('Control+s');
    await expect.poll(saved).toBe('# Ours.\nname: paged # yet\nref: next\n---\nname: second\nref: next\n');
    expect(await seriousFindings(page)).toEqual([]);
    await workbench.screenshot('deployment-page-several');
    await writeFile(path.join(folder, file), before);
    await shared.waitFor({ state: 'hidden' });
  });

  it('deploys with two keys, and goes on to say how that ends', async () => {
    await workbench.page.keyboard.press('Control+w');
    await open();
    const keyboard = new CountingKeyboard(workbench.page);
    await expect.poll(async () => (await focused(page)).name).toMatch(/^Deploy/);
    await keyboard.press('Enter');
    await page.getByText(/is live/).waitFor({ timeout: 60_000 });
    expect(keyboard.presses).toBe(1);
    expect(await page.getByText(/is live/).evaluate((shown) => shown.getBoundingClientRect().top)).toBeGreaterThan(0);
    expect(await page.getByRole('listitem').filter({ hasText: 'Deployed' }).count()).toBeGreaterThan(0);
    await workbench.screenshot('deployment-page-live');
  });
});
