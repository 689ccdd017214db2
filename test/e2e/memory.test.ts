import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSampleDeployments } from '../host/sampleDeployments.mts';
import { createSampleRepository } from '../support/gitRepositories.ts';
import { startLocalService } from '../support/localService.ts';
import type { RunningLocalService } from '../support/localService.ts';
import { callService } from '../support/serviceSeed.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../support/temporaryFolder.ts';
import { words } from '../support/words.ts';
import { addConnection } from './support/connection.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { storedState } from './support/storedState.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const view = words.views.deployments;
const agent = 'weather-agent';
const apiKey = 'canary-4b7d-key-of-the-service';
const secret = 'canary-7c2e-stored-secret';

/** First everything that is to be remembered is set up, then the window is reloaded once, then everything is checked. */
describe('A reloaded window', () => {
  let temporary: TemporaryFolder;
  let service: RunningLocalService;
  let workbench: Workbench;

  beforeAll(async () => {
    temporary = await temporaryFolder();
    const { folder } = await createSampleRepository(temporary.path);
    service = await startLocalService({
      repositories: [folder],
      stepMs: 1,
      devControls: true,
      env: { ...process.env, DEPLOYMENT_MANAGER_API_KEY: apiKey },
    });
    await createSampleDeployments(service);
    await callService(service, 'PUT', `/_dev/agents/${agent}/connections`, { data: [{ provider_id: 'github' }] });
    workbench = await openWorkbench({ folder, theme: 'Dark Modern' });
    await workbench.openContainer(words.container);
  });

  stepsOfOneJourney(() => workbench);

  afterAll(async () => {
    await workbench?.stop();
    await service?.stop();
    await temporary?.remove();
  });

  const heading = () => workbench.page.locator('.pane-header', { hasText: view }).first().innerText();
  const stored = () => storedState(workbench.page);

  async function expectRows(): Promise<void> {
    await expect
      .poll(async () => (await workbench.tree(view)).split('\n').flatMap((row) => /▸ (\S+)/.exec(row)?.[1] ?? []))
      .toEqual(['sample-agent-staging', 'weather-agent']);
  }

  it('gets two keys and a choice of connection', async () => {
    await addConnection(workbench, { name: 'First', url: service.url, apiKey });
    await addConnection(workbench, { name: 'Second', url: service.url, apiKey });
    await workbench.runCommand(words.command('switchConnection'));
    await workbench.quickInput.choose('First');
    await expectRows();
    await expect.poll(stored).toMatch(/\bconnection[\\"]*:[\\"]*First/);
  });

  it('gets the name of an agent', async () => {
    await workbench.runCommand(words.command('addAgent'));
    await workbench.quickInput.answer(words.addAgent, agent);
    await expect.poll(() => workbench.tree(words.views.agents)).toMatch(/^▾ weather-agent/);
    await expect.poll(stored).toMatch(/agents:First[^]*weather-agent/);
  });

  /** Opens the review of a new deployment of the open repository and waits until it was checked. */
  async function review(): Promise<void> {
    await workbench.runCommand(words.command('deployCurrentRepository'));
    await workbench.quickInput.choose(words.deployed.deployNew);
    await workbench.quickInput.row(/^\s*Deploy sample-agent/).waitFor();
  }

  it('gets a secret to remember', async () => {
    const { quickInput } = workbench;
    await review();
    await quickInput.fill(words.review.fields.secrets);
    await quickInput.choose(words.review.fields.secrets);
    await quickInput.choose(words.secrets.add);
    await quickInput.answer(words.secrets.nameTitle, 'TOKEN');
    await quickInput.answer(words.secrets.valueTitle('TOKEN'), secret);
    await quickInput.choose('TOKEN');
    await quickInput.choose(words.secrets.remember);
    await expect.poll(() => quickInput.rows()).toContain(`TOKEN ${words.secrets.stored}`);
    await quickInput.choose(words.secrets.done);
    // The review returns to this row, and the first one may be out of sight.
    await quickInput.row(words.review.fields.secrets).waitFor();
    await quickInput.cancel();
    await quickInput.box.waitFor({ state: 'hidden' });
  });

  it('comes back', async () => {
    await workbench.reload();
    await workbench.openContainer(words.container);
  });

  it('still has the key and the choice', async () => {
    await expectRows();
    expect(await heading()).toContain('First · 2');
  });

  it('still has the agents', async () => {
    await expect.poll(() => workbench.tree(words.views.agents)).toMatch(/^[▸▾] weather-agent/);
    await workbench.screenshot('memory-dark');
  });

  it('still has the secret, and uses it without a question', async () => {
    const { quickInput } = workbench;
    await review();
    await quickInput.fill(words.review.fields.secrets);
    await expect
      .poll(async () => (await quickInput.rows()).join('\n'))
      .toContain(`${words.review.fields.secrets} ${words.secrets.oneStored('TOKEN')}`);
    await workbench.screenshot('memory-secret');
    await quickInput.cancel();
    await quickInput.box.waitFor({ state: 'hidden' });
    await workbench.runCommand(words.command('manageSecrets'));
    await quickInput.row('TOKEN').waitFor();
    expect(await quickInput.rows()).toEqual([expect.stringMatching(/^TOKEN .*sample-agent.* First/)]);
    await quickInput.cancel();
    await quickInput.box.waitFor({ state: 'hidden' });
  });

  it('has neither the key nor the secret in a setting, log, storage or page', async () => {
    const settings = await readFile(path.join(workbench.janitor.folder, 'vscode/data/User/settings.json'), 'utf8');
    expect(JSON.parse(settings)['deploymentManager.connections']).toEqual(
      ['First', 'Second'].map((name) => ({ name, baseUrl: service.url, flavor: 'standard' })),
    );
    expect(await filesWith(workbench.janitor.folder, service.url)).not.toEqual([]);
    expect(await filesWith(workbench.janitor.folder, apiKey)).toEqual([]);
    expect(await filesWith(workbench.janitor.folder, secret)).toEqual([]);
    const onPage = `${await workbench.page.content()}\n${await stored()}`;
    expect(onPage).toContain('weather-agent');
    expect(onPage).not.toContain(apiKey);
    expect(onPage).not.toContain(secret);
  });
});

/** The files below a folder that hold a text; those that went away meanwhile are left out. */
async function filesWith(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const found = await Promise.all(
    files.map(async (file) => (await readFile(file).catch(() => Buffer.alloc(0))).includes(text)),
  );
  return files.filter((_file, index) => found[index]);
}
