import * as vscode from 'vscode';
import { ApiError } from '../../api/errors.ts';
import { isUnreadable } from '../../api/resources/page.ts';
import { formatClock } from '../../core/status/duration.ts';
import { LocalServiceError } from '../../state/connections/localService.ts';
import type { Session } from '../../state/connections/session.ts';
import type { PagedListState } from '../../state/lists/pagedList.ts';
import type { CommandId } from './commandIds.ts';
import { messageOf } from './errors.ts';
import type { AnyRow, Line, RowView } from './rowLook.ts';

/** A row that isn't an entry of its list, or one that can't be read. */
export interface EndRow<R> extends AnyRow {
  readonly kind: 'unreadable' | 'noneFits' | 'loadMore' | 'failure';
  /** The row above the list, undefined for the top list. */
  readonly parent: R | undefined;
  /** Why an entry can't be read. */
  readonly reason?: string;
}

/** A row of a tree: one of the view's own, or one that any list may have. */
export type TreeRow<R> = R | EndRow<R>;

/** A list below a row, and what a filter does to it. */
export interface ListState extends PagedListState<{ readonly id: string }> {
  /** The filter in words; empty without one. */
  readonly filter?: string;
  /** Number of loaded entries that the filter hides. */
  readonly hidden?: number;
  /** True if no loaded entry matches the filter. */
  readonly noneFits?: boolean;
}

/** The rows of a list, with a load failure before them and "Load more" after them. */
export function listRows<R extends AnyRow>(
  state: ListState,
  parent: R | undefined,
  toRow: (id: string) => R,
): readonly TreeRow<R>[] {
  const above = parent?.ids ?? [];
  const endRow = (kind: EndRow<R>['kind']): EndRow<R> => ({ kind, ids: above, parent });
  const entries = state.entries.map((entry, index) =>
    isUnreadable(entry)
      ? { ...endRow('unreadable'), ids: [...above, entry.id ?? String(index)], reason: entry.reason }
      : toRow(entry.id),
  );
  return [
    ...(state.noneFits === true ? [endRow('noneFits')] : []),
    ...(state.error === undefined ? [] : [endRow('failure')]),
    ...entries,
    ...(state.hasMore ? [endRow('loadMore')] : []),
  ];
}

export function isEndRow<R extends AnyRow>(row: TreeRow<R>): row is EndRow<R> {
  return 'parent' in row;
}

export function viewEnd<R>({ kind, reason = '' }: EndRow<R>, state: ListState): RowView {
  switch (kind) {
    case 'unreadable':
      return {
        label: vscode.l10n.t('Unreadable entry'),
        description: reason,
        icon: 'warning',
        color: 'problemsWarningIcon.foreground',
      };
    case 'noneFits':
      return {
        label: state.hasMore
          ? vscode.l10n.t('No loaded revision matches the filter')
          : vscode.l10n.t('No revision matches the filter'),
        description: vscode.l10n.t('click to change it'),
        icon: 'filter',
        command: 'filterRevisions',
      };
    case 'loadMore':
      return viewMore(state);
    case 'failure': {
      const age = state.loadedAt === undefined ? [] : [vscode.l10n.t('as of {0}', formatClock(state.loadedAt))];
      const retry: NextStep = { label: vscode.l10n.t("Couldn't load. Click to retry"), command: 'retry' };
      return viewFailure(state.error, retry, age);
    }
  }
}

/** The tooltip lines of such a row. */
export function endLines<R>({ kind, reason }: EndRow<R>, { error, moreError, filter }: ListState): readonly Line[] {
  switch (kind) {
    case 'unreadable':
      return [[vscode.l10n.t("The service sent an entry that can't be read"), reason]];
    case 'noneFits':
      return [[vscode.l10n.t('Revisions shown'), filter]];
    case 'loadMore':
      return moreError === undefined
        ? [[vscode.l10n.t('The service has more'), vscode.l10n.t('Click to load the next page.')]]
        : [[vscode.l10n.t('Reason'), messageOf(moreError)]];
    case 'failure':
      return [[vscode.l10n.t('Reason'), messageOf(error)]];
  }
}

/** The row after a list with more pages. After a failed load, it says so and a click retries. */
function viewMore({ entries, hidden = 0, moreError }: ListState): RowView {
  const command = 'loadMore';
  if (moreError !== undefined) {
    return viewFailure(moreError, { label: vscode.l10n.t("Couldn't load more. Click to retry"), command });
  }
  const description = hidden === 0 ? '' : vscode.l10n.t('{0} of {1} shown', entries.length, entries.length + hidden);
  return { label: vscode.l10n.t('Load more…'), description, icon: 'ellipsis', command };
}

function viewFailure(error: unknown, retry: NextStep, age: readonly string[] = []): RowView {
  const description = [...age, messageOf(error)].join(' · ');
  return { ...nextStep(error, retry), description, icon: 'error', color: 'errorForeground' };
}

interface NextStep {
  readonly label: string;
  readonly command: CommandId;
}

/** The next step for a failure. It is a retry only if the answer may change. */
function nextStep(error: unknown, retry: NextStep): NextStep {
  if (error instanceof LocalServiceError) {
    return {
      label: vscode.l10n.t("Local service isn't running. Click to start it"),
      command: 'startLocalService',
    };
  }
  if (error instanceof ApiError && error.kind === 'unauthorized') {
    return {
      label: vscode.l10n.t('API key rejected. Click to set a new one'),
      command: 'setApiKey',
    };
  }
  if (error instanceof ApiError && error.kind === 'forbidden') {
    return {
      label: vscode.l10n.t('Not allowed. Click to edit the connection'),
      command: 'editConnection',
    };
  }
  return retry;
}

/** The text next to a view's title: connection, filter, and the number of entries once it is known. */
export function describeCount(
  session: Session,
  count: number | undefined,
  { hasMore, filter = '' }: Partial<Pick<ListState, 'hasMore' | 'filter'>> = {},
): string {
  if (session.kind === 'none') return '';
  const counted = hasMore === true ? vscode.l10n.t('{0} loaded', count ?? 0) : String(count);
  return [session.connection.name, filter, count === undefined ? '' : counted]
    .filter((part) => part !== '')
    .join(' · ');
}

/** The text above a list before its first answer; without it, VS Code would show the list as empty. */
export function loadingMessage(session: Session, { loadedAt, error }: PagedListState<unknown>): string {
  const isWaiting = session.kind === 'ready' && loadedAt === undefined && error === undefined;
  return isWaiting ? vscode.l10n.t('Loading…') : '';
}
