import { beforeAll, describe, expect, it } from 'vitest';
import { commitFiles, createSampleRepository } from '../support/gitRepositories.ts';
import type { SampleRepository } from '../support/gitRepositories.ts';
import { startLocalService } from '../support/localService.ts';
import { advanceClock, createFromImage, createFromRepository, holdRevision } from '../support/serviceSeed.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { words } from '../support/words.ts';
import { enterKey } from './support/connection.ts';
import { failuresShowTheWindow } from './support/failures.ts';
import { opened } from './support/opened.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const { row, status, titles } = words;
const view = words.views.deployments;
const stepMs = 3_600_000;
const name = (end: string) => `customer-support-agent-${end}`;

describe('The deployments view', () => {
  const resources = opened();
  let sample: SampleRepository;
  let workbench: Workbench;

  beforeAll(async () => {
    const temporary = resources.use(await temporaryFolder());
    sample = await createSampleRepository(temporary.path);
    const service = resources.use(
      await startLocalService({ repositories: [sample.folder], stepMs, devControls: true }),
    );
    // Ahead of the editor's clock, which makes every age "now" and all pictures the same.
    await advanceClock(service, stepMs);
    await createFromRepository(service, name('europe'));
    await createFromImage(service, name('america'), { source_revision_config: { image_uri: 'Not an image' } });
    await advanceClock(service, 10 * stepMs);
    const moving = await createFromImage(service, name('asia'));
    await holdRevision(service, moving.latest_revision_id, 'BUILDING');
    workbench = resources.use(
      await openWorkbench({
        folder: sample.folder,
        theme: 'Dark Modern',
        settings: { 'deploymentManager.connections': [{ name: 'Test', baseUrl: service.url }] },
      }),
    );
    await workbench.openContainer(words.container);
    await enterKey(workbench, service.apiKey);
    await workbench.row(view, row.liveIsHead).waitFor();
  });

  failuresShowTheWindow(() => workbench);

  it('shows a row in full under the mouse, because a narrow view cuts it off', async () => {
    const america = workbench.row(view, /…merica/);
    await workbench.hover(america, name('america'));
    await workbench.hover(america, `${row.tooltipNow} ${status.buildFailed} · ${row.nothingLive} · ${row.now}`);
    await workbench.screenshot('browse-hover');
    await workbench.page.mouse.move(0, 0);
  });

  it("shows a row's menu with its links", async () => {
    const { page } = workbench;
    const entries = async () =>
      (await page.locator('.monaco-menu .action-label:not(.separator)').allInnerTexts()).map((entry) => entry.trim());
    const menuOf = async (label: RegExp) => {
      await workbench.row(view, label).click({ button: 'right' });
      await page.getByRole('menuitem', { name: titles.copy }).waitFor();
      return entries();
    };
    expect(await menuOf(/…merica/)).not.toContain(titles.openInBrowser);
    await page.keyboard.press('Escape');
    await page.locator('.monaco-menu').waitFor({ state: 'hidden' });
    const menu = await menuOf(/…europe/);
    expect(menu).toEqual(expect.arrayContaining([titles.openInBrowser, titles.showChangesSinceLive]));
    expect(menu).not.toContain(titles.openApplication);
    await workbench.chooseFromMenu(titles.openInBrowser);
    await expect.poll(entries).toEqual(expect.arrayContaining([titles.openApplication, titles.openRepository]));
    expect(await entries()).toHaveLength(menu.length + 2);
    await workbench.screenshot('browse-row-menu');
    // A menu that is still closing takes the key that would take the focus off the row, which shows buttons while it has it.
    await expect
      .poll(async () => {
        await page.keyboard.press('Escape');
        return page.locator('.monaco-menu, .monaco-list-row.focused, .monaco-list-row.selected').count();
      })
      .toBe(0);
  });

  it("shows the view's menu with what is about the connection below one entry", async () => {
    const { page } = workbench;
    const header = page.locator('.pane-header', { hasText: view });
    await header.hover();
    await header.getByRole('button', { name: /More Actions/ }).click();
    await workbench.chooseFromMenu(titles.activity);
    for (const title of [titles.showActivity, titles.showLog])
      await page.getByRole('menuitem', { name: title }).waitFor();
    await workbench.chooseFromMenu(titles.connection);
    await page.getByRole('menuitem', { name: titles.setApiKey }).waitFor();
    await page.getByRole('menuitem', { name: titles.useLocalService }).waitFor();
    await workbench.screenshot('browse-view-menu');
    await workbench.chooseFromMenu(titles.testConnection);
    // It is the connection in use, so nobody is asked which one is meant.
    await workbench.notification('"Test" works.');
  });

  /** Drags the edge of the sidebar. */
  async function widenTo(width: number): Promise<void> {
    const { page } = workbench;
    const sidebar = page.locator('.part.sidebar');
    const { x = 0, y = 0, width: before = 0, height = 0 } = (await sidebar.boundingBox()) ?? {};
    const middle = y + height / 2;
    await page.mouse.move(x + before, middle);
    await page.mouse.down();
    await page.mouse.move(x + width, middle, { steps: 5 });
    await page.mouse.up();
    await page.mouse.move(0, 0);
    await expect.poll(async () => (await sidebar.boundingBox())?.width).toBe(width);
  }

  /** The rows as far as they are inside the sidebar, beside the mark of what is cut off. */
  async function visibleRows(): Promise<string> {
    const rows = workbench.page.getByRole('tree', { name: view, exact: true }).locator('.monaco-icon-label-container');
    const texts = await rows.evaluateAll((containers) =>
      containers.map((container) => {
        const { right } = container.getBoundingClientRect();
        const isCut = container.scrollWidth > container.clientWidth;
        const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT);
        let seen = '';
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
          if (seen !== '') seen += ' ';
          for (let index = 0; index < (node.textContent ?? '').length; index += 1) {
            const range = document.createRange();
            range.setStart(node, index);
            range.setEnd(node, index + 1);
            if (range.getBoundingClientRect().right <= right - (isCut ? 13 : 0))
              seen += node.textContent?.[index] ?? '';
          }
        }
        return seen;
      }),
    );
    return texts.join('\n');
  }

  it.each([240, 300])(
    'in a sidebar of %i pixels shows the end of long names and the state beside them',
    async (width) => {
      await widenTo(width);
      await workbench.screenshot(`browse-narrow-${width}`);
      for (const shown of [
        `europe ${row.liveIsHead.slice(0, 9)}`,
        `t-asia ${status.building}`,
        `merica ${status.buildFailed.slice(0, 11)}`,
      ])
        await expect.poll(visibleRows).toMatch(new RegExp(`^cus…${shown}`, 'm'));
    },
  );

  it('in a sidebar of 300 pixels says how far the live revision is behind', async () => {
    await commitFiles(sample.folder, { 'notes.md': 'One.\n' }, 'Write one');
    await commitFiles(sample.folder, { 'notes.md': 'Two.\n' }, 'Write two');
    await expect.poll(visibleRows).toMatch(/^cus…europe 2 behind/m);
  });
});
