import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import { TooLargeError, unexpected } from '../errors.ts';
import { fromWire } from './wireNames.ts';
import type { CallOptions, Http, Query } from '../http/http.ts';
import { safeText } from '../redaction/redact.ts';
import { isRecord } from '../schema/json.ts';
import { MAX_PAGE_SIZE, MAX_ROWS } from '../schema/limits.ts';
import { isLastPage, type Page, type AskedPage, type Unreadable } from './page.ts';

/** The service whose answers are read, with its names for fields. */
type Service = Pick<Http, 'origin' | 'flavor'>;

/**
 * Parses a response that consists of one resource.
 * @throws ApiError `unexpectedResponse` when it doesn't match the interface.
 */
export function readOne<T>({ origin, flavor }: Service, reader: z.ZodType<T>, answer: unknown): T {
  const read = reader.safeParse(fromWire(answer, flavor));
  if (read.success) return read.data;
  throw unexpected(l10n.t('{0} sent a response in an unknown format: {1}', origin, reasonOf(read.error)));
}

/**
 * Parses the items of a list: the named member of a response, or the response itself if no member is named.
 * An unreadable item doesn't affect the others. Items beyond `most` aren't read, and together count as an unreadable one.
 * @throws ApiError `unexpectedResponse` when there is no list.
 */
export function readList<T>(
  { origin, flavor }: Service,
  reader: z.ZodType<T>,
  answer: unknown,
  member?: string,
  most = MAX_ROWS,
): (T | Unreadable)[] {
  const list = member === undefined ? answer : isRecord(answer) && answer[member];
  if (!Array.isArray(list)) {
    throw unexpected(l10n.t('{0} sent a response without the expected list.', origin));
  }
  const rows = list.slice(0, most).map((row: unknown) => {
    const read = reader.safeParse(fromWire(row, flavor));
    return read.success ? read.data : unreadable(row, reasonOf(read.error));
  });
  if (list.length <= most) return rows;
  const reason = l10n.t('The service sent {0} entries. Only the first {1} are shown', list.length, most);
  return [...rows, { unreadable: true, reason }];
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
  return path === '' ? l10n.t('not of type {0}', expected) : l10n.t('{0} is not of type {1}', path, expected);
}

interface PagedList<T> {
  readonly path: string;
  readonly reader: z.ZodType<T>;
  readonly query: Query;
}

/** A page of as many unreadable answers fails, because a service that ignores `limit` would get too many requests. */
const mostTooLarge = 10;

/**
 * Reads one page ("List endpoints that return a page"). Without `offset`, it counts as the last page.
 * Reads a page that is too large again in smaller parts. A single row that is too large counts as unreadable.
 * @throws ApiError.
 */
export async function readPage<T>(http: Http, list: PagedList<T>, options?: CallOptions): Promise<Page<T>> {
  const wanted = Number(list.query['limit'] ?? MAX_PAGE_SIZE);
  const resources: (T | Unreadable)[] = [];
  let asked = { limit: wanted, offset: Number(list.query['offset'] ?? 0) };
  let { query } = list;
  let hasRead = false;
  for (;;) {
    let limit: number;
    let offset: number;
    try {
      const part = await requestPage(http, { ...list, query }, options);
      for (const row of part.resources) resources.push(row);
      if (isLastPage(part, asked)) return { resources, offset: part.offset };
      hasRead = true;
      ({ offset } = part);
      limit = asked.limit * 2;
    } catch (error) {
      if (!(error instanceof TooLargeError)) throw error;
      ({ offset } = asked);
      limit = Math.floor(asked.limit / 2);
      if (limit === 0) {
        resources.push({ unreadable: true, reason: l10n.t('too large to read') });
        if (!hasRead && resources.length === mostTooLarge) throw error;
        offset += 1;
        limit = 1;
      }
    }
    if (resources.length >= wanted) return { resources, offset };
    asked = { limit: Math.min(limit, wanted - resources.length), offset };
    query = { ...list.query, ...asked };
  }
}

async function requestPage<T>(
  http: Http,
  { path, reader, query }: PagedList<T>,
  options?: CallOptions,
): Promise<Page<T>> {
  const answer = await http.get(path, query, options);
  const resources = readList(http, reader, answer, 'resources', Number(query['limit'] ?? MAX_PAGE_SIZE));
  const offset = isRecord(answer) && Number.isSafeInteger(answer['offset']) ? answer['offset'] : query['offset'];
  return { resources, offset: Number(offset ?? 0) };
}

/** Iterates over all pages of a list. Fetches each page when its first item is requested. */
export async function* followPages<T, Asked extends AskedPage>(
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
