import type { SQLInputValue } from 'node:sqlite';

/** A condition of a query with its value, if it has one. */
type Condition = readonly [sql: string, value: SQLInputValue | boolean | undefined];

/** The SQL and the values of those conditions that have a value, joined by AND; empty if none has one. */
export function allOf(conditions: readonly Condition[]): { sql: string; values: SQLInputValue[] } {
  const given = conditions.flatMap(([sql, value]) => {
    if (value === undefined || value === null) return [];
    return [{ sql, value: typeof value === 'boolean' ? Number(value) : value }];
  });
  return { sql: given.map(({ sql }) => sql).join(' AND '), values: given.map(({ value }) => value) };
}

/** Converts a comma-separated filter to a value for SQLite's `json_each`; undefined when it names nothing. */
export function jsonList(text: string | null | undefined): string | undefined {
  const items = (text ?? '').split(',').map((item) => item.trim());
  const given = items.filter((item) => item !== '');
  return given.length === 0 ? undefined : JSON.stringify(given);
}
