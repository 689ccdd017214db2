import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSampleRepository } from '../support/gitRepositories.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { words } from '../support/words.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { opened } from './support/opened.ts';
import { storedState } from './support/storedState.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const [small, other] = ['small.resource-spec.yaml', 'other.resource-spec.yaml'];
const day = 24 * 60 * 60_000;
/** The id of a form that nobody came back to. */
const abandoned = '0b0c37af-1111-4222-8333-444455556666';
const halfway = '- name: "halfway';
/** The deployment for which a review has a form. */
const name = 'reloaded';
const deploy = words.review.deploy(name, words.localService);

/** Forms and the documents of their files as tabs of one group, so only one of them is on the screen. */
describe('The life of a resource form', () => {
  const resources = opened();
  let folder: string;
  let workbench: Workbench;
  /** The YAML of the form of the small file while it has more than its file. */
  let unsaved: string;

  beforeAll(async () => {
    const temporary = resources.use(await temporaryFolder());
    ({ folder } = await createSampleRepository(temporary.path));
    for (const name of [small, other]) await writeFile(path.join(folder, name), 'cpu: 2\n');
    workbench = resources.use(
      await openWorkbench({
        folder,
        theme: 'Dark Modern',
        // VS Code on the web saves automatically unless told not to.
        settings: { 'files.autoSave': 'off' },
        machineSettings: {
          'deploymentManager.localService.dataFolder': path.join(temporary.path, 'local-service'),
          'deploymentManager.localService.stepMilliseconds': 100,
        },
      }),
    );
    // The menu has no entries of the extension before VS Code knows it.
    await workbench.page.locator('.part.activitybar').getByRole('tab', { name: words.container }).waitFor();
  });

  stepsOfOneJourney(() => workbench);

  const saved = (name: string) => readFile(path.join(folder, name), 'utf8');

  /** Where the extension keeps the forms of this workspace. */
  async function folderOfForms(): Promise<string> {
    const storage = path.join(workbench.janitor.folder, 'vscode/data/User/workspaceStorage');
    const [workspace = ''] = await readdir(storage);
    return path.join(storage, workspace, 'deployment-manager.deployment-manager/resource-spec');
  }

  const yamlOf = (form: Frame) => form.locator('#yaml').inputValue();
  const tab = (name: string) => workbench.page.getByRole('tab', { name, exact: true });

  /** Waits until the form with this title is on the screen. */
  async function shown(title: string): Promise<Frame> {
    await expect.poll(async () => (await workbench.webview()).locator('h1').innerText()).toBe(title);
    return workbench.webview();
  }

  async function show(title: string): Promise<Frame> {
    await tab(title).click();
    return shown(title);
  }

  /** Adds a line to the document that is on the screen. */
  async function typeLine(line: string): Promise<void> {
    await workbench.page.locator('.editor-group-container .monaco-editor .view-lines').first().click();
    await workbench.page.keyboard.press('Control+End');
    await workbench.page.keyboard.type(`${line}\n`);
  }

  it('opens from the Explorer, and saves its file with the button and the save key', async () => {
    await workbench.row('Files Explorer', small).click({ button: 'right' });
    await workbench.chooseFromMenu(words.titles.editResources);
    const form = await shown(words.form.titleOf(small));
    await form.locator('#field-min_scale').fill('3');
    await form.getByRole('button', { name: words.form.save, exact: true }).click();
    const status = form.getByText(words.form.saved(small));
    await status.waitFor();
    expect(await saved(small)).toBe('cpu: 2\nmin_scale: 3\n');
    await form.locator('#field-max_scale').fill('4');
    // What is typed now is not saved.
    expect(await status.count()).toBe(0);
    await workbench.page.keyboard.press('Control+s');
    await expect.poll(() => saved(small)).toBe('cpu: 2\nmin_scale: 3\nmax_scale: 4\n');
  });

  it('leads from the save key to the error that prevents saving', async () => {
    const form = await workbench.webview();
    await form.getByLabel(words.form.sideBySide).check();
    await form.locator('#section-containers summary').click();
    await form.locator('#field-sidecars').fill(halfway);
    await form.locator('#section-containers').getByText(words.form.oneError).waitFor();
    await form.getByText(words.form.yamlLockedBy(words.form.fields.sidecars)).waitFor();
    await form.locator('#field-cpu_limit').fill('4');
    await workbench.page.keyboard.press('Control+s');
    await form.getByRole('alert').getByText(words.form.correctFirst).waitFor();
    expect(await form.locator(':focus').getAttribute('id')).toBe('field-sidecars');
    expect(await saved(small)).toBe('cpu: 2\nmin_scale: 3\nmax_scale: 4\n');
    unsaved = await yamlOf(form);
    expect(unsaved).toContain('cpu_limit: 4\n');
  });

  it('takes over a document that was saved while it was hidden, and offers an undo', async () => {
    await workbench.row('Files Explorer', small).dblclick();
    await typeLine('memory_mb: 512');
    await workbench.page.keyboard.press('Control+s');
    const text = 'cpu: 2\nmin_scale: 3\nmax_scale: 4\nmemory_mb: 512\n';
    await expect.poll(() => saved(small)).toBe(text);
    const form = await show(words.form.titleOf(small));
    await form.getByText(words.form.takenOver(small)).waitFor();
    expect(await yamlOf(form)).toBe(text);
    expect(await form.locator('#field-sidecars').inputValue()).toBe('');
    await workbench.screenshot('form-taken-over');
    await form.getByRole('button', { name: words.form.undo }).click();
    expect(await yamlOf(form)).toBe(unsaved);
    expect(await form.locator('#field-sidecars').inputValue()).toBe(halfway);
  });

  it('is opened by a review for its resources', async () => {
    const { quickInput } = workbench;
    await workbench.openContainer(words.container);
    await workbench.page.getByRole('button', { name: words.useLocalService }).click();
    await workbench.page.getByRole('button', { name: words.deployCurrentRepository, exact: true }).waitFor();
    await workbench.runCommand(words.command('deployCurrentRepository'));
    await quickInput.row(words.review.deploy('sample-agent', words.localService)).waitFor();
    await quickInput.choose(words.review.fields.name);
    await quickInput.answer(words.deployCurrentRepository, name);
    await quickInput.row(deploy).waitFor();
    await quickInput.fill(words.review.fields.resources);
    await quickInput.choose(words.review.fields.resources);
    await (await shown(words.form.titleOfReview(name))).locator('#field-memory_mb').fill('4096');
  });

  it('goes on after a reload with its input, and with a file that was written before it was shown', async () => {
    await workbench.openContainer('Explorer');
    await workbench.row('Files Explorer', other).dblclick();
    await workbench.page.locator('.editor-actions').getByRole('button', { name: words.titles.editResources }).click();
    expect(await yamlOf(await shown(words.form.titleOf(other)))).toBe('cpu: 2\n');
    // What is in front at the reload is shown after it at once.
    await tab(other).click();
    await workbench.page.locator('.editor-group-container .monaco-editor .view-lines').first().waitFor();
    const forms = await folderOfForms();
    const kept = await readdir(forms);
    await mkdir(path.join(forms, abandoned));
    await utimes(path.join(forms, abandoned), new Date(), new Date(Date.now() - 31 * day));
    await workbench.reloadByCommand();
    await writeFile(path.join(folder, other), 'cpu: 2\nmax_scale: 7\n');
    const changed = await show(words.form.titleOf(other));
    await expect.poll(() => yamlOf(changed)).toBe('cpu: 2\nmax_scale: 7\n');
    const form = await show(words.form.titleOf(small));
    await expect.poll(() => form.locator('#field-sidecars').inputValue()).toBe(halfway);
    expect(await yamlOf(form)).toBe(unsaved);
    expect(await form.getByLabel(words.form.sideBySide).isChecked()).toBe(true);
    await expect.poll(async () => (await readdir(forms)).toSorted()).toEqual(kept.toSorted());
    // A value in it may be a secret: the window keeps which form it is, and no word of it.
    expect(await storedState(workbench.page)).not.toContain('halfway');
  });

  it('loses neither itself nor the review that opened it in a reload, and its resources are deployed', async () => {
    const { quickInput } = workbench;
    const form = await show(words.form.titleOfReview(name));
    await expect.poll(() => form.locator('#field-memory_mb').inputValue()).toBe('4096');
    await form.getByRole('button', { name: words.form.use }).click();
    await quickInput.choose(words.createFrom.openRepository);
    await quickInput.choose(new RegExp(words.review.continuePrefix));
    await quickInput.row(deploy).waitFor();
    await quickInput.fill(words.review.fields.resources);
    await expect
      .poll(async () => (await quickInput.rows()).join('\n'))
      .toMatch(new RegExp(`^${words.review.fields.resources} .*4096 MB.*${words.review.from.form}$`, 'm'));
    await workbench.screenshot('form-continued-review');
    await quickInput.fill(words.review.deployPrefix(name));
    await quickInput.choose(deploy);
    // The specs that were saved here aren't committed.
    await quickInput.choose(words.review.deployAnyway);
    await workbench.openContainer(words.container);
    await workbench.row(words.views.deployments, words.row.live('')).waitFor();
  });

  it('shows the resources of that deployment as read-only', async () => {
    await workbench.row(words.views.deployments, name).click({ button: 'right' });
    await workbench.chooseFromMenu(words.titles.logsAndResources);
    await workbench.chooseFromMenu(words.titles.showResources);
    const form = await shown(words.form.readOnlyTitleOf(name));
    await form.getByText(words.form.cannotChange).waitFor();
    expect(await form.locator('#field-memory_mb').inputValue()).toBe('4096');
    expect(await form.locator('#field-memory_mb').getAttribute('readonly')).toBe('');
    expect(await form.getByRole('button', { name: words.form.use }).count()).toBe(0);
    await workbench.screenshot('form-read-only');
  });
});
