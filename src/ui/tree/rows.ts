/** A row of the deployments view. Rows are names of things; what they show is looked up when they are drawn. */
export type Row =
  | { readonly kind: 'deployment'; readonly id: string }
  | { readonly kind: 'revision'; readonly id: string; readonly deploymentId: string }
  | { readonly kind: 'unreadable'; readonly id: string; readonly reason: string; readonly deploymentId?: string }
  /** The service has further rows: of the deployment, or else of the list. */
  | { readonly kind: 'loadMore'; readonly deploymentId?: string }
  /** The last request failed: for the deployment's revisions, or else for the list. */
  | { readonly kind: 'failure'; readonly deploymentId?: string };

/** Unique in the whole tree and the same after each refresh, so that selection and expansion stay. */
export function rowKey(row: Row): string {
  switch (row.kind) {
    case 'deployment':
      return `deployment/${row.id}`;
    case 'revision':
      return `deployment/${row.deploymentId}/revision/${row.id}`;
    case 'unreadable':
      return `deployment/${row.deploymentId ?? ''}/unreadable/${row.id}`;
    case 'loadMore':
      return `deployment/${row.deploymentId ?? ''}/more`;
    case 'failure':
      return `deployment/${row.deploymentId ?? ''}/failure`;
  }
}

/** Tells whether a command's argument is one of our rows: other extensions can call commands with anything. */
export function isRow(value: unknown): value is Row {
  const kinds: readonly unknown[] = [
    'deployment',
    'revision',
    'unreadable',
    'loadMore',
    'failure',
  ] satisfies Row['kind'][];
  return typeof value === 'object' && value !== null && 'kind' in value && kinds.includes(value.kind);
}
