import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSampleRepository } from '../support/gitRepositories.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../support/temporaryFolder.ts';
import { words } from '../support/words.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const themes = ['Dark Modern', 'Light Modern', 'Dark High Contrast', 'Light High Contrast'] as const;

const { fields, sections } = words.form;

const volume = '- name: config\n  configMap:\n    name: agent-config\n    defaultMode: 0644';
const sidecar = '- name: proxy\n  image: registry.example/proxy:1.0\n  resources:\n    limits:\n      memory: 64Mi';

/** The YAML that the form holds. */
const yamlOf = (form: Frame) => form.locator('#yaml').inputValue();

/** Unfolds a section when it is folded. */
async function unfold(form: Frame, title: string): Promise<void> {
  const details = form.locator('details', { has: form.getByRole('heading', { name: title, exact: true }) });
  if ((await details.getAttribute('open')) === null) await details.locator('summary').click();
}

/** What axe finds serious or worse in the form. */
async function seriousFindings(form: Frame): Promise<string[]> {
  await form.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  return form.evaluate(`axe.run(document).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`);
}

describe('The resource form', () => {
  let temporary: TemporaryFolder;
  let folder: string;
  let workbench: Workbench;
  const refusals: string[] = [];

  beforeAll(async () => {
    temporary = await temporaryFolder();
    ({ folder } = await createSampleRepository(temporary.path));
    workbench = await openWorkbench({ folder, theme: themes[0], settings: { 'files.simpleDialog.enable': true } });
    // The palette has no commands of the extension before VS Code knows it.
    await workbench.page.locator('.part.activitybar').getByRole('tab', { name: words.container }).waitFor();
    workbench.page.on('console', (message) => {
      if (/content security policy/i.test(message.text())) refusals.push(message.text());
    });
  });

  stepsOfOneJourney(() => workbench);

  afterAll(async () => {
    await workbench?.stop();
    await temporary?.remove();
  });

  it('opens empty, and accepts two replicas with 1.5 cores, 4 GB, a volume and a sidecar', async () => {
    await workbench.runCommand(words.command('editResources'));
    const form = await workbench.webview();
    await form.getByRole('heading', { name: words.form.title, level: 1 }).waitFor();
    // A screen reader hears the same words: nobody is told that nothing is reserved.
    const totals = form.getByRole('status').filter({ hasText: words.form.atMinimumScale });
    await expect
      .poll(() => totals.locator('dd').allInnerTexts())
      .toEqual(Array.from({ length: 3 }, () => words.form.serviceDefault));
    await workbench.screenshot('form-empty');
    // What a preset means is seen with the mouse and with the keyboard, and heard always.
    await form.getByRole('button', { name: words.form.presetMeans }).hover();
    await workbench.screenshot('form-preset-hover');
    await form.getByLabel(fields.minScale).first().fill('2');
    await form.getByLabel(fields.maxScale).first().fill('2');
    await form.getByLabel(fields.cpu).first().fill('1.5');
    await form.getByLabel(fields.memory).first().fill('4 GB');
    await unfold(form, sections.volumes);
    await form.locator('#field-volumes').fill(volume);
    expect(await form.getByLabel(fields.memory).first().inputValue()).toBe('4096');
    await form.locator('#field-volume_mounts').fill('- name: config\n  mountPath: /etc/agent');
    await unfold(form, sections.containers);
    await form.locator('#field-sidecars').fill(sidecar);
    expect(await yamlOf(form)).toBe(
      'min_scale: 2\nmax_scale: 2\ncpu: 1.5\nmemory_mb: 4096\n' +
        'volumes:\n  - name: config\n    configMap:\n      name: agent-config\n      defaultMode: 0644\n' +
        'volume_mounts:\n  - name: config\n    mountPath: /etc/agent\n' +
        'sidecars:\n  - name: proxy\n    image: registry.example/proxy:1.0\n    resources:\n      limits:\n        memory: 64Mi\n',
    );
    // The sidecar says no request, so its limit is reserved too.
    await form
      .getByText(`${words.form.cores(3)}, 8320 MB`)
      .first()
      .waitFor();
    await form.getByText(words.form.containersAdd('64 MB')).waitFor();
    await form.getByText(words.form.notCounted).waitFor();
    await workbench.screenshot('form-filled');
  });

  it('reports errors, leads the user to the first one, and clears it once fixed', async () => {
    const form = await workbench.webview();
    await form.locator('#field-cpu_limit').fill('1');
    await form.getByText(words.form.limitBelowRequest(1, 1.5)).first().waitFor();
    await form.getByRole('button', { name: words.form.use }).click();
    await form.getByRole('alert').getByText(words.form.correctFirst).waitFor();
    expect(await form.locator(':focus').getAttribute('id')).toBe('field-cpu_limit');
    expect(await form.locator('#field-cpu_limit').getAttribute('aria-invalid')).toBe('true');
    await workbench.screenshot('form-error');
    await form.locator('#field-cpu_limit').fill('2');
    await form.getByRole('alert').waitFor({ state: 'hidden' });
  });

  it('shows the same spec as fields and YAML, and locks the fields while the YAML is invalid', async () => {
    const form = await workbench.webview();
    await form.getByLabel(words.form.sideBySide).check();
    const text = await yamlOf(form);
    await form.locator('#yaml').fill(`# kept\n${text.replace('cpu: 1.5', 'cpu: [')}`);
    await form.getByText(words.form.fieldsLocked).waitFor();
    expect(await form.locator('#field-memory_mb').getAttribute('readonly')).toBe('');
    await workbench.screenshot('form-broken-yaml');
    await form.locator('#yaml').fill(`# kept\n${text.replace('cpu: 1.5', 'cpu: 1.25  # tuned')}`);
    await expect.poll(() => form.locator('#field-cpu').inputValue()).toBe('1.25');
    await form.locator('#field-cpu').fill('1.75');
    expect(await yamlOf(form)).toBe(`# kept\n${text.replace('cpu: 1.5', 'cpu: 1.75  # tuned')}`);
  });

  it.each(themes)('has no serious accessibility problem in %s', async (theme) => {
    if (theme !== themes[0]) await workbench.useTheme(theme);
    const form = await workbench.webview();
    await form.locator('#field-cpu').fill('abc');
    await form.getByRole('button', { name: words.form.use }).click();
    expect(await seriousFindings(form)).toEqual([]);
    await workbench.screenshot(`form-${theme.toLowerCase().replaceAll(' ', '-')}`);
    await form.locator('#field-cpu').fill('1.75');
  });

  it('fits a narrow editor and a zoom of 200 %', async () => {
    await workbench.page.setViewportSize({ width: 640, height: 400 });
    const form = await workbench.webview();
    await expect
      .poll(() => form.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'))
      .toBe(0);
    await workbench.screenshot('form-narrow');
    await workbench.page.setViewportSize({ width: 1280, height: 800 });
  });

  it('moves nothing if the system or VS Code asks for reduced motion', async () => {
    const form = await workbench.webview();
    const turning = () =>
      form
        .locator('.icon-arrow')
        .first()
        .evaluate((arrow) => getComputedStyle(arrow).transitionDuration);
    const setClass = (isOn: boolean) =>
      form.evaluate((on) => document.body.classList.toggle('vscode-reduce-motion', on), isOn);
    await workbench.page.emulateMedia({ reducedMotion: 'no-preference' });
    await setClass(false);
    await expect.poll(turning).toBe('0.1s');
    await setClass(true);
    expect(await turning()).toBe('0s');
    await setClass(false);
    await workbench.page.emulateMedia({ reducedMotion: 'reduce' });
    await expect.poll(turning).toBe('0s');
    await workbench.page.emulateMedia({ reducedMotion: null });
  });

  it('offers no undo after an edit of the YAML, which would be lost', async () => {
    const form = await workbench.webview();
    const text = await yamlOf(form);
    await form.getByRole('button', { name: words.form.presets.medium }).click();
    await form.getByText(`${words.form.startedFrom} ${words.form.presets.medium}`).waitFor();
    await form.locator('#yaml').fill(text);
    await workbench.screenshot('form-preset-edited');
    expect(await form.getByText(words.form.startedFrom).count()).toBe(0);
    expect(await form.getByRole('button', { name: words.form.undo }).count()).toBe(0);
  });

  it('ignores foreign messages, and shows markup in values as text', async () => {
    const form = await workbench.webview();
    const text = await yamlOf(form);
    await form.evaluate(`
      postMessage({ type: 'replace', text: 7, from: 'x' }, '*');
      postMessage({ type: 'setup' }, '*');
      postMessage('<img src=x onerror=alert(1)>', '*');
      dispatchEvent(new MessageEvent('message', {
        origin: 'https://foreign.example', data: { type: 'replace', text: 'cpu: 7', from: 'afar' },
      }));
      postMessage({ type: 'replace', text: 'cpu: 9', from: '<img id=markup>' }, '*');`);
    await form.getByText(words.form.takenOver('<img id=markup>')).waitFor();
    expect(await form.locator('#markup').count()).toBe(0);
    await form.getByRole('button', { name: words.form.undo }).click();
    expect(await yamlOf(form)).toBe(text);

    await form.locator('#yaml').fill('labels:\n  team: <script id=markup></script>\n<b id=markup>: 1\n');
    await form.getByText(words.form.unknownField('<b id=markup>')).first().waitFor();
    await unfold(form, sections.metadata);
    expect(await form.getByLabel(words.form.labels.value(1)).inputValue()).toBe('<script id=markup></script>');
    expect(await form.locator('#markup').count()).toBe(0);
    await form.locator('#yaml').fill(text);
  });

  it('is saved as a spec file, and takes over the text of the document', async () => {
    const form = await workbench.webview();
    const text = await yamlOf(form);
    const save = form.getByRole('button', { name: words.form.save, exact: true });
    expect(await save.isVisible()).toBe(false);
    await form.getByRole('button', { name: words.form.saveAs }).click();
    const name = workbench.quickInput.box.locator('input.input');
    await expect.poll(() => name.inputValue()).toContain(words.form.fileName);
    await workbench.quickInput.fill(path.join(folder, 'large.resource-spec.yaml'));
    await workbench.quickInput.box.getByRole('button', { name: 'OK' }).click();
    await form.getByText(words.form.saved('large.resource-spec.yaml')).waitFor();
    expect(await readFile(path.join(folder, 'large.resource-spec.yaml'), 'utf8')).toBe(text);
    await save.waitFor();

    await form.getByRole('button', { name: words.form.openInEditor }).click();
    const editor = workbench.page.locator('.editor-group-container .monaco-editor').first();
    await editor.click();
    await workbench.page.keyboard.press('Control+End');
    await workbench.page.keyboard.type('db_storage_gi: 20');
    await workbench.page.keyboard.press('Control+s');
    await expect.poll(() => yamlOf(form)).toBe(`${text}db_storage_gi: 20`);
    await workbench.screenshot('form-beside-editor');
  });

  it('has violated no content security policy, and the policy is in force', async () => {
    expect(refusals).toEqual([]);
    const form = await workbench.webview();
    await form.evaluate(
      `document.body.append(Object.assign(new Image(), { src: 'https://remote.example/pixel.png' }))`,
    );
    await expect.poll(() => refusals).toEqual([expect.stringContaining('https://remote.example/pixel.png')]);
  });
});
