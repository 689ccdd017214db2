import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSampleRepository } from '../support/gitRepositories.ts';
import { startLocalService } from '../support/localService.ts';
import type { RunningLocalService } from '../support/localService.ts';
import { createFromImage, untilEnded } from '../support/serviceSeed.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../support/temporaryFolder.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const deploy = 'Deployment Manager: Deploy Current Repository…';

describe('Restricted Mode', () => {
  let temporary: TemporaryFolder;
  let service: RunningLocalService;
  let workbench: Workbench;

  beforeAll(async () => {
    temporary = await temporaryFolder();
    const { folder } = await createSampleRepository(temporary.path);
    service = await startLocalService({ stepMs: 1 });
    workbench = await openWorkbench({
      folder,
      theme: 'Light Modern',
      trust: false,
      settings: {
        'deploymentManager.connections': [{ name: 'Test', baseUrl: service.url }],
        'security.workspace.trust.startupPrompt': 'never',
      },
      machineSettings: {
        'deploymentManager.localService.dataFolder': path.join(temporary.path, 'local-service'),
        'deploymentManager.localService.stepMilliseconds': 50,
      },
    });
    await workbench.openContainer('Deployments');
    await workbench.page.getByRole('button', { name: 'Set API Key' }).click();
    await workbench.quickInput.answer('Set API Key', service.apiKey);
  });

  stepsOfOneJourney(() => workbench);

  afterAll(async () => {
    await workbench?.stop();
    await service?.stop();
    await temporary?.remove();
  });

  it('explains why nothing can be deployed from here, and where trust is given', async () => {
    await expect.poll(() => welcome()).toContain('This window is in Restricted Mode');
    await workbench.page.getByRole('button', { name: 'Manage Workspace Trust' }).waitFor();
    await workbench.screenshot('state-restricted');
  });

  it('lists what is deployed all the same', async () => {
    await untilEnded(service, [await createFromImage(service, 'seen')]);
    await workbench.runCommand('Deployment Manager: Refresh');
    await expect.poll(() => workbench.tree('Deployments')).toMatch(/^▸ seen Deployed \S+ · live: seen:1\.0/);
  });

  it('says at once why the open repository cannot be deployed', async () => {
    await workbench.runCommand(deploy);
    const notification = await workbench.notification('This window is in Restricted Mode');
    await notification.getByRole('button', { name: 'Manage Workspace Trust' }).waitFor();
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('keeps the folder from the local service, which runs git in the folders that it is told of', async () => {
    await workbench.runCommand('Deployment Manager: Use Local Service');
    await expect.poll(() => welcome()).toContain('Nothing is deployed yet.');
    await workbench.page.locator('.pane-header', { hasText: 'Repositories' }).click();
    await expect.poll(() => workbench.tree('Repositories')).toBe('▾ This computer no repositories');
    await workbench.screenshot('restricted-local-service');
  });

  it('ends with trust: the local service learns of the folder without a reload', async () => {
    const { page } = workbench;
    await workbench.runCommand('Workspaces: Manage Workspace Trust');
    await page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
    await expect.poll(() => workbench.tree('Repositories')).toMatch(/acme\/sample-agent main · this workspace/);
    await workbench.screenshot('restricted-trusted');
  });

  it('ends with trust: what is open can be deployed at once', async () => {
    const { quickInput } = workbench;
    await expect.poll(() => welcome()).toMatch(/^Nothing is deployed yet\.\s+Deploy Current Repository$/);
    await workbench.runCommand(deploy);
    await quickInput.choose('Deploy sample-agent to Local service');
    await expect
      .poll(() => workbench.tree('Deployments'))
      .toMatch(/^▸ sample-agent Deployed .* · live: .* · this workspace · live is HEAD$/);
  });

  /** What stands in the view of deployments where there are no rows. */
  function welcome(): Promise<string> {
    return workbench.page.locator('.part.sidebar .welcome-view:visible').first().innerText();
  }
});
