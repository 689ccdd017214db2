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

/** What the rows of all views have in common: the menus match their kind. */
export interface AnyRow {
  readonly kind: string;
}

/** A row of a list besides its items. `parent` is the row that the list is below, undefined for the topmost list. */
export type EndRow<R> =
  | { readonly kind: 'unreadable'; readonly parent: R | undefined; readonly id: string; readonly reason: string }
  /** The service has further rows. */
  | { readonly kind: 'loadMore'; readonly parent: R | undefined }
  /** The last request failed. */
  | { readonly kind: 'failure'; readonly parent: R | undefined };

/** A row of a tree: one of the view's own, or one that every list may have. */
export type TreeRow<R> = R | EndRow<R>;

/** A list below a row, some items of which a filter may hide. */
export type ListState = PagedListState<{ readonly id: string }> & { readonly hidden?: number };

/** The rows of a list, the failure to load it before them and "Load more" behind them. */
export function listRows<R>(
  state: ListState,
  parent: R | undefined,
  toRow: (id: string) => R,
): readonly (R | EndRow<R>)[] {
  const rows = state.rows.map((row, index) =>
    isUnreadable(row)
      ? ({ kind: 'unreadable', parent, id: row.id ?? String(index), reason: row.reason } as const)
      : toRow(row.id),
  );
  const before: EndRow<R>[] = state.error === undefined ? [] : [{ kind: 'failure', parent }];
  const behind: EndRow<R>[] = state.hasMore ? [{ kind: 'loadMore', parent }] : [];
  return [...before, ...rows, ...behind];
}

export function isEndRow<R extends AnyRow>(row: TreeRow<R>): row is EndRow<R> {
  return row.kind === 'unreadable' || row.kind === 'loadMore' || row.kind === 'failure';
}

/** Unique among the keys of a view: no other row is named by such a text. */
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

/** What stands beside the title of a view: the connection, its filters, and how many rows are there once it is known. */
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

/** What stands above a list before the first answer; without it VS Code would say that there is nothing to show. */
export function loadingMessage(session: Session, { loadedAt, error }: PagedListState<unknown>): string {
  const isWaiting = session.kind === 'ready' && loadedAt === undefined && error === undefined;
  return isWaiting ? vscode.l10n.t('Loading…') : '';
}
