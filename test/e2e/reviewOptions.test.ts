import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFaultRelay } from '../support/faultRelay.ts';
import type { FaultRelay } from '../support/faultRelay.ts';
import { json, stallBeforeHeaders } from '../support/faults.ts';
import { createSampleRepository } from '../support/gitRepositories.ts';
import { startLocalService } from '../support/localService.ts';
import type { RunningLocalService } from '../support/localService.ts';
import { callService } from '../support/serviceSeed.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../support/temporaryFolder.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { reviewOf } from './support/review.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const deploy = 'Deployment Manager: Deploy Current Repository…';

describe('The options of a deployment', () => {
  let temporary: TemporaryFolder;
  let service: RunningLocalService;
  let other: RunningLocalService;
  let relay: FaultRelay;
  let workbench: Workbench;

  beforeAll(async () => {
    temporary = await temporaryFolder();
    const { folder } = await createSampleRepository(temporary.path);
    [service, other] = await Promise.all([
      startLocalService({ repositories: [folder], stepMs: 1 }),
      startLocalService({ repositories: [folder], stepMs: 1 }),
    ]);
    await callService(service, 'POST', '/v2/listeners', {
      compute_type: 'k8s',
      compute_id: 'production-cluster',
      compute_config: { k8s_namespaces: ['agents', 'billing'] },
    });
    relay = await startFaultRelay(service.url);
    workbench = await openWorkbench({
      folder,
      theme: 'Dark Modern',
      settings: {
        'git.autofetch': false,
        'deploymentManager.connections': [
          { name: 'First', baseUrl: relay.url },
          { name: 'Second', baseUrl: other.url },
        ],
      },
    });
    await workbench.runCommand('Deployment Manager: Switch Connection…');
    await workbench.quickInput.choose('First');
    await workbench.runCommand('Deployment Manager: Set API Key…');
    await workbench.quickInput.answer('Set API Key', service.apiKey);
    await workbench.quickInput.box.waitFor({ state: 'hidden' });
  });

  stepsOfOneJourney(() => workbench);

  afterAll(async () => {
    await workbench?.stop();
    await relay?.[Symbol.asyncDispose]();
    await Promise.all([service?.stop(), other?.stop()]);
    await temporary?.remove();
  });

  const { rows, shown: inReview, edit, value, answer } = reviewOf(() => workbench);
  const listenersAsked = () => relay.requests.filter((request) => request.startsWith('GET /v2/listeners'));

  it('take one row until they are set, and nothing is asked for them', async () => {
    await workbench.runCommand(deploy);
    await inReview();
    expect(await value('More options…')).toBe('More options… listener, install command, build command');
    await workbench.quickInput.fill('Namespace');
    await expect.poll(rows).not.toContain('Namespace');
    expect(listenersAsked()).toEqual([]);
  });

  it('are led to where the service demands a listener', async () => {
    const { quickInput } = workbench;
    const detail = "'source_config.listener_id' is required for workspace with available listener IDs: [one]";
    relay.break(/^POST \/v2\/deployments/, json({ detail }, 400));
    await quickInput.fill('');
    await quickInput.choose('Deploy sample-agent to First');
    await inReview();
    await expect.poll(rows).toContain('Choose one of the listeners of your workspace.');
    relay.mend();
    await workbench.screenshot('review-listener-demanded');
    await quickInput.choose(/source_config\.listener_id/);
    await quickInput.row('production-cluster').waitFor();
    await workbench.screenshot('review-listeners');
    await quickInput.cancel();
    await inReview();
  });

  it('lose nothing when the listeners cannot be listed', async () => {
    relay.break(/^GET \/v2\/listeners/, json({ detail: 'Not for you.' }, 403));
    await edit('More options…');
    await workbench.quickInput.choose('Listener');
    await inReview();
    await expect.poll(rows).toContain('Not for you.');
    relay.mend();
  });

  it('are asked for no longer than the person waits', async () => {
    const { quickInput } = workbench;
    relay.break(/^GET \/v2\/listeners/, stallBeforeHeaders);
    relay.requests.length = 0;
    await edit('More options…');
    await quickInput.choose('Listener');
    await quickInput.row('Asking First for its listeners…').waitFor();
    await expect.poll(listenersAsked).toHaveLength(1);
    await quickInput.choose('Cancel');
    await inReview();
    relay.mend();
    expect(await value('More options…')).toBe('More options… listener, install command, build command');
  });

  it('put it on a listener and into one of its namespaces', async () => {
    const { quickInput } = workbench;
    await edit('More options…');
    await quickInput.choose('Listener');
    await quickInput.choose('production-cluster');
    await quickInput.choose('billing');
    expect(await value('Listener')).toBe('Listener production-cluster');
    expect(await value('Namespace')).toBe('Namespace billing');
  });

  it('put it on a listener that is created here, whose only namespace is taken', async () => {
    const { quickInput } = workbench;
    await edit('Listener');
    await quickInput.choose('Create Listener…');
    await quickInput.choose('Kubernetes');
    await quickInput.answer('Create Listener (2/4)', 'new-cluster');
    await quickInput.choose('Add Namespace…');
    await answer('A Kubernetes namespace', 'apps');
    await quickInput.choose('Continue');
    await quickInput.answer('Create Listener (4/4)', '');
    expect(await value('Listener')).toBe('Listener new-cluster');
    expect(await value('Namespace')).toBe('Namespace apps');
  });

  it('show what services are known to refuse in a command, which leads back to it', async () => {
    const { quickInput } = workbench;
    await edit('More options…');
    await quickInput.choose('Install command');
    await answer("Installs the application's packages.", 'npm ci; npm audit');
    await inReview();
    expect(await value('Install command')).toBe('Install command npm ci; npm audit');
    await expect.poll(rows).toContain('The install command has characters that services refuse');
    await quickInput.fill('');
    await workbench.page.keyboard.press('Control+Home');
    await workbench.screenshot('review-options');
    await workbench.page.keyboard.press('Control+End');
    await workbench.screenshot('review-options-end');
    await quickInput.fill('characters');
    await quickInput.choose(/The install command has characters/);
    await answer("Installs the application's packages.", 'npm ci');
    expect(await value('Install command')).toBe('Install command npm ci');
    expect(await rows()).not.toContain('services refuse');
  });

  it('are sent, and stand in the details of what was created', async () => {
    const { quickInput } = workbench;
    await inReview();
    await quickInput.choose('Deploy sample-agent to First');
    await quickInput.box.waitFor({ state: 'hidden' });
    await workbench.row('Deployments', 'sample-agent').waitFor();
    const { resources } = await callService(service, 'GET', '/v2/listeners');
    const { id } = resources.find((row: { compute_id: string }) => row.compute_id === 'new-cluster');
    await workbench.runCommand('Deployment Manager: Open Details');
    const text = async () => (await workbench.page.locator('.view-lines').innerText()).replaceAll('\u00a0', ' ');
    await expect.poll(text).toContain(`listener_id: ${id}`);
    expect(await text()).toContain('k8s_namespace: apps');
    expect(await text()).toContain('install_command: npm ci');
  });

  it('forget the listener, with a remark, on the way to another connection', async () => {
    const { quickInput } = workbench;
    await workbench.runCommand(deploy);
    await edit('More options…');
    await quickInput.choose('Listener');
    await quickInput.choose('new-cluster');
    await edit('Connection');
    await quickInput.choose('Second');
    await quickInput.answer('Set API Key', other.apiKey);
    await quickInput.row('Deploy sample-agent to Second').waitFor();
    await expect.poll(rows).toContain('The listener new-cluster belongs to the other connection');
    await workbench.screenshot('review-listener-forgotten');
    expect(await value('More options…')).toBe('More options… listener, install command, build command');
    await quickInput.cancel();
  });
});
