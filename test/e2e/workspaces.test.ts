import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitFiles, createRepository, createSampleRepository, sampleFiles } from '../support/gitRepositories.ts';
import { startLocalService } from '../support/localService.ts';
import type { RunningLocalService } from '../support/localService.ts';
import { createFromRepository, untilEnded } from '../support/serviceSeed.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../support/temporaryFolder.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { storedState } from './support/storedState.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const view = 'Deployments';
const deploy = 'Deployment Manager: Deploy Current Repository…';
const billingUrl = 'https://code.example/acme/billing-agent';
const virtualFiles = path.resolve(import.meta.dirname, '../fixtures/virtualFiles');

describe('A workspace of two repositories', () => {
  let temporary: TemporaryFolder;
  let service: RunningLocalService;
  let workbench: Workbench;

  beforeAll(async () => {
    temporary = await temporaryFolder();
    const sample = await createSampleRepository(temporary.path);
    const billing = await createRepository(temporary.path, {
      name: 'billing-agent',
      url: billingUrl,
      files: sampleFiles,
    });
    service = await startLocalService({ repositories: [sample.folder, billing.folder], stepMs: 1 });
    await untilEnded(service, [
      await createFromRepository(service, 'sample-live', sample.url),
      // The same repository, as somebody who reaches it another way calls it.
      await createFromRepository(service, 'billing-blue', 'git@code.example:acme/billing-agent.git'),
      await createFromRepository(service, 'billing-green', billingUrl),
    ]);
    await commitFiles(sample.folder, { 'more.md': 'Not pushed.\n' }, 'Write more');
    const both = path.join(temporary.path, 'both.code-workspace');
    await writeFile(both, JSON.stringify({ folders: [{ path: sample.folder }, { path: billing.folder }] }));
    workbench = await openWorkbench({
      folder: both,
      theme: 'Dark Modern',
      otherExtensions: [virtualFiles],
      settings: { 'deploymentManager.connections': [{ name: 'Test', baseUrl: service.url }] },
    });
    await workbench.openContainer('Deployments');
    await workbench.page.getByRole('button', { name: 'Set API Key' }).click();
    await workbench.quickInput.answer('Set API Key', service.apiKey);
    await workbench.row(view, 'sample-live').waitFor();
  });

  stepsOfOneJourney(() => workbench);

  afterAll(async () => {
    await workbench?.stop();
    await service?.stop();
    await temporary?.remove();
  });

  /** The rows without what differs from run to run. */
  async function rows(): Promise<string[]> {
    return (await workbench.tree(view)).split('\n').map((row) => row.replace(/Deployed .*live: \w{7} /, 'Deployed '));
  }

  it('is asked about once where several deployments are built from one repository', async () => {
    const { quickInput } = workbench;
    await workbench.runCommand('Deployment Manager: Choose Deployment of This Workspace…');
    await expect.poll(() => quickInput.rows()).toEqual(['billing-green Ready', 'billing-blue Ready']);
    await workbench.screenshot('workspaces-choose-deployment');
    await quickInput.choose('billing-blue');
    await expect
      .poll(rows)
      .toEqual([
        '▸ billing-green Deployed · dev · live is HEAD',
        '▸ billing-blue Deployed · dev · this workspace · live is HEAD',
        expect.stringContaining('▸ sample-live Deployed · dev · this workspace'),
      ]);
  });

  it('remembers the choice over a reload and does not ask again, and lets it be changed', async () => {
    await expect.poll(() => storedState(workbench.page)).toContain('workspaceDeployment:Test');
    await workbench.reload();
    const chosen = [
      '▸ billing-green Deployed · dev · live is HEAD',
      '▸ billing-blue Deployed · dev · this workspace · live is HEAD',
    ];
    await expect.poll(rows).toEqual(expect.arrayContaining(chosen));
    await workbench.row(view, 'billing-green').click({ button: 'right' });
    await workbench.page.getByRole('menuitem', { name: 'Choose Deployment of This Workspace…' }).hover();
    await workbench.page.keyboard.press('Enter');
    await expect.poll(rows).toContain('▸ billing-green Deployed · dev · this workspace · live is HEAD');
    await expect.poll(rows).toContain('▸ billing-blue Deployed · dev · live is HEAD');
  });

  it('is another workspace than one of its folders, with a choice of its own', async () => {
    await workbench.openFolder(path.join(temporary.path, 'billing-agent'));
    await workbench.openContainer('Deployments');
    await expect
      .poll(rows)
      .toEqual([
        '▸ billing-green Deployed · dev · this workspace · live is HEAD',
        '▸ billing-blue Deployed · dev · this workspace · live is HEAD',
        '▸ sample-live Deployed · dev',
      ]);
  });

  it('that is virtual can be browsed, says why nothing is deployed from it, and runs nothing', async () => {
    await workbench.openFolder('virtual-files:/agent');
    await workbench.page.getByRole('treeitem', { name: /^graph\.json/ }).dblclick();
    await workbench.page.getByRole('tab', { name: 'graph.json' }).waitFor();
    await workbench.openContainer('Deployments');
    await expect.poll(() => workbench.tree(view)).toMatch(/▸ billing-green (?:Ready|Deployed)[^\n]* · dev\n/);
    await workbench.runCommand(deploy);
    const notification = await workbench.notification(
      'agent is a virtual workspace, in which git does not run. Open a clone to deploy it.',
    );
    await notification.waitFor();
    expect(await workbench.quickInput.box.isVisible()).toBe(false);
    await workbench.screenshot('workspaces-virtual');
  });
});
