import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSampleRepository } from '../support/gitRepositories.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { words } from '../support/words.ts';
import { deploymentPage } from './support/deploymentPage.ts';
import type { DeploymentPage } from './support/deploymentPage.ts';
import { folderOfDrafts } from './support/files.ts';
import { focused, handNoFocusOn, layoutProblems, seriousFindings } from './support/form.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { opened } from './support/opened.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const view = words.views.deployments;
const title = words.page.titleOf('sample-agent');
const live = new RegExp(words.following.isLive('main @ [0-9a-f]{7}'));
const themes = ['Dark Modern', 'Light Modern', 'Dark High Contrast', 'Light High Contrast'] as const;

/** What somebody does who has just installed the extension. */
describe('The page of a new deployment', () => {
  const resources = opened();
  let workbench: Workbench;
  let page: DeploymentPage;

  beforeAll(async () => {
    const temporary = resources.use(await temporaryFolder());
    const { folder } = await createSampleRepository(temporary.path);
    workbench = resources.use(
      await openWorkbench({
        folder,
        theme: themes[0],
        machineSettings: {
          'deploymentManager.localService.dataFolder': path.join(temporary.path, 'local-service'),
          'deploymentManager.localService.stepMilliseconds': 300,
        },
      }),
    );
    await workbench.openContainer(words.container);
    await workbench.page.getByRole('button', { name: words.useLocalService }).click();
    await workbench.page.getByText(words.nothingDeployed).waitFor();
  });

  stepsOfOneJourney(() => workbench);

  const tabs = () => workbench.page.locator('.tabs-container .tab');
  const drafts = async () => readdir(await folderOfDrafts(workbench, 'deployment-spec'));

  it('opens at a click in the title of the view, with the focus on the button that deploys', async () => {
    const header = workbench.page.locator('.pane-header', { hasText: view }).first();
    await header.hover();
    await header.getByRole('button', { name: words.titles.deployCurrentRepository }).click();
    page = await deploymentPage(workbench, title);
    await expect.poll(async () => (await focused(page.frame)).name).toBe(words.page.deploy);
    await page.frame.locator('footer').getByText(`sample-agent to ${words.localService}`).waitFor();
    expect(await page.frame.getByRole('alert').count()).toBe(0);
    await workbench.screenshot('new-deployment');
  });

  it('has no serious finding of axe in any theme, also in a narrow window', async () => {
    for (const theme of themes) {
      await workbench.useTheme(theme);
      // The hover of the tab would cover the page.
      await workbench.page.mouse.move(0, 0);
      expect(await seriousFindings(page.frame), theme).toEqual([]);
      await workbench.screenshot(`new-deployment-${theme.toLowerCase().replaceAll(' ', '-')}`);
    }
    await workbench.useTheme(themes[0]);
    await workbench.page.setViewportSize({ width: 620, height: 700 });
    await expect.poll(() => layoutProblems(page.frame)).toEqual([]);
    await workbench.screenshot('new-deployment-narrow');
    await workbench.page.setViewportSize({ width: 1280, height: 800 });
  });

  it('is read from what will happen to the button that does it', async () => {
    const parts = page.frame.locator('h1, h2, h3, .deployment > ul, footer button');
    const order = await parts.evaluateAll((all) =>
      all.map((part) => (part instanceof HTMLUListElement ? part.className : part.textContent)),
    );
    const { secrets, resources } = words.page.tables;
    const wanted = [title, 'facts', 'findings', words.page.main, secrets, resources, words.page.deploy];
    expect(order.filter((part) => wanted.includes(part))).toEqual(wanted);
  });

  it('has the keyboard again after a list of VS Code, chosen from or left', async () => {
    const choose = page.frame.getByRole('button', { name: /^Choose….*Branch/ });
    const hasKeyboard = () =>
      choose.evaluate((button) => button.ownerDocument.hasFocus() && button === button.ownerDocument.activeElement);
    await handNoFocusOn(page.frame);
    await choose.focus();
    for (const key of ['Escape', 'Enter']) {
      await choose.press('Enter');
      await workbench.quickInput.row('main').waitFor();
      await workbench.page.keyboard.press(key);
      await workbench.quickInput.box.waitFor({ state: 'hidden' });
      await expect.poll(hasKeyboard).toBe(true);
    }
  });

  it('is closed without a question, and has what was typed again', async () => {
    await page.field(words.page.fields.name).fill('mine');
    await page.field(words.page.fields.name).press('Control+w');
    await expect.poll(() => tabs().count()).toBe(0);
    await workbench.runCommand(words.command('deployCurrentRepository'));
    page = await deploymentPage(workbench, words.page.titleOf('mine'));
    await page.frame.getByText(words.page.yourDraft).waitFor();
    expect(await page.field(words.page.fields.name).inputValue()).toBe('mine');
    await workbench.screenshot('new-deployment-continued');
  });

  it('is gone with what was typed once it is discarded', async () => {
    await page.button(words.page.discard).click();
    await workbench.page.locator('.monaco-dialog-box').getByRole('button', { name: words.page.discard }).click();
    await expect.poll(() => tabs().count()).toBe(0);
    await expect.poll(drafts).toEqual([]);
    await workbench.runCommand(words.command('deployCurrentRepository'));
    page = await deploymentPage(workbench, title);
    expect(await page.frame.getByText(words.page.yourDraft).count()).toBe(0);
    expect(await page.button(words.page.startOver).count()).toBe(0);
  });

  it('deploys at a click, goes on to say how that ends, and leaves nothing behind', async () => {
    await page.deploy.click();
    await page.frame.getByText(live).waitFor({ timeout: 60_000 });
    await workbench.screenshot('new-deployment-live');
    await workbench.row(view, words.row.liveIsHead).waitFor();
    expect(await drafts()).toHaveLength(1);
    await workbench.runCommand('View: Close Editor');
    await expect.poll(drafts).toEqual([]);
  });

  it('uploads a folder as it is on disk, and says what that takes before', async () => {
    // Where the name is taken, the page suggests another one.
    await workbench.runCommand(words.command('deployFolder'));
    page = await deploymentPage(workbench, words.page.titleOf('sample-agent-2'));
    await page.frame.getByText(words.page.uploads).waitFor();
    await expect.poll(async () => (await focused(page.frame)).name).toBe(words.page.deploy);
    expect(await seriousFindings(page.frame)).toEqual([]);
    await workbench.screenshot('folder');
    await page.deploy.click();
    await page.frame.getByText(new RegExp(words.following.isLive('upload [0-9a-f]{8}'))).waitFor({ timeout: 60_000 });
    await workbench.screenshot('folder-live');
    // The page of what was deployed gives way to the next one.
    const { frame } = page;
    await workbench.runCommand(words.command('deployFolder'));
    await expect.poll(() => frame.isDetached()).toBe(true);
    page = await deploymentPage(workbench, words.page.titleOf('sample-agent-2'));
    await expect.poll(async () => (await focused(page.frame)).name).toMatch(/^Deploy New Revision/);
    await workbench.runCommand('View: Close Editor');
    await expect.poll(drafts).toEqual([]);
  });
});
