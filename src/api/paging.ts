import type * as z from 'zod';
import type { CallOptions, Http } from './http.ts';
import { isRecord } from './json.ts';
import { MAX_PAGE_SIZE } from './limits.ts';
import { isLastPage } from './page.ts';
import type { Page, Unreadable } from './page.ts';
import type { Query } from './prepare.ts';
import { fromWire } from './rename.ts';
import { listIn, readRows } from './rows.ts';

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
 * Reads one page ("List endpoints that return a page"). An answer without `offset` is taken for the last page.
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

/** Follows the pages of a list one by one, each only when its first item is asked for. */
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
