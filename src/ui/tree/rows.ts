import { endKey, isEndRow, type EndRow } from './listRows.ts';

/** A row of the deployments view. Rows are names of things; what they show is looked up when they are drawn. */
export type Row =
  | { readonly kind: 'deployment'; readonly id: string }
  | { readonly kind: 'revision'; readonly id: string; readonly deploymentId: string }
  /** No revision that is loaded has a status that is shown. */
  | { readonly kind: 'noneFits'; readonly deploymentId: string }
  /** `list` is the id of a deployment, or empty. */
  | EndRow;

/** Unique in the whole tree and the same after each refresh, so that selection and expansion stay. */
export function rowKey(row: Row): string {
  if (isEndRow(row)) return endKey(row);
  switch (row.kind) {
    case 'deployment':
      return `deployment/${row.id}`;
    case 'revision':
      return `deployment/${row.deploymentId}/revision/${row.id}`;
    case 'noneFits':
      return `deployment/${row.deploymentId}/noneFits`;
  }
}

/** The deployment that a row is or belongs to; undefined for a row of the whole list. */
export function deploymentIdOf(row: Row): string | undefined {
  if (isEndRow(row)) return row.list === '' ? undefined : row.list;
  return row.kind === 'deployment' ? row.id : row.deploymentId;
}

/** Tells whether a command's argument is one of our rows: other extensions can call commands with anything. */
export function isRow(value: unknown): value is Row {
  const kinds: readonly unknown[] = [
    'deployment',
    'revision',
    'noneFits',
    'unreadable',
    'loadMore',
    'failure',
  ] satisfies Row['kind'][];
  return typeof value === 'object' && value !== null && 'kind' in value && kinds.includes(value.kind);
}
