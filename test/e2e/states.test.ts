import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFaultRelay } from '../support/faultRelay.ts';
import type { FaultRelay } from '../support/faultRelay.ts';
import { held, json } from '../support/faults.ts';
import { createSampleRepository } from '../support/gitRepositories.ts';
import { startLocalService } from '../support/localService.ts';
import type { RunningLocalService } from '../support/localService.ts';
import { callService, createFromImage, untilEnded } from '../support/serviceSeed.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../support/temporaryFolder.ts';
import { failuresShowTheWindow } from './support/failures.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const view = 'Deployments';
const theList = /^GET \/v2\/deployments\?/;

/** Rows with their ages and the time of day replaced by words. */
async function rowsOf(workbench: Workbench): Promise<string> {
  return (await workbench.tree(view))
    .replaceAll(/as of \d\d:\d\d/g, 'as of TIME')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
    .replaceAll(/(Deployed|·) (?:now|\d+[smh] ago)(?= ·|$)/gm, '$1 AGE');
}

/** What stands in the view where there are no rows. */
function welcome(workbench: Workbench): Promise<string> {
  return workbench.page.locator('.part.sidebar .welcome-view:visible').first().innerText();
}

describe('Each state of the deployments view', () => {
  let temporary: TemporaryFolder;
  let service: RunningLocalService;
  let other: RunningLocalService;
  let relay: FaultRelay;
  let otherRelay: FaultRelay;
  let workbench: Workbench;

  beforeAll(async () => {
    temporary = await temporaryFolder();
    const { folder } = await createSampleRepository(temporary.path);
    [service, other] = await Promise.all([startLocalService({ stepMs: 1 }), startLocalService({ stepMs: 1 })]);
    await untilEnded(other, [await createFromImage(other, 'of-the-other')]);
    [relay, otherRelay] = await Promise.all([startFaultRelay(service.url), startFaultRelay(other.url)]);
    workbench = await openWorkbench({
      folder,
      theme: 'Light Modern',
      settings: { 'deploymentManager.connections': [{ name: 'Test', baseUrl: relay.url }] },
    });
    await workbench.openContainer('Deployments');
  });

  failuresShowTheWindow(() => workbench);

  afterAll(async () => {
    await workbench?.stop();
    await Promise.all([relay?.stop(), otherRelay?.stop()]);
    await Promise.all([service?.stop(), other?.stop()]);
    await temporary?.remove();
  });

  const rows = () => rowsOf(workbench);
  const refresh = () => workbench.runCommand('Deployment Manager: Refresh');
  const live = (name: string) => `▸ ${name} Deployed AGE · live: ${name}:1.0`;

  it('without a key asks for one, and sends nothing', async () => {
    await expect.poll(() => welcome(workbench)).toContain('This machine has no API key for the connection.');
    await workbench.page.getByRole('button', { name: 'Set API Key' }).waitFor();
    expect(relay.requests).toEqual([]);
    await workbench.screenshot('state-key-missing');
  });

  it('while it loads shows progress and no word about what may be there', async () => {
    const { fault, release } = held(json({ resources: [], offset: 0 }));
    relay.break(theList, fault);
    await workbench.page.getByRole('button', { name: 'Set API Key' }).click();
    await workbench.quickInput.answer('Set API Key', service.apiKey);
    await expect.poll(() => relay.requests.length).toBeGreaterThan(0);
    await workbench.page.locator('.part.sidebar .monaco-progress-container.active').first().waitFor();
    expect(await workbench.page.getByText('Nothing is deployed yet.').isVisible()).toBe(false);
    relay.mend();
    release();
  });

  it('with nothing deployed offers to deploy', async () => {
    await expect.poll(() => welcome(workbench)).toContain('Nothing is deployed yet.');
    await workbench.page.getByRole('button', { name: 'Deploy Current Repository' }).first().waitFor();
    await workbench.screenshot('state-empty');
  });

  it('tells who asks for a deployment that the service fails, not that there is none', async () => {
    relay.break(theList, json({ detail: 'The database is away.' }, 500));
    await workbench.runCommand('Deployment Manager: Follow Deployment');
    await workbench.notification('The database is away.');
    relay.mend();
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('with deployments shows them', async () => {
    await untilEnded(service, [await createFromImage(service, 'first'), await createFromImage(service, 'second')]);
    await refresh();
    await expect.poll(rows).toBe([live('second'), live('first')].join('\n'));
  });

  it('can be asked what of its connection works', async () => {
    await workbench.runCommand('Deployment Manager: Test Connection');
    const notification = await workbench.notification('"Test" works.');
    const text = await notification.innerText();
    for (const words of [
      'The service answers',
      'Not encrypted (plain http)',
      'The API key is accepted',
      '2 deployments are visible',
      '1 repository integration is visible',
    ]) {
      expect(text).toContain(words);
    }
    await workbench.screenshot('state-connection-tested');
    await notification.getByRole('button', { name: 'Show Log' }).waitFor();
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('after a failed refresh keeps its rows, says how old they are, and asks again at a click', async () => {
    relay.break(theList, json({ detail: 'The database is away.' }, 500));
    await refresh();
    const failure = '- Could not load, click to retry as of TIME · http://HOST could not do this (500)';
    await expect
      .poll(rows)
      .toBe([`${failure}: The database is away. Try again later.`, live('second'), live('first')].join('\n'));
    await workbench.screenshot('state-failed');
    relay.mend();
    await workbench.row(view, 'Could not load').click();
    await expect.poll(rows).toBe([live('second'), live('first')].join('\n'));
  });

  it('of a service that went away says so, and finds it again', async () => {
    await relay.stop();
    await refresh();
    await expect
      .poll(rows)
      .toMatch(/^- Could not load, click to retry as of TIME · Nothing (listens|answers)[^]*first/);
    await workbench.screenshot('state-unreachable');
    await relay.start();
    await workbench.row(view, 'Could not load').click();
    await expect.poll(rows).toBe([live('second'), live('first')].join('\n'));
  });

  it('with a refused key offers to set another one', async () => {
    relay.break(theList, json({ detail: 'This key was revoked.' }, 401));
    await refresh();
    await expect.poll(rows).toMatch(/^- The API key was refused, click to set another one as of TIME · .*revoked/);
    await workbench.screenshot('state-key-refused');
    await workbench.row(view, 'The API key was refused').click();
    relay.mend();
    await workbench.quickInput.answer('Set API Key', `${service.apiKey} `);
    await expect.poll(rows).toBe([live('second'), live('first')].join('\n'));
  });

  it('with a key that may not do this offers to edit the connection', async () => {
    relay.break(theList, json({ detail: 'An org-scoped key needs a workspace.' }, 403));
    await refresh();
    await expect.poll(rows).toMatch(/^- Not allowed, click to edit the connection as of TIME · .*X-Tenant-Id/);
    await workbench.screenshot('state-not-allowed');
    await workbench.row(view, 'Not allowed').click();
    await expect.poll(() => workbench.quickInput.title()).toBe('Edit Connection Test');
    await workbench.quickInput.cancel();
    await workbench.runCommand('Deployment Manager: Test Connection');
    const refusal = await workbench.notification('"Test" does not work.');
    expect(await refusal.locator('.monaco-button').allInnerTexts()).toEqual([
      'Edit Connection',
      'Set API Key',
      'Show Log',
    ]);
    await workbench.runCommand('Notifications: Clear All Notifications');
    relay.mend();
    await refresh();
    await expect.poll(rows).toBe([live('second'), live('first')].join('\n'));
  });

  it('runs a command that failed once more where that may help', async () => {
    relay.break(/\/revisions\?/, json({ detail: 'The database is away.' }, 500));
    await workbench.runCommand('Deployment Manager: Compare Revisions…');
    await workbench.quickInput.choose('second');
    const failure = await workbench.notification('The database is away.');
    await workbench.screenshot('state-try-again');
    expect(await failure.locator('.monaco-button').allInnerTexts()).toEqual(['Try Again', 'Show Log']);
    relay.mend();
    await failure.locator('.monaco-button', { hasText: 'Try Again' }).click();
    await workbench.quickInput.choose('second');
    await workbench.notification('"second" has only one revision, so there is nothing to compare.');
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  it('shows a failure below the row whose revisions could not be loaded', async () => {
    relay.break(/\/revisions\?/, json({ detail: 'No.' }, 400));
    await workbench.row(view, 'second').click();
    await expect
      .poll(rows)
      .toContain(
        '▾ second Deployed AGE · live: second:1.0\n  - Could not load, click to retry http://HOST refused the request (400): No.',
      );
    relay.mend();
    await workbench.row(view, 'Could not load').click();
    await expect.poll(rows).toContain('\n  - registry.example/acme/second:1.0 Deployed · active · latest · AGE');
    await workbench.row(view, 'second').first().click();
  });

  it('shows an entry that cannot be read as one, and the others', async () => {
    const { resources, offset } = await callService(service, 'GET', '/v2/deployments');
    relay.break(theList, json({ resources: [{ id: 7 }, ...resources], offset }));
    await refresh();
    await expect.poll(rows).toMatch(/^- Unreadable entry .+\n▸ second .*\n▸ first .*$/);
    await workbench.screenshot('state-unreadable');
    relay.mend();
    await refresh();
    await expect.poll(rows).not.toContain('Unreadable');
  });

  it('is not touched by another view that fails', async () => {
    relay.break(/listeners/, json({ detail: 'No listeners today.' }, 500));
    await workbench.page.locator('.pane-header', { hasText: 'Listeners' }).click();
    await expect.poll(() => workbench.tree('Listeners')).toContain('No listeners today.');
    expect(await rows()).toBe([live('second'), live('first')].join('\n'));
    relay.mend();
    await workbench.page.locator('.pane-header', { hasText: 'Listeners' }).click();
  });

  it('never shows what the connection before answered late', async () => {
    await workbench.runCommand('Deployment Manager: Add Connection…');
    await workbench.quickInput.choose('Deployment service');
    await workbench.quickInput.answer('Add Connection (2/4)', otherRelay.url);
    await workbench.quickInput.answer('Add Connection (3/4)', 'Other');
    await workbench.quickInput.answer('Add Connection (4/4)', other.apiKey);
    await expect.poll(rows).toBe(live('of-the-other'));
    const { fault, release } = held(json({ resources: [], offset: 0 }));
    relay.break(theList, fault);
    relay.requests.length = 0;
    await workbench.runCommand('Deployment Manager: Switch Connection…');
    await workbench.quickInput.choose('Test');
    await expect.poll(() => relay.requests.length).toBeGreaterThan(0);
    await workbench.runCommand('Deployment Manager: Switch Connection…');
    await workbench.quickInput.choose('Other');
    await expect.poll(rows).toBe(live('of-the-other'));
    release();
    relay.mend();
    await refresh();
    await expect.poll(rows).toBe(live('of-the-other'));
    expect(await workbench.page.locator('.pane-header', { hasText: view }).first().innerText()).toContain('Other · 1');
  });

  it('without any connection offers the local service and a new connection', async () => {
    const remove = workbench.page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true });
    await workbench.runCommand('Deployment Manager: Remove Connection…');
    await remove.click();
    await expect.poll(() => workbench.page.locator('.pane-header').first().innerText()).not.toContain('Other');
    // Nothing is in use then, so that the one to remove has to be named.
    await workbench.runCommand('Deployment Manager: Remove Connection…');
    await workbench.quickInput.choose('Test');
    await remove.click();
    await remove.waitFor({ state: 'hidden' });
    await expect.poll(() => welcome(workbench)).toMatch(/Use Local Service[^]*Add Connection/);
    await workbench.screenshot('state-no-connection');
  });
});
