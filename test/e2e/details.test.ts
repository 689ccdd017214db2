import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFaultRelay } from '../support/faultRelay.ts';
import type { FaultRelay } from '../support/faultRelay.ts';
import { startLocalService } from '../support/localService.ts';
import type { RunningLocalService } from '../support/localService.ts';
import { createFromImage, holdRevision } from '../support/serviceSeed.ts';
import type { SeededDeployment } from '../support/serviceSeed.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../support/temporaryFolder.ts';
import { addConnection } from './support/connection.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

describe('A details document', () => {
  let temporary: TemporaryFolder;
  let service: RunningLocalService;
  let relay: FaultRelay;
  let workbench: Workbench;
  let moving: SeededDeployment;

  beforeAll(async () => {
    temporary = await temporaryFolder();
    service = await startLocalService({ devControls: true, stepMs: 600_000 });
    moving = await createFromImage(service, 'moving');
    await holdRevision(service, moving.latest_revision_id, 'BUILDING');
    relay = await startFaultRelay(service.url);
    workbench = await openWorkbench({
      folder: temporary.path,
      theme: 'Light Modern',
      settings: {
        'deploymentManager.follow.minIntervalSeconds': 0.2,
        'deploymentManager.follow.maxIntervalSeconds': 1,
      },
    });
    await workbench.openContainer('Deployments');
    await addConnection(workbench, { name: 'Test', url: relay.url, apiKey: service.apiKey });
  });

  stepsOfOneJourney(() => workbench);

  afterAll(async () => {
    await workbench?.stop();
    await relay?.[Symbol.asyncDispose]();
    await service?.stop();
    await temporary?.remove();
  });

  const text = async () =>
    (await workbench.page.locator('.editor-instance .view-lines').innerText()).replaceAll('\u00a0', ' ');

  /** VS Code writes down what is open and what is hidden when it ends by itself. */
  async function reloadAsItIs(): Promise<void> {
    const loaded = workbench.page.waitForEvent('load');
    await workbench.runCommand('Developer: Reload Window');
    await loaded;
    await workbench.usable();
  }

  it('follows a revision that moves, although the sidebar is hidden', async () => {
    await workbench.row('Deployments', 'moving').click();
    await workbench.row('Deployments', 'latest').waitFor();
    await workbench.row('Deployments', 'latest').click();
    await workbench.runCommand('Deployment Manager: Open Details');
    await expect.poll(text).toContain('status: BUILDING');
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
    await holdRevision(service, moving.latest_revision_id, 'DEPLOYING');
    await expect.poll(text).toContain('status: DEPLOYING');
  });

  it('does so also in a window that was reloaded and whose sidebar is hidden, to what is live at the end', async () => {
    await reloadAsItIs();
    await workbench.runCommand('Deployment Manager: Open Details');
    await workbench.quickInput.choose('moving');
    await expect.poll(text).toContain('name: moving');
    expect(await text()).not.toContain('active_revision_id');
    await holdRevision(service, moving.latest_revision_id, 'DEPLOYED');
    await expect.poll(text).toContain(`active_revision_id: ${moving.latest_revision_id}`);
    expect(await workbench.page.getByRole('tree', { name: 'Deployments' }).isVisible()).toBe(false);
  });

  it('of a service that went away keeps its text, says how old it is, and goes on when it is back', async () => {
    await holdRevision(service, moving.latest_revision_id, 'DEPLOYING');
    await workbench.runCommand('Deployment Manager: Refresh');
    await relay.stop();
    await workbench.runCommand('Deployment Manager: Refresh');
    // The editor's lines stand in the page in the order in which they were drawn.
    await expect.poll(text).toMatch(/^# As of \d\d:\d\d\. Since then the service did not answer as it should:$/m);
    expect(await text()).toMatch(/^# Nothing (listens|answers) at /m);
    expect(await text()).toContain('name: moving');
    await workbench.screenshot('details-unreachable-light');
    await relay.start();
    await workbench.runCommand('Deployment Manager: Refresh');
    await expect.poll(text).not.toContain('As of');
    expect(await text()).toContain('name: moving');
  });

  it('asks for nothing any more when another one has taken its place', async () => {
    const [first, second] = [await createFromImage(service, 'first'), await createFromImage(service, 'second')];
    await holdRevision(service, first.latest_revision_id, 'BUILDING');
    await holdRevision(service, second.latest_revision_id, 'BUILDING');
    await workbench.runCommand('Deployment Manager: Refresh');
    const asked = ({ latest_revision_id: id }: SeededDeployment) =>
      relay.requests.filter((request) => request.endsWith(id)).length;
    const show = async (deployment: SeededDeployment) => {
      await workbench.runCommand('Deployment Manager: Open Details');
      await workbench.quickInput.choose(deployment.name);
      await expect.poll(text).toContain(`name: ${deployment.name}`);
    };
    await show(first);
    await expect.poll(() => asked(first)).toBeGreaterThan(2);
    await show(second);
    // What is asked for the other one is the clock; a request for the first one may have been under way.
    await expect.poll(() => asked(second)).toBeGreaterThan(1);
    const before = asked(first);
    await expect.poll(() => asked(second)).toBeGreaterThan(5);
    expect(asked(first)).toBe(before);
  });
});
