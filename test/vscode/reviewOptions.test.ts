import { before, describe, it } from 'mocha';
import { json, stallBeforeHeaders } from '../support/faults.ts';
import { callService } from '../support/serviceSeed.ts';
import { addConnection, addKeylessConnection } from './support/connections.ts';
import { answer, checked, edit, inReview, openReview, reviewSays, rows, valueOf } from './support/review.ts';
import { startRelay, startService } from './support/suite.ts';
import type { Relay, Service } from './support/suite.ts';
import { editorText, expect, quickInput, run, told, tree } from './support/window.ts';
import { closeFolders, openSample } from './support/workspace.ts';

const unsetOptions = 'More options… listener, custom URL, install command, build command';

describe('The options of a deployment', () => {
  let service: Service;
  let other: Service;
  let relay: Relay;

  before(async () => {
    const { folder } = await openSample();
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

  const listenersAsked = (): string[] => relay.requests.filter((request) => request.startsWith('GET /v2/listeners'));

  async function openListeners(): Promise<void> {
    await edit('More options…');
    await quickInput.choose('Listener');
  }

  it('of a source without a repository have no fetch', () =>
    inReview(async () => {
      expect(rows()).toContain('Fetch from origin');
      await edit('Source');
      await quickInput.choose('Template');
      await expect.poll(rows).toContain('Source Template');
      await expect.poll(rows).not.toContain('Fetch from');
      await edit('Source');
      await quickInput.choose('Repository');
      await expect.poll(rows).toContain('Fetch from origin');
    }));

  it('take one row until they are set, and request no listeners', () =>
    inReview(async () => {
      expect(await valueOf('More options…')).toBe(unsetOptions);
      expect(await valueOf('Namespace')).toBeUndefined();
      expect(listenersAsked()).toEqual([]);
    }));

  it('lead to the listeners if the service requires one', () =>
    inReview(async () => {
      const detail = "'source_config.listener_id' is required for workspace with available listener IDs: [one]";
      relay.break(/^POST \/v2\/deployments/, json({ detail }, 400));
      await quickInput.choose('Deploy sample-agent to Options');
      await reviewSays('Choose one of the listeners of your workspace.');
      await quickInput.choose(/source_config\.listener_id/);
      await expect.poll(rows).toContain('production-cluster');
      await quickInput.goBack();
      await checked();
    }));

  it('lose nothing if listing the listeners fails', () =>
    inReview(async () => {
      relay.break(/^GET \/v2\/listeners/, json({ detail: 'Not for you.' }, 403));
      await openListeners();
      await reviewSays('Not for you.');
      expect(await valueOf('More options…')).toBe(unsetOptions);
    }));

  it('wait for the listeners only as long as the user wants', () =>
    inReview(async () => {
      relay.break(/^GET \/v2\/listeners/, stallBeforeHeaders);
      await openListeners();
      const waiting = await told.waitsFor('Loading the listeners of Options…');
      await expect.poll(listenersAsked).toHaveLength(1);
      waiting.cancel();
      expect(await valueOf('More options…')).toBe(unsetOptions);
    }));

  it('warn of characters that services reject in a command, and lead back to it', () =>
    inReview(async () => {
      await edit('More options…');
      await quickInput.choose('Install command');
      await answer("Installs the application's packages.", 'npm ci; npm audit');
      expect(await valueOf('Install command')).toBe('Install command npm ci; npm audit');
      await quickInput.choose(/The install command contains characters that services reject/);
      await answer("Installs the application's packages.", 'npm ci');
      expect(await valueOf('Install command')).toBe('Install command npm ci');
      expect(rows()).not.toContain('services reject');
    }));

  it('choose a listener and a namespace, or a newly created one, and are sent and shown in the details', async () => {
    const { ended } = await openReview();
    await openListeners();
    await quickInput.choose('production-cluster');
    await quickInput.choose('billing');
    expect(await valueOf('Listener')).toBe('Listener production-cluster');
    expect(await valueOf('Namespace')).toBe('Namespace billing');
    await edit('Listener');
    await quickInput.choose('Create Listener…');
    await quickInput.choose('Kubernetes');
    await quickInput.answer('Create Listener (2/4)', 'new-cluster');
    await quickInput.choose('Add Namespace…');
    await answer('A Kubernetes namespace', 'apps');
    await quickInput.choose('Continue');
    await quickInput.answer('Create Listener (4/4)', '');
    expect(await valueOf('Listener')).toBe('Listener new-cluster');
    // The only namespace needs no question.
    expect(await valueOf('Namespace')).toBe('Namespace apps');
    await edit('More options…');
    await quickInput.choose('Install command');
    await answer("Installs the application's packages.", 'npm ci');
    await checked();
    await quickInput.choose('Deploy sample-agent to Options');
    await ended;

    await tree('Deployments').shows('sample-agent');
    const { resources } = await callService(service, 'GET', '/v2/listeners');
    const { id } = resources.find((row: { compute_id: string }) => row.compute_id === 'new-cluster');
    await run('openDetails');
    await expect.poll(editorText).toContain(`listener_id: ${id}`);
    expect(editorText()).toContain('k8s_namespace: apps');
    expect(editorText()).toContain('install_command: npm ci');
    await closeFolders();
  });

  it('are as last time, but the listener is dropped when the connection changes, which is said', () =>
    inReview(async () => {
      expect(rows()).toContain('Listener new-cluster · as last time');
      expect(rows()).toContain('Namespace apps · as last time');
      await edit('Connection');
      await quickInput.choose('Options elsewhere');
      await quickInput.answer('Set API Key', other.apiKey);
      await expect.poll(rows).toContain('Deploy sample-agent to Options elsewhere');
      await reviewSays('The listener new-cluster belongs to the previous connection');
      expect(await valueOf('More options…')).toBe('More options… listener, custom URL, build command');
    }));
});
