import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { MAX_PAGE_SIZE } from './limits.ts';

/** A `<uuid>` of the interface. Checks the format, but not the version digits. */
export const uuid = z.guid({ error: () => l10n.t('must be a UUID') });

/** A `<timestamp>` of the interface: ISO 8601 with a time zone. */
export const timestamp = z.iso.datetime({
  offset: true,
  error: () => l10n.t('must be an ISO 8601 date and time'),
});

/** A number of whole units. */
export function whole() {
  return z.int({
    error: ({ code }) =>
      code === 'too_big' ? l10n.t('must be at most {0}', Number.MAX_SAFE_INTEGER) : l10n.t('must be a whole number'),
  });
}

/** One of the values that the document lists. */
export function oneOf<const Words extends readonly string[]>(words: Words) {
  return z.enum(words, { error: () => l10n.t('must be one of {0}', words.join(', ')) });
}

/** A map whose content the interface doesn't specify. */
export const freeForm = z.record(z.string(), z.unknown());

/** "Limits": the page size of the three lists. */
export const limit = whole()
  .min(1, { error: () => l10n.t('must be at least {0}', 1) })
  .max(MAX_PAGE_SIZE, { error: () => l10n.t('must be at most {0}', MAX_PAGE_SIZE) });

/** "Limits": the position in the three lists. */
export const offset = whole().min(0, { error: () => l10n.t('must not be negative') });

/**
 * An object whose read-only fields can't be sent. Null equals absent and is allowed.
 * Keeps fields that the interface doesn't name, because the service may know them.
 */
export function writable<Shape extends z.ZodRawShape>(shape: Shape, readOnly: readonly string[]) {
  return z.looseObject(shape).superRefine((body, context) => {
    const entries = new Map<string, unknown>(Object.entries(body));
    for (const field of readOnly) {
      if ((entries.get(field) ?? undefined) === undefined) continue;
      context.addIssue({ code: 'custom', path: [field], message: l10n.t("is set by the service and can't be sent") });
    }
  });
}
