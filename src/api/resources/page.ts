import * as l10n from '@vscode/l10n';
import type * as z from 'zod';
import { unexpected } from '../errors.ts';
import { fromWire } from '../flavor.ts';
import type { CallOptions, Http, Query } from '../http/http.ts';
import { safeText } from '../http/redact.ts';
import { isRecord } from '../schema/json.ts';
import { MAX_PAGE_SIZE, MAX_ROWS } from '../schema/limits.ts';

/** An item that doesn't match the interface. The rest of the response is still usable. */
export interface Unreadable {
  readonly unreadable: true;
  /** The item's own ID, if it has one. */
  readonly id?: string;
  /** What is wrong, without the item's values. */
  readonly reason: string;
}

/** One page of a list ("Endpoints"). Pass `offset` to the request for the next page. */
export interface Page<T> {
  readonly resources: (T | Unreadable)[];
  readonly offset: number;
}

/** Whether an item couldn't be read. */
export function isUnreadable(item: object): item is Unreadable {
  return 'unreadable' in item && item.unreadable === true;
}

/**
 * Whether a page is the last one.
 * Nothing marks the end of a list. The last page is empty, shorter than requested, or doesn't advance the offset.
 */
export function isLastPage(page: Page<unknown>, asked: { readonly limit: number; readonly offset: number }): boolean {
  return page.resources.length === 0 || page.resources.length < asked.limit || page.offset <= asked.offset;
}

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

interface PagedQuery {
  readonly limit?: number | null | undefined;
  readonly offset?: number | null | undefined;
}

/**
 * Reads one page ("List endpoints that return a page"). Without `offset`, it counts as the last page.
 * @throws ApiError.
 */
export async function readPage<T>(
  http: Http,
  { path, reader, query }: { path: string; reader: z.ZodType<T>; query: Query },
  options?: CallOptions,
): Promise<Page<T>> {
  const answer = await http.get(path, query, options);
  const resources = readList(http, reader, answer, 'resources', Number(query['limit'] ?? MAX_PAGE_SIZE));
  const offset = isRecord(answer) && Number.isSafeInteger(answer['offset']) ? answer['offset'] : query['offset'];
  return { resources, offset: Number(offset ?? 0) };
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
