import * as z from 'zod';
import { REVISION_STATUSES, SOURCES } from './enums.ts';
import { lenient } from './lenient.ts';
import { sourceRevisionConfigWire } from './source.ts';
import { limit, offset, timestamp, uuid } from './wire.ts';

/**
 * "Revision" as the document writes it. `status_message` is an addition seen in the public service and served by the
 * local service: why a revision failed.
 */
export const revisionWire = z.object({
  id: uuid,
  created_at: timestamp,
  updated_at: timestamp,
  status: z.enum(REVISION_STATUSES),
  source: z.enum(SOURCES),
  source_revision_config: sourceRevisionConfigWire,
  status_message: z.string().nullish(),
});

/** Reads a Revision of an answer. */
export const revisionReader = lenient(revisionWire);

/**
 * Query of the revision list. The document does not show the names of the two filters, so that they are sent only
 * by a flavor that knows them. `status` is a comma separated list of revision statuses.
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
