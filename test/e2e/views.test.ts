import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startFaultRelay } from '../support/faultRelay.ts';
import type { FaultRelay } from '../support/faultRelay.ts';
import { held, json, stallBeforeHeaders } from '../support/faults.ts';
import { createRepository, createSampleRepository, sampleFiles } from '../support/gitRepositories.ts';
import { startLocalService } from '../support/localService.ts';
import type { RunningLocalService } from '../support/localService.ts';
import { callService } from '../support/serviceSeed.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../support/temporaryFolder.ts';
import { failuresShowTheWindow } from './support/failures.ts';
import { addConnection } from './support/connection.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const day = 24 * 60 * 60 * 1000;
const canary = 'canary-client-secret-7391';

describe('The views below the deployments', () => {
  let temporary: TemporaryFolder;
  let service: RunningLocalService;
  let relay: FaultRelay;
  let workbench: Workbench;

  beforeAll(async () => {
    temporary = await temporaryFolder();
    const sample = await createSampleRepository(temporary.path);
    const url = 'https://code.example/acme/billing-agent';
    const billing = await createRepository(temporary.path, { name: 'billing-agent', url, files: sampleFiles });
    service = await startLocalService({
      repositories: [sample.folder, billing.folder],
      stepMs: 1,
      devControls: true,
    });
    await seedAgents();
    relay = await startFaultRelay(service.url);
    workbench = await openWorkbench({ folder: sample.folder, theme: 'Dark Modern' });
    await workbench.openContainer('Deployments');
  });

  beforeEach(() => {
    relay.requests.length = 0;
  });

  failuresShowTheWindow(() => workbench);

  afterAll(async () => {
    await workbench?.stop();
    await relay?.[Symbol.asyncDispose]();
    await service?.stop();
    await temporary?.remove();
  });

  async function seedAgents(): Promise<void> {
    const at = (days: number): string => new Date(Date.now() + days * day).toISOString();
    await callService(service, 'PUT', '/_dev/agents/weather-agent/connections', {
      data: [
        {
          provider_id: 'github',
          provider_account_label: 'octo@acme.example',
          scopes: ['repo', 'gist', 'workflow', 'read:user'],
          expires_at: at(-3.1),
          created_by: 'alice',
        },
        { provider_id: 'slack', provider_account_label: 'acme-bot', scopes: ['chat:write'], expires_at: at(2.1) },
      ],
    });
    await callService(service, 'PUT', '/_dev/providers/github', { name: 'GitHub' });
  }

  /** The title of a view, which opens and closes it; a description beside it is part of its name. */
  const section = (name: string) =>
    workbench.page.locator('.pane-header', { has: workbench.page.getByText(name, { exact: true }) });
  const welcome = (text: string) => workbench.page.locator('.welcome-view-content:visible', { hasText: text });

  /** A click that comes just after the menu has opened is ignored, the Enter key is not. */
  async function chooseFromMenu(agentRow: string, entry: string): Promise<void> {
    await workbench.row('Agents', agentRow).click({ button: 'right' });
    await workbench.page.getByRole('menuitem', { name: entry }).hover();
    await workbench.page.keyboard.press('Enter');
  }

  it('are closed at first, and each says in a sentence what it will show once a service is connected', async () => {
    const views: readonly [string, string][] = [
      ['Listeners', 'The clusters that a deployment service uses are shown here once it is connected.'],
      ['Repositories', 'The repositories that a deployment service can build are shown here once it is connected.'],
      ['Agents', 'The accounts that agents may use are shown here once a deployment service is connected.'],
    ];
    for (const [name, text] of views) {
      expect(await section(name).getAttribute('aria-expanded')).toBe('false');
      await section(name).click();
      await welcome(text).waitFor();
      await section(name).click();
    }
  });

  it('load what they show when they are opened, and nothing of each other', async () => {
    await addConnection(workbench, { name: 'Test', url: relay.url, apiKey: service.apiKey });
    await welcome('Nothing is deployed yet.').waitFor();
    await expect.poll(() => relay.requests).toEqual(['GET /v2/deployments?limit=20&offset=0']);

    relay.requests.length = 0;
    await section('Listeners').click();
    await expect.poll(() => section('Listeners').innerText()).toContain('Test · 0');
    await welcome('It installs nothing in the cluster').waitFor();
    expect(relay.requests).toEqual(['GET /v2/listeners?limit=20&offset=0']);

    relay.requests.length = 0;
    await section('Repositories').click();
    await expect.poll(() => workbench.tree('Repositories')).toMatch(/acme\/sample-agent main · this workspace/);
    expect(await workbench.tree('Repositories')).toMatch(
      /^▾ This computer\n {2}- acme\/\S+ main.*\n {2}- acme\/\S+ main/,
    );
    expect(relay.requests.every((request) => request.startsWith('GET /v1/integrations/'))).toBe(true);
    expect(relay.requests).toHaveLength(3);

    relay.requests.length = 0;
    await section('Agents').click();
    await welcome('The service has no list of agents').waitFor();
    expect(relay.requests).toEqual([]);
    await workbench.screenshot('views-empty-dark');
  });

  it('register a cluster step by step, and show it without asking for the list again', async () => {
    const { quickInput } = workbench;
    const title = 'Create Listener';
    await workbench.runCommand('Deployment Manager: Create Listener…');
    await quickInput.choose('Kubernetes');
    await quickInput.answer(`${title} (2/4)`, 'production-cluster');
    await quickInput.choose('Add Namespace…');
    await quickInput.answer(title, 'Agents');
    await expect.poll(() => quickInput.message()).toContain('A namespace has no capital letters. Write "agents".');
    await quickInput.answer(title, 'agents');
    await quickInput.row('agents').waitFor();
    await workbench.screenshot('create-listener-namespaces-dark');

    await quickInput.box.getByRole('button', { name: /^Back/ }).click();
    await expect.poll(() => quickInput.title()).toBe(`${title} (2/4)`);
    await quickInput.accept();
    await quickInput.row('agents').waitFor();
    await quickInput.choose('Continue');
    await quickInput.answer(`${title} (4/4)`, '1.4.2');
    await expect
      .poll(() => workbench.tree('Listeners'))
      .toMatch(/^- production-cluster k8s · namespace agents · version 1\.4\.2 · (now|\d+s ago)$/);
    expect(relay.requests).toEqual(['POST /v2/listeners']);
    const selected = workbench.row('Listeners', 'production-cluster');
    await expect.poll(() => selected.getAttribute('aria-selected')).toBe('true');
    expect(await section('Listeners').innerText()).toContain('Test · 1');
  });

  it('show any row as a read-only document', async () => {
    await workbench.row('Listeners', 'production-cluster').click({ button: 'right' });
    await workbench.page.getByRole('menuitem', { name: 'Open Details' }).hover();
    await workbench.page.keyboard.press('Enter');
    const editor = workbench.page.locator('.editor-instance .view-lines');
    await expect
      .poll(async () => (await editor.innerText()).replaceAll('\u00a0', ' '))
      .toContain('compute_id: production-cluster');
    await workbench.runCommand('View: Close All Editors');
  });

  it('explain in words that a cluster is registered already, and keep the other answers', async () => {
    await callService(service, 'POST', '/v2/listeners', { compute_type: 'k8s', compute_id: 'taken-cluster' });
    const { quickInput } = workbench;
    await workbench.runCommand('Deployment Manager: Create Listener…');
    await quickInput.choose('Kubernetes');
    await quickInput.answer('Create Listener (2/4)', 'production-cluster');
    // What is in the list needs no request.
    await expect.poll(() => quickInput.message()).toContain('The cluster "production-cluster" is registered already.');
    expect(relay.requests).toEqual([]);
    await quickInput.answer('Create Listener (2/4)', 'taken-cluster');
    await quickInput.choose('Continue');
    await quickInput.answer('Create Listener (4/4)', '2.0.0');
    await expect.poll(() => quickInput.title()).toBe('Create Listener (2/4)');
    expect(await quickInput.message()).toContain('The cluster "taken-cluster" is registered already.');
    await workbench.screenshot('create-listener-conflict-dark');
    await quickInput.answer('Create Listener (2/4)', 'other-cluster');
    await quickInput.choose('Continue');
    await expect.poll(() => quickInput.title()).toBe('Create Listener (4/4)');
    await quickInput.accept();
    await expect.poll(() => workbench.tree('Listeners')).toMatch(/^- other-cluster k8s · version 2\.0\.0/);
  });

  it('filter the repositories while one types', async () => {
    const { quickInput } = workbench;
    await workbench.runCommand('Deployment Manager: Filter Repositories…');
    await expect.poll(() => quickInput.title()).toBe('Filter Repositories');
    await quickInput.fill('bill acme');
    await expect.poll(() => workbench.tree('Repositories')).toBe('▾ This computer\n  - acme/billing-agent main');
    await quickInput.fill('nothing like it');
    await workbench.page.getByText('No repository has "nothing like it" in its name.').waitFor();
    await quickInput.fill('bill');
    await quickInput.accept();
    await expect.poll(() => section('Repositories').innerText()).toContain('Test · 1 with "bill"');
    expect(relay.requests).toEqual([]);
  });

  it('deploy a repository that is not open, from its row', async () => {
    const { quickInput } = workbench;
    const row = workbench.row('Repositories', 'billing-agent');
    // The filter that was just accepted draws the rows again, and a click on a row that goes away is lost.
    await expect
      .poll(async () => {
        if (await quickInput.box.isVisible()) return quickInput.title();
        await row.hover();
        await row.getByRole('button', { name: 'Deploy This Repository…' }).click();
        return '';
      })
      .toBe('Deploy Repository');
    await quickInput.answer('Deploy Repository', 'graph.json');
    await quickInput.row('Deploy billing-agent to Test').waitFor();
    const rows = (await quickInput.rows()).join('\n');
    expect(rows).toContain('Repository https://code.example/acme/billing-agent');
    expect(rows).toContain('Branch main');
    expect(rows).toContain('The repository is not read here:\nwhether main has graph.json shows when it is built.');
    await workbench.screenshot('deploy-repository-review-dark');
    await quickInput.choose('Deploy billing-agent to Test');
    await expect.poll(() => workbench.tree('Deployments')).toMatch(/billing-agent .*live: [0-9a-f]{7}/);
  });

  it('show what an agent may use, with whom, and what has expired', async () => {
    await workbench.runCommand('Deployment Manager: Add Agent…');
    await workbench.quickInput.answer('Add Agent', 'weather-agent');
    await expect
      .poll(() => workbench.tree('Agents'))
      .toBe(
        [
          '▾ weather-agent 2 connections, 1 expired',
          '  - octo@acme.example expired 3 days ago · github · repo, gist, workflow and 1 more · by alice',
          '  - acme-bot expires in 2 days · slack · chat:write',
        ].join('\n'),
      );
    const expired = workbench.row('Agents', 'octo@acme.example');
    expect(await expired.getAttribute('aria-label')).toContain('expired 3 days ago');
    expect(await expired.locator('.codicon-warning').count()).toBe(1);
    await workbench.useTheme('Light Modern');
    await workbench.screenshot('views-light');
    await workbench.useTheme('Dark High Contrast');
    await workbench.screenshot('views-dark-high-contrast');
    await workbench.useTheme('Dark Modern');
    await workbench.screenshot('views-dark');
  });

  it('fail each for itself, keep their rows, and load again from the row that says so', async () => {
    relay.break(/connections$/, json({ detail: 'The maintenance is not over.' }, 400));
    await workbench.runCommand('Deployment Manager: Refresh');
    await expect
      .poll(() => workbench.tree('Agents'))
      .toMatch(
        /Could not load, click to retry as of \d\d:\d\d · .*The maintenance is not over\..*\n.*octo@acme\.example/,
      );
    expect(await workbench.tree('Listeners')).toContain('production-cluster');
    expect(await workbench.tree('Listeners')).toContain('taken-cluster');
    expect(await workbench.tree('Listeners')).not.toContain('Could not load');
    await workbench.screenshot('views-failure-dark');
    relay.mend();
    relay.requests.length = 0;
    await workbench.row('Agents', 'Could not load').click();
    await expect.poll(() => workbench.tree('Agents')).not.toContain('Could not load');
    expect(relay.requests).toEqual(['GET /v2/auth/agents/weather-agent/connections']);
  });

  it.each([
    ['Deployments', /^GET \/v2\/(deployments|revisions)/],
    ['Listeners', /^GET \/v2\/listeners\?/],
    ['Repositories', /^GET \/v1\/integrations\//],
    ['Agents', /^GET \/v2\/auth\/agents\//],
  ])('are loaded again each by its own button, here %s, with progress in that view only', async (name, ofView) => {
    const { fault, release } = held(json({ detail: 'The maintenance is not over.' }, 400));
    relay.break(/^GET/, fault);
    const pane = workbench.page.locator('.pane', { has: section(name) });
    await section(name).hover();
    await section(name).getByRole('button', { name: 'Refresh', exact: true }).click();
    await pane.locator('.monaco-progress-container.active').waitFor();
    expect(await workbench.page.locator('.part.sidebar .monaco-progress-container.active').count()).toBe(1);
    await expect.poll(() => relay.requests.length).toBeGreaterThan(0);
    expect(relay.requests.filter((request) => !ofView.test(request))).toEqual([]);
    release();
    relay.mend();
    await expect.poll(() => workbench.tree(name)).toContain('Could not load');
    await section(name).hover();
    await section(name).getByRole('button', { name: 'Refresh', exact: true }).click();
    await expect.poll(() => workbench.tree(name)).not.toContain('Could not load');
  });

  it('are loaded again by the palette as far as they are open', async () => {
    await section('Repositories').click();
    await expect.poll(() => section('Repositories').getAttribute('aria-expanded')).toBe('false');
    relay.requests.length = 0;
    await workbench.runCommand('Deployment Manager: Refresh');
    await expect
      .poll(() => relay.requests.map((request) => request.replace(/\?.*/, '')))
      .toEqual(
        expect.arrayContaining([
          'GET /v2/deployments',
          'GET /v2/listeners',
          'GET /v2/auth/agents/weather-agent/connections',
        ]),
      );
    expect(relay.requests.filter((request) => request.includes('integrations'))).toEqual([]);
    await section('Repositories').click();
  });

  it('change an OAuth provider by what was changed only, and never show its secret', async () => {
    const { quickInput } = workbench;
    await chooseFromMenu('octo@acme.example', 'Update OAuth Provider…');
    await quickInput.answer('Update OAuth Provider', 'github');
    await quickInput.choose('Client secret');
    await quickInput.choose('Enter a Value…');
    await quickInput.answer('New Value of Client secret', canary);
    await quickInput.row('Send 1 Change to Test').waitFor();
    await quickInput.choose('Code challenge method');
    await quickInput.choose('Clear It');
    await quickInput.row('Send 2 Changes to Test').waitFor();
    expect(await quickInput.rows()).toEqual([
      'Send 2 Changes to Test',
      'Name unchanged',
      'Client id unchanged',
      'Client secret ••••••••',
      'Authorization address unchanged',
      'Token address unchanged',
      'Uses PKCE unchanged',
      'Code challenge method will be cleared',
    ]);
    await workbench.screenshot('update-oauth-provider-dark');

    relay.break(/^PATCH/, json({ detail: 'The provider is locked.' }, 403));
    await quickInput.choose('Send 2 Changes to Test');
    await quickInput.row(/The provider is locked\./).waitFor();
    relay.mend();
    relay.break(/^PATCH/, stallBeforeHeaders);
    await quickInput.choose('Send 2 Changes to Test');
    await expect.poll(() => relay.requests.filter((request) => request.startsWith('PATCH')).length).toBe(2);
    await quickInput.choose('Cancel');
    await quickInput.row(/The request was cancelled; the service may have taken the changes/).waitFor();
    relay.mend();
    await quickInput.choose('Send 2 Changes to Test');
    await workbench.notification(
      'The OAuth provider "GitHub" on Test was updated: Client secret, Code challenge method.',
    );
    const patches = relay.requests.filter((request) => request.startsWith('PATCH'));
    expect(patches).toEqual(Array.from({ length: 3 }, () => 'PATCH /v2/auth/providers/github'));
    expect(await workbench.page.content()).not.toContain(canary);
  });

  it('remember the named agents over a reload, and forget one when asked', async () => {
    await workbench.reload();
    await expect.poll(() => workbench.tree('Agents')).toMatch(/^[▸▾] weather-agent/);
    await chooseFromMenu('weather-agent', 'Remove Agent');
    await welcome('The service has no list of agents').waitFor();
  });
});
