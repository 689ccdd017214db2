import * as z from 'zod';
import { agentConnectionWire } from '../../api/resources/agentConnections.ts';
import { deploymentWire } from '../../api/resources/deployments.ts';
import { integrationWire, repositoryWire } from '../../api/resources/integrations.ts';
import { uploadPlaceWire } from '../../api/resources/deploymentChanges.ts';
import { listenerCreateWire, listenerWire } from '../../api/resources/listeners.ts';
import { logEntryWire, logPageWire } from '../../api/resources/logs.ts';
import { oauthProviderPatchWire, oauthProviderWire } from '../../api/resources/oauthProviders.ts';
import { revisionWire } from '../../api/resources/revisions.ts';
import { containerWire, resourceSpecWire } from '../../api/schema/resourceSpec.ts';
import { oauthProviderBody } from '../routes/auth.ts';
import { deploymentPatchBody } from '../routes/deploymentChanges.ts';
import { deploymentBody } from '../routes/deployments.ts';
import { listenerPatchBody } from '../routes/listeners.ts';
import { logQueryBody } from '../routes/logs.ts';
import { route, type Route, type RouteDescription } from './route.ts';

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
  const items = Object.entries(decisions).map(([topic, decision]) => `- **${topic}.** ${decision}`);
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
        ...(success.status === 204 ? {} : { content: jsonContent(schemas.of(success.schema, 'output')) }),
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
  [409, 'The name or id is taken, or the state of this resource does not allow it.'],
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
    .add(deploymentPatchBody, { id: 'DeploymentPatch' })
    .add(logQueryBody, { id: 'LogQuery' })
    .add(listenerCreateWire, { id: 'ListenerCreate' })
    .add(listenerPatchBody, { id: 'ListenerPatch' })
    .add(oauthProviderBody, { id: 'OAuthProviderCreate' })
    .add(oauthProviderPatchWire, { id: 'OAuthProviderPatch' })
    .add(resourceSpecWire, { id: 'ResourceSpecCreate' })
    .add(containerWire, { id: 'ContainerCreate' }),
  output: z
    .registry<{ id: string }>()
    .add(problem, { id: 'Problem' })
    .add(invalidFields, { id: 'InvalidFields' })
    .add(deploymentWire, { id: 'Deployment' })
    .add(revisionWire, { id: 'Revision' })
    .add(uploadPlaceWire, { id: 'UploadPlace' })
    .add(logPageWire, { id: 'LogPage' })
    .add(logEntryWire, { id: 'LogEntry' })
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

/** What this service decides, by topic, where the API document is silent or says "not shown". */
const decisions = {
  'Nothing runs':
    'No containers are started. A build from a repository is rehearsed: git resolves the ref in the registered clone, and the config file in that commit must be readable, and the files of all its graphs must exist. A missing module, or missing JavaScript in dist, build or out, is only a warning, because a package or the build may provide it. custom_url is returned as sent.',
  Authentication:
    'Every request except for a proof of identity sends the key in the header X-Api-Key or as "Authorization: Bearer KEY"; otherwise, the response is 401. The Host header must be 127.0.0.1 or localhost (421). There is no CORS.',
  'Proof of identity':
    'GET /_control/proof/NONCE needs no key. It proves that this service knows the key, so a client can check this before it sends the key on the same connection. NONCE is 32 random bytes in base64url. The response is 204 with the header "Proof: PID HMAC": the process id of the service and an HMAC-SHA256 in base64url. The HMAC uses the key and covers three lines without a final line break: NONCE, the IP:PORT that the client is connected to, and PID. The proof is optional.',
  Additions:
    'Everything that the document does not have is an addition of this service, in the form of the public one: logs, GET, PATCH and DELETE of one deployment, new revisions, redeploy, interruption, uploads, GET, PATCH and DELETE of one listener, and GET, POST and DELETE of OAuth providers. A client must not expect it of other services.',
  'Success status codes':
    'A create responds with 201, a deletion and an interruption with 204 and no body, all other requests with 200.',
  Errors:
    'The body is {"detail": "a sentence"} for 400, 401, 404, 405, 409, 413, 415, 421, 500 and 507, and {"detail": [{"loc", "msg", "type"}]} for 422. 422 means that fields have the wrong type or are out of bounds. 400 means that fields contradict each other or existing data, or that the body is not JSON. 507 means that the disk is full and nothing was stored. Rejected values are never repeated.',
  Bodies:
    'At most 1 MiB of JSON in UTF-8, with at most 99,900 values, 2,000 members in an object and 5,000 texts of six or more digits, nested at most 62 levels deep. Rejected anywhere: the key __proto__, NUL characters, incomplete Unicode characters, and whole numbers beyond 2^53. Unknown fields are ignored and not stored, except in Kubernetes objects, which are open.',
  'Rate limits': 'There are none.',
  'Required fields of a create request':
    'name and source; for repohost also integration_id, repo_url, repo_ref and graph_config_path; for external_docker also image_uri. secrets is optional. A listener requires compute_type and compute_id. Fields for other sources are rejected; null, "" and a false build_on_push count as absent.',
  'Read-only fields':
    'The document says that clients cannot write them, so a request that sends one is rejected (422); null is allowed. The same applies to repo_commit_sha in a create request.',
  Names:
    'A deployment name has 1 to 255 characters, not only blanks, and no control characters. It is taken (409) if a tracing project with that name exists. Creating a deployment records a tracing project, which outlives it unless the deletion names it.',
  'Availability of sources': 'All sources are available.',
  Secrets:
    'Values are dropped after validation, because nothing runs that needs them. Responses contain the names with empty values. Names must be unique and not empty. The client_secret of an OAuth provider is accepted and dropped.',
  Lists:
    'Newest first (created_at, then id, both descending). The default limit is 20 for all three lists. offset is where the next page starts; past the end, the page is empty and offset is unchanged. The largest offset is 2^53 - 1. A page may repeat a row after an insert. A parameter without a value counts as absent, a repeated parameter is rejected, and unknown parameters are ignored.',
  'Deployment filters':
    'name_contains matches a substring and ignores the case of A to Z. status, tag_value_ids and deployment_ids are comma-separated and match if any item matches. image_version matches exactly. All filters must match.',
  'Revision filters':
    'They are named status (comma-separated) and remote_reconciled. A revision is remote reconciled if its deployment is.',
  'Remote reconciled': 'A deployment is remote reconciled if it runs on a listener.',
  'Deployment status':
    'AWAITING_DATABASE until the first revision is DEPLOYED, then READY; AWAITING_DELETE while it is deleted. There are no other statuses.',
  'Revision status':
    'CREATING, QUEUED, AWAITING_BUILD, BUILDING, AWAITING_DEPLOY, DEPLOYING, DEPLOYED, one after another. A build that cannot succeed ends in BUILD_FAILED. One revision of a deployment is built at a time; a newer revision changes waiting ones to SKIPPED. active_revision_id changes only when a revision is DEPLOYED. status_message says why a revision failed, or what its build warned of; the document does not have this field.',
  repo_ref:
    'A branch as of the last fetch or push (refs/remotes/REMOTE/BRANCH of origin, or of the only remote), a tag as refs/tags/TAG, or a commit that can be reached from one of them. Local branches count only without a remote. Nothing is fetched. repo_commit_sha is set on create if the ref exists.',
  build_on_push:
    'A new revision is created when the ref moves in the registered clone, after a push from it or a fetch. It must be false for a tag.',
  graph_config_path:
    'Relative to the top of the repository, with forward slashes and without "..". The file is JSON, or YAML if its name ends in .yaml or .yml.',
  'image_uri and source_tarball_path':
    'An image reference must be well-formed, but the image need not exist. A tarball is a path in the folder "uploads" of the data folder; it is compressed with gzip and contains the config file, if the request names one. Anything else ends in BUILD_FAILED.',
  Listeners:
    "compute_type must be k8s. compute_id is unique, because the service is one workspace (409). The listener_id of a deployment must exist, and its k8s_namespace must be one of the listener's k8s_namespaces. A change replaces the fields that it has. A listener on which a deployment runs can't be removed (409).",
  Updates:
    'Null and absent fields keep their values; resource_spec, secrets and secret_references are replaced as a whole. A secret in the list, resource_spec and every field of source_revision_config make a new revision, for which repo_ref is resolved anew; an empty list of secrets changes nothing. revision_source must be the source of the deployment. The result is checked as a create request is. POST revisions makes a revision in any case, and responds with it.',
  Redeploy:
    "The new revision has the earlier one's source_revision_config with its commit, and the current secrets and source_config. It replaces waiting revisions. build_on_push then waits for the next push.",
  Interruption: 'The revision is INTERRUPTED at once; 409 if it has already ended.',
  Deletion:
    'The deployment is AWAITING_DELETE for two steps, and its moving revisions are INTERRUPTED. Then it is gone with its revisions, logs and uploads. The tracing project stays and keeps the name taken, unless delete_tracing_project is true. Changes meanwhile respond with 409, another deletion with 204.',
  Logs: 'A build from a repository or an upload logs each step; images are not built, so their log is empty. The log of the application has a line for each state of each revision. A deployment keeps 10,000 lines. The default order is asc, the default limit 100. level also returns the more severe levels, query matches a substring and ignores the case of A to Z, start_time and end_time are inclusive. next_offset is null on the last page.',
  Uploads:
    'Only for internal_source. The signed address is one of this service, PUT /_uploads/…, and is valid for 15 minutes. It needs no key, but the content type application/gzip; more than 209,715,200 bytes are refused (413), as are a wrong and an expired signature (403). object_path is the source_tarball_path of an update. The ten latest archives of a deployment are kept.',
  Integrations:
    'There is one, "This computer", with the registered git repositories. Both repository lists are the same. If a remote is a folder, the owner is "local".',
  'OAuth providers':
    'The path contains the provider_id. An absent field stays unchanged. Null clears a field: a text becomes empty, uses_pkce false, and code_challenge_method null. The list is a plain array. A provider_id is unique (409). A new data folder has a provider if the service is started with --sample.',
  'Agent connections':
    'An unknown agent has no connections; this is not an error. With --sample, a new data folder has the agent "sample-agent".',
  'Damaged entries':
    'An unreadable entry is listed with its id only; created_at is then an object with the reason. A request for that entry alone is answered with 500.',
  Events: 'There are none: clients poll.',
  Versioning: 'The version is part of the path. There is no negotiation.',
};
