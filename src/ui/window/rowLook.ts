import * as vscode from 'vscode';
import { shortened, shortenedName, spokenRow } from '../../core/text/text.ts';
import type { Session } from '../../state/connections/session.ts';
import { fullId, type CommandId } from './commandIds.ts';
import { parsePlace } from './documentPlace.ts';
import { documentUri } from './documentUri.ts';

/**
 * What every row of a view has: its kind, and the ids that lead to its resource, the outermost first.
 * The place of the resource's document is told in the same way.
 */
export interface AnyRow {
  readonly kind: string;
  readonly ids: readonly string[];
}

/** A key that no other row of the view has, stable across refreshes. Ids may contain any character. */
export function rowKey({ kind, ids }: AnyRow): string {
  return JSON.stringify([kind, ...ids]);
}

/** Everything a row shows, as plain data; equal data needs no redraw. */
export interface RowView {
  readonly label: string;
  /** How many characters to show of a label that is a long name. Its tooltip has it whole. */
  readonly mostOfName?: number;
  readonly description: string;
  readonly icon: string;
  readonly color?: string | undefined;
  readonly isExpandable?: boolean;
  /** Expands the row when it is first drawn; later it stays as the user left it. */
  readonly isExpanded?: boolean;
  /** Tags that the menus match, such as `deployment;followed;`; the row's kind if omitted. */
  readonly context?: string;
  /** The command for a click or the Enter key. Without one, they open the details of a row without children. */
  readonly command?: CommandId;
}

/** A name of at most this many characters is shown whole. */
const longestWholeName = 20;

/** Maximum number of characters of a row's label or description; our own messages are shorter. */
export const longestRow = 600;

/** Creates the tree item of a row. Its tooltip is added on demand. */
export function toTreeItem(row: AnyRow, view: RowView, session: Session): vscode.TreeItem {
  const label = shortened(view.label, longestRow);
  const description = shortened(view.description, longestRow);
  const isLong = view.mostOfName !== undefined && view.label.length > longestWholeName;
  const name = isLong ? shortenedName(view.label, view.mostOfName) : label;
  const item = new vscode.TreeItem(name, collapsibleState(view));
  item.id = rowKey(row);
  item.description = description;
  item.contextValue = view.context ?? `${row.kind};`;
  item.accessibilityInformation = { label: spokenRow(label, description) };
  item.iconPath = new vscode.ThemeIcon(
    view.icon,
    view.color === undefined ? undefined : new vscode.ThemeColor(view.color),
  );
  const command = commandOf(row, view, session);
  if (command !== undefined) item.command = command;
  return item;
}

function commandOf(row: AnyRow, view: RowView, session: Session): vscode.Command | undefined {
  if (view.command !== undefined) return { command: fullId(view.command), title: view.label, arguments: [row] };
  const place = parsePlace(row.kind, row.ids);
  if (view.isExpandable === true || place === undefined || session.kind === 'none') return undefined;
  const uri = documentUri({ connection: session.connection.name, place }, view.label);
  // VS Code's own command keeps the focus in the tree after a click and moves it after Enter.
  return { command: 'vscode.open', title: vscode.l10n.t('Open Details'), arguments: [uri] };
}

function collapsibleState({ isExpandable, isExpanded }: RowView): vscode.TreeItemCollapsibleState {
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  if (isExpandable !== true) return None;
  return isExpanded === true ? Expanded : Collapsed;
}

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
    tooltip.appendMarkdown(`${asMarkdown(shortened(text, longestText))}  \n`);
  }
  return tooltip;
}

/** Escapes a text for Markdown. VS Code's own method also joins the words, which then can't wrap. */
export function asMarkdown(text: string): string {
  return new vscode.MarkdownString().appendText(text).value.replaceAll(/(?:&nbsp;)+/g, ' ');
}
