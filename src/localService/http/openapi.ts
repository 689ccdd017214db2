import { decisions } from './decisions.ts';
import { JsonSchemas } from './jsonSchemas.ts';
import type { JsonSchema } from './jsonSchemas.ts';
import { noBody } from './route.ts';
import type { RouteDescription } from './route.ts';

type Json = Readonly<Record<string, unknown>>;

/** Describes the routes as OpenAPI 3.1, from the same table that registers them. */
export function describeApi(routes: readonly RouteDescription[]): Json {
  const schemas = new JsonSchemas();
  const paths = new Map<string, Record<string, Json>>();
  for (const route of routes) {
    const operations = paths.get(route.path) ?? {};
    operations[route.method.toLowerCase()] = describeOperation(route, schemas);
    paths.set(route.path, operations);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Deployment management service, local edition',
      version: '1.0.0',
      description: describeDecisions(),
    },
    servers: [{ url: '/', description: 'This computer.' }],
    security: [{ key: [] }, { bearer: [] }],
    paths: Object.fromEntries(paths),
    components: {
      schemas: { ...schemas.components, Problem: problemSchema, InvalidFields: invalidFieldsSchema },
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

function describeDecisions(): string {
  const items = decisions.map(({ topic, decision }) => `- **${topic}.** ${decision}`);
  return `The interface, served on this computer.\n\nDecisions where its document is silent:\n\n${items.join('\n')}\n`;
}

function describeOperation(route: RouteDescription, schemas: JsonSchemas): Json {
  const { operationId, summary, description, success } = route;
  const hasBody = route.body !== noBody;
  return {
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    parameters: [...describeParameters(route, 'path', schemas), ...describeParameters(route, 'query', schemas)],
    ...(hasBody ? { requestBody: { required: true, content: jsonContent(schemas.of(route.body, 'input')) } } : {}),
    responses: {
      [success.status]: {
        description: success.description,
        content: jsonContent(schemas.of(success.schema, 'output')),
      },
      ...Object.fromEntries(problemStatuses(route).map((status) => [status, describeProblem(status)])),
    },
  };
}

function describeParameters(route: RouteDescription, place: 'path' | 'query', schemas: JsonSchemas): Json[] {
  const fields = place === 'path' ? route.params : route.query;
  return Object.entries(schemas.of(fields, 'input').properties ?? {}).map(([name, schema]) => {
    return { name, in: place, required: place === 'path', schema };
  });
}

/** Lists a route's error statuses: 422 only with fields to check; 413 and 415 only with a body. */
function problemStatuses(route: RouteDescription): number[] {
  const hasBody = route.body !== noBody;
  const hasFields = hasBody || [route.params, route.query].some(({ shape }) => Object.keys(shape).length > 0);
  const general = [401, 421, 500, ...(hasFields ? [422] : []), ...(hasBody ? [400, 413, 415] : [])];
  return [...new Set([...general, ...(route.problems ?? [])])].toSorted((a, b) => a - b);
}

function describeProblem(status: number): Json {
  const name = status === 422 ? 'InvalidFields' : 'Problem';
  return {
    description: problemDescriptions.get(status) ?? 'The request cannot be fulfilled.',
    content: jsonContent({ $ref: `#/components/schemas/${name}` }),
  };
}

function jsonContent(schema: JsonSchema): Json {
  return { 'application/json': { schema } };
}

const problemDescriptions = new Map([
  [400, 'The body is no JSON, or what it says cannot be done; the sentence names the field.'],
  [401, 'The key is missing or wrong.'],
  [404, 'There is nothing with this id.'],
  [409, 'The name or id is taken.'],
  [413, 'The body is too large.'],
  [415, 'The body is not sent as application/json.'],
  [421, 'The request was meant for another host.'],
  [422, 'Fields of a wrong shape or out of bounds.'],
  [500, 'The service failed.'],
]);

const problemSchema = {
  type: 'object',
  properties: { detail: { type: 'string' } },
  required: ['detail'],
  additionalProperties: false,
} as const;

const invalidFieldsSchema = {
  type: 'object',
  properties: {
    detail: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        properties: {
          loc: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
          msg: { type: 'string' },
          type: { type: 'string' },
        },
        required: ['loc', 'msg', 'type'],
        additionalProperties: false,
      },
    },
  },
  required: ['detail'],
  additionalProperties: false,
} as const;
