import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFaultRelay } from '../support/faultRelay.ts';
import type { FaultRelay } from '../support/faultRelay.ts';
import { held, json } from '../support/faults.ts';
import { createSampleRepository } from '../support/gitRepositories.ts';
import { startLocalService } from '../support/localService.ts';
import type { RunningLocalService } from '../support/localService.ts';
import { callService } from '../support/serviceSeed.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../support/temporaryFolder.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const views = ['Listeners', 'Repositories', 'Agents'] as const;

/** What stands in a view in place of rows: its words and the names of what can be clicked. */
async function welcomeOf(workbench: Workbench, view: string): Promise<{ words: string; steps: string[] }> {
  const header = workbench.page.locator('.pane-header', { has: workbench.page.getByText(view, { exact: true }) });
  const welcome = workbench.page.locator('.pane', { has: header }).locator('.welcome-view-content:visible');
  await welcome.first().waitFor();
  return { words: await welcome.innerText(), steps: await welcome.locator('a').allInnerTexts() };
}

async function openViews(workbench: Workbench): Promise<void> {
  await workbench.openContainer('Deployments');
  for (const view of views) {
    await workbench.page.locator('.pane-header', { has: workbench.page.getByText(view, { exact: true }) }).click();
  }
}

describe('Each state of the views below the deployments', () => {
  let temporary: TemporaryFolder;
  let service: RunningLocalService;
  let relay: FaultRelay;
  let workbench: Workbench;

  beforeAll(async () => {
    temporary = await temporaryFolder();
    service = await startLocalService({ stepMs: 1, devControls: true });
    relay = await startFaultRelay(service.url);
    workbench = await openWorkbench({
      folder: temporary.path,
      theme: 'Light Modern',
      settings: {
        'deploymentManager.connections': [
          { name: 'Test', baseUrl: relay.url },
          { name: 'Another', baseUrl: service.url },
        ],
      },
    });
    await openViews(workbench);
  });

  stepsOfOneJourney(() => workbench);

  afterAll(async () => {
    await workbench?.stop();
    await relay?.stop();
    await service?.stop();
    await temporary?.remove();
  });

  const refresh = () => workbench.runCommand('Deployment Manager: Refresh');
  const progress = (view: string) =>
    workbench.page
      .locator('.pane', { has: workbench.page.getByText(view, { exact: true }) })
      .locator('.monaco-progress-container.active');

  it.each(views)('without a connection says what %s will show, and leads to one', async (view) => {
    const { words, steps } = await welcomeOf(workbench, view);
    expect(words).toMatch(/are shown here once (it|a deployment service) is connected\./);
    expect(steps).toEqual(['Choose a Connection']);
  });

  it('without a key says so in each view, and asks for it', async () => {
    await workbench.screenshot('side-no-connection-light');
    await workbench.runCommand('Deployment Manager: Switch Connection…');
    await workbench.quickInput.choose('Test');
    for (const view of views) {
      await expect
        .poll(() => welcomeOf(workbench, view))
        .toEqual({
          words: 'This machine has no API key for the connection. Set API Key',
          steps: ['Set API Key'],
        });
    }
    await workbench.screenshot('side-key-missing-light');
    expect(relay.requests).toEqual([]);
  });

  it('while it loads shows progress and no word about what may be there', async () => {
    const { fault, release } = held(json([]));
    const listeners = held(json({ resources: [], offset: 0 }));
    relay.break(/listeners/, listeners.fault);
    relay.break(/integrations/, fault);
    await workbench.page.locator('.welcome-view-content:visible a', { hasText: 'Set API Key' }).last().click();
    await workbench.quickInput.answer('Set API Key', service.apiKey);
    for (const view of ['Listeners', 'Repositories']) await progress(view).first().waitFor();
    await expect.poll(() => relay.requests.filter((request) => /listeners|integrations/.test(request)).length).toBe(2);
    await workbench.screenshot('side-loading-light');
    expect(await workbench.page.getByText('No cluster is registered.').isVisible()).toBe(false);
    expect(await workbench.page.getByText('The service has no integration').isVisible()).toBe(false);
    release();
    listeners.release();
  });

  it('with nothing to show says why, and what to do about it', async () => {
    const expected: readonly [string, RegExp, string][] = [
      ['Listeners', /^No cluster is registered\. A listener runs in a Kubernetes cluster/, 'Create Listener'],
      ['Repositories', /^The service has no integration with a code host/, 'Refresh'],
      ['Agents', /The service has no list of agents: name the one you want to look at\./, 'Add Agent'],
    ];
    for (const [view, words, step] of expected) {
      await expect.poll(async () => (await welcomeOf(workbench, view)).words).toMatch(words);
      expect((await welcomeOf(workbench, view)).steps).toEqual([step]);
    }
    await workbench.screenshot('side-empty-light');
    relay.mend();
  });

  it('of a service that went away says so in each view, and finds it again', async () => {
    await callService(service, 'POST', '/v2/listeners', { compute_type: 'k8s', compute_id: 'cluster' });
    await callService(service, 'PUT', '/_dev/agents/weather/connections', { data: [{ provider_id: 'github' }] });
    await workbench.runCommand('Deployment Manager: Add Agent…');
    await workbench.quickInput.answer('Add Agent', 'weather');
    await refresh();
    await expect.poll(() => workbench.tree('Listeners')).toContain('cluster');
    await expect.poll(() => workbench.tree('Agents')).toContain('github');
    await relay.stop();
    await refresh();
    for (const view of views) {
      await expect
        .poll(() => workbench.tree(view))
        .toMatch(/Could not load, click to retry as of \d\d:\d\d · Nothing (listens|answers) at/);
    }
    expect(await workbench.tree('Listeners')).toContain('cluster');
    await workbench.screenshot('side-unreachable-light');
    await relay.start();
    for (const view of views) {
      await workbench.row(view, 'Could not load').click();
      await expect.poll(() => workbench.tree(view)).not.toContain('Could not load');
    }
  });

  it.each(['Listeners', 'Repositories', 'Agents'])(
    'with a refused key offers to set another one in %s',
    async (view) => {
      relay.break(/listeners|integrations|agents/, json({ detail: 'This key was revoked.' }, 401));
      await refresh();
      await expect
        .poll(() => workbench.tree(view))
        .toMatch(/The API key was refused, click to set another one .*revoked/);
      relay.mend();
      await workbench.row(view, 'The API key was refused').click();
      await workbench.quickInput.answer(
        'Set API Key',
        `${service.apiKey}${' '.repeat(views.findIndex((name) => name === view) + 1)}`,
      );
      await expect.poll(() => workbench.tree(view)).not.toContain('refused');
    },
  );
});

describe('Restricted Mode below the deployments', () => {
  let temporary: TemporaryFolder;
  let service: RunningLocalService;
  let workbench: Workbench;

  beforeAll(async () => {
    temporary = await temporaryFolder();
    const { folder } = await createSampleRepository(temporary.path);
    service = await startLocalService({ repositories: [folder], stepMs: 1 });
    await callService(service, 'POST', '/v2/listeners', { compute_type: 'k8s', compute_id: 'cluster' });
    workbench = await openWorkbench({
      folder,
      theme: 'Light Modern',
      trust: false,
      settings: {
        'deploymentManager.connections': [{ name: 'Test', baseUrl: service.url }],
        'security.workspace.trust.startupPrompt': 'never',
      },
    });
    await openViews(workbench);
    await workbench.page.getByRole('button', { name: 'Set API Key' }).first().click();
    await workbench.quickInput.answer('Set API Key', service.apiKey);
  });

  afterAll(async () => {
    await workbench?.stop();
    await service?.stop();
    await temporary?.remove();
  });

  it('shows the same rows, and says why the open repository is not marked', async () => {
    await expect.poll(() => workbench.tree('Listeners')).toContain('cluster');
    await expect.poll(() => workbench.tree('Repositories')).toMatch(/- acme\/sample-agent main$/);
    await workbench.page
      .getByText(
        'The repository that is open here is marked once this window leaves Restricted Mode: trust its folder.',
      )
      .waitFor();
    await workbench.screenshot('side-restricted-light');
  });
});
