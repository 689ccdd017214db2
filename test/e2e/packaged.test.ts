import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageExtension } from '../host/packageExtension.mts';
import { createSampleRepository } from '../support/gitRepositories.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../support/temporaryFolder.ts';
import { failuresShowTheWindow } from './support/failures.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

describe('The extension as a person installs it', () => {
  let temporary: TemporaryFolder;
  let workbench: Workbench;

  beforeAll(async () => {
    temporary = await temporaryFolder();
    // What a person installs, made as `npm run package` makes it.
    const { vsix } = await packageExtension(temporary.path);
    const { folder } = await createSampleRepository(temporary.path);
    workbench = await openWorkbench({
      folder,
      extension: { vsix },
      machineSettings: { 'deploymentManager.localService.stepMilliseconds': 50 },
    });
  });

  failuresShowTheWindow(() => workbench);

  afterAll(async () => {
    await workbench?.stop();
    await temporary?.remove();
  });

  it('starts its local service, deploys the open repository and shows it live', async () => {
    await workbench.openContainer('Deployments');
    await workbench.page.getByRole('button', { name: 'Use Local Service' }).click();
    await workbench.page.getByText('Nothing is deployed yet.').waitFor();
    await workbench.runCommand('Deployment Manager: Deploy Current Repository…');
    await workbench.quickInput.choose('Deploy sample-agent to Local service');
    await expect
      .poll(() => workbench.tree('Deployments'))
      .toMatch(/^▸ sample-agent Deployed [^·]+ · live: [0-9a-f]{7} · /);
    await workbench.statusBarEntry(/^\s*sample-agent: main @ [0-9a-f]{7} is live\s*$/).waitFor();
    await workbench.screenshot('packaged');
  });

  it('opens its resource form, whose script and style sheet are in the package', async () => {
    await workbench.runCommand('Deployment Manager: Edit Resources…');
    const form = await workbench.webview();
    await form.locator('#field-min_scale').fill('2');
    await form.locator('#field-cpu').fill('1.5');
    await form.getByRole('region', { name: 'What it reserves' }).getByText('3 cores').first().waitFor();
    expect(await form.locator('main').evaluate((main) => getComputedStyle(main).maxWidth)).toBe('760px');
    await workbench.screenshot('packaged-form');
  });
});
