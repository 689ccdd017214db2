import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { imageBody } from './bodies.ts';
import type { Answer, Caller, OpenApi, Operation } from './caller.ts';
import { resolve } from './jsonSchema.ts';
import type { JsonSchema } from './jsonSchema.ts';

interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/**
 * Sends requests that are made from the service's own description, most of them a little wrong. No answer may be a
 * failure of the service, every answer must be as described, and exactly what was acknowledged may be stored.
 */
export async function fuzz(caller: Caller, { seed, count }: { seed: number; count: number }): Promise<FuzzFigures> {
  const known = await makeKnownThings(caller);
  const requests = fc.sample(anyRequest(caller.description, known), { seed, numRuns: count });
  const figures: FuzzFigures = { accepted: 0, refused: 0 };
  const stored = { '/v2/deployments': await countAll(caller, '/v2/deployments'), '/v2/listeners': 0 };
  stored['/v2/listeners'] = await countAll(caller, '/v2/listeners');
  for (const request of requests) {
    const answer = await send(caller, request);
    assert.ok(answer.status < 500, `${answer.status} for ${JSON.stringify(request)} (seed ${seed})`);
    if (answer.status < 300) figures.accepted++;
    else figures.refused++;
    if (answer.status === 201 && request.path in stored) stored[request.path as keyof typeof stored]++;
    if (answer.status === 204 && request.path.startsWith('/v2/listeners/')) {
      stored['/v2/listeners']--;
    }
  }
  for (const [path, expected] of Object.entries(stored)) {
    assert.equal(await countAll(caller, path), expected, `what ${path} lists (seed ${seed})`);
  }
  return figures;
}

export interface FuzzFigures {
  accepted: number;
  refused: number;
}

async function send(caller: Caller, { method, path, body }: FuzzRequest): Promise<Answer> {
  return caller.send(method, path, body === undefined ? {} : { rawBody: JSON.stringify(body) });
}

/** Follows the offsets of a list to its end. */
export async function countAll(caller: Caller, path: string): Promise<number> {
  for (let offset = 0; ;) {
    const { body } = await caller.get(`${path}?limit=100&offset=${offset}`);
    const next = (body as { offset: number }).offset;
    if (next === offset) return offset;
    offset = next;
  }
}

/** Ids that exist, so not every request ends with "not found". */
async function makeKnownThings(caller: Caller): Promise<Record<string, string>> {
  const { body } = await caller.post('/v2/deployments', imageBody(`known-${performance.now()}`));
  const deployment = body as { id: string; latest_revision_id: string };
  const listener = { compute_type: 'k8s', compute_id: `known-${performance.now()}` };
  const { body: created } = await caller.post('/v2/listeners', listener);
  const { body: integrations } = await caller.get('/v1/integrations/forge/repohost/install');
  await caller.send('PUT', '/_dev/providers/known', { body: {} });
  return {
    deployment_id: deployment.id,
    revision_id: deployment.latest_revision_id,
    listener_id: (created as { id: string }).id,
    integration_id: (integrations as { id: string }[])[0]!.id,
    provider_id: 'known',
  };
}

function anyRequest(api: OpenApi, known: Record<string, string>): fc.Arbitrary<FuzzRequest> {
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      // Writes can go wrong in more ways than reads.
      weight: operation.operationId === deletion ? 0 : operation.requestBody === undefined ? 1 : 5,
      arbitrary: anyCall(api, known, path, method.toUpperCase(), operation),
    })),
  );
  return fc.oneof(...operations);
}

/** Deployments disappear some time after the answer, so what is stored could not be told. */
const deletion = 'deleteDeployment';

function anyCall(
  api: OpenApi,
  known: Record<string, string>,
  path: string,
  method: string,
  operation: Operation,
): fc.Arbitrary<FuzzRequest> {
  const schema = operation.requestBody?.content['application/json'].schema;
  const parameters = operation.parameters.map(({ name, schema: parameterSchema, in: place }) => {
    const value = oftenFitting(parameterSchema, api, 0).map(parameterText);
    const knownValue = fc.constant(known[name] ?? 'some');
    return place === 'path' ? fc.oneof(knownValue, value.map(pathSegment)) : fc.option(value);
  });
  const body = schema === undefined ? fc.constant(undefined) : oftenFitting(schema, api, 0);
  return fc.tuple(fc.tuple(...parameters), body, fc.boolean()).map(([values, wild, mended]) => {
    const query: string[] = [];
    let filled = path;
    operation.parameters.forEach(({ name, in: place }, index) => {
      const value = values[index];
      if (value === undefined || value === null) return;
      if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(value));
      else query.push(`${name}=${encodeURIComponent(value)}`);
    });
    const target = query.length === 0 ? filled : `${filled}?${query.join('&')}`;
    const sent = mended ? mend(path, wild) : wild;
    return { method, path: target, ...(sent === undefined ? {} : { body: sent }) };
  });
}

/** Replaces what nearly always makes a create fail, so the rest of its body is tried too. */
function mend(path: string, body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  if (path === '/v2/listeners') return { ...body, compute_type: 'k8s' };
  if (path !== '/v2/deployments') return body;
  const { source_config: config } = body as {
    source_config?: { resource_spec?: unknown; custom_url?: unknown } | null;
  };
  return {
    ...body,
    source: 'external_docker',
    source_config: { resource_spec: config?.resource_spec, custom_url: config?.custom_url },
    source_revision_config: { image_uri: 'registry.example/acme/agent:1.0' },
  };
}

/** Nothing and dots would lead to another path. */
function pathSegment(text: string): string {
  return /^\.{0,2}$/.test(text) ? 'some' : text;
}

/** Longer ones are refused by the HTTP server itself, and halves of Unicode characters cannot be sent in a URL. */
function parameterText(value: unknown): string {
  return String(value)
    .slice(0, 500)
    .replaceAll(/\p{Cs}/gu, '');
}

/** Most values fit their schema, so wrong ones are met in every depth. */
function oftenFitting(schema: JsonSchema, api: OpenApi, depth: number): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 30, arbitrary: fitting(schema, api, depth) }, { weight: 1, arbitrary: hostileValue });
}

function fitting(schema: JsonSchema, api: OpenApi, depth: number): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return fitting(resolve(schema.$ref, api), api, depth);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((option) => fitting(option, api, depth)));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const types = schema.type === undefined ? ['any'] : [schema.type].flat();
  return fc.oneof(...types.map((type) => ofType(type, schema, api, depth)));
}

function ofType(type: string, schema: JsonSchema, api: OpenApi, depth: number): fc.Arbitrary<unknown> {
  switch (type) {
    case 'object':
      return anyObject(schema, api, depth);
    case 'array':
      return fc.array(oftenFitting(schema.items ?? {}, api, depth + 1), { maxLength: 3 });
    case 'string':
      return anyText(schema['format']);
    case 'integer':
      return fc.integer({
        min: Number(schema['minimum'] ?? -1000),
        max: Math.min(Number(schema['maximum'] ?? 1e6), 1e6),
      });
    case 'number':
      return fc.double({ min: 0, max: 100, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function anyText(format: unknown): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  return fc.string({ maxLength: 20 });
}

function anyObject(schema: JsonSchema, api: OpenApi, depth: number): fc.Arbitrary<unknown> {
  const properties = Object.entries(schema.properties ?? {});
  // Large objects deep inside say nothing new and make the bodies slow to build.
  const kept = depth > 4 ? [] : properties;
  const fields = Object.fromEntries(kept.map(([name, property]) => [name, oftenFitting(property, api, depth + 1)]));
  const requiredKeys = (schema.required ?? []).filter((name) => name in fields);
  return fc.record(fields, { requiredKeys });
}

/** What breaks carelessly written services. */
const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '__proto__',
    'constructor',
    '../../etc/passwd',
    "'; DROP TABLE deployments; --",
    '%',
    '_',
  ),
  fc.constantFrom(-1, 0, 1e308, Number.MAX_SAFE_INTEGER, -0.5, null, true, [], {}),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom(1000, 100_000).map((length) => 'x'.repeat(length)),
);
