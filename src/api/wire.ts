import * as z from 'zod';

/** A `<uuid>` of the interface: the format only, not the version digits. */
export const uuid = z.guid('must be a UUID');

/** A `<timestamp>` of the interface: ISO 8601 with a zone. */
export const timestamp = z.iso.datetime({ offset: true, error: 'must be an ISO 8601 date and time' });

/** A map whose inner shape the interface does not show. */
export const freeForm = z.record(z.string(), z.unknown());

/** "Limits": the page size of the three lists. */
export const limit = z.int('must be a whole number').min(1, 'must be at least 1').max(100, 'must be at most 100');

/** "Limits": the position in the three lists. */
export const offset = z.int('must be a whole number').min(0, 'must not be negative');

/**
 * An object whose read-only fields may not be sent. Null equals absent, so null is let through.
 * Fields that the interface does not name are kept: whether they mean something is the service's word.
 */
export function writable<Shape extends z.ZodRawShape>(shape: Shape, readOnly: readonly string[]) {
  return z.looseObject(shape).superRefine((body, context) => {
    const entries = new Map<string, unknown>(Object.entries(body));
    for (const field of readOnly) {
      if ((entries.get(field) ?? undefined) === undefined) continue;
      context.addIssue({ code: 'custom', path: [field], message: 'is set by the service and cannot be sent' });
    }
  });
}
