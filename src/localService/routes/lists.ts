import * as z from 'zod';

/** The shape of a list answer ("Endpoints"). */
export function pageOf<Schema extends z.ZodType>(resource: Schema) {
  return z.object({ resources: z.array(resource), offset: z.int() });
}

/** The page in a list request ("Limits"). The default page size of all three lists is 20. */
interface PageQuery {
  readonly limit?: number | null | undefined;
  readonly offset?: number | null | undefined;
}

/** Reads one page. The answer's offset is the start of the next page. */
export function toPage<Resource>(
  query: PageQuery,
  read: (page: { limit: number; offset: number }) => readonly Resource[],
): { resources: readonly Resource[]; offset: number } {
  const offset = query.offset ?? 0;
  const resources = read({ limit: query.limit ?? 20, offset });
  return { resources, offset: offset + resources.length };
}

/** Splits a comma-separated list; undefined (no filter) when it has no items. */
export function commaList(text: string | null | undefined): string[] | undefined {
  const items = (text ?? '').split(',').map((item) => item.trim());
  const given = items.filter((item) => item !== '');
  return given.length === 0 ? undefined : given;
}
