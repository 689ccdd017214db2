import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitFiles, createSampleRepository } from '../support/gitRepositories.ts';
import type { SampleRepository } from '../support/gitRepositories.ts';
import { startLocalService } from '../support/localService.ts';
import type { RunningLocalService } from '../support/localService.ts';
import { advanceClock, createFromImage, createFromRepository, holdRevision } from '../support/serviceSeed.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../support/temporaryFolder.ts';
import { words } from '../support/words.ts';
import { failuresShowTheWindow } from './support/failures.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const { row, status, views } = words;
const view = views.deployments;
const stepMs = 3_600_000;
const name = (end: string) => `customer-support-agent-${end}`;

describe('A narrow sidebar', () => {
  let temporary: TemporaryFolder;
  let sample: SampleRepository;
  let service: RunningLocalService;
  let workbench: Workbench;

  beforeAll(async () => {
    temporary = await temporaryFolder();
    sample = await createSampleRepository(temporary.path);
    service = await startLocalService({ repositories: [sample.folder], stepMs, devControls: true });
    await advanceClock(service, stepMs);
    await createFromRepository(service, name('europe'));
    await createFromImage(service, name('america'), { source_revision_config: { image_uri: 'Not an image' } });
    await advanceClock(service, 10 * stepMs);
    const moving = await createFromImage(service, name('asia'));
    await holdRevision(service, moving.latest_revision_id, 'BUILDING');
    workbench = await openWorkbench({
      folder: sample.folder,
      theme: 'Dark Modern',
      settings: { 'deploymentManager.connections': [{ name: 'Test', baseUrl: service.url }] },
    });
    await workbench.openContainer(words.container);
    await workbench.page.getByRole('button', { name: words.setApiKey }).click();
    await workbench.quickInput.answer(words.setApiKey, service.apiKey);
    await workbench.row(view, row.liveIsHead).waitFor();
  });

  failuresShowTheWindow(() => workbench);

  afterAll(async () => {
    await workbench?.stop();
    await service?.stop();
    await temporary?.remove();
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

  it.each([
    [240, 'Dark Modern'],
    [300, 'Dark Modern'],
    [300, 'Light Modern'],
    [240, 'Light Modern'],
  ])('of %i pixels shows the end of long names and the state beside them, in %s', async (width, theme) => {
    await workbench.useTheme(theme);
    await widenTo(width);
    await workbench.screenshot(`narrow-${width}-${theme.toLowerCase().replaceAll(' ', '-')}`);
    const shown = await visibleRows();
    expect(shown).toMatch(new RegExp(`^cus…europe ${row.liveIsHead.slice(0, 9)}`, 'm'));
    expect(shown).toMatch(new RegExp(`^cus…t-asia ${status.building}`, 'm'));
    expect(shown).toMatch(new RegExp(`^cus…merica ${status.buildFailed.slice(0, 11)}`, 'm'));
  });

  it('says how far the live revision is behind, and has the whole name under the mouse', async () => {
    await commitFiles(sample.folder, { 'notes.md': 'One.\n' }, 'Write one');
    await commitFiles(sample.folder, { 'notes.md': 'Two.\n' }, 'Write two');
    await expect.poll(visibleRows).toMatch(/^cus…europe 2 behind/m);
    await workbench.row(view, /…europe/).hover();
    const hover = workbench.page.locator('.workbench-hover');
    await expect.poll(async () => (await hover.innerText()).replaceAll('\u00a0', ' ')).toContain(name('europe'));
    await workbench.screenshot('narrow-hover');
  });
});
