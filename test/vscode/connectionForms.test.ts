import { before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { makeCertificate } from '../support/faultCertificates.ts';
import { startFaultServer } from '../support/faultServer.ts';
import type { FaultServer } from '../support/faultServer.ts';
import { json, stallBeforeHeaders } from '../support/faults.ts';
import { setKey, storeConnections, storedConnections, switchConnection } from './support/connections.ts';
import { atEnd, useSettings } from './support/suite.ts';
import { expect, quickInput, run, told, tree } from './support/window.ts';
import { activeTab } from './support/workspace.ts';

const address = 'Add Connection (2/4)';
const nameStep = 'Add Connection (3/4)';
const keyStep = 'Add Connection (4/4)';

describe('The forms of a connection', () => {
  let server: FaultServer;
  let secure: FaultServer;

  before(async () => {
    server = await startFaultServer();
    atEnd(() => server[Symbol.asyncDispose]());
    server.answer(json({ resources: [], offset: 0 }));
    secure = await startFaultServer({ tls: makeCertificate() });
    atEnd(() => secure[Symbol.asyncDispose]());
    secure.answer((response, request) =>
      json(request.url?.includes('deployments') ? { resources: [], offset: 0 } : [])(response, request),
    );
    await useSettings({ proxyStrictSSL: false }, 'http');
    await storeConnections([
      { name: 'Typo', baseUrl: 'htp://deployments.example.com' },
      { baseUrl: 'https://deployments.example.com' },
      { name: 'Odd', baseUrl: 'https://deployments.example.com', flavor: 'vanilla' },
      { name: 'Leaky', baseUrl: 'https://deployments.example.com', headers: { 'X-Api-Key': 'abc' } },
      'nonsense',
      { name: 'Unchecked', baseUrl: secure.url },
    ]);
    await tree('Deployments').open();
  });

  const connectionNamed = (name: string) => storedConnections().find((connection) => connection['name'] === name);
  const state = () => told.contextKeys.get('deploymentManager.connection');
  const keysSent = () => server.seen.map(({ headers }) => headers['x-api-key']);
  const typed = () => quickInput.box().value;

  /** Adds a connection to a service of the standard flavor: answers the first questions, and waits for the end. */
  async function begin(url: string): Promise<void> {
    const added = run('addConnection');
    await quickInput.choose('Deployment service');
    await quickInput.answer(address, url);
    return added;
  }

  it('show unusable entries of the settings, each with the reason', async () => {
    const switched = run('switchConnection');
    await quickInput.asked('Switch Connection');
    const rows = quickInput.rows();
    expect(rows.find((row) => row.startsWith('Typo'))).toMatch(/can't be used; open the settings .*http/);
    expect(rows.find((row) => row.startsWith('A connection without a name'))).toContain('A connection needs a name.');
    expect(rows.find((row) => row.startsWith('Odd'))).toContain(
      'The flavor is "standard" or "langsmith", not "vanilla".',
    );
    expect(rows.find((row) => row.startsWith('Leaky'))).toContain('Header 1 carries a key.');
    await quickInput.choose('Typo');
    await switched;
    await activeTab(/settings/i);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('offer the known addresses of the hosted service, and a self-hosted one', async () => {
    const added = run('addConnection');
    await quickInput.asked('Add Connection (1/4)');
    expect(quickInput.rows()).toEqual([
      'Deployment service any service with this API',
      'LangSmith Deployment api.host.langchain.com',
      'LangSmith Deployment eu.api.host.langchain.com',
      'LangSmith Deployment apac.api.host.langchain.com',
      'LangSmith Deployment aws.api.host.langchain.com',
      'LangSmith Deployment, self-hosted https://HOST/api-host',
    ]);
    await quickInput.choose('LangSmith Deployment eu.api.host.langchain.com');
    await quickInput.asked(address);
    expect(typed()).toBe('https://eu.api.host.langchain.com');
    await quickInput.cancel();
    await added;
  });

  it('store nothing when Escape answers the offer of another address', async () => {
    const added = begin('https://eu.smith.langchain.com/o/some/projects');
    await expect.poll(() => quickInput.rows()).toContainEqual(expect.stringContaining('Use https://eu.api.host.'));
    await quickInput.cancel();
    await added;
    await quickInput.closed();
    expect(storedConnections()).toHaveLength(6);
  });

  it('keep a tracing address only if the user insists', async () => {
    const added = begin('https://eu.smith.langchain.com/o/some/projects');
    await expect.poll(() => quickInput.rows()).toContainEqual(expect.stringContaining('Use https://eu.api.host.'));
    await quickInput.choose(/^Keep https:\/\/eu\.smith\.langchain\.com/);
    await quickInput.asked(nameStep);
    expect(typed()).toBe('eu.smith.langchain.com');
    await quickInput.cancel();
    await added;
    expect(storedConnections()).toHaveLength(6);
  });

  it('ask for the workspace of an organization-scoped key, and send it with each request', async () => {
    const added = run('addConnection');
    await quickInput.choose('LangSmith Deployment, self-hosted');
    await quickInput.answer(address, `${server.url}/api-host`);
    await quickInput.answer(nameStep, 'Own');
    await quickInput.answer(keyStep, 'canary-55e0-key');
    await expect.poll(() => quickInput.box().placeholder).toBe('Workspace ID');
    await quickInput.answer(keyStep, 'two words');
    await expect.poll(() => quickInput.message()).toContain('The ID contains a space');
    await quickInput.answer(keyStep, '6f1c-workspace');
    await added;
    await expect.poll(() => server.seen.length).toBeGreaterThan(0);
    expect(server.seen[0]).toMatchObject({
      path: expect.stringMatching(/^\/api-host\/v2\/deployments\?/),
      headers: { 'x-tenant-id': '6f1c-workspace', 'x-api-key': 'canary-55e0-key' },
    });
    expect(connectionNamed('Own')).toEqual({
      name: 'Own',
      baseUrl: `${server.url}/api-host`,
      flavor: 'langsmith',
      headers: { 'X-Tenant-Id': '6f1c-workspace' },
    });
  });

  it('keep unusable entries beside an added one', () => {
    const names = storedConnections().map((entry) => (typeof entry === 'string' ? entry : entry['name']));
    expect(names).toEqual(['Typo', undefined, 'Odd', 'Leaky', 'nonsense', 'Unchecked', 'Own']);
  });

  it('allow plain http to another machine only with consent, and store nothing without it', async () => {
    const before = storedConnections();
    const left = begin('http://deployments.example.com');
    await quickInput.choose('Enter another base URL');
    await quickInput.asked(address);
    await quickInput.cancel();
    await left;
    expect(storedConnections()).toEqual(before);
    const kept = begin('http://deployments.example.com');
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
    await quickInput.choose('Keep Connection');
    await kept;
  });

  it('rename a connection without asking for its key again', async () => {
    await switchConnection('Own');
    const edited = run('editConnection');
    await quickInput.choose('Own');
    await quickInput.choose('Name');
    await quickInput.answer('Name', 'Plain');
    await expect.poll(() => quickInput.message()).toContain('A connection named "Plain" already exists.');
    await quickInput.answer('Name', 'Renamed');
    await quickInput.asked('Edit Connection Own');
    server.seen.length = 0;
    await quickInput.choose('Save');
    await edited;
    expect(connectionNamed('Renamed')).toBeDefined();
    expect(connectionNamed('Own')).toBeUndefined();
    await expect.poll(keysSent).toContain('canary-55e0-key');
  });

  it('offer a choice for a field with fixed values, and say why one is not possible', async () => {
    const edited = run('editConnection');
    await quickInput.choose('Plain');
    await quickInput.choose('Flavor');
    await quickInput.choose('langsmith');
    await quickInput.choose('Allow plain http');
    await quickInput.choose('No');
    await expect.poll(() => quickInput.message()).toMatch(/^Not possible with the base URL http:/);
    await quickInput.choose('Yes');
    await quickInput.choose('Save');
    await edited;
    expect(connectionNamed('Plain')).toEqual({
      name: 'Plain',
      baseUrl: 'http://deployments.example.com',
      flavor: 'langsmith',
      allowPlainHttp: true,
    });
    await expect.poll(() => tree('Deployments').heading()).toBe('Renamed · 0');
  });

  it('ask for a key again after the address has changed', async () => {
    const edited = run('editConnection');
    await quickInput.choose('Renamed');
    await quickInput.choose('Base URL');
    await quickInput.answer('Base URL', `${server.url}/other`);
    await quickInput.asked('Edit Connection Renamed');
    server.seen.length = 0;
    await quickInput.choose('Save');
    await edited;
    await expect.poll(state).toBe('keyMissing');
    await setKey('canary-77aa-key');
    await expect.poll(keysSent).toContain('canary-77aa-key');
    expect(keysSent().filter((key) => key !== 'canary-77aa-key')).toEqual([]);
  });

  it('claim nothing about a certificate that was not checked', async () => {
    const tested = run('testConnection');
    await quickInput.choose('Unchecked');
    await quickInput.answer('Set API Key', 'some-key');
    const message = await told.message('"Unchecked" works.');
    expect(message.text).toContain("Certificates aren't checked (http.proxyStrictSSL)");
    expect(message.text).not.toContain('accepted (TLS)');
    message.press();
    await tested;
    expect(tree('Deployments').heading()).toBe('Renamed · 0');
  });

  it('delete the key of a removed connection', async () => {
    const kept = run('removeConnection');
    await quickInput.choose('Renamed');
    const question = await told.message('Renamed');
    expect(question).toMatchObject({ isModal: true, buttons: ['Remove'] });
    question.press();
    await kept;
    expect(connectionNamed('Renamed')).toBeDefined();
    const removed = run('removeConnection', 'Renamed');
    (await told.message('Renamed')).press('Remove');
    await removed;
    expect(connectionNamed('Renamed')).toBeUndefined();
    server.seen.length = 0;
    // Another connection takes its name and address, and finds no key there any more.
    const edited = run('editConnection');
    await quickInput.choose('Plain');
    await quickInput.choose('Name');
    await quickInput.answer('Name', 'Renamed');
    await quickInput.choose('Base URL');
    await quickInput.answer('Base URL', `${server.url}/other`);
    await quickInput.choose('Save');
    await edited;
    await expect.poll(state).toBe('keyMissing');
    expect(server.seen).toEqual([]);
  });

  it('leave the window on its connection while a new one does not work, until it is mended', async () => {
    await setKey('canary-13d7-key');
    await expect.poll(() => tree('Deployments').heading()).toBe('Renamed · 0');

    const added = begin('http://127.0.0.1:9');
    await quickInput.answer(nameStep, 'Nowhere');
    await quickInput.answer(keyStep, 'canary-91c3-key');
    await expect.poll(() => quickInput.message()).toBe('"Nowhere" doesn\'t work. Press Escape to discard it');
    expect(quickInput.rows()).toEqual([
      'http://127.0.0.1:9 refused the connection.',
      'Check the base URL and that the service is running.',
      'Edit Connection',
      'Set API Key',
      'Try Again',
      'Keep Connection',
      'Open Settings',
      'Show Log',
    ]);
    expect(tree('Deployments').heading()).toBe('Renamed · 0');

    server.answer(json({ detail: 'Invalid API key' }, 401));
    await quickInput.choose('Edit Connection');
    await quickInput.choose('Base URL');
    await quickInput.answer('Base URL', `${server.url}/new`);
    await quickInput.choose('Save');
    await quickInput.answer('Set API Key', 'canary-old-key');
    await expect.poll(() => quickInput.rows()[0]).toContain(`API key rejected by ${server.url} (401)`);
    expect(quickInput.rows().slice(-5)).toEqual([
      'Set API Key',
      'Edit Connection',
      'Try Again',
      'Keep Connection',
      'Show Log',
    ]);

    server.answer(json({ resources: [], offset: 0 }));
    await quickInput.choose('Set API Key');
    await quickInput.answer('Set API Key', 'canary-new-key');
    await added;
    await quickInput.closed();
    await expect.poll(() => tree('Deployments').heading()).toBe('Nowhere · 0');
    expect(told.messages).toEqual([]);
  });

  it('keep a connection that does not work only if the user says so, and the window on its own', async () => {
    const added = begin('http://127.0.0.1:9');
    await quickInput.answer(nameStep, 'Later');
    await quickInput.answer(keyStep, 'canary-91c3-key');
    await expect.poll(() => quickInput.rows()).toContain('Keep Connection');
    await quickInput.choose('Show Log');
    await quickInput.choose('Keep Connection');
    await added;
    expect(connectionNamed('Later')).toBeDefined();
    const left = begin('http://127.0.0.1:9');
    await quickInput.answer(nameStep, 'Never');
    await quickInput.answer(keyStep, 'canary-91c3-key');
    await expect.poll(() => quickInput.rows()).toContain('Keep Connection');
    await quickInput.cancel();
    await left;
    expect(connectionNamed('Never')).toBeUndefined();
    expect(tree('Deployments').heading()).toBe('Nowhere · 0');
  });

  it('keep a connection whose test was cancelled only if the user says so', async () => {
    server.answer(stallBeforeHeaders);
    const added = begin(server.url);
    await quickInput.answer(nameStep, 'Slow');
    await quickInput.answer(keyStep, 'canary-91c3-key');
    await told.cancel('Testing Slow…');
    await expect.poll(() => quickInput.message()).toBe('"Slow" wasn\'t tested. Press Escape to discard it');
    await quickInput.cancel();
    await added;
    expect(connectionNamed('Slow')).toBeUndefined();
    server.answer(json({ resources: [], offset: 0 }));
    expect(tree('Deployments').heading()).toBe('Nowhere · 0');
  });

  it('check an input while it is typed', async () => {
    const added = run('addConnection');
    await quickInput.choose('Deployment service');
    await quickInput.asked(address);
    await quickInput.fill('htp://nowhere.example');
    await expect.poll(() => quickInput.message()).toContain("The base URL isn't a web address.");
    await quickInput.fill('https://nowhere.example');
    await expect.poll(() => quickInput.message()).toBe('The base URL of the deployment service.');
    await quickInput.fill('https://nowhere.example?a=b');
    await expect.poll(() => quickInput.message()).toContain('The base URL can\'t contain "?"');
    await quickInput.cancel();
    await added;
  });

  it('lose nothing that was entered when it cannot be stored', async () => {
    const { getConfiguration } = vscode.workspace;
    const refuses = { value: () => Promise.reject(new Error('Unable to write into user settings.')) };
    Object.assign(vscode.workspace, {
      getConfiguration: (section: string) => Object.create(getConfiguration(section), { update: refuses }),
    });
    try {
      const added = begin(server.url);
      await quickInput.answer(nameStep, 'Kept');
      await quickInput.answer(keyStep, 'canary-91c3-key');
      await expect.poll(() => quickInput.rows()).toEqual(['Unable to write into user settings.', 'Try Again']);
      Object.assign(vscode.workspace, { getConfiguration });
      await quickInput.choose('Try Again');
      await added;
      expect(connectionNamed('Kept')).toBeDefined();

      Object.assign(vscode.workspace, {
        getConfiguration: (section: string) => Object.create(getConfiguration(section), { update: refuses }),
      });
      const edited = run('editConnection', 'Kept');
      await quickInput.choose('Header for the API key');
      await quickInput.answer('Header for the API key', 'two words');
      await expect.poll(() => quickInput.message()).toContain('"Header for the API key" must be the name of a header.');
      await quickInput.cancel();
      await quickInput.choose('Auth scheme, such as Bearer');
      await quickInput.answer('Auth scheme, such as Bearer', 'Bearer');
      await quickInput.choose('Save');
      await expect.poll(() => quickInput.rows()[0]).toBe('Unable to write into user settings.');
      expect(quickInput.rows()).toContain('Auth scheme, such as Bearer Bearer');
      Object.assign(vscode.workspace, { getConfiguration });
      await quickInput.choose('Save');
      await edited;
      expect(connectionNamed('Kept')).toMatchObject({ authPrefix: 'Bearer' });
    } finally {
      Object.assign(vscode.workspace, { getConfiguration });
    }
  });

  it('list advanced fields under one heading, and forget a proxy password with its proxy', async () => {
    const edited = run('editConnection', 'Kept');
    await quickInput.asked('Edit Connection Kept');
    const box = quickInput.box();
    const items = 'items' in box ? box.items : [];
    const heading = items.findIndex(({ kind }) => kind === vscode.QuickPickItemKind.Separator);
    expect(items.slice(heading).map(({ label }) => label)).toEqual([
      'Advanced',
      "The service's name for the code host",
      'Header for the API key',
      'Auth scheme, such as Bearer',
      'Additional headers, as JSON',
      'Allow plain http',
      'Proxy',
      'Proxy password',
      'File with additional certificate authorities',
      'Client certificate file',
      'Client certificate key file',
    ]);
    await quickInput.choose('Additional headers, as JSON');
    await quickInput.answer('Additional headers, as JSON', '{"X-Tenant-Id"');
    await expect.poll(() => quickInput.message()).toContain('Enter the headers as JSON');
    await quickInput.answer('Additional headers, as JSON', '{"X-Tenant-Id": "canary-tenant"}');
    await quickInput.choose('Additional headers, as JSON 1 header');
    await quickInput.asked('Additional headers, as JSON');
    await quickInput.cancel();
    await quickInput.choose('Proxy password needs a proxy');
    await quickInput.choose('Proxy');
    await quickInput.answer('Proxy', 'http://proxy.example');
    await quickInput.choose('Proxy password');
    await quickInput.asked('Proxy password');
    expect(quickInput.box()).toHaveProperty('password', true);
    await quickInput.answer('Proxy password', 'me:canary');
    await quickInput.choose('Proxy password will be replaced');
    await quickInput.asked('Proxy password');
    expect(typed()).toBe('');
    await quickInput.cancel();
    await quickInput.choose('Proxy http://proxy.example');
    await quickInput.answer('Proxy', 'http://other.example');
    await expect.poll(() => quickInput.rows()).toContain('Proxy password');
    expect(quickInput.rows().join()).not.toContain('canary');
    await quickInput.cancel();
    await edited;
    expect(connectionNamed('Kept')).not.toHaveProperty('proxy');
  });
});
