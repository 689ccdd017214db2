import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSampleRepository } from '../support/gitRepositories.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { words } from '../support/words.ts';
import { deploymentPage, titledFrame } from './support/deploymentPage.ts';
import type { DeploymentPage } from './support/deploymentPage.ts';
import { folderOfDrafts } from './support/files.ts';
import { holdMessages } from './support/form.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { opened } from './support/opened.ts';
import { storedState } from './support/storedState.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const small = 'small.resource-spec.yaml';
const day = 24 * 60 * 60_000;
/** The id of a draft that nobody came back to. */
const abandoned = '0b0c37af-1111-4222-8333-444455556666';
const halfway = '- name: "halfway';
/** The deployment to be whose page opens a form. */
const name = 'reloaded';
const title = words.page.titleOf(name);

describe('The life of a resource form', () => {
  const resources = opened();
  let folder: string;
  let workbench: Workbench;

  beforeAll(async () => {
    const temporary = resources.use(await temporaryFolder());
    ({ folder } = await createSampleRepository(temporary.path));
    await writeFile(path.join(folder, small), 'cpu: 2\n');
    workbench = resources.use(
      await openWorkbench({
        folder,
        theme: 'Dark Modern',
        // VS Code on the web saves automatically unless told not to.
        settings: { 'files.autoSave': 'off', 'files.trimTrailingWhitespace': true },
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

  const saved = () => readFile(path.join(folder, small), 'utf8');

  /** The ids of the drafts of forms. */
  const drafts = async () => readdir(await folderOfDrafts(workbench, 'resource-spec'));

  /** The file of the draft of a form. */
  async function fileOfDraft(): Promise<string> {
    const [id = ''] = await drafts();
    return path.join(await folderOfDrafts(workbench, 'resource-spec'), id, 'deployment.resource-spec.yaml');
  }

  /** What VS Code keeps of texts that are not saved. */
  async function backups(): Promise<string> {
    const backedUp = path.join(workbench.janitor.folder, 'vscode/data/User/Backups');
    const entries = await readdir(backedUp, { recursive: true, withFileTypes: true }).catch(() => []);
    const files = entries.filter((entry) => entry.isFile());
    return (await Promise.all(files.map((file) => readFile(path.join(file.parentPath, file.name), 'utf8')))).join();
  }

  const yamlOf = (form: Frame) => form.locator('#yaml').inputValue();

  /** Waits until the form with this title is on the screen. */
  const shown = (heading: string) => titledFrame(workbench, heading);

  /** Waits until the page of the draft shows resources. */
  async function resourcesAre(summary: string): Promise<DeploymentPage> {
    const page = await deploymentPage(workbench, title);
    await resourcesOf(page.frame).locator('> summary').getByText(summary).waitFor();
    return page;
  }

  const resourcesOf = (page: Frame) =>
    page.locator('details').filter({ has: page.locator('> summary', { hasText: words.page.tables.resources }) });

  async function openForm(): Promise<Frame> {
    await workbench.row('Files Explorer', small).click({ button: 'right' });
    await workbench.chooseFromMenu(words.titles.editResources);
    return shown(words.form.titleOf(small));
  }

  it('opens from the Explorer, and is saved by the save key with what was just typed', async () => {
    const form = await openForm();
    await form.locator('#field-min_scale').fill('3');
    await workbench.page.keyboard.press('Control+s');
    await expect.poll(saved).toBe('cpu: 2\nmin_scale: 3\n');
    // The file is there before the save has ended, and a save key until then is part of that save.
    await expect.poll(() => workbench.page.locator('.tab.dirty').count()).toBe(0);
    await form.locator('#field-max_scale').fill('4');
    await form.locator('#field-cpu').focus();
    await workbench.page.keyboard.press('Control+s');
    await expect.poll(saved).toBe('cpu: 2\nmin_scale: 3\nmax_scale: 4\n');
  });

  it('keeps what was just typed when it is closed by a key', async () => {
    const { page } = workbench;
    const form = await workbench.webview();
    // On a busy machine half a second can pass before the key, and VS Code then asks whether to save.
    const question = page.locator('.monaco-dialog-box');
    await page.addLocatorHandler(question, () => question.getByRole('button', { name: 'Cancel' }).click());
    await form.locator('#field-cpu').fill('25');
    await page.keyboard.press('Control+w');
    // VS Code opens what has unsaved changes again.
    await page.locator('.tab.dirty').click();
    await page.removeLocatorHandler(question);
    await page.keyboard.press('Control+s');
    await expect.poll(saved).toContain('cpu: 25\n');
    await expect.poll(() => page.locator('.tab.dirty').count()).toBe(0);
    await page.keyboard.press('Control+w');
    await expect.poll(() => page.locator('.tab').count()).toBe(0);
    await openForm();
  });

  it('shows at once what is typed in the text editor beside it, and leaves what is typed here alone', async () => {
    const form = await workbench.webview();
    await form.getByRole('button', { name: words.form.openInEditor }).click();
    const lines = workbench.page.locator('.editor-group-container .monaco-editor .view-lines').first();
    await lines.click();
    await workbench.page.keyboard.press('Control+End');
    await workbench.page.keyboard.type('memory_mb: 512\n');
    await expect.poll(() => form.locator('#field-memory_mb').inputValue()).toBe('512');
    const memory = form.locator('#field-memory_mb');
    await memory.focus();
    await workbench.page.keyboard.press('Home');
    await workbench.page.keyboard.type('1', { delay: 700 });
    await workbench.page.keyboard.type('2', { delay: 700 });
    await lines.getByText('memory_mb: 12512').waitFor();
    expect(await memory.inputValue()).toBe('12512');
    await workbench.screenshot('form-beside-text');
    await workbench.page.keyboard.press('Control+z');
    await lines.getByText('memory_mb: 1512').waitFor();
    await expect.poll(() => memory.inputValue()).toBe('1512');
    await workbench.page.keyboard.press('Control+s');
    await expect.poll(saved).toContain('memory_mb: 1512\n');
  });

  it('brings what was typed before it heard of a change from elsewhere into the newer text, once and in its order', async () => {
    const { page } = workbench;
    const form = await workbench.webview();
    await form.getByLabel(words.form.sideBySide).check();
    const text = await yamlOf(form);
    const channel = await holdMessages(form);
    const lines = page.locator('.editor-group-container .monaco-editor .view-lines').first();
    await lines.click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('# theirs\n');
    await lines.getByText('# theirs').waitFor();
    // VS Code undoes only in the group that has the focus, and misses that a page had lost it for a moment only.
    const group = page.locator('.editor-group-container').filter({ hasNot: page.locator('.monaco-editor') });
    await group.locator('.tab').first().click();
    await form.locator('#yaml').click();
    await expect.poll(() => page.locator('.editor-group-container.active .monaco-editor').count()).toBe(0);
    await form.locator('#yaml').fill(text.replace('memory_mb: 1512', 'memory_mb: 2512'));
    await form.locator('#field-cpu').fill('2500');
    await form.locator('#field-min_scale').focus();
    // It would undo what the other editor did.
    await page.keyboard.press('Control+z');
    await expect.poll(() => channel.types()).toContain('refused');
    await channel.release();
    const whole = (cpu: number) =>
      `# theirs\n${text.replace('memory_mb: 1512', 'memory_mb: 2512').replace('cpu: 25\n', `cpu: ${cpu}\n`)}`;
    await expect.poll(() => yamlOf(form)).toBe(whole(2500));
    await page.keyboard.press('Control+s');
    await expect.poll(saved).toBe(whole(2500));
    await page.keyboard.press('Control+z');
    await expect.poll(() => yamlOf(form)).toBe(whole(25));
    await form.locator('#yaml').fill(text);
    await form.getByRole('radio', { name: words.form.asForm }).check();
  });

  it('writes what it cannot read into the file as typed, and leads there from an action', async () => {
    const form = await workbench.webview();
    await form.locator('#section-containers > summary').click();
    await form.getByRole('button', { name: words.form.items.asYaml(words.form.fields.sidecars) }).click();
    await form.locator('#field-sidecars').fill(halfway);
    await form.locator('#section-containers').getByText(words.form.oneError).waitFor();
    await expect.poll(() => yamlOf(form)).toContain(`sidecars:\n  ${halfway}\n`);
    await workbench.page.keyboard.type('more');
    await workbench.page.keyboard.press('Control+z');
    expect(await form.locator('#field-sidecars').inputValue()).toBe(halfway);
    await form.getByRole('button', { name: words.form.use }).click();
    await form.getByRole('alert').getByText(words.form.correctFirst).waitFor();
    expect(await form.locator(':focus').getAttribute('id')).toBe('field-sidecars');
    await form.locator('#field-sidecars').fill(`${halfway}"\n  image: a`);
    await form.getByRole('alert').waitFor({ state: 'hidden' });
    await form.locator('#field-sidecars').fill('');
    await form.getByRole('button', { name: words.form.items.asList(words.form.fields.sidecars) }).click();
    await workbench.page.keyboard.press('Control+s');
    await expect.poll(saved).not.toContain('sidecars');
  });

  it('takes 2 CPU, 4 GB, 3 replicas, a claim mounted read-only and a sidecar with a variable, without YAML', async () => {
    const form = await workbench.webview();
    const { items } = words.form;
    const fill = async (id: string, text: string) => form.locator(`#field-${id}`).fill(text);
    await fill('min_scale', '3');
    await fill('max_scale', '3');
    await fill('cpu', '2');
    await fill('memory_mb', '4 GB');
    await form.locator('#section-volumes > summary').click();
    await form.getByRole('button', { name: items.addVolume }).click();
    await fill('volumes-0-name', 'models');
    await form.locator('#field-volumes-0-kind').selectOption('persistentVolumeClaim');
    await fill('volumes-0-persistentVolumeClaim-claimName', 'models-20gi');
    await form.getByRole('button', { name: items.addMount }).click();
    await form.locator('#field-volume_mounts-0-name').selectOption('models');
    await fill('volume_mounts-0-mountPath', '/models');
    await form.locator('#field-volume_mounts-0-readOnly').check();
    await form.getByRole('button', { name: items.addSidecar }).click();
    await fill('sidecars-0-name', 'proxy');
    await fill('sidecars-0-image', 'registry.example/proxy:1.0');
    await form.getByRole('button', { name: items.addVariable }).click();
    await form.getByLabel(items.variableName('Sidecar 1', 1)).fill('MODE');
    await form.getByLabel(items.variableValue('Sidecar 1', 1)).fill('strict');
    await form.getByRole('button', { name: items.remove('Sidecar 1, variable 1') }).click();
    await form.getByText(words.form.removed).waitFor();
    await form.getByRole('button', { name: words.form.undo }).click();
    await expect.poll(() => form.getByLabel(items.variableValue('Sidecar 1', 1)).inputValue()).toBe('strict');
    await workbench.screenshot('form-task');
    await workbench.page.keyboard.press('Control+s');
    const wanted = [
      'cpu: 2',
      'min_scale: 3',
      'max_scale: 3',
      'memory_mb: 4096',
      'volumes:',
      '  - name: models',
      '    persistentVolumeClaim:',
      '      claimName: models-20gi',
      'volume_mounts:',
      '  - name: models',
      '    mountPath: /models',
      '    readOnly: true',
      'sidecars:',
      '  - name: proxy',
      '    image: registry.example/proxy:1.0',
      '    env:',
      '      - name: MODE',
      '        value: strict',
      '',
    ];
    await expect.poll(saved).toBe(wanted.join('\n'));
  });

  it('comes back after a reload with what was not saved', async () => {
    const { page } = workbench;
    const form = await workbench.webview();
    await form.locator('#field-cpu').fill('7');
    await form.evaluate(() => window.scrollTo(0, 60));
    // VS Code backs a text up a second after its last change, and asks before a reload that would come sooner.
    await expect.poll(backups).toContain('cpu: 7\n');
    await workbench.reloadByCommand();
    const again = await shown(words.form.titleOf(small));
    await expect.poll(() => again.locator('#field-cpu').inputValue()).toBe('7');
    expect(await again.evaluate(() => window.scrollY)).toBe(60);
    expect(await saved()).not.toContain('cpu: 7');
    await again.locator('#field-cpu').focus();
    await page.keyboard.press('Control+s');
    await expect.poll(saved).toContain('cpu: 7\n');
  });

  it('leaves the resources of a draft to its page, which has the same sections', async () => {
    await workbench.openContainer(words.container);
    await workbench.page.getByRole('button', { name: words.useLocalService }).click();
    await workbench.page.getByRole('button', { name: words.deployCurrentRepository, exact: true }).waitFor();
    await workbench.runCommand(words.command('deployCurrentRepository'));
    const begun = await deploymentPage(workbench, words.page.titleOf('sample-agent'));
    await begun.field(words.page.fields.name).fill(name);
    const { frame } = await resourcesAre('default');
    await resourcesOf(frame).locator('> summary').click();
    await frame.locator('#deployment-0-field-memory_mb').fill('2048');
    const [id = ''] = await readdir(await folderOfDrafts(workbench, 'deployment-spec'));
    const file = path.join(await folderOfDrafts(workbench, 'deployment-spec'), id, 'sample-agent.deployment-spec.yaml');
    await expect.poll(() => readFile(file, 'utf8')).toContain('resources:\n  memory_mb: 2048\n');
    await resourcesOf(frame).locator('> summary').click();
    await resourcesAre('2048 MB');
  });

  it('is a draft that needs no saving, and goes on after a reload with its input', async () => {
    await workbench.runCommand(words.command('editResources'));
    const form = await shown(words.form.title);
    await form.locator('#field-memory_mb').fill('4096');
    await form.locator('#section-containers > summary').click();
    await form.getByRole('button', { name: words.form.items.asYaml(words.form.fields.sidecars) }).click();
    await form.locator('#field-sidecars').fill(halfway);
    const [id = ''] = await drafts();
    const file = await fileOfDraft();
    await expect.poll(() => readFile(file, 'utf8')).toBe(`memory_mb: 4096\nsidecars:\n  ${halfway}\n`);
    await form.getByLabel(words.form.sideBySide).check();
    const other = path.join(await folderOfDrafts(workbench, 'resource-spec'), abandoned);
    await mkdir(other);
    await utimes(other, new Date(), new Date(Date.now() - 31 * day));
    // A value in it may be a secret: the window keeps no word of it.
    expect(await storedState(workbench.page)).not.toContain('halfway');
    await workbench.reloadByCommand();
    const again = await shown(words.form.title);
    expect(await again.getByLabel(words.form.sideBySide).isChecked()).toBe(true);
    await again.getByText(words.form.fieldsLocked).waitFor();
    expect(await yamlOf(again)).toBe(`memory_mb: 4096\nsidecars:\n  ${halfway}\n`);
    await workbench.screenshot('form-locked');
    await again.locator('#yaml').fill('memory_mb: 4096\n');
    await expect.poll(() => readFile(file, 'utf8')).toBe('memory_mb: 4096\n');
    await expect.poll(drafts).toEqual([id]);
  });

  it('keeps the blank before the next word, which a save has removed from the file', async () => {
    const form = await workbench.webview();
    const file = await fileOfDraft();
    await form.locator('#yaml').fill('memory_mb: 4096\ncpu: ');
    await expect.poll(() => readFile(file, 'utf8')).toBe('memory_mb: 4096\ncpu:');
    await workbench.page.keyboard.type('2');
    await expect.poll(() => readFile(file, 'utf8')).toBe('memory_mb: 4096\ncpu: 2');
    await form.locator('#yaml').fill('memory_mb: 4096\n');
    await expect.poll(() => readFile(file, 'utf8')).toBe('memory_mb: 4096\n');
  });

  it('loses neither itself nor the draft of a page in a reload, and its resources are deployed', async () => {
    const form = await shown(words.form.title);
    await expect.poll(() => form.locator('#field-memory_mb').inputValue()).toBe('4096');
    await form.getByRole('button', { name: words.form.use }).click();
    await workbench.quickInput.choose(words.createFrom.openRepository);
    const page = await resourcesAre('4096 MB');
    await page.frame.getByText(words.page.yourDraft).waitFor();
    await workbench.screenshot('form-continued-draft');
    // The specs that were saved here aren't committed.
    await page.frame
      .getByText(/^Warning: /)
      .first()
      .waitFor();
    await page.deploy.click();
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
