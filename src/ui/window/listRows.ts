import * as vscode from 'vscode';
import { isUnreadable } from '../../api/resources/page.ts';
import type { Session } from '../../state/connections/connections.ts';
import type { PagedListState } from '../../state/lists/pagedList.ts';
import type { DocumentPlace } from './documentResources.ts';
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

/** A row of a list besides its items. `list` is the id of what the list belongs to, empty for the topmost list. */
export type EndRow =
  | { readonly kind: 'unreadable'; readonly list: string; readonly id: string; readonly reason: string }
  /** The service has further rows. */
  | { readonly kind: 'loadMore'; readonly list: string }
  /** The last request failed. */
  | { readonly kind: 'failure'; readonly list: string };

/** What a shared command can do with a row of a view. */
export interface RowTarget {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  /** Where a document about the row finds it. */
  readonly place?: DocumentPlace | undefined;
  /** The address of the repository that the row is about. */
  readonly repositoryUrl?: string | undefined;
  /** Asks again for the list that the row belongs to. */
  readonly reload: () => Promise<void>;
  readonly loadMore: () => Promise<void>;
}

/** The state of a list whose items a filter may hide. */
type ListState = PagedListState<unknown> & { readonly hidden?: number };

/** The rows of a list, the failure to load it before them and "Load more" behind them. */
export function listRows<T extends { readonly id: string }, R>(
  state: PagedListState<T>,
  list: string,
  toRow: (item: T) => R,
): readonly (R | EndRow)[] {
  const rows = state.rows.map((row, index) =>
    isUnreadable(row)
      ? ({ kind: 'unreadable', list, id: row.id ?? String(index), reason: row.reason } as const)
      : toRow(row),
  );
  const before: EndRow[] = state.error === undefined ? [] : [{ kind: 'failure', list }];
  const behind: EndRow[] = state.hasMore ? [{ kind: 'loadMore', list }] : [];
  return [...before, ...rows, ...behind];
}

export function isEndRow(row: { readonly kind: string }): row is EndRow {
  return row.kind === 'unreadable' || row.kind === 'loadMore' || row.kind === 'failure';
}

/** Unique among the keys of a view: no other row is named by such a text. */
export function endKey(row: EndRow): string {
  return JSON.stringify(row.kind === 'unreadable' ? [row.kind, row.list, row.id] : [row.kind, row.list]);
}

export function viewEnd(row: EndRow, state: ListState): RowView {
  switch (row.kind) {
    case 'unreadable':
      return unreadableView(endKey(row), row.reason);
    case 'loadMore':
      return loadMoreView(endKey(row), state);
    case 'failure':
      return failureView(endKey(row), state);
  }
}

export function endLines(row: EndRow, state: PagedListState<unknown>): readonly Line[] {
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
