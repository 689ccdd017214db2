import { before, describe, it } from 'mocha';
import { callService } from '../support/serviceSeed.ts';
import { addConnection, addKeylessConnection } from './support/connections.ts';
import { deployAnyway, rows } from './support/review.ts';
import { startRelay, startService } from './support/suite.ts';
import type { Relay, Service } from './support/suite.ts';
import { expect, quickInput, run, tree } from './support/window.ts';

const connection = 'Copy';
const review = 'Create Similar Deployment: Review';
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
    const ended = run('createDeploymentLikeThis', await tree('Deployments').shows('my-agent'));
    await quickInput.answer('Value of TOKEN (1/1)', secret);
    await quickInput.asked(review);
    await expect.poll(rows).toContain(`Deploy my-agent-2 to ${connection}`);
    expect(rows()).toContain('Name my-agent-2 · copied from my-agent');
    expect(rows()).toContain('Image registry.example/acme/my-agent:1.0 · copied from my-agent');
    expect(rows()).toContain('Listener cluster · copied from my-agent');
    await quickInput.choose(`Deploy my-agent-2 to ${connection}`);
    await deployAnyway(`Deploy my-agent-2 to ${connection}?`);
    await ended;
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

  it('asks for the values of the secrets of a copy in turn, and leaves out those without one', async () => {
    const ended = run('createDeploymentLikeThis', await tree('Deployments').shows('secretive'));
    await quickInput.asked('Value of A (1/3)');
    expect(quickInput.box()).toMatchObject({ password: true });
    expect(quickInput.message()).toContain('Leave empty to deploy without it.');
    await quickInput.answer('Value of A (1/3)', 'first');
    await quickInput.answer('Value of B (2/3)', '');
    await quickInput.asked('Value of C (3/3)');
    await quickInput.goBack();
    await quickInput.asked('Value of B (2/3)');
    await quickInput.goBack();
    await quickInput.asked('Value of A (1/3)');
    expect(quickInput.box().value).toBe('first');
    await quickInput.accept();
    await quickInput.answer('Value of B (2/3)', '');
    await quickInput.answer('Value of C (3/3)', 'third');
    await quickInput.asked(review);
    await expect.poll(rows).toContain('Secrets that were left out: B.');
    await expect.poll(rows).toContain(`Deploy secretive-2 to ${connection}`);
    await quickInput.choose(`Deploy secretive-2 to ${connection}`);
    await ended;
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

  it('asks for the missing values from the review too', async () => {
    const ended = run('createDeploymentLikeThis', await tree('Deployments').shows('secretive-2'));
    await quickInput.asked('Value of A (1/2)');
    await quickInput.goBack();
    await quickInput.asked(review);
    await expect.poll(rows).toContain("Can't be deployed yet");
    expect(rows()).toContain('Secrets 2 secrets, without a value: A, C');
    await quickInput.choose('Secrets');
    await quickInput.choose('Enter Missing Values…');
    await quickInput.answer('Value of A (1/2)', 'again');
    await quickInput.answer('Value of C (2/2)', '');
    await expect.poll(rows).toContain('A ••••••••');
    expect(rows()).not.toContain('Enter Missing Values…');
    expect(rows()).not.toMatch(/^C /m);
    await quickInput.choose('Done');
    await expect.poll(rows).toContain('Deploy secretive-2-2 to ');
    await quickInput.cancel();
    await ended;
  });

  it('creates it on another connection, with the listener of the same cluster, and goes there', async () => {
    const { id } = await callService(other, 'POST', '/v2/listeners', listenerWith('tools', 'apps'));
    const ended = run('createDeploymentLikeThis', await tree('Deployments').shows('my-agent-2'));
    await quickInput.answer('Value of TOKEN (1/1)', '');
    await quickInput.asked(review);
    await expect.poll(rows).toContain(`Deploy my-agent-2-2 to ${connection}`);
    await quickInput.choose('Connection');
    await quickInput.choose('Elsewhere');
    await quickInput.answer('Set API Key', other.apiKey);
    await expect.poll(rows).toContain('Deploy my-agent-2 to Elsewhere');
    expect(rows()).toContain('Listener cluster');
    expect(rows()).toContain('Namespace apps');
    expect(tree('Deployments').heading()).toContain(connection);
    await quickInput.choose('Deploy my-agent-2 to Elsewhere');
    await deployAnyway('Deploy my-agent-2 to Elsewhere?');
    await ended;
    expect(relay.sent).toEqual([]);
    const { resources } = await callService(other, 'GET', '/v2/deployments');
    expect(resources).toMatchObject([
      { name: 'my-agent-2', source_config: { listener_id: id, listener_config: { k8s_namespace: 'apps' } } },
    ]);
    await tree('Deployments').shows('my-agent-2');
    expect(tree('Deployments').heading()).toContain('Elsewhere');
  });
});
