import * as z from 'zod';
import type { CallOptions, Http, Query } from '../http/http.ts';
import { safeText } from '../redaction/redact.ts';
import { REVISION_STATUSES, SOURCES } from '../schema/enums.ts';
import { lenient } from '../schema/lenient.ts';
import { sourceRevisionConfigWire } from '../schema/source.ts';
import { limit, offset, oneOf, timestamp, uuid } from '../schema/wire.ts';
import { checkBeforeSending, pathStep } from './check.ts';
import { readOne, readPage } from './reading.ts';

/**
 * "Revision" from the document, and `status_message`: why a revision failed.
 * The document doesn't name that field, but the public service and the local service send it.
 */
export const revisionWire = z.object({
  id: uuid,
  created_at: timestamp,
  updated_at: timestamp,
  status: oneOf(REVISION_STATUSES),
  source: oneOf(SOURCES),
  source_revision_config: sourceRevisionConfigWire,
  status_message: z.string().nullish(),
});

/**
 * Parses a Revision from a response.
 * Makes the failure reason safe to show here, because it may quote build output and is shown in many places.
 */
export const revisionReader = lenient(revisionWire).transform(({ status_message: message, ...revision }) => ({
  ...revision,
  ...(message === undefined ? {} : { status_message: safeText(message) }),
}));

/**
 * Query of the revision list. `status` is a comma-separated list of revision statuses.
 * The document doesn't name the two filters, so only a flavor that knows their names sends them.
 */
export const revisionListQueryWire = z.object({
  limit: limit.nullish(),
  offset: offset.nullish(),
  status: z.string().nullish(),
  remote_reconciled: z.boolean().nullish(),
});

export type RevisionWire = z.infer<typeof revisionWire>;
export type Revision = z.infer<typeof revisionReader>;
export type RevisionListQuery = z.infer<typeof revisionListQueryWire>;

export type RevisionCalls = ReturnType<typeof createRevisions>;

/** The endpoints of section "Revisions". They fail only with ApiError. */
export function createRevisions(http: Http) {
  const pathOf = (deploymentId: string) => `/v2/deployments/${pathStep('deployment_id', deploymentId)}/revisions`;

  return {
    /** GET /v2/deployments/{deployment_id}/revisions: one page, newest first. */
    async list(deploymentId: string, query: RevisionListQuery = {}, options?: CallOptions) {
      checkBeforeSending(revisionListQueryWire, query);
      const { status, remote_reconciled, ...page } = query;
      const names = http.flavor.revisionFilters;
      const filters: Query = {
        ...(names.status === undefined ? {} : { [names.status]: status }),
        ...(names.remote_reconciled === undefined ? {} : { [names.remote_reconciled]: remote_reconciled }),
      };
      const list = { path: pathOf(deploymentId), reader: revisionReader, query: { ...page, ...filters } };
      return readPage(http, list, options);
    },
    /** GET /v2/deployments/{deployment_id}/revisions/{revision_id}. */
    async get(deploymentId: string, revisionId: string, options?: CallOptions) {
      const path = `${pathOf(deploymentId)}/${pathStep('revision_id', revisionId)}`;
      return readOne(http, revisionReader, await http.get(path, {}, options));
    },
  };
}
