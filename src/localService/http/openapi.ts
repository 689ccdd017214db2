import * as z from 'zod';
import { agentConnectionWire } from '../../api/resources/agentConnections.ts';
import { deploymentWire } from '../../api/resources/deployments.ts';
import { integrationWire, repositoryWire } from '../../api/resources/integrations.ts';
import { listenerCreateWire, listenerWire } from '../../api/resources/listeners.ts';
import { oauthProviderPatchWire, oauthProviderWire } from '../../api/resources/oauthProviders.ts';
import { revisionWire } from '../../api/resources/revisions.ts';
import { containerWire, resourceSpecWire } from '../../api/schema/resourceSpec.ts';
import { decisions } from './decisions.ts';
import { deploymentBody } from './deploymentBody.ts';
import { route } from './route.ts';
import type { Route, RouteDescription } from './route.ts';

type Json = Readonly<Record<string, unknown>>;

const description: RouteDescription = {
  method: 'GET',
  path: '/openapi.json',
  operationId: 'describe',
  summary: 'Describe this API as OpenAPI 3.1.',
  success: { status: 200, description: 'This description.', schema: z.record(z.string(), z.unknown()) },
};

/** The route that describes the API routes and itself. Builds the description on the first request. */
export function openapiRoute(described: readonly RouteDescription[]): Route {
  let api: unknown;
  return route(description, () => {
    api ??= describeApi([...described, description]);
    return api;
  });
}

/** Describes the routes as OpenAPI 3.1, from the same table that registers them. */
function describeApi(routes: readonly RouteDescription[]): Json {
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
      schemas: schemas.components,
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

function describeDecisions(): string {
  const items = decisions.map(({ topic, decision }) => `- **${topic}.** ${decision}`);
  return `The deployment management API, served on this computer.\n\nDecisions where its document is silent:\n\n${items.join('\n')}\n`;
}

function describeOperation(route: RouteDescription, schemas: JsonSchemas): Json {
  const { operationId, summary, params, query, body, success } = route;
  return {
    operationId,
    summary,
    parameters: [...describeParameters(params, 'path', schemas), ...describeParameters(query, 'query', schemas)],
    ...(body === undefined ? {} : { requestBody: { required: true, content: jsonContent(schemas.of(body, 'input')) } }),
    responses: {
      [success.status]: {
        description: success.description,
        content: jsonContent(schemas.of(success.schema, 'output')),
      },
      ...Object.fromEntries(problemStatuses(route).map((status) => [status, describeProblem(status, schemas)])),
    },
  };
}

function describeParameters(fields: z.ZodObject | undefined, place: 'path' | 'query', schemas: JsonSchemas): Json[] {
  if (fields === undefined) return [];
  return Object.entries(schemas.of(fields, 'input').properties ?? {}).map(([name, schema]) => {
    return { name, in: place, required: place === 'path', schema };
  });
}

/** Lists a route's error statuses: 422 only with fields to check; 413, 415 and 507 only with a body. */
function problemStatuses({ params, query, body, problems = [] }: RouteDescription): number[] {
  const fields = params !== undefined || query !== undefined || body !== undefined ? [422] : [];
  const general = [401, 421, 500, ...fields, ...(body === undefined ? [] : [400, 413, 415, 507])];
  return [...new Set([...general, ...problems])].toSorted((a, b) => a - b);
}

function describeProblem(status: number, schemas: JsonSchemas): Json {
  return {
    description: problemDescriptions.get(status),
    content: jsonContent(schemas.of(status === 422 ? invalidFields : problem, 'output')),
  };
}

function jsonContent(schema: JsonSchema): Json {
  return { 'application/json': { schema } };
}

const problemDescriptions = new Map([
  [400, "The body isn't valid JSON, or the request can't be fulfilled. The sentence names the field."],
  [401, 'The key is missing or wrong.'],
  [404, 'Nothing has this id.'],
  [409, 'The name or id is taken.'],
  [413, 'The body is too large.'],
  [415, "The body isn't sent as application/json."],
  [421, 'The request was addressed to another host.'],
  [422, 'Fields have the wrong type or are out of bounds.'],
  [500, 'The service failed.'],
  [507, 'The disk is full, and nothing was stored.'],
]);

const problem = z.object({ detail: z.string() });

const invalidFields = z.object({
  detail: z.array(z.object({ loc: z.array(z.union([z.string(), z.int()])), msg: z.string(), type: z.string() })).min(1),
});

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The names of shared schemas. A request may have unknown fields, which are ignored, but an answer has none. */
const names = {
  input: z
    .registry<{ id: string }>()
    .add(deploymentBody, { id: 'DeploymentCreate' })
    .add(listenerCreateWire, { id: 'ListenerCreate' })
    .add(oauthProviderPatchWire, { id: 'OAuthProviderPatch' })
    .add(resourceSpecWire, { id: 'ResourceSpecCreate' })
    .add(containerWire, { id: 'ContainerCreate' }),
  output: z
    .registry<{ id: string }>()
    .add(problem, { id: 'Problem' })
    .add(invalidFields, { id: 'InvalidFields' })
    .add(deploymentWire, { id: 'Deployment' })
    .add(revisionWire, { id: 'Revision' })
    .add(listenerWire, { id: 'Listener' })
    .add(repositoryWire, { id: 'Repository' })
    .add(integrationWire, { id: 'Integration' })
    .add(oauthProviderWire, { id: 'OAuthProvider' })
    .add(agentConnectionWire, { id: 'AgentConnection' })
    .add(resourceSpecWire, { id: 'ResourceSpec' })
    .add(containerWire, { id: 'Container' }),
};

/** Converts zod schemas to JSON Schema and collects the named ones for references. */
class JsonSchemas {
  readonly #components = new Map<string, JsonSchema>();

  /** The schemas that others refer to, by name. */
  get components(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#components].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  of(schema: z.ZodType, direction: 'input' | 'output'): JsonSchema {
    const described = z.toJSONSchema(schema, { metadata: names[direction], io: direction });
    const { $schema: _, $defs = {}, ...rest } = described;
    for (const [name, definition] of Object.entries($defs)) this.#components.set(name, withComponentRefs(definition));
    return withComponentRefs(rest);
  }
}

/** Points references to the description's shared schemas instead of each schema's own `$defs`. */
function withComponentRefs(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}
