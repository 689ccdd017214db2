import { describe, expect, it } from 'vitest';
import type { FlavorName } from '../../../../src/api/flavor.ts';
import type { DeploymentPatch } from '../../../../src/api/resources/deploymentChanges.ts';
import { MASK } from '../../../../src/api/redaction/redact.ts';
import { SOURCES } from '../../../../src/api/schema/enums.ts';
import { createRequest, requestCurl, requestText } from '../../../../src/core/draft/createRequest.ts';
import { fullDrafts } from '../../../support/deploymentDraft.ts';
import { failureOf, testClient } from '../../../support/faultClient.ts';
import { startFaultServer } from '../../../support/faultServer.ts';
import { json } from '../../../support/faults.ts';
import * as samples from '../../api/samples.ts';

const flavors: readonly FlavorName[] = ['standard', 'langsmith'];

describe.each(flavors)('the request that is shown for a service of the flavor %s', (flavor) => {
  it.each(SOURCES)('from %s is the one that is sent, but for the key and the values of secrets', async (source) => {
    await using server = await startFaultServer();
    server.answer(json({ id: '1', name: 'agent' }, 201));
    await using client = testClient({
      baseUrl: `${server.url}/prefix`,
      flavor,
      authPrefix: 'Bearer',
      headers: { 'X-Tenant-Id': 'tenant', 'X-Auth': 'canary-header' },
    });
    const body = createRequest(fullDrafts()[source]);
    const shown = await client.deployments.describeCreate(body);
    expect(server.seen).toEqual([]);
    await client.deployments.create(body);

    const [sent] = server.seen;
    const masked = JSON.parse(sent?.body ?? '') as { secrets: { value: string }[] };
    for (const secret of masked.secrets) secret.value = MASK;
    expect(shown.body).toBe(JSON.stringify(masked));
    expect(`${shown.method} ${shown.url}`).toBe(`${sent?.method} ${server.url}${sent?.path}`);
    const { 'X-Api-Key': key, 'X-Auth': header, ...others } = shown.headers;
    expect([key, header]).toEqual(['Bearer $API_KEY', '***']);
    expect(sent?.headers).toMatchObject({ 'x-api-key': 'Bearer test-key-0123' });
    expect(sent?.headers).toMatchObject(
      Object.fromEntries(Object.entries(others).map(([n, v]) => [n.toLowerCase(), v])),
    );
    expect(sent?.body).toContain('canary-4f0b-secret');
  });

  it.each(SOURCES)('from %s holds no secret, nor does the log', async (source) => {
    await using server = await startFaultServer();
    server.answer(json({ detail: 'canary-4f0b-secret is wrong.' }, 400));
    await using client = testClient({ baseUrl: server.url, flavor, headers: { 'X-Auth': 'canary-header' } });
    const body = createRequest(fullDrafts()[source]);
    const shown = await client.deployments.describeCreate(body);
    const failure = await failureOf(client.deployments.create(body));
    const texts = [requestText(shown), requestCurl(shown), failure.message, ...client.logged].join('\n');
    expect(texts).toContain('API_KEY');
    expect(texts).not.toMatch(/canary|test-key/);
  });
});

it.each(flavors)(
  'shows the change that is sent to a service of the flavor %s, without what may be secret',
  async (flavor) => {
    await using server = await startFaultServer();
    server.answer(json({ id: samples.deployment.id, name: 'agent' }));
    await using client = testClient({ baseUrl: server.url, flavor });
    const patch: DeploymentPatch = {
      source_config: { resource_spec: { cpu: 2, annotations: { team: 'canary' } } },
      source_revision_config: { repo_ref: 'main', graph_config_path: 'graph.json' },
      secrets: [{ name: 'KEY', value: 'canary' }],
    };
    const shown = await client.changes.describeUpdate(samples.deployment.id, patch);
    expect(server.seen).toEqual([]);
    await client.changes.update(samples.deployment.id, patch, { latest: undefined });
    const [sent] = server.seen;
    expect(`${shown.method} ${shown.url}`).toBe(`${sent?.method} ${server.url}${sent?.path}`);
    expect(shown.body).toBe(sent?.body.replaceAll('canary', MASK));
    expect(sent?.body).toContain('canary');
  },
);

it('shows no header for an API key where none is sent', async () => {
  await using server = await startFaultServer();
  server.answer(json({ id: '1', name: 'agent' }, 201));
  await using client = testClient({ baseUrl: server.url, auth: async () => '', authPrefix: 'Bearer' });
  const body = createRequest(fullDrafts().internal_template);
  const shown = await client.deployments.describeCreate(body);
  await client.deployments.create(body);
  for (const headers of [server.seen[0]?.headers, shown.headers]) {
    expect(Object.keys(headers ?? {}).map((name) => name.toLowerCase())).not.toContain('x-api-key');
  }
  expect(requestCurl(shown)).not.toContain('$API_KEY');
});

it('takes the deployment types of its flavor only', async () => {
  await using server = await startFaultServer();
  server.answer(json({ id: '1', name: 'agent' }, 201));
  const body = createRequest({ ...fullDrafts().internal_template, deploymentType: 'dev_zero' });
  await using langsmith = testClient({ baseUrl: server.url, flavor: 'langsmith' });
  await langsmith.deployments.create(body);
  expect(JSON.parse(server.seen[0]?.body ?? '')).toMatchObject({ source_config: { deployment_type: 'dev_zero' } });
  await using standard = testClient({ baseUrl: server.url });
  await expect(standard.deployments.create(body)).rejects.toMatchObject({
    kind: 'invalid',
    sent: false,
    fields: [{ path: 'source_config.deployment_type' }],
  });
});
