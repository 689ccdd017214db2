import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSampleRepository } from '../support/gitRepositories.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../support/temporaryFolder.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { storedState } from './support/storedState.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const [untouched, changed] = ['untouched.resource-spec.yaml', 'changed.resource-spec.yaml'];

describe('A resource form that is closed', () => {
  let temporary: TemporaryFolder;
  let folder: string;
  let workbench: Workbench;

  beforeAll(async () => {
    temporary = await temporaryFolder();
    ({ folder } = await createSampleRepository(temporary.path));
    for (const name of [untouched, changed]) await writeFile(path.join(folder, name), 'cpu: 2\n');
    workbench = await openWorkbench({ folder, theme: 'Dark Modern' });
    // The menu has no entries of the extension before VS Code knows it.
    await workbench.page.locator('.part.activitybar').getByRole('tab', { name: 'Deployments' }).waitFor();
  });

  stepsOfOneJourney(() => workbench);

  afterAll(async () => {
    await workbench?.stop();
    await temporary?.remove();
  });

  async function shown(title: string): Promise<Frame> {
    await expect.poll(async () => (await workbench.webview()).locator('h1').innerText()).toBe(title);
    return workbench.webview();
  }

  async function openOn(name: string): Promise<Frame> {
    await workbench.row('Files Explorer', name).click({ button: 'right' });
    // A menu that has just opened ignores the mouse button, but not the key.
    await workbench.page.getByRole('menuitem', { name: 'Edit Resources…' }).hover();
    await workbench.page.keyboard.press('Enter');
    return shown(`Resources: ${name}`);
  }

  async function close(title: string): Promise<void> {
    const tab = workbench.page.getByRole('tab', { name: title, exact: true });
    await tab.getByRole('button', { name: /^Close/ }).click();
    await tab.waitFor({ state: 'detached' });
  }

  /** What the form in front holds for the CPU request. */
  async function cpu(): Promise<string> {
    return (await workbench.webview()).locator('#field-cpu').inputValue();
  }

  /** Waits until the only message is the one about this form, and gives it. */
  function offer(title: string): Promise<Locator> {
    const words = `"${title}" was closed with changes that are not saved, copied or used.`;
    // The focus that leaves a closed form may close the messages again.
    return vi.waitFor(
      async () => {
        const message = await workbench.notification(words);
        expect(await workbench.page.locator('.notifications-center .notification-list-item').count()).toBe(1);
        return message;
      },
      { timeout: 30_000 },
    );
  }

  it('with changes that are nowhere else is offered back, and only such a form', async () => {
    await openOn(untouched);
    await close(`Resources: ${untouched}`);

    await workbench.runCommand('Deployment Manager: Edit Resources…');
    const copied = await shown('Resources');
    await copied.locator('#field-cpu').fill('3');
    await copied.getByRole('button', { name: 'Copy YAML' }).click();
    await copied.getByText('Copied.').waitFor();
    await close('Resources');

    const form = await openOn(changed);
    await form.getByLabel('Side by side').check();
    await form.locator('#field-min_scale').fill('3');
    await form.locator('#section-containers summary').click();
    await form.locator('#field-sidecars').fill('- name: "halfway');
    await close(`Resources: ${changed}`);
    await offer(`Resources: ${changed}`);
    await workbench.screenshot('form-closed');
  });

  it('comes back as it was', async () => {
    const message = await offer(`Resources: ${changed}`);
    await message.getByRole('button', { name: 'Reopen' }).click();
    const form = await shown(`Resources: ${changed}`);
    expect(await form.locator('#yaml').inputValue()).toBe('cpu: 2\nmin_scale: 3\n');
    expect(await form.locator('#field-sidecars').inputValue()).toBe('- name: "halfway');
    expect(await form.getByLabel('Side by side').isChecked()).toBe(true);
    await workbench.screenshot('form-reopened');
  });

  it('by a reload of the window comes back by itself, without a word, and is offered back when it is closed then', async () => {
    await expect.poll(() => storedState(workbench.page)).toContain('halfway');
    await workbench.reload();
    const form = await shown(`Resources: ${changed}`);
    await expect.poll(() => form.locator('#field-sidecars').inputValue()).toBe('- name: "halfway');
    await form.locator('#field-sidecars').fill('');
    await form.locator('#field-min_scale').fill('4');
    await close(`Resources: ${changed}`);
    const message = await offer(`Resources: ${changed}`);
    await message.getByRole('button', { name: 'Reopen' }).click();
    const again = await shown(`Resources: ${changed}`);
    expect(await again.locator('#yaml').inputValue()).toBe('cpu: 2\nmin_scale: 4\n');
  });

  it('after its changes were taken back by hand is not offered back', async () => {
    const form = await shown(`Resources: ${changed}`);
    await form.locator('#field-min_scale').fill('');
    expect(await form.locator('#yaml').inputValue()).toBe('cpu: 2\n');
    await close(`Resources: ${changed}`);
    await workbench.runCommand('Deployment Manager: Edit Resources…');
    const other = await shown('Resources');
    await other.locator('#field-cpu').fill('5');
    await close('Resources');
    await offer('Resources');
  });

  it('is offered back together with another of the same title that is still closed', async () => {
    const { page } = workbench;
    await (await offer('Resources')).getByRole('button', { name: 'Reopen' }).click();
    await shown('Resources');
    await expect.poll(cpu).toBe('5');
    await workbench.runCommand('Deployment Manager: Edit Resources…');
    const tabs = page.getByRole('tab', { name: 'Resources', exact: true });
    await expect.poll(() => tabs.count()).toBe(2);
    await expect.poll(cpu).toBe('');
    await (await workbench.webview()).locator('#field-cpu').fill('6');
    for (const left of [1, 0]) {
      await tabs
        .last()
        .getByRole('button', { name: /^Close/ })
        .click();
      await expect.poll(() => tabs.count()).toBe(left);
    }
    const words = '2 resource forms were closed with changes that are not saved, copied or used.';
    const message = await workbench.notification(words);
    await workbench.screenshot('forms-closed');
    await message.getByRole('button', { name: 'Reopen All' }).click();
    await expect.poll(() => tabs.count()).toBe(2);
    const values: string[] = [];
    for (const each of await tabs.all()) {
      await each.click();
      await shown('Resources');
      values.push(await cpu());
    }
    expect(values.toSorted()).toEqual(['5', '6']);
  });

  it('is offered back alone when those that were closed before are open again', async () => {
    await workbench.runCommand('View: Close Editor');
    const message = await offer('Resources');
    await message.getByRole('button', { name: 'Reopen' }).click();
    await expect.poll(() => workbench.page.getByRole('tab', { name: 'Resources', exact: true }).count()).toBe(2);
  });
});
