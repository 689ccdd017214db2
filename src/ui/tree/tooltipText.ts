import * as vscode from 'vscode';
import { shortened } from '../../core/shortened.ts';
import { messageOf } from '../errors.ts';

/** The most of a text that a tooltip shows, in characters. */
const longestText = 2_000;

/** A named text of a tooltip; one without a text is left out. */
export type Line = readonly [name: string, text: string | undefined];

/** Names and texts of a service are appended as text, so that none of them becomes markup, a command or an icon. */
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

/** What there is to know of an entry that cannot be read. */
export function unreadableLines(reason: string): readonly Line[] {
  return [[vscode.l10n.t('The service sent an entry that cannot be read'), reason]];
}

/** What there is to know of a list that could not be loaded. */
export function failureLines(error: unknown): readonly Line[] {
  return [[vscode.l10n.t('What happened'), messageOf(error)]];
}

/** What a click on "Load more…" does, or why it did not. */
export function loadMoreLines(error: unknown): readonly Line[] {
  if (error !== undefined) return failureLines(error);
  return [[vscode.l10n.t('The service has more'), vscode.l10n.t('Click to load the next page.')]];
}
