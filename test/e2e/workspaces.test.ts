import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { commitFiles, createRepository, createSampleRepository, sampleFiles } from '../support/gitRepositories.ts';
import { startLocalService } from '../support/localService.ts';
import { createFromRepository, untilEnded } from '../support/serviceSeed.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { words } from '../support/words.ts';
import { enterKey } from './support/connection.ts';
import { deploymentPage } from './support/deploymentPage.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { opened } from './support/opened.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const view = words.views.deployments;
const { live, liveIsHead, now, workspaceGroup } = words.row;
const liveCommit = live('COMMIT');
const billingUrl = 'https://code.example/acme/billing-agent';
const virtualFiles = path.resolve(import.meta.dirname, '../fixtures/virtualFiles');

describe('A workspace of two repositories', () => {
  const resources = opened();
  let billingFolder: string;
  let workbench: Workbench;

  beforeAll(async () => {
    const temporary = resources.use(await temporaryFolder());
    const sample = await createSampleRepository(temporary.path);
    const billing = await createRepository(temporary.path, {
      name: 'billing-agent',
      url: billingUrl,
      files: { ...sampleFiles, 'service.json': sampleFiles['graph.json'] ?? '' },
    });
    billingFolder = billing.folder;
    const service = resources.use(
      await startLocalService({ repositories: [sample.folder, billing.folder], stepMs: 1 }),
    );
    await untilEnded(service, [
      await createFromRepository(service, 'sample-live', sample.url),
      // The same repository, as somebody who reaches it another way calls it.
      await createFromRepository(service, 'billing-blue', 'git@code.example:acme/billing-agent.git'),
      await createFromRepository(service, 'billing-green', billingUrl),
    ]);
    await commitFiles(sample.folder, { 'more.md': 'Not pushed.\n' }, 'Write more');
    const both = path.join(temporary.path, 'both.code-workspace');
    await writeFile(both, JSON.stringify({ folders: [{ path: sample.folder }, { path: billing.folder }] }));
    workbench = resources.use(
      await openWorkbench({
        folder: both,
        theme: 'Dark Modern',
        otherExtensions: [virtualFiles],
        settings: { 'deploymentManager.connections': [{ name: 'Test', baseUrl: service.url }] },
      }),
    );
    await workbench.openContainer(words.container);
    await enterKey(workbench, service.apiKey);
    await workbench.row(view, 'sample-live').waitFor();
  });

  stepsOfOneJourney(() => workbench);

  /** The rows without what differs from run to run. */
  async function rows(): Promise<string[]> {
    return (await workbench.tree(view))
      .split('\n')
      .map((row) =>
        row
          .replace(new RegExp(live('\\w{7}')), liveCommit)
          .replace(new RegExp(` · (?:${now}|\\d+[smh] ago) · dev$`), ' · dev'),
      );
  }

  const alone = (name: string) => `▸ ${name} ${liveIsHead} · ${liveCommit} · dev`;
  const inGroup = (name: string) => `  ${alone(name)}`;

  it('lets the user choose its deployment in a box, and another one from the menu of its row', async () => {
    await expect.poll(rows).toEqual(expect.arrayContaining([inGroup('billing-green'), inGroup('billing-blue')]));
    await workbench.runCommand(words.command('chooseWorkspaceDeployment'));
    await workbench.quickInput.row('billing-green').waitFor();
    await workbench.screenshot('workspaces-choose-deployment');
    await workbench.quickInput.choose('billing-blue');
    await expect.poll(rows).toEqual(expect.arrayContaining([inGroup('billing-blue'), alone('billing-green')]));
    await workbench.row(view, 'billing-green').click({ button: 'right' });
    await workbench.chooseFromMenu(words.titles.useForWorkspace);
    await expect.poll(rows).toEqual(expect.arrayContaining([inGroup('billing-green'), alone('billing-blue')]));
  });

  it('has a choice of its own, other than a workspace of one of its folders', async () => {
    await workbench.openFolder(billingFolder);
    await workbench.openContainer(words.container);
    await expect
      .poll(rows)
      .toEqual([
        `▾ ${workspaceGroup}`,
        inGroup('billing-green'),
        inGroup('billing-blue'),
        `▸ sample-live ${liveCommit} · dev`,
      ]);
  });

  /** Waits for the page of a new deployment from the other folder, and closes it. */
  async function beginsBilling(): Promise<void> {
    await workbench.quickInput.choose(words.deployed.deployNew);
    const { frame } = await deploymentPage(workbench, words.page.titleOf('billing-agent'));
    await frame.locator('footer').getByText('billing-agent to Test').waitFor();
    await workbench.page.keyboard.press('Control+w');
    await workbench.page.getByRole('tab', { name: /^billing-agent\.deployment-spec/ }).waitFor({ state: 'detached' });
  }

  it('is deployed from the menu and the title of its config file, and by a key', async () => {
    const { page } = workbench;
    const deploy = words.titles.deployApplication;
    await workbench.openContainer('Explorer');
    const file = page.getByRole('treeitem', { name: /^graph\.json/ });
    await file.click({ button: 'right' });
    await workbench.chooseFromMenu(deploy);
    await beginsBilling();
    await file.dblclick();
    await page.getByRole('button', { name: deploy }).first().click();
    await beginsBilling();
    await page.keyboard.press('ControlOrMeta+Shift+F8');
    await beginsBilling();
  });

  it('is deployed from the menu of the Source Control view', async () => {
    const { page } = workbench;
    await workbench.openContainer('Source Control');
    const changes = page.locator('.pane-header', { hasText: 'Changes' });
    await changes.hover();
    await changes.getByRole('button', { name: /More Actions/ }).click();
    await workbench.chooseFromMenu(words.titles.deployCurrentRepository);
    await beginsBilling();
  });

  it('has the button in the title of a file with graphs, whatever its name', async () => {
    const { page } = workbench;
    const button = page.getByRole('button', { name: words.titles.deployApplication }).first();
    await workbench.openContainer('Explorer');
    await page.getByRole('treeitem', { name: /^pyproject\.toml/ }).dblclick();
    await button.waitFor({ state: 'hidden' });
    await page.getByRole('treeitem', { name: /^service\.json/ }).dblclick();
    await button.waitFor();
  });

  it('that is virtual can be browsed, offers nothing to deploy, and runs nothing', async () => {
    await workbench.openFolder('virtual-files:/agent');
    await workbench.page.getByRole('treeitem', { name: /^graph\.json/ }).dblclick();
    await workbench.page.getByRole('tab', { name: 'graph.json' }).waitFor();
    await workbench.openContainer(words.container);
    await expect
      .poll(() => workbench.tree(view))
      .toMatch(new RegExp(`▸ billing-green [^\\n]*${live('\\w{7}')}[^\\n]* · dev\\n`));
    expect(await workbench.quickInput.commands(`${words.product}: Deploy`)).not.toContain(
      words.command('deployCurrentRepository'),
    );
    await workbench.screenshot('workspaces-virtual');
  });
});
