import { before, describe, it } from 'mocha';
import { json, resetBeforeHeaders } from '../support/faults.ts';
import { callService } from '../support/serviceSeed.ts';
import { setKey, storeConnections, storedConnections, switchConnection } from './support/connections.ts';
import { startRelay, startService } from './support/suite.ts';
import type { Relay, Service } from './support/suite.ts';
import { editorText, expect, quickInput, run, told, tree } from './support/window.ts';

const able = 'Side changes';
const unable = 'Document only';
const title = 'Edit Listener';

const capabilities = () => told.contextKeys.get('deploymentManager.capabilities');
const sentTo = (relay: Relay, method: string) => relay.requests.filter((request) => request.startsWith(method));

describe('A change beside the deployments', () => {
  let service: Service;
  let relay: Relay;

  before(async () => {
    service = await startService({ stepMs: 1, devControls: true });
    relay = await startRelay(service);
    const first = await register('production-cluster');
    await register('idle-cluster');
    await callService(service, 'POST', '/v2/deployments', {
      name: 'on-the-cluster',
      source: 'external_docker',
      source_config: { listener_id: first, listener_config: { k8s_namespace: 'agents' } },
      source_revision_config: { image_uri: 'registry.example/acme/agent:1' },
      secrets: [],
    });
    await callService(service, 'PUT', '/_dev/providers/github', { name: 'GitHub' });
    await callService(service, 'PUT', '/_dev/providers/slack', { name: 'Slack' });
    await storeConnections([
      { name: unable, baseUrl: relay.url },
      { name: able, baseUrl: relay.url, flavor: 'langsmith' },
    ]);
    for (const { name } of storedConnections()) {
      await switchConnection(String(name));
      await setKey(service.apiKey);
    }
    await tree('Listeners').open();
    await expect.poll(() => tree('Listeners').heading()).toBe(`${able} · 2`);
  });

  async function register(computeId: string): Promise<unknown> {
    const { id } = (await callService(service, 'POST', '/v2/listeners', {
      compute_type: 'k8s',
      compute_id: computeId,
      compute_config: { k8s_namespaces: ['agents'] },
      version: '1.0.0',
    })) as { readonly id: unknown };
    return id;
  }

  const row = async (name: string) => tree('Listeners').shows(name);

  it('of a listener sends only what differs, and shows the answer without reloading the list', async () => {
    expect(capabilities()).toMatch(/\blistenerEdit\b/);
    relay.requests.length = 0;
    const edited = run('editListener', await row('production-cluster'));
    await quickInput.asked(`${title} (1/2)`);
    await quickInput.choose('Add Namespace…');
    await quickInput.answer(title, 'tools');
    await quickInput.choose('Continue');
    await quickInput.asked(`${title} (2/2)`);
    expect(quickInput.box().value).toBe('1.0.0');
    await quickInput.fill('');
    await quickInput.accept();
    await expect.poll(() => quickInput.message()).toContain('The version can be changed, but not removed.');
    await quickInput.answer(`${title} (2/2)`, '1.0.0');
    await edited;
    await expect
      .poll(() => tree('Listeners').rows())
      .toMatch(/- production-cluster k8s · namespaces agents, tools · version 1\.0\.0/);
    expect(sentTo(relay, 'GET /v2/listeners')).toHaveLength(1);
    expect(sentTo(relay, 'PATCH')).toEqual([expect.stringMatching(/^PATCH \/v2\/listeners\//)]);
  });

  it('of a listener sends nothing if nothing differs', async () => {
    relay.requests.length = 0;
    const edited = run('editListener', await row('production-cluster'));
    await quickInput.choose('Continue');
    await quickInput.answer(`${title} (2/2)`, '1.0.0');
    await edited;
    await told.message('Nothing was sent, because production-cluster is already like this.');
    expect(sentTo(relay, 'PATCH')).toEqual([]);
  });

  it('of a listener keeps what was entered if it fails, and finds what came through', async () => {
    relay.requests.length = 0;
    const edited = run('editListener', await row('production-cluster'));
    await quickInput.choose('Continue');
    relay.break(/^PATCH/, json({ detail: 'The version is unknown.' }, 400));
    await quickInput.answer(`${title} (2/2)`, '2.0.0');
    await expect.poll(() => quickInput.message()).toContain('The version is unknown. Press Enter to send it again.');
    expect(quickInput.box().value).toBe('2.0.0');
    // The listener has been changed elsewhere to the same when the answer is lost.
    const { resources } = (await callService(service, 'GET', '/v2/listeners')) as {
      readonly resources: readonly { readonly id: string; readonly compute_id: string }[];
    };
    const id = resources.find((listener) => listener.compute_id === 'production-cluster')?.id ?? '';
    await callService(service, 'PATCH', `/v2/listeners/${id}`, { version: '2.0.0' });
    relay.mend();
    relay.break(/^PATCH/, resetBeforeHeaders);
    await quickInput.accept();
    await edited;
    await expect.poll(() => tree('Listeners').rows()).toMatch(/- production-cluster .* version 2\.0\.0/);
    expect(sentTo(relay, 'PATCH')).toHaveLength(2);
  });

  it('names the deployments of a listener before it is deleted, and the service has the last word', async () => {
    relay.requests.length = 0;
    const left = run('deleteListener', await row('production-cluster'));
    const question = await told.message(`Delete the listener production-cluster from ${able}?`);
    expect(question.isModal).toBe(true);
    expect(question.detail).toContain('1 deployment uses it: on-the-cluster. The service may refuse to delete it.');
    question.press();
    await left;
    expect(sentTo(relay, 'DELETE')).toEqual([]);

    const refused = run('deleteListener', await row('production-cluster'));
    (await told.message(/^Delete the listener/)).press('Delete Listener');
    (await told.message(/Deployments run on this listener/)).press();
    await refused;
    expect(tree('Listeners').rows()).toContain('production-cluster');
  });

  it('deletes a listener after one question, and takes it from the list', async () => {
    relay.requests.length = 0;
    const deleted = run('deleteListener', await row('idle-cluster'));
    const question = await told.message(`Delete the listener idle-cluster from ${able}?`);
    expect(question.detail).toContain('No deployment uses it.');
    expect(question.detail).toContain('Nothing is uninstalled in the cluster.');
    question.press('Delete Listener');
    await deleted;
    await expect.poll(() => tree('Listeners').heading()).toBe(`${able} · 1`);
    await expect.poll(() => tree('Listeners').rows()).not.toContain('idle-cluster');
    expect(sentTo(relay, 'DELETE')).toHaveLength(1);
    expect(sentTo(relay, 'GET /v2/listeners')).toHaveLength(1);
  });

  it('says that a listener is gone that somebody else has deleted', async () => {
    await register('short-cluster');
    await run('refreshListeners');
    const { resources } = (await callService(service, 'GET', '/v2/listeners')) as {
      readonly resources: readonly { readonly id: string }[];
    };
    const deleted = await row('short-cluster');
    await callService(service, 'DELETE', `/v2/listeners/${resources[0]?.id}`);
    const edited = run('editListener', deleted);
    (await told.message(`"short-cluster" no longer exists on ${able}.`)).press();
    await edited;
    await expect.poll(() => tree('Listeners').rows()).not.toContain('short-cluster');
  });

  it('of an OAuth provider begins with the list of the service', async () => {
    relay.requests.length = 0;
    const updated = run('updateOAuthProvider');
    await quickInput.asked('Update OAuth Provider');
    await expect
      .poll(() => quickInput.rows())
      .toEqual(['GitHub github', 'Slack slack', 'Enter the ID of Another Provider…']);
    await quickInput.choose('Slack');
    await quickInput.choose('Uses PKCE');
    await quickInput.choose('Yes');
    await quickInput.choose(`Send 1 Change to ${able}`);
    await updated;
    await expect.poll(editorText).toContain('Uses PKCE: changed');
    expect(sentTo(relay, 'GET /v2/auth')).toEqual(['GET /v2/auth/providers']);
    expect(sentTo(relay, 'PATCH')).toEqual(['PATCH /v2/auth/providers/slack']);
  });

  it('takes a typed ID where the list fails, and stops asking for one that is missing', async () => {
    for (const status of [503, 404]) {
      relay.break(/^GET \/v2\/auth\/providers/, json({ detail: 'Not found.' }, status));
      const updated = run('updateOAuthProvider');
      await quickInput.answer('Update OAuth Provider', 'github');
      await quickInput.asked('Update OAuth Provider github');
      await quickInput.cancel();
      await updated;
      relay.mend();
    }
    expect(capabilities()).not.toMatch(/\bproviderList\b/);
    expect(capabilities()).toMatch(/\blistenerEdit\b/);
  });

  it('is in the activity of this machine', async () => {
    await run('showActivity');
    for (const words of [
      `production-cluster on ${able}: listener changed`,
      `idle-cluster on ${able}: listener deleted`,
      `Slack on ${able}: OAuth provider changed`,
    ]) {
      await expect.poll(editorText).toContain(words);
    }
  });

  it('is not offered where the service has only the document', async () => {
    await switchConnection(unable);
    await expect.poll(() => tree('Listeners').heading()).toBe(`${unable} · 1`);
    expect(capabilities()).toBe('');
    relay.requests.length = 0;
    const updated = run('updateOAuthProvider');
    await quickInput.answer('Update OAuth Provider', 'github');
    await quickInput.asked('Update OAuth Provider github');
    await quickInput.cancel();
    await updated;
    expect(sentTo(relay, 'GET /v2/auth')).toEqual([]);
  });
});
