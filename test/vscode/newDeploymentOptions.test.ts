import { before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { json, stallBeforeHeaders } from '../support/faults.ts';
import { callService } from '../support/serviceSeed.ts';
import { addConnection, addKeylessConnection } from './support/connections.ts';
import { setKey as specKey } from './support/forms.ts';
import { addSecret, discard, inNewDeployment, leave, openDraft } from './support/newDeployment.ts';
import type { Page } from './support/pages.ts';
import { startRelay, startService } from './support/suite.ts';
import type { Relay, Service } from './support/suite.ts';
import { editorText, expect, pages, quickInput, run, told, tree } from './support/window.ts';
import { closeFolders, openSample } from './support/workspace.ts';

const options = ['listener', 'namespace', 'custom_url', 'install_command', 'build_command'];

describe('The options of a new deployment', () => {
  let service: Service;
  let other: Service;
  let relay: Relay;
  let url: string;

  before(async () => {
    const sample = await openSample();
    const { folder } = sample;
    url = sample.url;
    [service, other] = await Promise.all([
      startService({ repositories: [folder], stepMs: 1 }),
      startService({ repositories: [folder], stepMs: 1 }),
    ]);
    await callService(service, 'POST', '/v2/listeners', {
      compute_type: 'k8s',
      compute_id: 'production-cluster',
      compute_config: { k8s_namespaces: ['agents', 'billing'] },
    });
    relay = await startRelay(service);
    await addKeylessConnection('Options elsewhere', other.url);
    await addConnection('Options', relay);
  });

  /** The requests for listeners, but for those of their view. */
  const listenersAsked = (): string[] =>
    relay.requests.filter((request) => /^GET \/v2\/listeners(?!\?limit=20&)/.test(request));

  const valuesOf = (page: Page): (string | undefined)[] => {
    const fields = page.deployment().groups.flatMap((group) => group.fields);
    return options.map((key) => fields.find((field) => field.key === key)?.value);
  };

  const unset = options.map(() => '');

  it('are folded until they are set, and request no listeners', () =>
    inNewDeployment((page) => {
      expect(page.deployment().groups.find(({ id }) => id === 'options')).toMatchObject({
        summary: 'Build on push: on',
        isOpen: false,
      });
      expect(valuesOf(page)).toEqual(unset);
      expect(listenersAsked()).toEqual([]);
    }));

  it('have the finding of a listener that the service requires', () =>
    inNewDeployment(async (page) => {
      const detail = "'source_config.listener_id' is required for workspace with available listener IDs: [one]";
      relay.break(/^POST \/v2\/deployments/, json({ detail }, 400));
      await page.press(/^Deploy/);
      const isRequired = expect.stringContaining('Choose one of the listeners of your workspace.');
      await expect
        .poll(() => page.deployment().findings)
        .toContainEqual(expect.objectContaining({ key: 'listener', message: isRequired }));
      const picked = page.press('Listener');
      await expect.poll(() => quickInput.rows().join('\n')).toContain('production-cluster');
      await quickInput.goBack();
      await picked;
      expect(valuesOf(page)).toEqual(unset);
    }));

  it('lose nothing if listing the listeners fails', () =>
    inNewDeployment(async (page) => {
      relay.break(/^GET \/v2\/listeners/, json({ detail: 'Not for you.' }, 403));
      expect((await page.press('Listener')).message).toContain('Not for you.');
      expect(valuesOf(page)).toEqual(unset);
    }));

  it('wait for the listeners only as long as the user wants', () =>
    inNewDeployment(async (page) => {
      relay.break(/^GET \/v2\/listeners/, stallBeforeHeaders);
      const picked = page.press('Listener');
      await expect.poll(listenersAsked).toHaveLength(1);
      await told.cancel('Loading the listeners of Options…');
      expect(await picked).toMatchObject({ failed: false, message: '' });
      expect(valuesOf(page)).toEqual(unset);
    }));

  it('warn of characters that services reject in a command', () =>
    inNewDeployment(async (page) => {
      await page.type('install_command', 'npm ci; npm audit');
      await expect
        .poll(() => page.deployment().findings)
        .toContainEqual(
          expect.objectContaining({
            key: 'install_command',
            message: expect.stringContaining('The install command contains characters that services reject'),
          }),
        );
      await page.type('install_command', 'npm ci');
      await expect.poll(() => page.findings().join('\n')).not.toContain('services reject');
      expect(page.field('install_command')).toBe('npm ci');
    }));

  it('choose a listener and a namespace, or a newly created one, and are sent and shown in the details', async () => {
    const page = await openDraft();
    const chosen = page.press('Listener');
    await quickInput.choose('production-cluster');
    await quickInput.choose('billing');
    await chosen;
    await pages.inFront();
    expect(valuesOf(page).slice(0, 2)).toEqual(['production-cluster', 'billing']);
    const created = page.press('Listener');
    await quickInput.choose('Create Listener…');
    await quickInput.choose('Kubernetes');
    await quickInput.answer('Create Listener (2/4)', 'new-cluster');
    await quickInput.choose('Add Namespace…');
    await expect.poll(() => quickInput.message()).toContain('A Kubernetes namespace');
    await quickInput.fill('apps');
    await quickInput.accept();
    await quickInput.choose('Continue');
    await quickInput.answer('Create Listener (4/4)', '');
    await created;
    await pages.inFront();
    const { resources } = await callService(service, 'GET', '/v2/listeners');
    const { id } = resources.find((row: { compute_id: string }) => row.compute_id === 'new-cluster');
    // The only namespace needs no question.
    expect(valuesOf(page).slice(0, 2)).toEqual(['new-cluster', 'apps']);
    const originOf = (wanted: string) =>
      page
        .deployment()
        .groups.flatMap(({ fields }) => fields.flatMap(({ key, from }) => (key === wanted ? [from] : [])));
    await expect.poll(() => originOf('listener')).toEqual(['made here']);
    await page.type('install_command', 'npm ci');
    expect(await page.edit([specKey('cpu', '2')])).toBe('');
    await page.press(/^Deploy/);
    await expect.poll(() => page.deployment().progress?.look).toBe('success');
    await page.close();

    await tree('Deployments').shows('sample-agent');
    await run('openDetails');
    await expect.poll(editorText).toContain(`listener_id: ${id}`);
    expect(editorText()).toContain('k8s_namespace: apps');
    expect(editorText()).toContain('install_command: npm ci');
    await closeFolders();
  });

  it('are as last time also where the repository is chosen later, but for what the user set before', async () => {
    const begin = async (): Promise<Page> => {
      const created = run('createDeployment');
      await quickInput.choose('Repository');
      await created;
      return pages.inFront();
    };
    const page = await begin();
    await page.type('build_command', 'npm run own');
    await addSecret(page, 'TYPED', 'canary-5e0d-secret');
    await page.type('repository', 'https://code.example/acme/never-deployed');
    const chosen = page.press('Repository');
    await quickInput.choose('Enter a URL…');
    await expect.poll(() => quickInput.message()).toContain('The URL of the repository on the code host.');
    await quickInput.fill(url);
    await quickInput.accept();
    await chosen;
    await pages.inFront();
    expect(page.document.getText()).toContain(`repository: ${url}`);
    expect(valuesOf(page)).toEqual(['new-cluster', 'apps', '', 'npm ci', 'npm run own']);
    const fields = page.deployment().groups.flatMap((group) => group.fields);
    const from = (key: string) => fields.find((field) => field.key === key)?.from;
    expect(options.map(from)).toEqual(['as last time', 'as last time', '', 'as last time', 'chosen']);
    expect(page.deployment().resources?.summary).toBe('2 cores · as last time');
    // The secret goes with the name, which follows the repository.
    expect(page.field('name')).toBe('sample-agent-2');
    expect(page.deployment().tables[0]?.rows).toMatchObject([{ name: 'TYPED', state: 'set' }]);
    // Another one wasn't deployed before.
    const enterOther = async (): Promise<void> => {
      await page.type('repository', 'https://code.example/acme/other');
      expect(valuesOf(page)).toEqual(['', '', '', '', 'npm run own']);
      expect(page.field('name')).toBe('other');
    };
    const origin = (key: string) =>
      page
        .deployment()
        .groups.flatMap((group) => group.fields)
        .find((field) => field.key === key)?.from;
    await enterOther();
    await vscode.commands.executeCommand('undo');
    await expect.poll(() => page.field('repository')).toBe(url);
    await expect.poll(() => ['listener', 'name'].map(origin)).toEqual(['as last time', 'made for you']);
    await enterOther();
    await expect.poll(() => origin('name')).toBe('made for you');
    await page.type('repository', url);
    expect(valuesOf(page)).toEqual(['new-cluster', 'apps', '', 'npm ci', 'npm run own']);
    await expect.poll(() => page.field('name')).toBe('sample-agent-2');
    expect(page.deployment().tables[0]?.rows).toMatchObject([{ name: 'TYPED', state: 'set' }]);
    await leave(page);
    const again = await begin();
    expect(again.field('repository')).toBe(url);
    await discard(again);
  });

  it('are as last time, but the listener is of one connection only, which is said', () =>
    inNewDeployment(async (page) => {
      const fields = page.deployment().groups.flatMap((group) => group.fields);
      expect(fields.filter(({ from }) => from === 'as last time').map(({ key }) => key)).toEqual(
        expect.arrayContaining(['listener', 'namespace', 'install_command']),
      );
      expect(page.deployment().resources?.summary).toBe('2 cores · as last time');
      const listener = page.field('listener');
      await page.type('connection', 'Options elsewhere');
      const set = page.press('Set API Key');
      await quickInput.answer('Set API Key', other.apiKey);
      await set;
      await expect.poll(() => page.findings().join('\n')).toContain(`Options elsewhere has no listener "${listener}"`);
      await page.type('listener', '');
      await page.type('namespace', '');
      await expect.poll(() => page.state().words).toMatch(/ to Options elsewhere$/);
      expect(valuesOf(page)).toEqual(['', '', '', 'npm ci', '']);
    }));
});
