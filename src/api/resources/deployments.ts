import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { unexpected, type ApiError } from '../errors.ts';
import { toWire } from './wireNames.ts';
import type { CallOptions, Http } from '../http/http.ts';
import { DEPLOYMENT_STATUSES, DEPLOYMENT_TYPES, SOURCES } from '../schema/enums.ts';
import { lenient } from '../schema/lenient.ts';
import {
  sourceConfigOf,
  sourceConfigWire,
  sourceRevisionConfigCreateWire,
  sourceRevisionConfigWire,
} from '../schema/source.ts';
import type { SourceRevisionConfigCreate } from '../schema/source.ts';
import { limit, offset, oneOf, timestamp, uuid, writable } from '../schema/wire.ts';
import { checkBeforeSending } from './check.ts';
import { deploymentOutcome, lookUp, recoverCreate } from './lookUp.ts';
import type { LookedUp } from './lookUp.ts';
import { isUnreadable } from './page.ts';
import { followPages, readOne, readPage } from './reading.ts';

/** "Secret": the value is sent on create and never kept from a response. */
const secretWire = z.object({ name: z.string(), value: z.string() });

/** "Secret reference": a key of a Kubernetes secret, only for the source `external_docker`. */
const secretReferenceWire = z.object({
  name: z.string(),
  secret_name: z.string().nullish(),
  secret_key: z.string().nullish(),
});

const source = oneOf(SOURCES);

function createShapeOf<const Types extends readonly string[]>(deploymentTypes: Types) {
  return { name: z.string(), source, ...changeShapeOf(deploymentTypes) };
}

/** What a create sets and an update can change. */
export function changeShapeOf<const Types extends readonly string[]>(deploymentTypes: Types) {
  return {
    source_config: sourceConfigOf(deploymentTypes).nullish(),
    source_revision_config: sourceRevisionConfigCreateWire.nullish(),
    secrets: z.array(secretWire).nullish(),
    secret_references: z.array(secretReferenceWire).nullish(),
  };
}

const READ_ONLY = ['id', 'tenant_id', 'created_at', 'updated_at', 'status', 'latest_revision_id', 'active_revision_id'];

function createBodyOf<const Types extends readonly string[]>(deploymentTypes: Types) {
  return writable(createShapeOf(deploymentTypes), READ_ONLY).superRefine((body, context) => {
    if (body.source === 'external_docker' || (body.secret_references ?? []).length === 0) return;
    context.addIssue({
      code: 'custom',
      path: ['secret_references'],
      message: l10n.t('is allowed only for the source external_docker'),
    });
  });
}

/** The body of POST /v2/deployments ("Deployment"). Rejects only what the document forbids. */
export const deploymentCreateWire = createBodyOf(DEPLOYMENT_TYPES);

/** "Deployment" from the document. `source_revision_config` belongs to the latest revision. */
export const deploymentWire = z.object({
  id: uuid,
  name: z.string(),
  tenant_id: uuid,
  source,
  source_config: sourceConfigWire,
  source_revision_config: sourceRevisionConfigWire,
  secrets: z.array(secretWire),
  secret_references: z.array(secretReferenceWire).nullish(),
  status: oneOf(DEPLOYMENT_STATUSES),
  latest_revision_id: uuid.nullish(),
  active_revision_id: uuid.nullish(),
  image_version: z.string().nullish(),
  created_at: timestamp,
  updated_at: timestamp,
});

/**
 * Parses a Deployment from a response. Drops the values of secrets and keeps their names.
 * The document doesn't name `url`, the application's address, and `display_name`, but the public service sends them.
 */
export const deploymentReader = lenient(
  deploymentWire.extend({
    secrets: z.array(secretWire.omit({ value: true })).nullish(),
    url: z.string().nullish(),
    display_name: z.string().nullish(),
  }),
);

/** Query of GET /v2/deployments. `tag_value_ids` and `deployment_ids` are comma-separated. */
export const deploymentListQueryWire = z.object({
  limit: limit.nullish(),
  offset: offset.nullish(),
  name_contains: z.string().nullish(),
  status: z.string().nullish(),
  remote_reconciled: z.boolean().nullish(),
  tag_value_ids: z.string().nullish(),
  image_version: z.string().nullish(),
  deployment_type: oneOf(DEPLOYMENT_TYPES).nullish(),
  deployment_ids: z.string().nullish(),
});

export type DeploymentWire = z.infer<typeof deploymentWire>;
export type Deployment = z.infer<typeof deploymentReader>;
export type DeploymentListQuery = z.infer<typeof deploymentListQueryWire>;
export type DeploymentCreate = Omit<
  z.infer<z.ZodObject<ReturnType<typeof createShapeOf<readonly string[]>>>>,
  'source_revision_config'
> & {
  source_revision_config?: SourceRevisionConfigCreate | null | undefined;
};

interface CreateOptions extends CallOptions {
  /** Whether only this create can have made a deployment. Asked when the response doesn't tell. */
  readonly isMade?: ((deployment: Deployment) => boolean) | undefined;
}

export type DeploymentCalls = ReturnType<typeof createDeployments>;

/** The error for an answer about another deployment, which says nothing about the one that was asked for. */
export function aboutAnother(origin: string): ApiError {
  return unexpected(l10n.t('{0} sent a response about another deployment.', origin));
}

/** The endpoints of section "Deployments". They fail only with ApiError. */
export function createDeployments(http: Http) {
  const path = '/v2/deployments';

  async function list(query: DeploymentListQuery = {}, options?: CallOptions) {
    checkBeforeSending(deploymentListQueryWire, query);
    return readPage(http, { path, reader: deploymentReader, query }, options);
  }

  function createCall(body: DeploymentCreate) {
    return { method: 'POST', path, body: toWire(body, http.flavor) } as const;
  }

  async function lookUpName(name: string, options?: CallOptions): Promise<LookedUp<Deployment>> {
    const query: DeploymentListQuery = { name_contains: name };
    return lookUp(followPages(list, query, options), (deployment) => deployment.name === name);
  }

  return {
    /** GET /v2/deployments: one page. */
    list,

    /** All pages of GET /v2/deployments. Fetches each page when its first item is requested. */
    listAll: (query: DeploymentListQuery = {}, options?: CallOptions) => followPages(list, query, options),

    /**
     * Finds a deployment by ID with the list's filter, because there is no endpoint for it.
     * @throws ApiError `unexpectedResponse` when it exists but can't be read, or when the service returns another one
     */
    async find(id: string, options?: CallOptions) {
      const { resources } = await list({ deployment_ids: id, limit: 1 }, options);
      // A row without an ID is too large or damaged, and may be this one.
      const found = resources.find((row) => row.id === id || row.id === undefined);
      if (found === undefined && resources.length > 0) throw aboutAnother(http.origin);
      // It exists, even if nothing else is known of it.
      if (found === undefined || !isUnreadable(found)) return found;
      throw unexpected(l10n.t('{0} sent a response in an unknown format: {1}', http.origin, found.reason));
    },

    /** Looks for a deployment with exactly this name. The rows are those whose names contain it. */
    lookUp: lookUpName,

    /**
     * POST /v2/deployments. Also creates a tracing project with the same name.
     * Never sent twice. If the outcome is unknown, it looks up the name. It returns the deployment if only this create
     * can have made it, and otherwise fails with the result of the lookup in the message.
     */
    async create(body: DeploymentCreate, options: CreateOptions = {}) {
      checkBeforeSending(createBodyOf(http.flavor.deploymentTypes), body);
      try {
        const answer = await http.send(createCall(body), options);
        return readOne(http, deploymentReader, answer);
      } catch (error) {
        return recoverCreate(error, {
          lookUp: async () => lookUpName(body.name, options),
          isMade: options.isMade,
          words: (found) => deploymentOutcome(body.name, found),
        });
      }
    },

    /** The request that `create` sends for a body, without the key and values that may be secret. Sends nothing. */
    describeCreate: (body: DeploymentCreate) => http.describe(createCall(body)),
  };
}
