import { inspect } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { failureOf } from '../support/faultClient.ts';
import { control, imageOf, namesOf, repositoryOf, runningServiceWithClient } from './support/clientFixture.ts';

const fixture = runningServiceWithClient();
const unknownId = 'f3a9b6d2-5a4e-4d0f-9f5a-2f4e1b8f0c11';

beforeAll(async () => {
  await fixture.client.deployments.create(imageOf('taken'));
  await fixture.client.listeners.create({ compute_type: 'k8s', compute_id: 'taken' });
});

describe('the kind of an error', () => {
  it("is invalid for 400 on POST /v2/deployments, with the service's reason", async () => {
    const body = await repositoryOf(fixture, 'without-path');
    const { repo_ref } = body.source_revision_config ?? {};
    const error = await failureOf(fixture.client.deployments.create({ ...body, source_revision_config: { repo_ref } }));
    expect(error).toMatchObject({ kind: 'invalid', status: 400, sent: true, fields: undefined });
    expect(error.message).toContain("'source_revision_config.graph_config_path' is required for the source repohost.");
  });

  it('is invalid for 400 on POST /v2/listeners', async () => {
    const error = await failureOf(fixture.client.listeners.create({ compute_type: 'vm', compute_id: 'x' }));
    expect(error).toMatchObject({ kind: 'invalid', status: 400 });
    expect(error.message).toContain("'compute_type' must be k8s.");
  });

  it.each([
    ['a wrong key', 'canary-wrong-key'],
    ['no key', ''],
  ])('is unauthorized for 401 with %s', async (_, key) => {
    await using client = fixture.connect({ auth: () => Promise.resolve(key) });
    const error = await failureOf(client.deployments.list());
    expect(error).toMatchObject({ kind: 'unauthorized', status: 401 });
    expect(error.message).toContain('Use Set API Key.');
    expect(inspect(error)).not.toContain('canary');
  });

  it.each([
    ['GET /v2/deployments/{deployment_id}/revisions', () => fixture.client.revisions.list(unknownId)],
    ['GET …/revisions/{revision_id}', () => fixture.client.revisions.get(unknownId, unknownId)],
    ['GET /v1/integrations/repohost/{integration_id}/repos', () => fixture.client.integrations.listRepositories('x')],
    ['GET /v1/integrations/forge/…/repos', () => fixture.client.integrations.listForgeRepositories(unknownId)],
    ['PATCH /v2/auth/providers/{provider_id}', () => fixture.client.oauthProviders.update('nobody', { name: 'x' })],
  ])('is notFound for 404 on %s', async (_, call) => {
    expect(await failureOf(call())).toMatchObject({ kind: 'notFound', status: 404 });
  });

  it('is conflict for 409 on POST /v2/deployments, because a tracing project has the same name', async () => {
    const error = await failureOf(fixture.client.deployments.create(imageOf('taken')));
    expect(error).toMatchObject({ kind: 'conflict', status: 409 });
    expect(error.message).toContain("'name' is taken");
  });

  it('is conflict for 409 on POST /v2/listeners, because compute_id is unique', async () => {
    const error = await failureOf(fixture.client.listeners.create({ compute_type: 'k8s', compute_id: 'taken' }));
    expect(error).toMatchObject({ kind: 'conflict', status: 409 });
    expect(error.message).toContain("'compute_id' is taken");
  });

  it('is invalid for 413 on POST /v2/deployments', async () => {
    const error = await failureOf(fixture.client.deployments.create(imageOf('x'.repeat(1024 * 1024))));
    expect(error).toMatchObject({ kind: 'invalid', status: 413 });
    expect(error.message).toContain('The body is larger than 1048576 bytes.');
  });
});

describe('an error for 422', () => {
  it.each([
    ['name', { name: '' }],
    ['source_config.integration_id', { source_config: { integration_id: 'no-uuid' } }],
    ['secrets.0.value', { secrets: [{ name: 'TOKEN', value: 'canary-value\0' }] }],
    ['source_config.resource_spec.db_storage_gi', { source_config: { resource_spec: { db_storage_gi: 2 ** 60 } } }],
  ])('names the path, but not the value of %s in POST /v2/deployments', async (path, changes) => {
    const error = await failureOf(fixture.client.deployments.create({ ...imageOf('refused'), ...changes }));
    expect(error).toMatchObject({ kind: 'invalid', status: 422, sent: true });
    expect(error.fields?.map((field) => field.path)).toEqual([path]);
    expect(inspect(error) + fixture.logged.join()).not.toContain('canary');
  });

  it('names several fields', async () => {
    const changes = { source_config: { integration_id: 'a', listener_id: 'b' } };
    const error = await failureOf(fixture.client.deployments.create({ ...imageOf('refused'), ...changes }));
    const paths = error.fields?.map((field) => field.path);
    expect(paths).toEqual(['source_config.integration_id', 'source_config.listener_id']);
  });

  it('names a path parameter', async () => {
    const error = await failureOf(fixture.client.revisions.get(unknownId, 'no-uuid'));
    expect(error).toMatchObject({ kind: 'invalid', status: 422 });
    expect(error.fields).toEqual([{ path: 'revision_id', message: 'must be a UUID' }]);
  });

  it('means that nothing was created', async () => {
    const { resources } = await fixture.client.deployments.list();
    expect(namesOf(resources)).toEqual(['taken']);
  });
});

describe('a service that fails temporarily', () => {
  it('is asked again by GET /v2/deployments, up to three times', async () => {
    await control(fixture, 'POST', 'faults', { next: 2, status: 503 });
    expect(namesOf((await fixture.client.deployments.list()).resources)).toEqual(['taken']);
    await control(fixture, 'POST', 'faults', { next: 3, status: 503 });
    expect(await failureOf(fixture.client.deployments.list())).toMatchObject({ kind: 'server', status: 503 });
  });

  it('gets a POST /v2/deployments once, and the name is looked up', async () => {
    await control(fixture, 'POST', 'faults', { next: 1, status: 502 });
    const error = await failureOf(fixture.client.deployments.create(imageOf('lost')));
    expect(error).toMatchObject({ kind: 'server', status: 502, sent: true });
    expect(error.message).toContain('The deployment "lost" may have been created');
    expect(fixture.logged.filter((line) => /POST http/.test(line))).toHaveLength(1);
  });

  it('times out', async () => {
    await control(fixture, 'POST', 'faults', { next: 1, delayMs: 600_000 });
    await using client = fixture.connect({ timeoutMs: 100 });
    const error = await failureOf(client.listeners.create({ compute_type: 'k8s', compute_id: 'slow' }));
    expect(error).toMatchObject({ kind: 'timeout', sent: true });
  });
});
