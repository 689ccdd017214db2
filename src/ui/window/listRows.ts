import * as vscode from 'vscode';
import { isUnreadable } from '../../api/resources/page.ts';
import type { Session } from '../../state/connections/session.ts';
import type { PagedListState } from '../../state/lists/pagedList.ts';
import {
  failureLines,
  failureView,
  loadMoreLines,
  loadMoreView,
  type Line,
  type RowView,
  unreadableLines,
  unreadableView,
} from './rowLook.ts';

/** The common part of all rows; the menus match `kind`. */
export interface AnyRow {
  readonly kind: string;
}

/** A row that isn't an item of its list. `parent` is the row above the list, undefined for the top list. */
export type EndRow<R> =
  | { readonly kind: 'unreadable'; readonly parent: R | undefined; readonly id: string; readonly reason: string }
  /** The service has more rows. */
  | { readonly kind: 'loadMore'; readonly parent: R | undefined }
  /** The last request failed. */
  | { readonly kind: 'failure'; readonly parent: R | undefined };

/** A row of a tree: one of the view's own, or one that any list may have. */
export type TreeRow<R> = R | EndRow<R>;

/** A list below a row, with the number of items that a filter hides. */
export type ListState = PagedListState<{ readonly id: string }> & { readonly hidden?: number };

/** The rows of a list, with a load failure before them and "Load more" after them. */
export function listRows<R>(
  state: ListState,
  parent: R | undefined,
  toRow: (id: string) => R,
): readonly (R | EndRow<R>)[] {
  const rows = state.entries.map((entry, index) =>
    isUnreadable(entry)
      ? ({ kind: 'unreadable', parent, id: entry.id ?? String(index), reason: entry.reason } as const)
      : toRow(entry.id),
  );
  const before: EndRow<R>[] = state.error === undefined ? [] : [{ kind: 'failure', parent }];
  const behind: EndRow<R>[] = state.hasMore ? [{ kind: 'loadMore', parent }] : [];
  return [...before, ...rows, ...behind];
}

export function isEndRow<R extends AnyRow>(row: TreeRow<R>): row is EndRow<R> {
  return row.kind === 'unreadable' || row.kind === 'loadMore' || row.kind === 'failure';
}

/** A key that no other row of the view has. */
export function endKey<R>(row: EndRow<R>, parentKey: string): string {
  return JSON.stringify(row.kind === 'unreadable' ? [row.kind, parentKey, row.id] : [row.kind, parentKey]);
}

export function viewEnd<R>(row: EndRow<R>, key: string, state: ListState): RowView {
  switch (row.kind) {
    case 'unreadable':
      return unreadableView(key, row.reason);
    case 'loadMore':
      return loadMoreView(key, state);
    case 'failure':
      return failureView(key, state);
  }
}

export function endLines<R>(row: EndRow<R>, state: ListState): readonly Line[] {
  switch (row.kind) {
    case 'unreadable':
      return unreadableLines(row.reason);
    case 'loadMore':
      return loadMoreLines(state.moreError);
    case 'failure':
      return failureLines(state.error);
  }
}

/** The text next to a view's title: connection, filters, and the row count once it is known. */
export function describeCount(
  session: Session,
  count: number | undefined,
  { hasMore = false, filters = [] }: { readonly hasMore?: boolean; readonly filters?: readonly string[] } = {},
): string {
  if (session.kind === 'none') return '';
  const counted = hasMore ? vscode.l10n.t('{0} loaded', count ?? 0) : String(count);
  return [session.connection.name, ...filters, ...(count === undefined ? [] : [counted])]
    .filter((part) => part !== '')
    .join(' · ');
}

/** The text above a list before its first answer; without it, VS Code would show the list as empty. */
export function loadingMessage(session: Session, { loadedAt, error }: PagedListState<unknown>): string {
  const isWaiting = session.kind === 'ready' && loadedAt === undefined && error === undefined;
  return isWaiting ? vscode.l10n.t('Loading…') : '';
}
