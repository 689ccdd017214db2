import { before, describe, it } from 'mocha';
import { callService } from '../support/serviceSeed.ts';
import { addConnection, addKeylessConnection } from './support/connections.ts';
import { deployAndClose, discard, openDraft } from './support/newDeployment.ts';
import type { Page } from './support/pages.ts';
import { startRelay, startService } from './support/suite.ts';
import type { Relay, Service } from './support/suite.ts';
import { expect, quickInput, tree } from './support/window.ts';

const connection = 'Copy';
const secret = 'canary-91f3-secret';

describe('Creating a deployment like another one', () => {
  let service: Service;
  let other: Service;
  let relay: Relay;

  before(async () => {
    [service, other] = await Promise.all([startService({ stepMs: 1 }), startService({ stepMs: 1 })]);
    const { id } = await callService(service, 'POST', '/v2/listeners', listenerWith('apps'));
    await callService(service, 'POST', '/v2/deployments', {
      name: 'my-agent',
      source: 'external_docker',
      source_config: {
        deployment_type: 'dev',
        custom_url: 'https://agent.example',
        listener_id: id,
        listener_config: { k8s_namespace: 'apps' },
      },
      source_revision_config: { image_uri: 'registry.example/acme/my-agent:1.0' },
      secrets: [{ name: 'TOKEN', value: 'old' }],
      secret_references: [{ name: 'DATABASE_PASSWORD', secret_name: 'database', secret_key: 'password' }],
    });
    await callService(service, 'POST', '/v2/deployments', {
      name: 'secretive',
      source: 'internal_template',
      source_config: {},
      source_revision_config: {},
      secrets: ['A', 'B', 'C'].map((name) => ({ name, value: 'old' })),
    });
    await addKeylessConnection('Elsewhere', other.url);
    relay = await startRelay(service);
    await tree('Deployments').open();
    await addConnection(connection, relay);
    await tree('Deployments').shows('my-agent');
  });

  const listenerWith = (...namespaces: readonly string[]) => ({
    compute_type: 'k8s',
    compute_id: 'cluster',
    compute_config: { k8s_namespaces: namespaces },
  });

  it('creates another one like a deployment, under a name that is free', async () => {
    const page = await openDraft('createDeploymentLikeThis', await tree('Deployments').shows('my-agent'));
    expect(page.state().deploy).toBeUndefined();
    expect(page.findings()).toContainEqual(expect.stringMatching(/^error: .*TOKEN/));
    const asked = page.press('Set Values…');
    await quickInput.answer('Value of TOKEN (1/1)', secret);
    await asked;
    expect(fieldsOf(page)).toMatchObject({
      name: ['my-agent-2', 'made for you'],
      image: ['registry.example/acme/my-agent:1.0', 'copied from my-agent'],
      listener: ['cluster', 'copied from my-agent'],
      namespace: ['apps', 'copied from my-agent'],
    });
    await deployAndClose(page);
    expect(relay.sent).toMatchObject([
      {
        name: 'my-agent-2',
        source: 'external_docker',
        source_config: { listener_config: { k8s_namespace: 'apps' } },
        secrets: [{ name: 'TOKEN', value: secret }],
        secret_references: [{ name: 'DATABASE_PASSWORD', secret_name: 'database', secret_key: 'password' }],
      },
    ]);
    expect(relay.sent[0]).not.toHaveProperty('source_config.custom_url');
  });

  it('has typed values again once it is closed, also if its text is as it was begun', async () => {
    const open = async () => openDraft('createDeploymentLikeThis', await tree('Deployments').shows('my-agent'));
    const page = await open();
    const asked = page.press('Set Values…');
    await quickInput.answer('Value of TOKEN (1/1)', secret);
    await asked;
    await page.close();
    const again = await open();
    expect(again.deployment().tables[0]?.rows).toMatchObject([{ name: 'TOKEN', state: 'set' }]);
    await discard(again);
  });

  it('asks for the values of the secrets of a copy in turn, and sends none that was removed', async () => {
    const page = await openDraft('createDeploymentLikeThis', await tree('Deployments').shows('secretive'));
    const asked = page.press('Set Values…');
    await quickInput.asked('Value of A (1/3)');
    expect(quickInput.box()).toMatchObject({ password: true });
    await quickInput.answer('Value of A (1/3)', 'first');
    await quickInput.asked('Value of B (2/3)');
    await quickInput.goBack();
    await quickInput.asked('Value of A (1/3)');
    expect(quickInput.box().value).toBe('first');
    await quickInput.cancel();
    await asked;
    const states = () => page.deployment().tables[0]?.rows.map(({ name, state }) => `${name} ${state}`);
    await expect.poll(states).toEqual(['A set', 'B missing', 'C missing']);
    await page.pressInRow('B', 'Remove');
    await expect.poll(() => page.findings()).toContain('error: Enter the value of C, or remove it.');
    const third = page.press('Set Values…');
    await quickInput.answer('Value of C (1/1)', 'third');
    await third;
    await deployAndClose(page);
    expect(relay.sent).toMatchObject([
      {
        name: 'secretive-2',
        secrets: [
          { name: 'A', value: 'first' },
          { name: 'C', value: 'third' },
        ],
      },
    ]);
  });

  it('creates it on another connection, with the listener of the same cluster, and goes there', async () => {
    const { id } = await callService(other, 'POST', '/v2/listeners', listenerWith('tools', 'apps'));
    const page = await openDraft('createDeploymentLikeThis', await tree('Deployments').shows('my-agent-2'));
    await page.pressInRow('TOKEN', 'Remove');
    await page.type('connection', 'Elsewhere');
    const key = page.press('Set API Key');
    await quickInput.answer('Set API Key', other.apiKey);
    await key;
    await expect.poll(() => fieldsOf(page)).toMatchObject({ listener: ['cluster', 'copied from my-agent-2'] });
    await page.type('name', 'my-agent-2');
    expect(tree('Deployments').heading()).toContain(connection);
    await deployAndClose(page);
    expect(relay.sent).toEqual([]);
    const { resources } = await callService(other, 'GET', '/v2/deployments');
    expect(resources).toMatchObject([
      { name: 'my-agent-2', source_config: { listener_id: id, listener_config: { k8s_namespace: 'apps' } } },
    ]);
    await tree('Deployments').shows('my-agent-2');
    expect(tree('Deployments').heading()).toContain('Elsewhere');
  });
});

/** The values of the fields with where they come from, by their keys. */
function fieldsOf(page: Page): Readonly<Record<string, readonly [string, string]>> {
  const fields = page.deployment().groups.flatMap((group) => group.fields);
  return Object.fromEntries(fields.map(({ key, value, from }) => [key, [value, from] as const]));
}
