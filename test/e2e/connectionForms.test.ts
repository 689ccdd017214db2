import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate } from '../support/faultCertificates.ts';
import { startFaultServer } from '../support/faultServer.ts';
import type { FaultServer } from '../support/faultServer.ts';
import { json } from '../support/faults.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../support/temporaryFolder.ts';
import { addConnection } from './support/connection.ts';
import { stepsOfOneJourney } from './support/journey.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const address = 'Add Connection (2/4)';
const nameStep = 'Add Connection (3/4)';
const keyStep = 'Add Connection (4/4)';

describe('The forms of a connection', () => {
  let temporary: TemporaryFolder;
  let server: FaultServer;
  let secure: FaultServer;
  let workbench: Workbench;

  beforeAll(async () => {
    temporary = await temporaryFolder();
    server = await startFaultServer();
    server.answer(json({ resources: [], offset: 0 }));
    secure = await startFaultServer({ tls: makeCertificate() });
    secure.answer((response, request) =>
      json(request.url?.includes('deployments') ? { resources: [], offset: 0 } : [])(response, request),
    );
    workbench = await openWorkbench({
      folder: temporary.path,
      theme: 'Dark Modern',
      settings: {
        'deploymentManager.connections': [
          { name: 'Typo', baseUrl: 'htp://deployments.example.com' },
          { baseUrl: 'https://deployments.example.com' },
          { name: 'Odd', baseUrl: 'https://deployments.example.com', flavor: 'vanilla' },
          { name: 'Leaky', baseUrl: 'https://deployments.example.com', headers: { 'X-Api-Key': 'abc' } },
          'nonsense',
          { name: 'Unchecked', baseUrl: secure.url },
        ],
        'http.proxyStrictSSL': false,
      },
    });
    await workbench.openContainer('Deployments');
  });

  stepsOfOneJourney(() => workbench);

  afterAll(async () => {
    await workbench?.stop();
    await server?.[Symbol.asyncDispose]();
    await secure?.[Symbol.asyncDispose]();
    await temporary?.remove();
  });

  const line = () => workbench.quickInput.box.locator('input.input');

  const settingsFile = () => path.join(workbench.janitor.folder, 'vscode/data/User/settings.json');

  /** The setting as VS Code has written it. */
  async function stored(): Promise<Record<string, unknown>[]> {
    const settings: Record<string, Record<string, unknown>[]> = JSON.parse(await readFile(settingsFile(), 'utf8'));
    return settings['deploymentManager.connections'] ?? [];
  }

  async function connectionNamed(name: string): Promise<Record<string, unknown> | undefined> {
    return (await stored()).find((connection) => connection['name'] === name);
  }

  it('show entries of the settings that make no sense, each with the reason', async () => {
    const { quickInput } = workbench;
    await workbench.runCommand('Deployment Manager: Switch Connection…');
    await quickInput.row('Typo').waitFor();
    await workbench.screenshot('connection-problems');
    const rows = await quickInput.rows();
    expect(rows.find((row) => row.startsWith('Typo'))).toMatch(/cannot be used; open the settings .*http/);
    expect(rows.find((row) => row.startsWith('A connection without a name'))).toContain('A connection needs a name.');
    expect(rows.find((row) => row.startsWith('Odd'))).toContain(
      'The flavor is "standard" or "langsmith", not "vanilla".',
    );
    expect(rows.find((row) => row.startsWith('Leaky'))).toContain('The header "X-Api-Key" carries a key.');
    await quickInput.choose('Typo');
    await workbench.page.getByRole('tab', { name: /settings/i }).waitFor();
    await workbench.screenshot('connection-problem-settings');
    await workbench.runCommand('View: Close All Editors');
  });

  it('offer the addresses of the hosted service that are known, and a self-hosted one', async () => {
    const { quickInput } = workbench;
    await workbench.runCommand('Deployment Manager: Add Connection…');
    await quickInput.row('Deployment service').waitFor();
    expect(await quickInput.rows()).toEqual([
      'Deployment service any service with this interface',
      'LangSmith Deployment api.host.langchain.com',
      'LangSmith Deployment eu.api.host.langchain.com',
      'LangSmith Deployment apac.api.host.langchain.com',
      'LangSmith Deployment aws.api.host.langchain.com',
      'LangSmith Deployment, self-hosted https://HOST/api-host',
    ]);
    await quickInput.box.getByRole('option').filter({ hasText: 'eu.api.host' }).click();
    await expect.poll(() => quickInput.title()).toBe(address);
    expect(await line().inputValue()).toBe('https://eu.api.host.langchain.com');
  });

  it('end at Escape where they offer another address, and keep nothing', async () => {
    const { quickInput } = workbench;
    await quickInput.answer(address, 'https://eu.smith.langchain.com/o/some/projects');
    await quickInput.row('Use https://eu.api.host.langchain.com').waitFor();
    await quickInput.cancel();
    await expect.poll(() => quickInput.box.isVisible()).toBe(false);
    expect(await stored()).toHaveLength(6);
  });

  it('keep a tracing address only where the person says so', async () => {
    const { quickInput } = workbench;
    await workbench.runCommand('Deployment Manager: Add Connection…');
    await quickInput.choose('Deployment service');
    await quickInput.answer(address, 'https://eu.smith.langchain.com/o/some/projects');
    await quickInput.row('Use https://eu.api.host.langchain.com').waitFor();
    await workbench.screenshot('connection-tracing-address');
    await quickInput.choose(/^\s*Keep https:\/\/eu\.smith\.langchain\.com/);
    await expect.poll(() => quickInput.title()).toBe(nameStep);
    expect(await line().inputValue()).toBe('eu.smith.langchain.com');
    await quickInput.cancel();
    expect(await stored()).toHaveLength(6);
  });

  it('ask for the workspace of an organisation-scoped key, and send it with each request', async () => {
    const { quickInput } = workbench;
    await workbench.runCommand('Deployment Manager: Add Connection…');
    await quickInput.choose('LangSmith Deployment, self-hosted');
    await quickInput.answer(address, `${server.url}/api-host`);
    await quickInput.answer(nameStep, 'Own');
    await quickInput.answer(keyStep, 'canary-55e0-key');
    await expect.poll(() => line().getAttribute('placeholder')).toBe('Workspace id');
    await workbench.screenshot('connection-workspace-id');
    await quickInput.answer(keyStep, 'two words');
    await expect.poll(() => quickInput.message()).toContain('The id holds a space');
    await quickInput.answer(keyStep, '6f1c-workspace');
    await quickInput.box.waitFor({ state: 'hidden' });
    await expect.poll(() => server.seen.length).toBeGreaterThan(0);
    expect(server.seen[0]).toMatchObject({
      path: expect.stringMatching(/^\/api-host\/v2\/deployments\?/),
      headers: { 'x-tenant-id': '6f1c-workspace', 'x-api-key': 'canary-55e0-key' },
    });
    expect(await connectionNamed('Own')).toEqual({
      name: 'Own',
      baseUrl: `${server.url}/api-host`,
      flavor: 'langsmith',
      headers: { 'X-Tenant-Id': '6f1c-workspace' },
    });
  });

  it('keep what cannot be used beside what was added', async () => {
    const names = (await stored()).map((entry) => (typeof entry === 'string' ? entry : entry['name']));
    expect(names).toEqual(['Typo', undefined, 'Odd', 'Leaky', 'nonsense', 'Unchecked', 'Own']);
  });

  it('allow plain http to another machine only with consent, and keep nothing without it', async () => {
    const { quickInput } = workbench;
    await workbench.runCommand('Deployment Manager: Add Connection…');
    await quickInput.choose('Deployment service');
    await quickInput.answer(address, 'http://deployments.example.com');
    await quickInput.row('Allow plain http for this connection').waitFor();
    await workbench.screenshot('connection-plain-http');
    await quickInput.choose('Enter another address');
    await expect.poll(() => quickInput.title()).toBe(address);
    await quickInput.cancel();
    expect(await connectionNamed('deployments.example.com')).toBeUndefined();
    await workbench.runCommand('Deployment Manager: Add Connection…');
    await quickInput.choose('Deployment service');
    await quickInput.answer(address, 'http://deployments.example.com');
    await quickInput.choose('Allow plain http for this connection');
    await quickInput.answer(nameStep, 'Plain');
    await quickInput.answer(keyStep, 'some-key');
    await expect
      .poll(() => connectionNamed('Plain'))
      .toEqual({
        name: 'Plain',
        baseUrl: 'http://deployments.example.com',
        flavor: 'standard',
        allowPlainHttp: true,
      });
  });

  it('edit a connection without asking for its key again', async () => {
    const { quickInput } = workbench;
    await workbench.runCommand('Deployment Manager: Switch Connection…');
    await quickInput.choose('Own');
    await workbench.runCommand('Deployment Manager: Edit Connection…');
    await quickInput.choose('Name');
    await quickInput.answer('Name', 'Plain');
    await expect.poll(() => quickInput.message()).toContain('There is a connection called "Plain" already.');
    await quickInput.answer('Name', 'Renamed');
    await quickInput.row('Save').waitFor();
    await workbench.screenshot('connection-edit');
    server.seen.length = 0;
    await quickInput.choose('Save');
    await expect.poll(() => connectionNamed('Renamed')).toBeDefined();
    await expect.poll(() => server.seen.map(({ headers }) => headers['x-api-key'])).toContain('canary-55e0-key');
    expect(await connectionNamed('Own')).toBeUndefined();
  });

  it('offer a choice where only some values make sense, and say why one does not fit', async () => {
    const { quickInput } = workbench;
    await workbench.runCommand('Deployment Manager: Switch Connection…');
    await quickInput.choose('Plain');
    await workbench.runCommand('Deployment Manager: Edit Connection…');
    await quickInput.choose('Flavor');
    await quickInput.row('langsmith').waitFor();
    await workbench.screenshot('connection-flavor');
    await quickInput.choose('langsmith');
    await quickInput.choose('Allow plain http');
    await quickInput.choose('No');
    await expect.poll(() => line().getAttribute('placeholder')).toMatch(/^Not with the address http:/);
    await workbench.screenshot('connection-plain-http-choice');
    await quickInput.choose('Yes');
    await quickInput.choose('Save');
    await expect
      .poll(() => connectionNamed('Plain'))
      .toEqual({ name: 'Plain', baseUrl: 'http://deployments.example.com', flavor: 'langsmith', allowPlainHttp: true });
    await workbench.runCommand('Deployment Manager: Switch Connection…');
    await quickInput.choose('Renamed');
  });

  it('ask for a key again where the address is another one', async () => {
    const { quickInput, page } = workbench;
    await workbench.runCommand('Deployment Manager: Edit Connection…');
    await quickInput.choose('Address');
    await quickInput.answer('Address', `${server.url}/other`);
    await quickInput.row('Save').waitFor();
    server.seen.length = 0;
    await quickInput.choose('Save');
    await page.getByRole('button', { name: 'Set API Key' }).waitFor();
    expect(server.seen).toEqual([]);
    await quickInput.box.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Set API Key' }).click();
    await quickInput.answer('Set API Key', 'canary-77aa-key');
    await expect.poll(() => server.seen.map(({ headers }) => headers['x-api-key'])).toContain('canary-77aa-key');
  });

  it('are tested without a word of a certificate that nobody checked', async () => {
    const { quickInput } = workbench;
    await workbench.runCommand('Deployment Manager: Switch Connection…');
    await quickInput.choose('Unchecked');
    await workbench.page.getByRole('button', { name: 'Set API Key' }).click();
    await quickInput.answer('Set API Key', 'some-key');
    await workbench.runCommand('Deployment Manager: Test Connection');
    const notification = await workbench.notification('"Unchecked" works.');
    await workbench.screenshot('connection-unchecked');
    expect(await notification.innerText()).toContain('Certificates are not checked (http.proxyStrictSSL)');
    expect(await notification.innerText()).not.toContain('accepted (TLS)');
    await workbench.runCommand('Notifications: Clear All Notifications');
    await workbench.runCommand('Deployment Manager: Switch Connection…');
    await quickInput.choose('Renamed');
  });

  it('forget the key of a connection that is removed', async () => {
    const { quickInput, page } = workbench;
    await workbench.runCommand('Deployment Manager: Remove Connection…');
    await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Cancel' }).click();
    expect(await connectionNamed('Renamed')).toBeDefined();
    await workbench.runCommand('Deployment Manager: Remove Connection…');
    await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => connectionNamed('Renamed')).toBeUndefined();
    server.seen.length = 0;
    // Another connection takes its name and address, and finds no key there any more.
    await workbench.runCommand('Deployment Manager: Edit Connection…');
    await quickInput.choose('Plain');
    await quickInput.choose('Name');
    await quickInput.answer('Name', 'Renamed');
    await quickInput.choose('Address');
    await quickInput.answer('Address', `${server.url}/other`);
    await quickInput.choose('Save');
    await page.getByRole('button', { name: 'Set API Key' }).waitFor();
    expect(server.seen).toEqual([]);
  });

  it('say at once that nothing answers where a connection was added, and offer to edit it', async () => {
    const { quickInput } = workbench;
    await workbench.runCommand('Notifications: Clear All Notifications');
    await addConnection(workbench, { name: 'Nowhere', url: 'http://127.0.0.1:9', apiKey: 'canary-91c3-key' });
    const notification = await workbench.notification('"Nowhere" does not work. Nothing answers at');
    await workbench.screenshot('connection-added-nowhere');
    expect(await notification.locator('.monaco-button').allInnerTexts()).toEqual([
      'Edit Connection',
      'Open Settings',
      'Try Again',
      'Show Log',
    ]);
    await notification.getByRole('button', { name: 'Edit Connection' }).click();
    await expect.poll(() => quickInput.title()).toBe('Edit Connection Nowhere');
    await quickInput.cancel();
  });

  it('say at once that the key of a connection that was added is refused', async () => {
    server.answer(json({ detail: 'Invalid API key' }, 401));
    await addConnection(workbench, { name: 'Refused', url: server.url, apiKey: 'canary-91c3-key' });
    const notification = await workbench.notification('"Refused" does not work.');
    await workbench.screenshot('connection-added-refused');
    expect(await notification.innerText()).toContain('did not accept the API key (401)');
    expect(await notification.locator('.monaco-button').allInnerTexts()).toEqual([
      'Set API Key',
      'Edit Connection',
      'Show Log',
    ]);
  });

  it('say nothing of a connection that was added and works, which the view shows', async () => {
    await workbench.runCommand('Notifications: Clear All Notifications');
    server.answer(json({ resources: [], offset: 0 }));
    await addConnection(workbench, { name: 'Working', url: server.url, apiKey: 'canary-91c3-key' });
    await workbench.page.getByRole('button', { name: 'Deploy Current Repository', exact: true }).waitFor();
    expect(await workbench.pastNotifications()).toEqual([]);
  });
});
