import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSampleRepository } from '../support/gitRepositories.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../support/temporaryFolder.ts';
import { words } from '../support/words.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const { fields, labels, sections } = words.form;

const volume = '- name: config\n  configMap:\n    name: agent-config';
const mount = '- name: config\n  mountPath: /etc/agent';
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

const exactlyYaml = new RegExp(`^${words.form.asYaml}$`);

/** More stops than the form has with everything unfolded. */
const mostStops = 80;

/** Where the focus is, as a person with a keyboard knows it. */
interface Stop {
  readonly name: string;
  /** Whether the element can be told from its neighbors by an outline. */
  readonly isMarked: boolean;
  /** Whether the element is on the screen and nothing lies over it. */
  readonly isInSight: boolean;
}

describe('The resource form by keyboard alone', () => {
  let temporary: TemporaryFolder;
  let folder: string;
  let workbench: Workbench;
  let form: Frame;
  let presses = 0;

  beforeAll(async () => {
    temporary = await temporaryFolder();
    ({ folder } = await createSampleRepository(temporary.path));
    workbench = await openWorkbench({ folder, theme: 'Dark Modern', settings: { 'files.simpleDialog.enable': true } });
    // The palette has no commands of the extension before VS Code knows it.
    await workbench.page.locator('.part.activitybar').getByRole('tab', { name: words.container }).waitFor();
  });

  stepsOfOneJourney(() => workbench);

  afterAll(async () => {
    await workbench?.stop();
    await temporary?.remove();
  });

  async function press(key: string): Promise<void> {
    presses += 1;
    await workbench.page.keyboard.press(key);
  }

  async function type(text: string): Promise<void> {
    presses += text.length;
    await workbench.page.keyboard.type(text);
  }

  function focused(): Promise<Stop> {
    return form.evaluate(() => {
      const stop = document.activeElement;
      if (stop === null || stop === document.body) return { name: '', isMarked: true, isInSight: true };
      const labels = stop instanceof HTMLInputElement || stop instanceof HTMLTextAreaElement ? stop.labels : null;
      const label = stop.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? stop.textContent;
      const { outlineStyle, outlineWidth } = getComputedStyle(stop);
      const { left, top, width, height } = stop.getBoundingClientRect();
      const over = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 16));
      return {
        name: label.trim(),
        isMarked: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1,
        isInSight: over !== null && stop.contains(over),
      };
    });
  }

  /** Moves the focus until it is on what has this name, and watches that it can be seen at every stop. */
  async function moveTo(name: string | RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    for (let stops = 0; stops < mostStops; stops += 1) {
      await press(key);
      // The browser scrolls to what it focuses with the next picture.
      await expect.poll(focused).toMatchObject({ isMarked: true, isInSight: true });
      const stop = await focused();
      if (typeof name === 'string' ? stop.name.startsWith(name) : name.test(stop.name)) return;
    }
    throw new Error(`Nothing named ${String(name)} can be reached with ${key}.`);
  }

  /** Unfolds a group that is folded; the focus stays on its heading. */
  async function unfold(title: string): Promise<void> {
    await moveTo(title);
    await press('Enter');
  }

  /** Runs a command through the palette, which a workbench that is still starting may close again. */
  async function choosePaletteCommand(typed: string, title: string): Promise<void> {
    const { page, quickInput } = workbench;
    await vi.waitFor(
      async () => {
        await page.keyboard.press('Escape');
        presses = 0;
        await press('F1');
        await quickInput.box.waitFor({ timeout: 2_000 });
        await type(typed);
        await quickInput.row(title).waitFor({ timeout: 2_000 });
      },
      { timeout: 30_000 },
    );
    await press('Enter');
  }

  it('sets two replicas, 1.5 cores, 4 GB, a config-map volume and a sidecar within 240 key presses', async () => {
    await choosePaletteCommand(words.titles.editResources.replace('…', ''), words.command('editResources'));
    form = await workbench.webview();
    await form.getByRole('heading', { name: words.form.title, level: 1 }).waitFor();
    await moveTo(fields.minScale);
    await type('2');
    await moveTo(fields.maxScale);
    await type('2');
    await moveTo(fields.cpu);
    await type('1.5');
    await moveTo(fields.memory);
    await type('4096');
    await unfold(sections.volumes);
    await moveTo(fields.volumes);
    await type(volume);
    await moveTo(fields.volumeMounts);
    await type(mount);
    await unfold(sections.containers);
    await moveTo(fields.sidecars);
    await type(sidecar);
    await moveTo(words.form.use);
    expect(await form.locator('#yaml').inputValue()).toBe(wanted);
    // Two a second make two minutes.
    expect(presses).toBeLessThan(240);
  });

  it('leads to an error, and from there to the end', async () => {
    await moveTo(fields.cpuLimit, 'Shift+Tab');
    await type('1');
    await moveTo(words.form.use);
    await press('Enter');
    await form.getByRole('alert').getByText(words.form.correctFirst).waitFor();
    expect(await focused()).toEqual({ name: words.form.inCores(fields.cpuLimit), isMarked: true, isInSight: true });
    await moveTo(new RegExp(`${fields.cpuLimit}: `), 'Shift+Tab');
    await press('Enter');
    expect(await focused()).toMatchObject({ name: words.form.inCores(fields.cpuLimit) });
    await press('End');
    await press('Backspace');
    await form.getByRole('alert').waitFor({ state: 'hidden' });
    expect(await form.locator('#yaml').inputValue()).toBe(wanted);
  });

  it('leads to the YAML and back, and says that Tab leaves the YAML', async () => {
    await moveTo(words.form.asForm, 'Shift+Tab');
    await press('ArrowRight');
    expect(await focused()).toMatchObject({ name: words.form.asYaml });
    await moveTo(exactlyYaml);
    expect(await form.locator(':focus').getAttribute('id')).toBe('yaml');
    await form.getByText(words.form.tabLeaves).waitFor();
    await press('Control+End');
    await type('db_storage_gi: 20\n');
    await form.getByText('20 Gi').waitFor();
    await moveTo(words.form.use);
    await moveTo(exactlyYaml, 'Shift+Tab');
    await moveTo(exactlyYaml, 'Shift+Tab');
    await press('ArrowLeft');
    expect(await focused()).toMatchObject({ name: words.form.asForm });
    expect(await form.locator('#field-db_storage_gi').inputValue()).toBe('20');
  });

  it('applies a preset and undoes it', async () => {
    await moveTo(words.form.presets.medium);
    await press('Enter');
    await expect.poll(() => form.locator('#field-memory_mb').inputValue()).toBe('2048');
    await moveTo(words.form.undo);
    await press('Space');
    await expect.poll(() => form.locator('#field-memory_mb').inputValue()).toBe('4096');
  });

  it('collapses and expands a group', async () => {
    await moveTo(sections.queue, 'Shift+Tab');
    await press('Space');
    await moveTo(fields.cpu);
    expect(await form.locator(':focus').getAttribute('id')).toBe('field-queue_cpu');
    await moveTo(sections.queue, 'Shift+Tab');
    await press('Enter');
    await moveTo(sections.orchestrator);
  });

  it('adds and removes a row', async () => {
    await unfold(sections.metadata);
    await moveTo(words.form.addRow);
    await press('Enter');
    expect(await focused()).toEqual({ name: labels.key(1), isMarked: true, isInSight: true });
    await type('team');
    await moveTo(labels.value(1));
    await type('search');
    expect(await form.locator('#yaml').inputValue()).toContain('labels:\n  team: search\n');
    await moveTo(labels.remove(1));
    await press('Enter');
    expect(await focused()).toMatchObject({ name: words.form.addRow, isMarked: true, isInSight: true });
    expect(await form.locator('#yaml').inputValue()).not.toContain('labels');
  });

  it('undoes a removal with the undo key, which changes no other field and then undoes typing as usual', async () => {
    const yaml = form.locator('#yaml');
    // What the browser would undo next, once the row that was typed later is gone.
    await form.locator('#field-cpu_limit').focus();
    await type('2');
    await moveTo(words.form.addRow);
    await press('Enter');
    await type('team');
    await moveTo(labels.value(1));
    await type('search');
    const whole = await yaml.inputValue();
    expect(whole).toContain('cpu_limit: 2\n');
    await moveTo(labels.remove(1));
    await press('Enter');
    await form.getByText(words.form.removed).waitFor();
    const without = await yaml.inputValue();
    await press('Control+z');
    await form.getByText(words.form.undone).waitFor();
    expect(await yaml.inputValue()).toBe(whole);
    await moveTo(labels.remove(1), 'Shift+Tab');
    await press('Enter');
    await moveTo(words.form.addRow);
    await press('Enter');
    await type('a');
    await press('Control+z');
    await expect.poll(() => form.locator(':focus').inputValue()).toBe('');
    expect(await yaml.inputValue()).toBe(without);
    await form.locator('#field-cpu_limit').fill('');
  });

  it('saves a file, and returns the focus to where it was', async () => {
    await moveTo(words.form.saveAs);
    await press('Enter');
    const name = workbench.quickInput.box.locator('input.input');
    await expect.poll(() => name.inputValue()).toContain(words.form.fileName);
    await press('Enter');
    await form.getByText(words.form.saved(words.form.fileName)).waitFor();
    const saved = await readFile(path.join(folder, words.form.fileName), 'utf8');
    expect(saved).toBe(`${wanted}db_storage_gi: 20\n`);
    await expect.poll(async () => (await focused()).name).toBe(words.form.saveAs);
    await moveTo(words.form.copyYaml);
    await moveTo(words.form.openInEditor);
  });

  it('lets the focus leave at the end', async () => {
    await press('Tab');
    expect(await form.evaluate(() => document.hasFocus())).toBe(false);
  });
});
