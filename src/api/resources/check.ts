import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import { ApiError } from '../errors.ts';
import { encodeStep } from '../http/baseUrl.ts';

/**
 * Rejects a request that the document forbids before it's sent.
 * Leaves the format of identifiers to the service, which knows its own.
 * @throws ApiError `invalid` with every rejected field, but no values.
 */
export function checkBeforeSending(schema: z.ZodType, value: unknown): void {
  const read = schema.safeParse(value);
  if (read.success) return;
  const fields = read.error.issues
    .filter((issue) => issue.code !== 'invalid_format')
    .map((issue) => ({ path: issue.path.join('.'), message: issue.message }));
  if (fields.length === 0) return;
  const list = fields.map(({ path, message }) => `${path} ${message}`).join('; ');
  throw new ApiError({
    kind: 'invalid',
    message: l10n.t("The request wasn't sent, because the service would reject it: {0}.", list),
    fields,
    sent: false,
  });
}

/**
 * Encodes a value as one path segment.
 * @throws ApiError `invalid` for values that would change the path: empty, `.` and `..`.
 */
export function pathStep(name: string, value: string): string {
  if (value !== '' && value !== '.' && value !== '..') return encodeStep(value);
  throw new ApiError({
    kind: 'invalid',
    message: l10n.t("The request wasn't sent, because {0} isn't a valid identifier.", name),
    fields: [{ path: name, message: l10n.t("isn't a valid identifier") }],
    sent: false,
  });
}
