import type { DatabaseRow } from './database.ts';

/** Reads a column that always holds text. */
export function text(row: DatabaseRow, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new TypeError(`The column ${column} holds no text.`);
  return value;
}

/** Reads a text column that may be null. */
export function optionalText(row: DatabaseRow, column: string): string | null {
  return row[column] === null ? null : text(row, column);
}

/** Reads a column that always holds a whole number. */
export function integer(row: DatabaseRow, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw new TypeError(`The column ${column} holds no number.`);
  return value;
}

/** Reads a time as the API writes it (ISO 8601, UTC). */
export function isoTime(row: DatabaseRow, column: string): string {
  return new Date(integer(row, column)).toISOString();
}

/** Reads a JSON column, which was validated before it was stored. */
export function json(row: DatabaseRow, column: string): unknown {
  return JSON.parse(text(row, column));
}
