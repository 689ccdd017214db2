import * as vscode from 'vscode';
import { ApiError } from '../../api/errors.ts';
import { formatClock } from '../../core/status/duration.ts';
import { shortened, spokenRow } from '../../core/text/text.ts';
import type { Session } from '../../state/connections/session.ts';
import { LocalServiceError } from '../../state/connections/localService.ts';
import type { DocumentPlace } from './documentResources.ts';
import { documentUri, type DocumentSubject } from './documentUri.ts';
import { messageOf } from './errors.ts';

/** Maximum number of characters of a text in a tooltip. */
const longestText = 2_000;

/** A labeled line of a tooltip; omitted without a text. */
export type Line = readonly [name: string, text: string | undefined];

/** Builds a tooltip. Service texts are added as plain text, so they can't become markup, commands or icons. */
export function markdown(lines: readonly Line[]): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  for (const [name, text] of lines) {
    if (text === undefined || text === '') continue;
    tooltip.appendMarkdown(`**${name}:** `);
    tooltip.appendText(shortened(text, longestText));
    tooltip.appendMarkdown('\n\n');
  }
  return tooltip;
}

/** Tooltip lines for an entry that can't be read. */
export function unreadableLines(reason: string): readonly Line[] {
  return [[vscode.l10n.t('The service sent an entry that cannot be read'), reason]];
}

/** Tooltip lines for a list that couldn't be loaded. */
export function failureLines(error: unknown): readonly Line[] {
  return [[vscode.l10n.t('Reason'), messageOf(error)]];
}

/** Tooltip lines for "Load more…", or for its last failure. */
export function loadMoreLines(error: unknown): readonly Line[] {
  if (error !== undefined) return failureLines(error);
  return [[vscode.l10n.t('The service has more'), vscode.l10n.t('Click to load the next page.')]];
}

/** Everything a row shows, as plain data; equal data needs no redraw. */
export interface RowView {
  readonly key: string;
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  readonly color?: string;
  readonly isExpandable: boolean;
  /** Expands the row when it is first drawn; later it stays as the user left it. */
  readonly isExpanded?: boolean;
  /** Tags that the menus match, such as `deployment;followed;`. */
  readonly context: string;
  /** The command for a click or the Enter key; without one, a click only selects. */
  readonly command?: string;
  /** The document that a click or the Enter key opens; replaces `command`. */
  readonly opens?: DocumentSubject;
}

type PlainLook = Pick<RowView, 'label' | 'description' | 'icon'> &
  Partial<Pick<RowView, 'color' | 'command' | 'opens'>>;

/** Maximum number of characters of a row's label or description; our own messages are shorter. */
const longestRow = 600;

/** Creates the tree item of a row. Its tooltip is added on demand. */
export function toTreeItem(view: RowView, row: object): vscode.TreeItem {
  const label = shortened(view.label, longestRow);
  const description = shortened(view.description, longestRow);
  const item = new vscode.TreeItem(label, collapsibleState(view));
  item.id = view.key;
  item.description = description;
  item.contextValue = view.context;
  item.accessibilityInformation = { label: spokenRow(label, description) };
  item.iconPath = new vscode.ThemeIcon(
    view.icon,
    view.color === undefined ? undefined : new vscode.ThemeColor(view.color),
  );
  if (view.command !== undefined) item.command = { command: view.command, title: view.label, arguments: [row] };
  if (view.opens !== undefined) item.command = openingOf(view.opens, view.label);
  return item;
}

/** VS Code's own command, which keeps the focus in the tree after a click and moves it after Enter. */
function openingOf(subject: DocumentSubject, title: string): vscode.Command {
  return { command: 'vscode.open', title: vscode.l10n.t('Open Details'), arguments: [documentUri(subject, title)] };
}

/** The document that a click or the Enter key opens, for rows without children. */
export function opening(session: Session, place: DocumentPlace): Pick<RowView, 'opens'> {
  return session.kind === 'none' ? {} : { opens: { connection: session.connection.name, place } };
}

/** A row without children; the menus know only its kind. */
export function plainView(key: string, kind: string, look: PlainLook): RowView {
  return {
    key,
    isExpandable: false,
    context: `${kind};`,
    ...look,
  };
}

/** The row for an entry that can't be read. */
export function unreadableView(key: string, reason: string): RowView {
  const label = vscode.l10n.t('Unreadable entry');
  return plainView(key, 'unreadable', {
    label,
    description: reason,
    icon: 'warning',
    color: 'problemsWarningIcon.foreground',
  });
}

/** The row after a list with more pages. After a failed load, it says so and a click retries. */
export function loadMoreView(
  key: string,
  {
    entries,
    hidden = 0,
    moreError,
  }: { readonly entries: readonly unknown[]; readonly hidden?: number; readonly moreError?: unknown },
): RowView {
  const command = 'deploymentManager.loadMore';
  if (moreError !== undefined) {
    const retry = { label: vscode.l10n.t("Couldn't load more. Click to retry"), command };
    return plainView(key, 'loadMore', { ...failureLook(moreError, retry), description: messageOf(moreError) });
  }
  const description = hidden === 0 ? '' : vscode.l10n.t('{0} of {1} shown', entries.length, entries.length + hidden);
  return plainView(key, 'loadMore', { label: vscode.l10n.t('Load more…'), description, icon: 'ellipsis', command });
}

/** The row before a list that couldn't be loaded, with the age of the rows below it. */
export function failureView(
  key: string,
  { loadedAt, error }: { readonly loadedAt?: number; readonly error?: unknown },
): RowView {
  const age = loadedAt === undefined ? [] : [vscode.l10n.t('as of {0}', formatClock(loadedAt))];
  const retry = { label: vscode.l10n.t("Couldn't load. Click to retry"), command: 'deploymentManager.retry' };
  return plainView(key, 'failure', {
    ...failureLook(error, retry),
    description: [...age, messageOf(error)].join(' · '),
  });
}

function failureLook(error: unknown, retry: NextStep): NextStep & Pick<RowView, 'icon' | 'color'> {
  return { ...nextStep(error, retry), icon: 'error', color: 'errorForeground' };
}

interface NextStep {
  readonly label: string;
  readonly command: string;
}

/** The next step for a failure. It is a retry only if the answer may change. */
function nextStep(error: unknown, retry: NextStep): NextStep {
  if (error instanceof LocalServiceError) {
    return {
      label: vscode.l10n.t("Local service isn't running. Click to start it"),
      command: 'deploymentManager.startLocalService',
    };
  }
  if (error instanceof ApiError && error.kind === 'unauthorized') {
    return {
      label: vscode.l10n.t('API key rejected. Click to set a new one'),
      command: 'deploymentManager.setApiKey',
    };
  }
  if (error instanceof ApiError && error.kind === 'forbidden') {
    return {
      label: vscode.l10n.t('Not allowed. Click to edit the connection'),
      command: 'deploymentManager.editConnection',
    };
  }
  return retry;
}

function collapsibleState({ isExpandable, isExpanded }: RowView): vscode.TreeItemCollapsibleState {
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  if (!isExpandable) return None;
  return isExpanded === true ? Expanded : Collapsed;
}
