import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSampleRepository } from '../support/gitRepositories.ts';
import { startLocalService } from '../support/localService.ts';
import type { RunningLocalService } from '../support/localService.ts';
import { callService, createFromImage, untilEnded } from '../support/serviceSeed.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { words } from '../support/words.ts';
import { deploymentPage, titledFrame } from './support/deploymentPage.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { opened } from './support/opened.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const deploy = words.command('deployCurrentRepository');
const upload = words.command('deployFolder');
const file = 'agent.deployment-spec.yaml';
const { row } = words;

describe('Restricted Mode', () => {
  const resources = opened();
  let folder: string;
  let service: RunningLocalService;
  /** The one of the extension's data folder, as another window started it. */
  let ofOtherWindow: RunningLocalService;
  let workbench: Workbench;

  beforeAll(async () => {
    const temporary = resources.use(await temporaryFolder());
    ({ folder } = await createSampleRepository(temporary.path));
    await writeFile(path.join(folder, file), 'name: filed\n');
    service = resources.use(await startLocalService({ repositories: [folder], stepMs: 1 }));
    await callService(service, 'POST', '/v2/listeners', { compute_type: 'k8s', compute_id: 'cluster' });
    const dataFolder = path.join(temporary.path, 'local-service');
    ofOtherWindow = resources.use(await startLocalService({ dataFolder }));
    await callService(ofOtherWindow, 'POST', '/_control/repositories', { folders: [folder] });
    expect(await offered()).toHaveLength(1);
    workbench = resources.use(
      await openWorkbench({
        folder,
        theme: 'Light Modern',
        trust: false,
        settings: {
          'deploymentManager.connections': [{ name: 'Test', baseUrl: service.url }],
          'security.workspace.trust.startupPrompt': 'never',
        },
        machineSettings: {
          'deploymentManager.localService.dataFolder': dataFolder,
          'deploymentManager.localService.stepMilliseconds': 50,
        },
      }),
    );
  });

  stepsOfOneJourney(() => workbench);

  it('takes its folder back from the local service of another window, before anything is opened', async () => {
    // Nothing asks for the extension yet. VS Code starts it last: 5 s after the window, or over 20 on a busy machine.
    await expect.poll(offered, { timeout: 90_000 }).toEqual([]);
    await ofOtherWindow.stop();
  });

  it('explains why nothing can be deployed, and where to grant trust', async () => {
    await workbench.openContainer(words.container);
    await workbench.page.getByRole('button', { name: words.setApiKey }).click();
    await workbench.quickInput.answer(words.setApiKey, service.apiKey);
    await expect.poll(() => welcome()).toContain(words.restrictedMode);
    await workbench.page.getByRole('button', { name: words.manageTrust }).waitFor();
    await workbench.screenshot('state-restricted');
  });

  it('still lists deployments', async () => {
    await untilEnded(service, [await createFromImage(service, 'seen')]);
    await workbench.runCommand(words.command('refresh'));
    await expect
      .poll(() => workbench.tree(words.views.deployments))
      .toMatch(new RegExp(`^▸ seen ${row.live('seen:1\\.0')}`));
  });

  it('shows the other views too, and says why the open repository is not marked', async () => {
    for (const view of [words.views.listeners, words.views.repositories]) {
      await workbench.page.locator('.pane-header', { hasText: view }).click();
    }
    await expect.poll(() => workbench.tree(words.views.listeners)).toContain('cluster');
    await expect.poll(() => workbench.tree(words.views.repositories)).toMatch(/- acme\/sample-agent main$/);
    await workbench.page.getByText(words.notMarkedInRestrictedMode).waitFor();
    await workbench.screenshot('restricted-side-views');
  });

  it('offers no command that could not work', async () => {
    expect(await workbench.quickInput.commands(`${words.product}: Deploy`)).not.toContain(deploy);
  });

  it('shows and edits a deployment file, which it does not deploy', async () => {
    await workbench.runCommand(words.command('deployFile'));
    await workbench.quickInput.choose(file);
    const page = await titledFrame(workbench, `Deploy ${file}`);
    await page.getByText('In Restricted Mode, nothing is deployed from files.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('edited');
    await page.getByLabel('Name', { exact: true }).press('Control+s');
    await expect.poll(() => readFile(path.join(folder, file), 'utf8')).toBe('name: edited\n');
    const buttons = page.getByRole('button', { name: /^Deploy(?: with |$)/ });
    expect(await buttons.count()).toBe(0);
    await page.locator('summary', { hasText: words.page.tables.resources }).click();
    const starts = page.getByRole('region', { name: 'Start from' }).getByRole('button');
    await expect.poll(() => starts.allInnerTexts()).not.toEqual([]);
    expect(await starts.filter({ hasText: 'File…' }).count()).toBe(0);
    await workbench.screenshot('restricted-deployment-page');
    await page.getByRole('button', { name: words.secrets.add }).click();
    await workbench.quickInput.answer(words.secrets.nameTitle, 'KEY');
    await workbench.quickInput.answer(words.secrets.valueTitle('KEY'), 'canary-9e1f-secret');
    await page.getByRole('button', { name: words.secrets.whereFrom('KEY') }).click();
    await expect.poll(async () => (await workbench.quickInput.rows()).join()).toContain('Asked For');
    expect((await workbench.quickInput.rows()).join()).not.toContain('.env');
    await workbench.page.keyboard.press('Escape');
    await page.getByLabel('Name', { exact: true }).press('Control+s');
    await expect.poll(() => readFile(path.join(folder, file), 'utf8')).toContain('KEY: ask');
    await page.getByRole('button', { name: 'Open as Text' }).click();
    const lenses = workbench.page.locator('.codelens-decoration a');
    await expect.poll(() => lenses.allInnerTexts()).toEqual(['Open Page']);
    await workbench.runCommand('View: Close All Editors');
  });

  it('does not tell the local service of the folder, so git never runs in it', async () => {
    await workbench.runCommand(words.command('useLocalService'));
    await expect.poll(() => welcome()).toContain(words.nothingDeployed);
    await expect
      .poll(() => workbench.tree(words.views.repositories))
      .toBe(`▾ ${row.thisComputer} ${row.noRepositories}`);
    expect(await workbench.quickInput.commands(`${words.product}: Deploy`)).not.toContain(upload);
    await workbench.screenshot('restricted-local-service');
  });

  it('ends with trust, and the local service learns of the folder without a reload', async () => {
    const { page } = workbench;
    await workbench.runCommand('Workspaces: Manage Workspace Trust');
    await page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
    await expect
      .poll(() => workbench.tree(words.views.repositories))
      .toMatch(new RegExp(`acme/sample-agent main · ${row.thisWorkspace}`));
    await workbench.screenshot('restricted-trusted');
  });

  it('ends with trust, and the open repository can be deployed at once', async () => {
    const { quickInput } = workbench;
    await expect
      .poll(() => welcome())
      .toMatch(new RegExp(`^${words.nothingDeployed}\\s+${words.deployCurrentRepository}\\s+${words.noConfigFile}$`));
    expect(await quickInput.commands(`${words.product}: Deploy`)).toContain(upload);
    await workbench.runCommand(deploy);
    await (await deploymentPage(workbench, words.page.titleOf('sample-agent'))).deploy.click();
    await expect
      .poll(() => workbench.tree(words.views.deployments))
      .toMatch(
        new RegExp(`^▾ ${row.workspaceGroup}\n  ▸ sample-agent ${row.liveIsHead} · ${row.live('[0-9a-f]{7}')} · `),
      );
  });

  /** The repositories that the local service of the other window offers. */
  async function offered(): Promise<unknown> {
    const [{ id }] = await callService(ofOtherWindow, 'GET', '/v1/integrations/forge/repohost/install');
    return callService(ofOtherWindow, 'GET', `/v1/integrations/repohost/${id}/repos`);
  }

  /** What stands in the view of deployments where there are no rows. */
  function welcome(): Promise<string> {
    return workbench.page.locator('.part.sidebar .welcome-view:visible').first().innerText();
  }
});
