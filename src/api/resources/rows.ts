import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import { unexpected } from '../errors.ts';
import { fromWire } from '../flavor.ts';
import type { CallOptions, Http } from '../http/http.ts';
import { safeText } from '../http/redact.ts';
import type { Query } from '../http/request.ts';
import { isRecord } from '../schema/json.ts';
import { MAX_PAGE_SIZE } from '../schema/limits.ts';
import { isLastPage } from './page.ts';
import type { Page, Unreadable } from './page.ts';

/**
 * Parses a response that consists of one resource.
 * @throws ApiError `unexpectedResponse` when it doesn't match the interface.
 */
export function readOne<T>(reader: z.ZodType<T>, value: unknown, origin: string): T {
  const read = reader.safeParse(value);
  if (read.success) return read.data;
  throw unexpected(l10n.t('{0} sent an answer of an unknown shape: {1}', origin, reasonOf(read.error)));
}

/** Parses the items of a list. An unreadable item doesn't affect the others. */
export function readRows<T>(reader: z.ZodType<T>, rows: readonly unknown[]): (T | Unreadable)[] {
  return rows.map((row) => {
    const read = reader.safeParse(row);
    return read.success ? read.data : unreadable(row, reasonOf(read.error));
  });
}

/**
 * The list in a response: the named member, or the response itself if no member is named.
 * @throws ApiError `unexpectedResponse` when there is no list.
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

/** Names the field and its expected type, but never its value. */
function reasonOf(error: z.ZodError): string {
  const [issue] = error.issues;
  const path = safeText(issue?.path.join('.') ?? '');
  const expected = issue?.code === 'invalid_type' ? issue.expected : 'object';
  return path === '' ? l10n.t('not of the type {0}', expected) : l10n.t('{0} is not of the type {1}', path, expected);
}

interface PagedQuery {
  readonly limit?: number | null | undefined;
  readonly offset?: number | null | undefined;
}

interface List<T> {
  readonly path: string;
  readonly reader: z.ZodType<T>;
  readonly query: Query;
}

/**
 * Reads one page ("List endpoints that return a page"). Without `offset`, it counts as the last page.
 * @throws ApiError.
 */
export async function readPage<T>(
  http: Http,
  { path, reader, query }: List<T>,
  options?: CallOptions,
): Promise<Page<T>> {
  const answer = await http.get(path, query, options);
  const rows = listIn(answer, 'resources', http.origin).map((row) => fromWire(row, http.flavor));
  const offset = isRecord(answer) && Number.isSafeInteger(answer['offset']) ? Number(answer['offset']) : undefined;
  return { resources: readRows(reader, rows), offset: offset ?? Number(query['offset'] ?? 0) };
}

/** Iterates over all pages of a list. Fetches each page when its first item is requested. */
export async function* followPages<T, Asked extends PagedQuery>(
  list: (query: Asked, options?: CallOptions) => Promise<Page<T>>,
  query: Asked,
  options?: CallOptions,
): AsyncGenerator<T | Unreadable, void, undefined> {
  const limit = query.limit ?? MAX_PAGE_SIZE;
  for (let offset = query.offset ?? 0; ;) {
    const page = await list({ ...query, limit, offset }, options);
    for (const item of page.resources) yield item;
    if (isLastPage(page, { limit, offset })) return;
    offset = page.offset;
  }
}
