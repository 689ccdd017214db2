import * as vscode from 'vscode';
import { helpKeyAt, suggestionsAt } from '../../core/spec/cursor.ts';
import { isSpecKey } from '../../core/spec/fields.ts';
import { fixesOf } from '../../core/spec/fixes.ts';
import { fieldHelp, fieldLabel } from '../../core/spec/help.ts';
import { findingsIn } from '../../core/spec/rules.ts';
import { cursorPlace, type CursorPlace } from '../../core/yaml/cursor.ts';
import { readSpecText } from '../../core/yaml/document.ts';
import type { ConnectionRules, FileHelp } from '../window/fileHelp.ts';
import { shownFinding, type ShownFinding } from '../window/diagnostics.ts';

/** The help in resource specs. */
export const specHelp: FileHelp = { findingsOf, hoverAt, completionsAt };

/** The form's findings for a document, at their places in the text. */
function findingsOf(document: vscode.TextDocument, { flavorFor }: ConnectionRules): readonly ShownFinding[] {
  const read = readSpecText(document.getText());
  return findingsIn(read, flavorFor('')).map((finding) =>
    shownFinding(document, finding, () => fixesOf(read, finding)),
  );
}

/** The help for the field under the mouse. */
function hoverAt(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
  const { text } = document.lineAt(position.line);
  const colon = text.indexOf(':');
  if (colon === -1 || position.character > colon) return undefined;
  const key = helpKeyAt(cursorPlace([text], 0, colon + 1));
  if (key === undefined) return undefined;
  // Our own text needs no escaping, which would prevent line breaks between words.
  const help = new vscode.MarkdownString(`**${fieldLabel(key)}**\n\n${fieldHelp(key)}`);
  return new vscode.Hover(help, new vscode.Range(position.line, 0, position.line, colon));
}

/** The keys and values that fit at the cursor. */
function completionsAt(document: vscode.TextDocument, position: vscode.Position): vscode.CompletionItem[] {
  const lines = document.getText().split(/\r?\n/);
  return completionsIn(cursorPlace(lines, position.line, position.character));
}

/** The keys and values of a resource spec that fit at a place in it. */
export function completionsIn(place: CursorPlace): vscode.CompletionItem[] {
  return suggestionsAt(place).map(({ kind, text, isBlock }, index) => {
    const itemKind = kind === 'key' ? vscode.CompletionItemKind.Property : vscode.CompletionItemKind.EnumMember;
    const item = new vscode.CompletionItem(text, itemKind);
    item.sortText = String(index).padStart(3, '0');
    if (kind === 'key') item.insertText = isBlock ? `${text}:` : `${text}: `;
    if (isSpecKey(text) && kind === 'key') {
      item.detail = fieldLabel(text);
      item.documentation = fieldHelp(text);
    }
    return item;
  });
}
