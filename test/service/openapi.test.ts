import { describe, expect, it } from 'vitest';
import { runningService } from './support/fixture.ts';
import { differences, resolve } from './support/jsonSchema.ts';
import type { JsonSchema } from './support/jsonSchema.ts';

const fixture = runningService();

it('names every endpoint of the document, each addition and itself, and nothing else', () => {
  const operations = Object.entries(fixture.caller.description.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(operations.toSorted()).toEqual(
    [
      'POST /v2/deployments',
      'GET /v2/deployments',
      'GET /v2/deployments/{deployment_id}/revisions',
      'GET /v2/deployments/{deployment_id}/revisions/{revision_id}',
      'POST /v2/listeners',
      'GET /v2/listeners',
      'GET /v1/integrations/repohost/{integration_id}/repos',
      'GET /v1/integrations/forge/repohost/{integration_id}/repos',
      'GET /v1/integrations/forge/repohost/install',
      'PATCH /v2/auth/providers/{provider_id}',
      'GET /v2/auth/agents/{agent_id}/connections',
      'GET /v2/deployments/{deployment_id}',
      'PATCH /v2/deployments/{deployment_id}',
      'DELETE /v2/deployments/{deployment_id}',
      'POST /v2/deployments/{deployment_id}/upload-url',
      'POST /v2/deployments/{deployment_id}/revisions',
      'POST /v2/deployments/{deployment_id}/revisions/{revision_id}/redeploy',
      'POST /v2/deployments/{deployment_id}/revisions/{revision_id}/interruption',
      'GET /v2/deployments/{deployment_id}/revisions/{revision_id}/logs',
      'POST /v1/projects/{deployment_id}/revisions/{revision_id}/build_logs',
      'POST /v1/projects/{deployment_id}/revisions/{revision_id}/deploy_logs',
      'POST /v1/projects/{deployment_id}/deploy_logs',
      'GET /v2/listeners/{listener_id}',
      'PATCH /v2/listeners/{listener_id}',
      'DELETE /v2/listeners/{listener_id}',
      'GET /v2/auth/providers',
      'POST /v2/auth/providers',
      'GET /v2/auth/providers/{provider_id}',
      'DELETE /v2/auth/providers/{provider_id}',
      'GET /openapi.json',
    ].toSorted(),
  );
});

it('explains how the service proves that it knows the key', () => {
  expect(fixture.caller.description.info.description).toContain('GET /_control/proof/NONCE needs no key');
});

it('has the rule for the names of deployments', () => {
  const { name } = resolve('#/components/schemas/DeploymentCreate', fixture.caller.description).properties ?? {};
  const rule = new RegExp(String(name?.['pattern']), 'u');
  const longest = 'ä'.repeat(255);
  for (const taken of ['a', 'my agent', longest]) expect(taken).toMatch(rule);
  for (const refused of ['', ' ', 'a\n', '\u0000', `${longest}ä`]) expect(refused).not.toMatch(rule);
});

it('names every query parameter of the document', () => {
  const { paths } = fixture.caller.description;
  const names = (path: string) => paths[path]?.['get']?.parameters.filter((p) => p.in === 'query').map((p) => p.name);
  expect(names('/v2/deployments')?.toSorted()).toEqual(
    [
      'limit',
      'offset',
      'name_contains',
      'status',
      'remote_reconciled',
      'tag_value_ids',
      'image_version',
      'deployment_type',
      'deployment_ids',
    ].toSorted(),
  );
  expect(names('/v2/listeners')).toEqual(['limit', 'offset']);
  expect(names('/v2/deployments/{deployment_id}/revisions')).toEqual([
    'limit',
    'offset',
    'status',
    'remote_reconciled',
  ]);
});

describe('the OpenAPI 3.1 description', () => {
  const described = () => JSON.parse(JSON.stringify(fixture.caller.description)) as Record<string, unknown>;

  it('has the members that the standard requires', () => {
    const { openapi, info, paths, components, security } = described() as {
      openapi: string;
      info: Record<string, unknown>;
      paths: object;
      components: { schemas: object; securitySchemes: Record<string, unknown> };
      security: Record<string, unknown>[];
    };
    expect(openapi).toBe('3.1.0');
    expect(info).toMatchObject({ title: expect.any(String) as string, version: expect.any(String) as string });
    expect(Object.keys(paths).every((path) => path.startsWith('/'))).toBe(true);
    expect(Object.keys(components.schemas).every((name) => /^[\w.-]+$/.test(name))).toBe(true);
    expect(security.flatMap(Object.keys).toSorted()).toEqual(Object.keys(components.securitySchemes).toSorted());
  });

  it('has operations with unique IDs, declared path parameters and described responses', () => {
    const ids = new Set<string>();
    for (const [path, methods] of Object.entries(fixture.caller.description.paths)) {
      for (const operation of Object.values(methods)) {
        expect(ids.has(operation.operationId)).toBe(false);
        ids.add(operation.operationId);
        const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
        const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
        expect(inPath.map(({ name }) => name)).toEqual(names);
        expect(inPath.every((parameter) => 'required' in parameter && parameter.required === true)).toBe(true);
        for (const [status, response] of Object.entries(operation.responses)) {
          expect(status).toMatch(/^[245]\d\d$/);
          expect(response).toHaveProperty('description', expect.any(String));
        }
      }
    }
  });

  it('has only valid references and used schemas', () => {
    const api = described();
    const references = new Set<string>();
    collect(api, (member, value) => {
      if (member === '$ref') references.add(String(value));
    });
    for (const reference of references) expect(resolve(reference, api)).toBeTypeOf('object');
    const { schemas } = api['components'] as { schemas: object };
    expect([...references].toSorted()).toEqual(
      Object.keys(schemas)
        .map((name) => `#/components/schemas/${name}`)
        .toSorted(),
    );
  });

  it('has schemas of JSON Schema 2020-12 without remains of other places', () => {
    collect(described(), (member) => {
      expect(['$schema', '$defs', 'definitions', 'nullable']).not.toContain(member);
    });
  });
});

it('states a decision for every "not shown" of the document', () => {
  const { description } = fixture.caller.description.info;
  for (const topic of [
    'Authentication',
    'Success status codes',
    'Errors',
    'Rate limits',
    'Required fields of a create request',
    'Read-only fields',
    'Lists',
    'Revision filters',
    'Deployment status',
    'Revision status',
    'Secrets',
    'Listeners',
    'Agent connections',
    'Events',
    'Versioning',
  ]) {
    expect(description).toContain(`- **${topic}.** `);
  }
});

describe('the check of responses against the description', () => {
  const schemaOf = (name: string): JsonSchema => resolve(`#/components/schemas/${name}`, fixture.caller.description);

  it('notices a field that is missing, undescribed or of another type', () => {
    const listener = {
      id: 'f3a9b6d2-5a4e-4d0f-9f5a-2f4e1b8f0c11',
      compute_type: 'k8s',
      compute_id: 'a',
      created_at: '2026-01-01T00:00:00.000Z',
      updated_at: '2026-01-01T00:00:00.000Z',
    };
    const check = (value: object) => differences(value, schemaOf('Listener'), fixture.caller.description);
    expect(check(listener)).toEqual([]);
    expect(check({ ...listener, colour: 'red' })).toEqual(['$: has the undescribed field colour']);
    expect(check({ ...listener, compute_id: 1 })).toEqual(['$.compute_id: is not string']);
    expect(check({ ...listener, id: 'abc' })[0]).toContain('$.id: does not match');
    expect(check({ ...listener, created_at: 'yesterday' })[0]).toContain('$.created_at: does not match');
    expect(check({})).toHaveLength(5);
  });

  it("notices a response that isn't described", async () => {
    await fixture.caller.post('/_dev/faults', { next: 1, status: 418 });
    await expect(fixture.caller.get('/v2/listeners')).rejects.toThrow('the status 418 is not described');
  });
});

function collect(value: unknown, visit: (member: string, value: unknown) => void): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [member, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) visit(member, inner);
    collect(inner, visit);
  }
}
