import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { commitFiles, createSampleRepository, git } from '../support/gitRepositories.ts';
import { startLocalService } from '../support/localService.ts';
import type { RunningLocalService } from '../support/localService.ts';
import {
  advanceClock,
  afterPush,
  callService,
  createFromImage,
  createFromRepository,
  holdRevision,
} from '../support/serviceSeed.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { words } from '../support/words.ts';
import { addConnection } from './support/connection.ts';
import { deploymentPage } from './support/deploymentPage.ts';
import { filesWith, folderOfDrafts, holdWorkspace } from './support/files.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { opened } from './support/opened.ts';
import { storedState } from './support/storedState.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const { deployed, filter, page, row, secrets, status } = words;
const view = words.views.deployments;
const agent = 'weather-agent';
const agentName = 'sample-agent';
const apiKey = 'canary-4b7d-key-of-the-service';
const secret = 'canary-7c2e-stored-secret';
/** No revision moves unless its service's clock is advanced. */
const stepMs = 3_600_000;

/** First everything that is to be remembered is set up, then the window is reloaded once, then everything is checked. */
describe('A reloaded window', () => {
  const resources = opened();
  let service: RunningLocalService;
  let workbench: Workbench;
  let moving: string;

  beforeAll(async () => {
    const temporary = resources.use(await temporaryFolder());
    const { folder } = await createSampleRepository(temporary.path);
    service = resources.use(
      await startLocalService({
        repositories: [folder],
        stepMs,
        devControls: true,
        env: { ...process.env, DEPLOYMENT_MANAGER_API_KEY: apiKey },
      }),
    );
    await createFromImage(service, agent);
    await createFromRepository(service, 'sample-green');
    const blue = await createFromRepository(service, 'sample-blue');
    await advanceClock(service, 10 * stepMs);
    await commitFiles(folder, { 'notes.md': 'Pushed.\n' }, 'Write notes');
    await git(folder, 'push', '--quiet', 'origin', 'main');
    moving = await afterPush(service, blue);
    await holdRevision(service, moving, 'BUILDING');
    await callService(service, 'PUT', `/_dev/agents/${agent}/connections`, { data: [{ provider_id: 'github' }] });
    workbench = resources.use(await openWorkbench({ folder, theme: 'Dark Modern' }));
    await workbench.openContainer(words.container);
  });

  stepsOfOneJourney(() => workbench);

  const heading = () => workbench.page.locator('.pane-header', { hasText: view }).first().innerText();
  const stored = () => storedState(workbench.page);

  /** The rows by their names, at their levels. */
  async function names(): Promise<string[]> {
    return (await workbench.tree(view))
      .split('\n')
      .map((line) => line.replace(/^( *)[▸▾-] (This Workspace|\S+).*$/, '$1$2'));
  }

  async function leaveQuickInput(): Promise<void> {
    await workbench.quickInput.cancel();
    await workbench.quickInput.box.waitFor({ state: 'hidden' });
  }

  it('gets two keys and a choice of connection', async () => {
    await addConnection(workbench, { name: 'First', url: service.url, apiKey });
    await addConnection(workbench, { name: 'Second', url: service.url, apiKey });
    await workbench.runCommand(words.command('switchConnection'));
    await workbench.quickInput.choose('First');
    await expect.poll(names).toEqual([row.workspaceGroup, '  sample-blue', '  sample-green', agent]);
    await expect.poll(stored).toMatch(/\bconnection[\\"]*:[\\"]*First/);
  });

  it("gets the name of an agent, the workspace's deployment and filters", async () => {
    const { quickInput } = workbench;
    await workbench.runCommand(words.command('addAgent'));
    await quickInput.answer(words.addAgent, agent);
    await expect.poll(() => workbench.tree(words.views.agents)).toMatch(/^▾ weather-agent/);
    await workbench.runCommand(words.command('chooseWorkspaceDeployment'));
    await quickInput.choose('sample-blue');
    await expect.poll(names).toContain('sample-green');
    await workbench.runCommand(words.command('filterDeployments'));
    await quickInput.choose(filter.nameContains);
    await quickInput.answer(filter.nameContains, 'sample');
    await expect.poll(names).toEqual([row.workspaceGroup, '  sample-blue', 'sample-green']);
    await workbench.runCommand(words.command('filterRevisions'));
    await quickInput.box.locator('.quick-input-title', { hasText: filter.revisions }).waitFor();
    await quickInput.box.locator('.monaco-list-row', { hasText: 'DEPLOYED' }).click();
    await quickInput.accept();
    for (const kept of [
      /agents:First[^]*weather-agent/,
      /workspaceDeployment:First/,
      /\bfilter:First[^]*sample/,
      /revisionFilter:First[^]*DEPLOYED/,
    ])
      await expect.poll(stored).toMatch(kept);
  });

  it('gets a draft, and a secret to remember', async () => {
    const { quickInput } = workbench;
    await workbench.runCommand(words.command('deployCurrentRepository'));
    await quickInput.choose(deployed.deployNew);
    const { field, button, rows } = await deploymentPage(workbench, page.titleOf(agentName));
    await button(secrets.add).click();
    await quickInput.answer(secrets.nameTitle, 'TOKEN');
    await quickInput.answer(secrets.valueTitle('TOKEN'), secret);
    await expect.poll(() => rows(page.tables.secrets)).toEqual([secrets.typed('TOKEN')]);
    await button(secrets.whereFrom('TOKEN')).click();
    await quickInput.choose(secrets.storedHere);
    await expect.poll(() => rows(page.tables.secrets)).toEqual([secrets.stored('TOKEN')]);
    await field(page.fields.name).fill('drafted');
    await deploymentPage(workbench, page.titleOf('drafted'));
    const [draft = ''] = await readdir(await folderOfDrafts(workbench, 'deployment-spec'));
    const file = path.join(
      await folderOfDrafts(workbench, 'deployment-spec'),
      draft,
      `${agentName}.deployment-spec.yaml`,
    );
    await expect.poll(() => readFile(file, 'utf8')).toMatch(/^name: drafted\n[^]*\n {2}TOKEN: stored\n/);
  });

  it('has the page of the draft again, with what was typed and the secret', async () => {
    await workbench.reloadByCommand();
    const { field, frame, deploy, rows } = await deploymentPage(workbench, page.titleOf('drafted'));
    await frame.getByText(page.yourDraft).waitFor();
    expect(await field(page.fields.name).inputValue()).toBe('drafted');
    expect(await rows(page.tables.secrets)).toEqual([secrets.stored('TOKEN')]);
    await deploy.waitFor();
    await workbench.screenshot('memory-page');
    await workbench.runCommand('View: Close Editor');
    await workbench.page.locator('.tabs-container .tab').waitFor({ state: 'detached' });
  });

  it('updates a details document while its sidebar is hidden, until the revision is live', async () => {
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
    // The next window has its drafts although the process of this one still works.
    const release = await holdWorkspace(workbench);
    await workbench.reloadByCommand();
    await workbench.runCommand(words.command('openDetails'));
    release();
    await workbench.quickInput.choose('sample-blue');
    const text = async () =>
      (await workbench.page.locator('.editor-instance .view-lines').first().innerText()).replaceAll('\u00a0', ' ');
    await expect.poll(text).toContain('name: sample-blue');
    await holdRevision(service, moving, 'DEPLOYED');
    await expect.poll(text).toContain(`active_revision_id: ${moving}`);
    await workbench.screenshot('memory-details');
    expect(await workbench.page.getByRole('tree', { name: view }).isVisible()).toBe(false);
  });

  it("still has the key, the choice, the workspace's deployment and the filters, which a click clears", async () => {
    await workbench.openContainer(words.container);
    await expect.poll(names).toEqual([row.workspaceGroup, '  sample-blue', 'sample-green']);
    await expect.poll(heading).toContain(`First · "sample" · ${words.heading.revisions(status.deployed)} · 2`);
    const header = workbench.page.locator('.pane-header', { hasText: view }).first();
    // VS Code shows the button while the mouse is over the view.
    await header.hover();
    const clear = header.getByRole('button', { name: words.clearFilters });
    await clear.click();
    await expect.poll(names).toEqual([row.workspaceGroup, '  sample-blue', 'sample-green', agent]);
    await expect.poll(heading).toContain('First · 3');
    await clear.waitFor({ state: 'detached' });
  });

  it('still has the agents', async () => {
    await expect.poll(() => workbench.tree(words.views.agents)).toMatch(/^[▸▾] weather-agent/);
    await workbench.screenshot('memory-dark');
  });

  it('still has the draft and the secret, and uses it without a question', async () => {
    const { quickInput } = workbench;
    await workbench.runCommand(words.command('deployCurrentRepository'));
    await expect
      .poll(async () => (await quickInput.rows()).join('\n'))
      .toContain(`${deployed.deployNew} ${deployed.continues}`);
    await quickInput.choose(deployed.deployNew);
    const { frame, rows } = await deploymentPage(workbench, page.titleOf('drafted'));
    await frame.getByText(page.yourDraft).waitFor();
    expect(await rows(page.tables.secrets)).toEqual([secrets.stored('TOKEN')]);
    await workbench.screenshot('memory-secret');
    await workbench.runCommand(words.command('manageSecrets'));
    await quickInput.row('TOKEN').waitFor();
    expect(await quickInput.rows()).toEqual([expect.stringMatching(/^TOKEN .*sample-agent.* First/)]);
    await leaveQuickInput();
  });

  it('has neither the key nor the secret in a setting, log, storage or page', async () => {
    const settings = await readFile(path.join(workbench.janitor.folder, 'vscode/data/User/settings.json'), 'utf8');
    expect(JSON.parse(settings)['deploymentManager.connections']).toEqual(
      ['First', 'Second'].map((name) => ({ name, baseUrl: service.url, flavor: 'standard' })),
    );
    expect(await filesWith(workbench.janitor.folder, service.url)).not.toEqual([]);
    for (const value of [apiKey, secret]) expect(await filesWith(workbench.janitor.folder, value)).toEqual([]);
    const onPage = `${await workbench.page.content()}\n${await stored()}`;
    expect(onPage).toContain('weather-agent');
    for (const value of [apiKey, secret]) expect(onPage).not.toContain(value);
  });
});
