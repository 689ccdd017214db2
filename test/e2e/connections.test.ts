import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSampleDeployments } from '../host/sampleDeployments.mts';
import { createSampleRepository } from '../support/gitRepositories.ts';
import { startLocalService } from '../support/localService.ts';
import type { RunningLocalService } from '../support/localService.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../support/temporaryFolder.ts';
import { addConnection } from './support/connection.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const view = 'Deployments';
const keyOfFirst = 'canary-4b7d-key-of-the-first-service';

describe('Connections', () => {
  let temporary: TemporaryFolder;
  let first: RunningLocalService;
  let second: RunningLocalService;
  let workbench: Workbench;

  beforeAll(async () => {
    temporary = await temporaryFolder();
    const { folder } = await createSampleRepository(temporary.path);
    const env = { ...process.env, DEPLOYMENT_MANAGER_API_KEY: keyOfFirst };
    [first, second] = await Promise.all([
      startLocalService({ repositories: [folder], stepMs: 1, env }),
      startLocalService({ repositories: [folder], stepMs: 1 }),
    ]);
    await createSampleDeployments(first);
    workbench = await openWorkbench({ folder, theme: 'Dark Modern' });
  });

  stepsOfOneJourney(() => workbench);

  afterAll(async () => {
    await workbench?.stop();
    await Promise.all([first?.stop(), second?.stop()]);
    await temporary?.remove();
  });

  it('says in words why an address cannot be used', async () => {
    await workbench.openContainer('Deployments');
    await workbench.runCommand('Deployment Manager: Add Connection…');
    await workbench.screenshot('connections-kind');
    await workbench.quickInput.choose('Deployment service');
    await workbench.quickInput.answer(address, 'http://deployments.example.com');
    await workbench.quickInput.choose('Enter another address');
    await workbench.quickInput.answer(address, 'https://user:secret@deployments.example.com');
    await expect.poll(() => workbench.quickInput.message()).toContain('user');
    await workbench.screenshot('connections-bad-address');
  });

  it('offers the right address for that of the tracing service', async () => {
    await workbench.quickInput.answer(address, 'https://api.smith.langchain.com');
    await workbench.quickInput.choose('Use https://api.host.langchain.com');
    await expect.poll(() => workbench.quickInput.title()).toBe(nameStep);
    expect(await line().inputValue()).toBe('api.host.langchain.com');
  });

  it('goes back without losing what was answered', async () => {
    await goBack();
    await expect.poll(() => workbench.quickInput.title()).toBe(address);
    expect(await line().inputValue()).toBe('https://api.host.langchain.com');
    await goBack();
    await workbench.quickInput.choose('Deployment service');
    await workbench.quickInput.answer(address, first.url);
    await expect.poll(() => workbench.quickInput.title()).toBe(nameStep);
    expect(await line().inputValue()).toBe(new URL(first.url).host);
  });

  it('masks the key, and shows what the service has', async () => {
    await workbench.quickInput.answer(nameStep, 'First');
    await expect.poll(() => workbench.quickInput.title()).toBe('Add Connection (4/4)');
    expect(await line().getAttribute('type')).toBe('password');
    await workbench.quickInput.answer('Add Connection (4/4)', keyOfFirst);
    await expectRows(['weather-agent', 'sample-agent-staging']);
  });

  it('never mixes the rows of two services', async () => {
    await addConnection(workbench, { name: 'Second', url: second.url, apiKey: second.apiKey });
    await workbench.page.getByRole('button', { name: 'Deploy Current Repository', exact: true }).waitFor();
    await switchTo('First');
    await expectRows(['weather-agent', 'sample-agent-staging']);
    await switchTo('Second');
    await workbench.page.getByRole('button', { name: 'Deploy Current Repository', exact: true }).waitFor();
    expect(await workbench.page.content()).not.toContain('weather-agent');
    await switchTo('First');
  });

  it('asks for the key again when it was forgotten', async () => {
    await workbench.runCommand('Deployment Manager: Forget API Key…');
    await confirm('Forget');
    await workbench.page.getByRole('button', { name: 'Set API Key' }).click();
    await workbench.screenshot('connections-key-missing');
    await workbench.quickInput.answer('Set API Key', keyOfFirst);
    await expectRows(['weather-agent', 'sample-agent-staging']);
  });

  it('keeps the key and the choice over a reload', async () => {
    await workbench.reload();
    await expectRows(['weather-agent', 'sample-agent-staging']);
  });

  it('leaves the key in no setting, log, storage or page', async () => {
    const settings = await readFile(path.join(workbench.janitor.folder, 'vscode/data/User/settings.json'), 'utf8');
    expect(JSON.parse(settings)['deploymentManager.connections']).toEqual([
      { name: 'First', baseUrl: first.url, flavor: 'standard' },
      { name: 'Second', baseUrl: second.url, flavor: 'standard' },
    ]);
    expect(await filesWith(workbench.janitor.folder, keyOfFirst)).toEqual([]);
    expect(await workbench.page.content()).not.toContain(keyOfFirst);
  });

  it('is removed with its key after a question', async () => {
    await workbench.runCommand('Deployment Manager: Remove Connection…');
    await workbench.screenshot('connections-remove');
    await confirm('Remove');
    await expect
      .poll(() => readFile(path.join(workbench.janitor.folder, 'vscode/data/User/settings.json'), 'utf8'))
      .not.toContain('First');
    // The other connection is not taken unasked.
    await workbench.page.getByRole('button', { name: 'Use Local Service' }).waitFor();
  });

  const line = () => workbench.quickInput.box.locator('input.input');

  async function goBack(): Promise<void> {
    await workbench.quickInput.box.getByRole('button', { name: 'Back' }).click();
  }

  async function switchTo(name: string): Promise<void> {
    await workbench.runCommand('Deployment Manager: Switch Connection…');
    await workbench.quickInput.choose(name);
  }

  async function confirm(button: string): Promise<void> {
    await workbench.page.locator('.monaco-dialog-box').getByRole('button', { name: button }).click();
  }

  async function expectRows(names: readonly string[]): Promise<void> {
    await expect
      .poll(async () => (await workbench.tree(view)).split('\n').map((row) => row.split(' ')[1]))
      .toEqual(names);
  }
});

const address = 'Add Connection (2/4)';
const nameStep = 'Add Connection (3/4)';

/** The files below a folder that hold a text; those that went away meanwhile are left out. */
async function filesWith(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const found = await Promise.all(
    files.map(async (file) => (await readFile(file).catch(() => Buffer.alloc(0))).includes(text)),
  );
  return files.filter((_file, index) => found[index]);
}
