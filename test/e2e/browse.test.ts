import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitFiles, createSampleRepository, git } from '../support/gitRepositories.ts';
import type { SampleRepository } from '../support/gitRepositories.ts';
import { startLocalService } from '../support/localService.ts';
import type { RunningLocalService } from '../support/localService.ts';
import {
  advanceClock,
  afterPush,
  createFromImage,
  createFromRepository,
  holdRevision,
} from '../support/serviceSeed.ts';
import type { SeededDeployment } from '../support/serviceSeed.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../support/temporaryFolder.ts';
import { words } from '../support/words.ts';
import { failuresShowTheWindow } from './support/failures.ts';
import { storedState } from './support/storedState.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const view = words.views.deployments;
/** No revision moves unless its service's clock is advanced. */
const stepMs = 3_600_000;
const { row, status } = words;

describe('The deployments view', () => {
  let temporary: TemporaryFolder;
  let sample: SampleRepository;
  let service: RunningLocalService;
  let workbench: Workbench;
  let deployment: SeededDeployment;
  let moving: string;

  beforeAll(async () => {
    temporary = await temporaryFolder();
    sample = await createSampleRepository(temporary.path);
    service = await startLocalService({ repositories: [sample.folder], stepMs, devControls: true });
    // Ahead of the editor's clock, which makes every age "now" and all pictures the same.
    await advanceClock(service, stepMs);
    await createFromImage(service, 'archive-agent');
    await createFromImage(service, 'weather-agent');
    await createFromImage(service, 'broken-agent', { source_revision_config: { image_uri: 'Not an image' } });
    await createFromImage(service, 'router-agent');
    deployment = await createFromRepository(service, 'sample-agent');
    await advanceClock(service, 10 * stepMs);
    await commitFiles(sample.folder, { 'notes.md': 'Pushed.\n' }, 'Write notes');
    await git(sample.folder, 'push', '--quiet', 'origin', 'main');
    moving = await afterPush(service, deployment);
    await holdRevision(service, moving, 'BUILDING');
    await commitFiles(sample.folder, { 'more.md': 'Not pushed.\n' }, 'Write more');
    workbench = await openWorkbench({
      folder: sample.folder,
      theme: 'Dark Modern',
      settings: {
        'deploymentManager.pageSize': 3,
        'deploymentManager.connections': [{ name: 'Test', baseUrl: service.url }],
      },
    });
    await workbench.openContainer(words.container);
    await workbench.page.getByRole('button', { name: words.setApiKey }).click();
    await workbench.quickInput.answer(words.setApiKey, service.apiKey);
    await workbench.row(view, 'sample-agent').waitFor();
  });

  failuresShowTheWindow(() => workbench);

  afterAll(async () => {
    await workbench?.stop();
    await service?.stop();
    await temporary?.remove();
  });

  /** The rows, with what differs from run to run replaced by words. */
  async function rows(): Promise<string> {
    const picture = await workbench.tree(view);
    return picture
      .replaceAll(/\b[0-9a-f]{7}\b/g, 'COMMIT')
      .replaceAll(new RegExp(`${status.building} \\d+s`, 'g'), `${status.building} TIME`);
  }

  const heading = () => workbench.page.locator('.pane-header', { hasText: view }).first().innerText();

  /** The button in the title, which VS Code shows while the mouse is over the view. */
  const clearFilters = async () => {
    const header = workbench.page.locator('.pane-header', { hasText: view }).first();
    await header.hover();
    return header.getByRole('button', { name: words.clearFilters });
  };

  it('shows a row in full under the mouse, because a narrow view cuts it off', async () => {
    await workbench.row(view, 'broken-agent').hover();
    const hover = workbench.page.locator('.workbench-hover');
    // Between the words of a service stand blanks that do not break.
    const text = async () => (await hover.innerText()).replaceAll('\u00a0', ' ');
    await expect.poll(text).toContain(`${row.tooltipNow} ${status.buildFailed} · ${row.nothingLive} · ${row.now}\n`);
    await workbench.screenshot('browse-hover');
    await workbench.page.mouse.move(0, 0);
  });

  it('redraws only changed rows', async () => {
    await workbench.row(view, 'sample-agent').click();
    await expect.poll(rows).toContain(`- main @ COMMIT ${status.deployed} · `);
    await workbench.page.evaluate((name) => {
      const drawn = new Set<string>();
      Object.assign(globalThis, { drawn });
      const list = document.querySelector(`[role=tree][aria-label="${name}"]`);
      if (list === null) throw new Error('There is no tree.');
      const observer = new MutationObserver((changes) => {
        for (const { target } of changes) {
          const element = target instanceof Element ? target : target.parentElement;
          // What changes inside of the label is drawn; the row around it moves for other reasons.
          if (!element?.closest('.monaco-icon-label')) continue;
          drawn.add(element.closest('[role=treeitem]')?.getAttribute('aria-label')?.split(',')[0] ?? '');
        }
      });
      observer.observe(list, { subtree: true, childList: true, characterData: true });
    }, view);
    await holdRevision(service, moving, 'DEPLOYING');
    await workbench.runCommand(words.command('refresh'));
    await expect.poll(rows).toContain(`▾ sample-agent ${status.deploying}`);
    const drawn = await workbench.page.evaluate(() => [...Reflect.get(globalThis, 'drawn')]);
    expect(drawn.filter((name) => !/^(sample-agent|main @ [0-9a-f]{7})$/.test(name))).toEqual([]);
    expect(drawn).toContain('sample-agent');
  });

  it.for(['Light Modern', 'Dark High Contrast', 'Light High Contrast', 'Dark Modern'])(
    'is readable in %s',
    async (theme) => {
      await workbench.useTheme(theme);
      await workbench.screenshot(`browse-${theme.toLowerCase().replaceAll(' ', '-')}`);
    },
  );

  it('shows the changes of the working copy that are not live', async () => {
    await workbench.row(view, 'sample-agent').click();
    await workbench.runCommand(words.command('showChangesSinceLive'));
    await workbench.page
      .getByRole('tab', { name: new RegExp(words.changesSinceLive('sample-agent', '[0-9a-f]{7}')) })
      .waitFor();
    const files = workbench.page.locator('.multiDiffEditor .header .title');
    await expect.poll(async () => (await files.allInnerTexts()).join('\n')).toMatch(/more\.md[^]*notes\.md/);
    await workbench.screenshot('browse-changes-since-live');
  });

  it("shows a row's menu with its links", async () => {
    const { page } = workbench;
    const { titles } = words;
    const entries = async () =>
      (await page.locator('.monaco-menu .action-label:not(.separator)').allInnerTexts()).map((entry) => entry.trim());
    const menuOf = async (name: string) => {
      await workbench.row(view, name).click({ button: 'right' });
      await page.getByRole('menuitem', { name: titles.copy }).waitFor();
      return entries();
    };
    expect(await menuOf('router-agent')).not.toContain(titles.openInBrowser);
    await page.keyboard.press('Escape');
    const menu = await menuOf('sample-agent');
    expect(menu).toEqual(expect.arrayContaining([titles.openInBrowser, titles.showChangesSinceLive]));
    expect(menu).not.toContain(titles.openApplication);
    await workbench.chooseFromMenu(titles.openInBrowser);
    await expect.poll(entries).toEqual(expect.arrayContaining([titles.openApplication, titles.openRepository]));
    expect(await entries()).toHaveLength(menu.length + 2);
    await workbench.screenshot('browse-row-menu');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  });

  it("shows the view's menu with what is about the connection below one entry", async () => {
    const { page } = workbench;
    const { titles } = words;
    const header = page.locator('.pane-header', { hasText: view });
    await header.hover();
    await header.getByRole('button', { name: /More Actions/ }).click();
    for (const title of [titles.showActivity, titles.showLog])
      await page.getByRole('menuitem', { name: title }).waitFor();
    await workbench.chooseFromMenu(titles.connection);
    await page.getByRole('menuitem', { name: titles.setApiKey }).waitFor();
    await page.getByRole('menuitem', { name: titles.useLocalService }).waitFor();
    await workbench.screenshot('browse-view-menu');
    await page.getByRole('menuitem', { name: titles.testConnection }).click();
    // It is the connection in use, so nobody is asked which one is meant.
    await workbench.notification('"Test" works.');
  });

  it('remembers its filters after a reload, and clears them with a click', async () => {
    await workbench.runCommand(words.command('filterDeployments'));
    await workbench.quickInput.choose(words.filter.nameContains);
    await workbench.quickInput.answer(words.filter.nameContains, 'sample');
    await workbench.runCommand(words.command('filterRevisions'));
    await workbench.quickInput.box.locator('.quick-input-title', { hasText: words.filter.revisions }).waitFor();
    await workbench.quickInput.box.locator('.monaco-list-row', { hasText: 'DEPLOYED' }).click();
    await workbench.quickInput.accept();
    await expect.poll(rows).toMatch(/^▾ This Workspace\n {2}▸ sample-agent [^\n]*$/);
    await expect.poll(() => storedState(workbench.page)).toMatch(/filter:Test[^]*sample/);
    await expect.poll(() => storedState(workbench.page)).toMatch(/revisionFilter:Test[^]*DEPLOYED/);
    await workbench.reload();
    await workbench.openContainer(words.container);
    await expect.poll(rows).toMatch(/^▾ This Workspace\n {2}[▸▾] sample-agent /);
    await expect.poll(heading).toContain(`Test · "sample" · ${words.heading.revisions(status.deployed)} · 1`);
    expect(await rows()).not.toContain('router-agent');
    await (await clearFilters()).click();
    await expect.poll(rows).toContain('router-agent');
    expect(await heading()).toContain(`Test · ${words.heading.loaded(3)}`);
    await (await clearFilters()).waitFor({ state: 'detached' });
  });

  it('updates a details document after a reload with a hidden sidebar, until the revision is live', async () => {
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
    // VS Code writes down what is open and what is hidden when it ends normally.
    const loaded = workbench.page.waitForEvent('load');
    await workbench.runCommand('Developer: Reload Window');
    await loaded;
    await workbench.usable();
    await workbench.runCommand(words.command('openDetails'));
    await workbench.quickInput.choose('sample-agent');
    const text = async () =>
      (await workbench.page.locator('.editor-instance .view-lines').first().innerText()).replaceAll('\u00a0', ' ');
    await expect.poll(text).toContain('name: sample-agent');
    await holdRevision(service, moving, 'DEPLOYED');
    await expect.poll(text).toContain(`active_revision_id: ${moving}`);
    await workbench.screenshot('browse-details');
    expect(await workbench.page.getByRole('tree', { name: view }).isVisible()).toBe(false);
  });
});
