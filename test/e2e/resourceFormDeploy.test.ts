import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSampleRepository } from '../support/gitRepositories.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../support/temporaryFolder.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

describe('Resources of a deployment', () => {
  let temporary: TemporaryFolder;
  let workbench: Workbench;

  beforeAll(async () => {
    temporary = await temporaryFolder();
    const { folder } = await createSampleRepository(temporary.path);
    workbench = await openWorkbench({
      folder,
      theme: 'Dark Modern',
      machineSettings: {
        'deploymentManager.localService.dataFolder': path.join(temporary.path, 'local-service'),
        'deploymentManager.localService.stepMilliseconds': 100,
      },
    });
  });

  stepsOfOneJourney(() => workbench);

  afterAll(async () => {
    await workbench?.stop();
    await temporary?.remove();
  });

  it('go from the form into the review of a deployment', async () => {
    await workbench.openContainer('Deployments');
    await workbench.page.getByRole('button', { name: 'Use Local Service' }).click();
    await workbench.page.getByRole('button', { name: 'Deploy Current Repository', exact: true }).waitFor();
    await workbench.runCommand('Deployment Manager: Edit Resources…');
    const form = await workbench.webview();
    await form.getByRole('button', { name: 'Deployment…' }).click();
    await form.getByText('No deployment of Local service says what resources it has.').waitFor();
    await form.getByRole('button', { name: 'Small' }).click();
    await form.getByRole('button', { name: 'Use for Deployment' }).click();
    await workbench.quickInput.row('Deploy sample-agent to Local service').waitFor();
    // The row is below what the list shows at once.
    await workbench.quickInput.fill('Resources');
    await expect
      .poll(() => workbench.quickInput.rows())
      .toContain('Resources 1 replica, 1 core, 2048 MB, 7 more values');
    await workbench.screenshot('form-review');
  });

  it('are changed from the review, which comes back with them', async () => {
    await workbench.quickInput.choose('Resources');
    await expect
      .poll(async () => (await workbench.webview()).locator('h1').innerText())
      .toBe('Resources of sample-agent');
    const form = await workbench.webview();
    expect(await form.locator('#field-memory_mb').inputValue()).toBe('2048');
    await form.locator('#field-memory_mb').fill('4096');
    await form.locator('#field-max_scale').fill('3');
    await form.locator('#field-cpu').fill('');
    await form.getByRole('button', { name: 'Use for Deployment' }).click();
    await expect.poll(() => workbench.quickInput.rows()).toContain('Resources 1 to 3 replicas, 4096 MB, 7 more values');
    await workbench.quickInput.fill('Deploy sample-agent');
    await workbench.quickInput.choose('Deploy sample-agent to Local service');
    await expect.poll(() => workbench.tree('Deployments')).toContain('sample-agent');
  });

  it('of an existing deployment are shown, and the form says that they cannot be changed', async () => {
    await workbench.row('Deployments', 'sample-agent').click({ button: 'right' });
    // A menu that has just opened ignores the mouse button, but not the key.
    await workbench.page.getByRole('menuitem', { name: 'Show Resources', exact: true }).hover();
    await workbench.page.keyboard.press('Enter');
    await expect
      .poll(async () => (await workbench.webview()).locator('h1').innerText())
      .toBe('Resources (read-only): sample-agent');
    const form = await workbench.webview();
    await form.getByText('The service cannot change the resources of a deployment that exists.').waitFor();
    expect(await form.locator('#field-memory_mb').inputValue()).toBe('4096');
    expect(await form.locator('#field-memory_mb').getAttribute('readonly')).toBe('');
    expect(await form.getByRole('button', { name: 'Use for Deployment' }).count()).toBe(0);
    await workbench.screenshot('form-read-only');
  });

  it('are shown from the palette too, for the deployment that is selected', async () => {
    await workbench.runCommand('View: Close All Editors');
    await workbench.page.locator('iframe.webview.ready').waitFor({ state: 'detached' });
    await workbench.runCommand('Deployment Manager: Show Resources');
    const form = await workbench.webview();
    expect(await form.locator('h1').innerText()).toBe('Resources (read-only): sample-agent');
    expect(await form.locator('#field-memory_mb').inputValue()).toBe('4096');
  });

  it('can be taken over into another form', async () => {
    await workbench.runCommand('Deployment Manager: Edit Resources…');
    await expect.poll(async () => (await workbench.webview()).locator('h1').innerText()).toBe('Resources');
    const form = await workbench.webview();
    await form.getByRole('button', { name: 'Deployment…' }).click();
    await workbench.quickInput.choose('sample-agent');
    await form.getByText('Taken over from sample-agent.').waitFor();
    expect(await form.locator('#field-max_scale').inputValue()).toBe('3');
  });
});
