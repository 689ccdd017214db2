import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

const view = 'Deployments';
/** With what VS Code makes an icon of where nobody prevents it. */
const firstName = 'First $(bug)';
const firstShown = 'First $ (bug)';

describe('The list of followed deployments', () => {
  let temporary: TemporaryFolder;
  let first: RunningLocalService;
  let second: RunningLocalService;
  let deployment: SeededDeployment;
  let workbench: Workbench;

  beforeAll(async () => {
    temporary = await temporaryFolder();
    const options = { devControls: true, stepMs: 600_000 };
    [first, second] = await Promise.all([startLocalService(options), startLocalService(options)]);
    deployment = await createFromImage(first, 'followed-agent');
    await holdRevision(first, deployment.latest_revision_id, 'BUILDING');
    workbench = await openWorkbench({ folder: temporary.path, theme: 'Dark Modern' });
    await workbench.openContainer('Deployments');
    await addConnection(workbench, { name: firstName, url: first.url, apiKey: first.apiKey });
  });

  stepsOfOneJourney(() => workbench);

  afterAll(async () => {
    await workbench?.stop();
    await Promise.all([first?.stop(), second?.stop()]);
    await temporary?.remove();
  });

  const showFollowed = () => workbench.runCommand('Deployment Manager: Show Followed Deployments');
  const placeholder = () => workbench.quickInput.box.locator('input.input').getAttribute('placeholder');
  const text = async () =>
    (await workbench.page.locator('.editor-instance .view-lines').innerText()).replaceAll('\u00a0', ' ');

  it('says when nothing is followed, and begins to follow from there', async () => {
    await workbench.row(view, 'followed-agent').waitFor();
    await showFollowed();
    await workbench.quickInput.row('Follow Deployment').waitFor();
    expect(await placeholder()).toBe('Nothing is followed. What is deployed from this window is followed by itself.');
    expect(await workbench.quickInput.rows()).toEqual(['Follow Deployment']);
    await workbench.screenshot('followed-none-dark');
    await workbench.quickInput.choose('Follow Deployment');
    await workbench.quickInput.choose('followed-agent');
    await workbench.statusBarEntry('followed-agent: Building').waitFor();
  });

  it('offers to switch to the connection of what is followed elsewhere, or to show its document here', async () => {
    await addConnection(workbench, { name: 'Second', url: second.url, apiKey: second.apiKey });
    await expect.poll(() => workbench.page.locator('.pane-header').first().innerText()).toContain('Second');
    await showFollowed();
    await workbench.quickInput.choose('followed-agent');
    await workbench.quickInput.row(`Switch to ${firstShown}`).waitFor();
    expect(await placeholder()).toBe(`"followed-agent" is on another connection, ${firstName}`);
    expect(await workbench.quickInput.rows()).toEqual([
      `Switch to ${firstShown} This workspace works with it from now on, and the row is shown.`,
      'Open Details This workspace stays with Second.',
    ]);
    await workbench.screenshot('followed-elsewhere-dark');
    await workbench.quickInput.choose('Open Details');
    await expect.poll(text).toContain(`# Deployment on ${firstName}, read-only.`);
    expect(await text()).toContain('name: followed-agent');
    expect(await workbench.page.locator('.pane-header').first().innerText()).toContain('Second');
  });

  it('shows the row there after the switch', async () => {
    await showFollowed();
    await workbench.quickInput.choose('followed-agent');
    await workbench.quickInput.choose(`Switch to ${firstShown}`);
    const row = workbench.row(view, 'followed-agent');
    await expect.poll(() => row.getAttribute('aria-selected')).toBe('true');
    expect(await workbench.page.locator('.pane-header').first().innerText()).toContain('First');
  });

  it('shows what the list does not have as a document', async () => {
    await workbench.runCommand('View: Close All Editors');
    await workbench.runCommand('Deployment Manager: Filter Deployments…');
    await workbench.quickInput.choose('Name contains');
    await workbench.quickInput.answer('Name contains', 'something else');
    await workbench.page.getByText('No deployment fits the filter').waitFor();
    await showFollowed();
    await workbench.quickInput.choose('followed-agent');
    await expect.poll(text).toContain('name: followed-agent');
  });

  it('has no part in a command of the palette that stops the only one, whatever row is selected', async () => {
    await createFromImage(first, 'other-agent');
    await workbench.runCommand('Deployment Manager: Clear Filters');
    await workbench.row(view, 'other-agent').click();
    await workbench.statusBarEntry('followed-agent: Building').waitFor();
    await workbench.runCommand('Deployment Manager: Switch Connection…');
    await workbench.quickInput.row(firstShown).waitFor();
    await workbench.quickInput.cancel();
    await workbench.runCommand('Deployment Manager: Stop Following');
    await workbench.statusBarEntry('followed-agent').waitFor({ state: 'hidden' });
  });
});
