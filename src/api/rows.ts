import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import { unexpected } from './failures.ts';
import { isRecord } from './json.ts';
import type { Unreadable } from './page.ts';
import { safeText } from './redact.ts';

/**
 * Reads the one resource that an answer consists of.
 * @throws ApiError `unexpectedResponse` when it does not have the shape of the interface.
 */
export function readOne<T>(reader: z.ZodType<T>, value: unknown, origin: string): T {
  const read = reader.safeParse(value);
  if (read.success) return read.data;
  throw unexpected(l10n.t('{0} sent an answer of an unknown shape: {1}', origin, reasonOf(read.error)));
}

/** Reads the items of a list; one that cannot be read does not take the others with it. */
export function readRows<T>(reader: z.ZodType<T>, rows: readonly unknown[]): (T | Unreadable)[] {
  return rows.map((row) => {
    const read = reader.safeParse(row);
    return read.success ? read.data : unreadable(row, reasonOf(read.error));
  });
}

/**
 * The list in an answer: a member of it, or where no member is named the answer itself.
 * @throws ApiError `unexpectedResponse` when there is none.
 */
export function listIn(value: unknown, member: string | undefined, origin: string): unknown[] {
  const list = member === undefined ? value : isRecord(value) && value[member];
  if (Array.isArray(list)) return list;
  throw unexpected(l10n.t('{0} sent an answer without the list that the interface promises.', origin));
}

function unreadable(row: unknown, reason: string): Unreadable {
  const id = isRecord(row) ? row['id'] : undefined;
  const isId = typeof id === 'string' || typeof id === 'number';
  return { unreadable: true, reason, ...(isId ? { id: safeText(String(id)) } : {}) };
}

/** Names the field and the kind of value that was expected, never the value. */
function reasonOf(error: z.ZodError): string {
  const [issue] = error.issues;
  const path = safeText(issue?.path.join('.') ?? '');
  const expected = issue?.code === 'invalid_type' ? issue.expected : 'object';
  return path === '' ? l10n.t('not of the type {0}', expected) : l10n.t('{0} is not of the type {1}', path, expected);
}
