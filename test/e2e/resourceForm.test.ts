import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createSampleRepository } from '../support/gitRepositories.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { words } from '../support/words.ts';
import { CountingKeyboard, focused as focusedIn, handNoFocusOn, seriousFindings } from './support/form.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { opened } from './support/opened.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const themes = ['Dark Modern', 'Light Modern', 'Dark High Contrast', 'Light High Contrast'] as const;

const { fields, labels, sections } = words.form;

const volume = '- name: config\n  configMap:\n    name: agent-config';
const sidecar = '- name: proxy\n  image: registry.example/proxy:1.0';
const wanted = `min_scale: 2
max_scale: 2
cpu: 1.5
memory_mb: 4096
volumes:
  - name: config
    configMap:
      name: agent-config
volume_mounts:
  - name: config
    mountPath: /etc/agent
sidecars:
  - name: proxy
    image: registry.example/proxy:1.0
`;

const manifest = `kind: Deployment
spec:
  template:
    spec:
      containers:
      - name: app
        image: a:1
        volumeMounts:
        - name: config
          mountPath: /etc
      volumes:
      - name: config
        emptyDir: {}
`;

const exactlyYaml = new RegExp(`^${words.form.asYaml}$`);

describe('The resource form', () => {
  const resources = opened();
  let folder: string;
  let workbench: Workbench;
  let keyboard: CountingKeyboard;
  let form: Frame;
  const refusals: string[] = [];

  beforeAll(async () => {
    const temporary = resources.use(await temporaryFolder());
    ({ folder } = await createSampleRepository(temporary.path));
    workbench = resources.use(
      await openWorkbench({ folder, theme: themes[0], settings: { 'files.simpleDialog.enable': true } }),
    );
    keyboard = new CountingKeyboard(workbench.page);
    // The palette has no commands of the extension before VS Code knows it.
    await workbench.page.locator('.part.activitybar').getByRole('tab', { name: words.container }).waitFor();
    workbench.page.on('console', (message) => {
      if (/content security policy/i.test(message.text())) refusals.push(message.text());
    });
  });

  stepsOfOneJourney(() => workbench);

  const press = (key: string) => keyboard.press(key);
  const type = (text: string) => keyboard.type(text);
  const focused = () => focusedIn(form);
  const moveTo = (name: string | RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab') => keyboard.moveTo(form, name, key);

  /** The YAML that the form holds. */
  const yaml = () => form.locator('#yaml').inputValue();

  /** What is reserved: at minimum scale, at maximum scale, and of storage. */
  const totals = () => form.getByRole('status').filter({ hasText: words.form.atMinimumScale }).locator('dd');

  /** Unfolds a group that is folded; the focus stays on its heading. */
  async function unfold(title: string): Promise<void> {
    await moveTo(title);
    await press('Enter');
  }

  it('by keyboard alone sets two replicas, 1.5 cores, 4 GB, a config-map volume and a sidecar within 240 key presses', async () => {
    const { page, quickInput } = workbench;
    await vi.waitFor(
      async () => {
        // A workbench that is still starting may close the palette again.
        await page.keyboard.press('Escape');
        keyboard.presses = 0;
        await press('F1');
        await quickInput.box.waitFor({ timeout: 2_000 });
        await type(words.titles.editResources.replace('…', ''));
        await quickInput.row(words.command('editResources')).waitFor({ timeout: 2_000 });
      },
      { timeout: 30_000 },
    );
    await press('Enter');
    form = await workbench.webview();
    await form.getByRole('heading', { name: words.form.title, level: 1 }).waitFor();
    // A screen reader hears the same words: nobody is told that nothing is reserved.
    await expect
      .poll(() => totals().allInnerTexts())
      .toEqual(Array.from({ length: 3 }, () => words.form.serviceDefault));
    await workbench.screenshot('form-empty');
    await moveTo(fields.minScale);
    await type('2');
    await moveTo(fields.maxScale);
    await type('2');
    await moveTo(fields.cpu);
    await type('1.5');
    await moveTo(fields.memory);
    await type('4096');
    await unfold(sections.volumes);
    await moveTo(words.form.items.addVolume);
    await press('Enter');
    await type('config');
    await moveTo(words.form.items.kind);
    await type('configMap');
    await moveTo(words.form.items.configMap);
    await type('agent-config');
    await workbench.screenshot('form-volume');
    await moveTo(words.form.items.addMount);
    await press('Enter');
    await moveTo(words.form.items.path);
    await type('/etc/agent');
    await unfold(sections.containers);
    await moveTo(words.form.items.asYaml(fields.sidecars));
    await press('Enter');
    await type(sidecar);
    await moveTo(words.form.use);
    await expect.poll(yaml).toBe(wanted);
    // Two a second make two minutes.
    expect(keyboard.presses).toBeLessThan(240);
  });

  it('by keyboard alone leads to an error, and from there to the end', async () => {
    await moveTo(fields.cpuLimit, 'Shift+Tab');
    await type('1');
    await form.getByText(words.form.limitBelowRequest(1, 1.5)).first().waitFor();
    await moveTo(words.form.use);
    await press('Enter');
    await form.getByRole('alert').getByText(words.form.correctFirst).waitFor();
    expect(await form.locator('#field-cpu_limit').getAttribute('aria-invalid')).toBe('true');
    await workbench.screenshot('form-error');
    expect(await focused()).toEqual({ name: words.form.inCores(fields.cpuLimit), isMarked: true, isInSight: true });
    await moveTo(new RegExp(`${fields.cpuLimit}: `), 'Shift+Tab');
    await press('Enter');
    expect(await focused()).toMatchObject({ name: words.form.inCores(fields.cpuLimit) });
    await press('End');
    await press('Backspace');
    await form.getByRole('alert').waitFor({ state: 'hidden' });
    await expect.poll(yaml).toBe(wanted);
  });

  it('by keyboard alone leads to the YAML and back, and says that Tab leaves the YAML', async () => {
    await moveTo(words.form.asForm, 'Shift+Tab');
    await press('ArrowRight');
    expect(await focused()).toMatchObject({ name: words.form.asYaml });
    await moveTo(exactlyYaml);
    expect(await form.locator(':focus').getAttribute('id')).toBe('yaml');
    await form.getByText(words.form.tabLeaves).waitFor();
    await press('Control+End');
    await type('db_storage_gi: 20\n');
    await form.getByText('20 Gi').first().waitFor();
    await moveTo(words.form.use);
    await moveTo(exactlyYaml, 'Shift+Tab');
    await moveTo(exactlyYaml, 'Shift+Tab');
    await press('ArrowLeft');
    expect(await focused()).toMatchObject({ name: words.form.asForm });
    expect(await form.locator('#field-db_storage_gi').inputValue()).toBe('20');
  });

  it('by keyboard alone applies a preset and undoes it', async () => {
    await moveTo(words.form.presets.medium);
    await press('Enter');
    await expect.poll(() => form.locator('#field-memory_mb').inputValue()).toBe('2048');
    await moveTo(words.form.undo);
    await press('Space');
    await expect.poll(() => form.locator('#field-memory_mb').inputValue()).toBe('4096');
    expect((await focused()).name).toContain(words.form.presets.medium);
  });

  it('by keyboard alone collapses and expands a group', async () => {
    await moveTo(sections.queue, 'Shift+Tab');
    await press('Space');
    await moveTo(fields.cpu);
    expect(await form.locator(':focus').getAttribute('id')).toBe('field-queue_cpu');
    await moveTo(sections.queue, 'Shift+Tab');
    await press('Enter');
    await moveTo(sections.orchestrator);
  });

  it('by keyboard alone adds and removes a row', async () => {
    await unfold(sections.metadata);
    await moveTo(words.form.addRow);
    await press('Enter');
    expect(await focused()).toEqual({ name: labels.key(1), isMarked: true, isInSight: true });
    await type('team');
    await moveTo(labels.value(1));
    await type('search');
    await expect.poll(yaml).toContain('labels:\n  team: search\n');
    await moveTo(labels.remove(1));
    await press('Enter');
    expect(await focused()).toMatchObject({ name: words.form.addRow, isMarked: true, isInSight: true });
    await expect.poll(yaml).not.toContain('labels');
  });

  it('by keyboard alone undoes a removal with the undo key, which changes no other field and then undoes typing as usual', async () => {
    // What the browser would undo next, once the row that was typed later is gone.
    await form.locator('#field-cpu_limit').focus();
    await type('2');
    await moveTo(words.form.addRow);
    await press('Enter');
    await type('team');
    await moveTo(labels.value(1));
    await type('search');
    await expect.poll(yaml).toContain('team: search\n');
    const whole = await yaml();
    expect(whole).toContain('cpu_limit: 2\n');
    await moveTo(labels.remove(1));
    await press('Enter');
    await form.getByText(words.form.removed).waitFor();
    const without = await yaml();
    await press('Control+z');
    await expect.poll(yaml).toBe(whole);
    await moveTo(labels.remove(1), 'Shift+Tab');
    await press('Enter');
    await form.getByRole('button', { name: words.form.undo }).focus();
    await press('Enter');
    await expect.poll(() => form.locator(':focus').getAttribute('aria-label')).toBe(labels.key(1));
    await expect.poll(yaml).toBe(whole);
    await moveTo(labels.remove(1));
    await press('Enter');
    await moveTo(words.form.addRow);
    await press('Enter');
    await type('a');
    await press('Control+z');
    await expect.poll(() => form.locator(':focus').inputValue()).toBe('');
    await expect.poll(yaml).toBe(without);
    await form.locator('#field-cpu_limit').fill('');
  });

  it('by keyboard alone is cancelled with the focus where it was, and saved as a file, which is then shown', async () => {
    await moveTo(words.form.saveAs);
    const name = workbench.quickInput.box.locator('input.input');
    await handNoFocusOn(form);
    await press('Enter');
    await expect.poll(() => name.inputValue()).toContain(words.form.fileName);
    await press('Escape');
    // The page puts its focus back where it was when it has the keyboard again.
    await expect.poll(() => form.evaluate(() => document.hasFocus())).toBe(true);
    await expect.poll(async () => (await focused()).name).toBe(words.form.saveAs);
    await press('Enter');
    await expect.poll(() => name.inputValue()).toContain(words.form.fileName);
    await press('Enter');
    await expect
      .poll(async () =>
        (await workbench.webview())
          .locator('h1')
          .innerText()
          .catch(() => ''),
      )
      .toBe(words.form.titleOf(words.form.fileName));
    form = await workbench.webview();
    const saved = await readFile(path.join(folder, words.form.fileName), 'utf8');
    expect(saved).toBe(`${wanted}db_storage_gi: 20\n`);
    expect(await form.getByRole('button', { name: words.form.saveAs }).count()).toBe(0);
    await form.getByRole('button', { name: words.form.copyYaml }).focus();
    await moveTo(words.form.openInEditor);
  });

  it('by keyboard alone lets the focus leave at the end', async () => {
    await press('Tab');
    expect(await form.evaluate(() => document.hasFocus())).toBe(false);
  });

  it('shows with the mouse what a preset means, and what is reserved with what a sidecar adds', async () => {
    await form.getByRole('button', { name: words.form.presetMeans }).hover();
    await workbench.screenshot('form-preset-hover');
    for (const [id, field] of [
      ['volumes', fields.volumes],
      ['containers', fields.sidecars],
    ] as const) {
      await form.locator(`#section-${id} > summary`).click();
      await form.getByRole('button', { name: words.form.items.asYaml(field), exact: true }).click();
    }
    await form.getByLabel(fields.memory).first().fill('4 GB');
    await form.locator('#field-sidecars').fill(`${sidecar}\n  resources:\n    limits:\n      memory: 64Mi`);
    await form.locator('#field-volumes').fill(`${volume}\n    defaultMode: 0644`);
    // The sidecar says no request, so its limit is reserved too.
    for (const shown of [`${words.form.cores(3)}, 8320 MB`, words.form.containersAdd('64 MB'), words.form.notCounted])
      await form.getByText(shown).first().waitFor();
    expect(await form.getByLabel(fields.memory).first().inputValue()).toBe('4096');
    await expect.poll(yaml).toContain('      defaultMode: 0644\n');
    await workbench.screenshot('form-filled');
  });

  it('shows the same spec as fields and YAML, and locks the fields while the YAML is invalid', async () => {
    await form.getByLabel(words.form.sideBySide).check();
    const text = await yaml();
    await form.locator('#yaml').fill(`# kept\n${text.replace('cpu: 1.5', 'cpu: [')}`);
    await form.getByText(words.form.fieldsLocked).waitFor();
    expect(await form.locator('#field-memory_mb').getAttribute('readonly')).toBe('');
    // What the text reserves isn't known: neither the last totals nor a default are shown for it.
    expect(await totals().allInnerTexts()).toEqual(Array.from({ length: 3 }, () => words.form.cannotBeRead));
    expect(await form.locator('#section-main > summary').innerText()).toBe(words.form.sections.main);
    expect(await form.locator('#field-executor_cpu').getAttribute('placeholder')).toBeNull();
    await workbench.screenshot('form-broken-yaml');
    await form.locator('#yaml').fill(`# kept\n${text.replace('cpu: 1.5', 'cpu: 1.25  # tuned')}`);
    await expect.poll(() => form.locator('#field-cpu').inputValue()).toBe('1.25');
    await expect.poll(() => totals().first().innerText()).toBe(`${words.form.cores(2.5)}, 8320 MB`);
    await form.locator('#field-cpu').fill('1.75');
    await expect.poll(yaml).toBe(`# kept\n${text.replace('cpu: 1.5', 'cpu: 1.75  # tuned')}`);
  });

  it('shows what is wrong with an unknown key, and leads there', async () => {
    const text = await yaml();
    await form.locator('#yaml').fill('cpu: 1\nreplicas: 2\n');
    await form.getByRole('radio', { name: words.form.asForm }).check();
    await form.getByRole('button', { name: /Error: Line 2, column 1: .*"replicas"/ }).click();
    expect(await form.locator('#yaml').evaluate((area: HTMLTextAreaElement) => area.selectionStart)).toBe(7);
    expect(await form.getByLabel(words.form.sideBySide).isChecked()).toBe(true);
    await form.locator('#yaml').fill(text);
  });

  it('takes the list of a field from a pasted Deployment, and offers its other lists', async () => {
    const text = await yaml();
    await form.locator('#yaml').fill('cpu: 1\n');
    await form.locator('#field-sidecars').evaluate((area: HTMLTextAreaElement, value) => {
      area.value = value;
      area.dispatchEvent(new InputEvent('input', { inputType: 'insertFromPaste', bubbles: true }));
    }, manifest);
    const status = form.locator('.status');
    await status.getByText(words.form.addFromManifest).waitFor();
    await workbench.screenshot('form-manifest');
    await status.getByRole('button', { name: fields.volumes, exact: true }).click();
    await status.getByRole('button', { name: fields.volumeMounts }).click();
    await status.getByText(words.form.addFromManifest).waitFor({ state: 'hidden' });
    const wanted = [
      'cpu: 1',
      'volumes:',
      '  - name: config',
      '    emptyDir: {}',
      'volume_mounts:',
      '  - name: config',
      '    mountPath: /etc',
      'sidecars:',
      '  - name: app',
      '    image: a:1',
      '    volumeMounts:',
      '    - name: config',
      '      mountPath: /etc',
      '',
    ];
    await expect.poll(yaml).toBe(wanted.join('\n'));
    await form.locator('#yaml').fill(text);
  });

  it('offers the lists of a Deployment that is pasted into the YAML, and keeps what was just typed there', async () => {
    const text = await yaml();
    // VS Code cuts a moment later.
    const cutAll = async () => {
      await form.locator('#yaml').selectText();
      await press('Control+x');
      await expect.poll(yaml).toBe('');
    };
    await form.locator('#yaml').fill(manifest);
    await cutAll();
    await type('cpu: 1 # mine');
    await press('Control+v');
    const status = form.locator('.status');
    await status.getByText(words.form.addFromManifest).waitFor();
    expect(await yaml()).toBe('cpu: 1 # mine');
    await status.getByRole('button', { name: fields.volumeMounts }).click();
    await status.getByRole('button', { name: fields.volumes, exact: true }).click();
    await expect
      .poll(yaml)
      .toBe(
        'cpu: 1 # mine\nvolumes:\n  - name: config\n    emptyDir: {}\nvolume_mounts:\n  - name: config\n    mountPath: /etc\n',
      );
    await status.getByRole('button', { name: fields.sidecars }).waitFor();
    await workbench.screenshot('form-manifest-yaml');
    // A part of a spec is pasted as it is.
    await form.locator('#yaml').fill('volumes:\n  - name: config\n    emptyDir: {}\n');
    await cutAll();
    await press('Control+v');
    await expect.poll(yaml).toBe('volumes:\n  - name: config\n    emptyDir: {}\n');
    await form.locator('#yaml').fill(text);
  });

  it('says what each row is, moves and removes rows, and brings them back', async () => {
    const text = await yaml();
    const spec =
      'volumes:\n  - name: one # first\n    emptyDir: {}\n  - name: two\n    nfs: {server: s, path: /p, x: 1}\n';
    await form.locator('#yaml').fill(spec);
    await form.getByRole('button', { name: words.form.items.asList(fields.volumes) }).click();
    const rows = form.locator('#field-volumes .item-words');
    await expect.poll(() => rows.allInnerTexts()).toEqual(['one: emptyDir', 'two: nfs, s, /p and 1 more key']);
    // What is found about a row is beside it, and a screen reader hears it there.
    const second = form.locator('#field-volumes .item').nth(1);
    await second.getByText(words.form.nothingMounts('two')).waitFor();
    const described = await second.locator('summary').getAttribute('aria-describedby');
    expect(await form.locator(`[id="${described}"]`).innerText()).toContain(words.form.nothingMounts('two'));
    expect(await form.locator('#field-volumes-findings').innerText()).toBe('');
    await rows.nth(1).click();
    await form.locator('#field-volumes-1-nfs-server').fill('files');
    await expect.poll(yaml).toBe(spec.replace('server: s', 'server: "files"'));
    await form.getByRole('button', { name: words.form.items.moveUp('Volume 2') }).click();
    await expect.poll(() => rows.allInnerTexts()).toEqual(['two: nfs, files, /p and 1 more key', 'one: emptyDir']);
    // The row is the first one now, which can only move down.
    expect((await focused()).name).toBe(words.form.items.moveDown('Volume 1'));
    await press('Enter');
    await expect.poll(() => rows.allInnerTexts()).toEqual(['one: emptyDir', 'two: nfs, files, /p and 1 more key']);
    expect((await focused()).name).toBe(words.form.items.moveUp('Volume 2'));
    await press('Enter');
    await expect.poll(() => rows.allInnerTexts()).toEqual(['two: nfs, files, /p and 1 more key', 'one: emptyDir']);
    await workbench.screenshot('form-rows');
    await form
      .getByRole('button', { name: words.form.items.remove('Volume 1') })
      .first()
      .click();
    await form.getByText(words.form.removed).waitFor();
    await expect.poll(() => rows.allInnerTexts()).toEqual(['one: emptyDir']);
    await form.getByRole('button', { name: words.form.undo }).click();
    await expect.poll(() => rows.allInnerTexts()).toHaveLength(2);
    await expect.poll(() => form.locator(':focus').getAttribute('id')).toBe('field-volumes-0-name');
    await form.locator('#yaml').fill(text);
  });

  it.each(themes)('has no serious accessibility problem in %s', async (theme) => {
    if (theme !== themes[0]) await workbench.useTheme(theme);
    await form.locator('#field-cpu').fill('abc');
    await form.getByRole('button', { name: words.form.use }).click();
    expect(await seriousFindings(form)).toEqual([]);
    await workbench.screenshot(`form-${theme.toLowerCase().replaceAll(' ', '-')}`);
    await form.locator('#field-cpu').fill('1.75');
  });

  it('fits a narrow editor and a zoom of 200 %', async () => {
    await workbench.page.setViewportSize({ width: 640, height: 400 });
    await expect
      .poll(() => form.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'))
      .toBe(0);
    await workbench.screenshot('form-narrow');
    await workbench.page.setViewportSize({ width: 1280, height: 800 });
  });

  it('moves nothing if the system or VS Code asks for reduced motion', async () => {
    const turning = () =>
      form
        .locator('.icon-arrow')
        .first()
        .evaluate((arrow) => getComputedStyle(arrow).transitionDuration);
    // VS Code sets the class itself, some time after the system's wish has changed.
    const turningWith = (isOn: boolean) => async () => {
      await form.evaluate((on) => document.body.classList.toggle('vscode-reduce-motion', on), isOn);
      return turning();
    };
    await workbench.page.emulateMedia({ reducedMotion: 'no-preference' });
    await expect.poll(turningWith(false)).toBe('0.1s');
    await expect.poll(turningWith(true)).toBe('0s');
    await workbench.page.emulateMedia({ reducedMotion: 'reduce' });
    await expect.poll(turningWith(false)).toBe('0s');
    await workbench.page.emulateMedia({ reducedMotion: null });
  });

  it('offers no undo after an edit of the YAML, which would be lost', async () => {
    const text = await yaml();
    await form.getByRole('button', { name: words.form.presets.medium }).click();
    await form.getByText(`${words.form.startedFrom} ${words.form.presets.medium}`).waitFor();
    await form.locator('#yaml').fill(text);
    await workbench.screenshot('form-preset-edited');
    expect(await form.getByText(words.form.startedFrom).count()).toBe(0);
    expect(await form.getByRole('button', { name: words.form.undo }).count()).toBe(0);
  });

  it('ignores foreign messages, and shows markup in values as text', async () => {
    const text = await yaml();
    await form.evaluate(`
      postMessage({ type: 'text', text: 7, version: 1, applied: 0 }, '*');
      postMessage({ type: 'setup' }, '*');
      postMessage('<img src=x onerror=alert(1)>', '*');
      dispatchEvent(new MessageEvent('message', {
        origin: 'https://foreign.example', data: { type: 'text', text: 'cpu: 7', version: 9, applied: 0 },
      }));
      postMessage({ type: 'said', failed: false, message: '<img id=markup>', canUndo: false }, '*');`);
    await form.getByText('<img id=markup>').waitFor();
    expect(await form.locator('#markup').count()).toBe(0);
    await expect.poll(yaml).toBe(text);

    await form.locator('#yaml').fill('labels:\n  team: <script id=markup></script>\n<b id=markup>: 1\n');
    await form.getByText(words.form.unknownField('<b id=markup>')).first().waitFor();
    expect(await form.getByLabel(words.form.labels.value(1)).inputValue()).toBe('<script id=markup></script>');
    expect(await form.locator('#markup').count()).toBe(0);
    await form.locator('#yaml').fill(text);
  });

  it('has violated no content security policy, and the policy is in force', async () => {
    expect(refusals).toEqual([]);
    await form.evaluate(
      `document.body.append(Object.assign(new Image(), { src: 'https://remote.example/pixel.png' }))`,
    );
    await expect.poll(() => refusals).toEqual([expect.stringContaining('https://remote.example/pixel.png')]);
  });
});
