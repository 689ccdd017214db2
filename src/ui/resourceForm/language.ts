import * as vscode from 'vscode';
import type { FlavorName } from '../../api/flavor.ts';
import { helpKeyAt, suggestionsAt } from '../../core/spec/cursor.ts';
import { cursorPlace } from '../../core/yaml/cursor.ts';
import { isSpecKey } from '../../core/spec/fields.ts';
import { fixesOf } from '../../core/spec/fixes.ts';
import { fieldHelp, fieldLabel } from '../../core/spec/help.ts';
import { findingsIn } from '../../core/spec/rules.ts';
import { readSpecText, type TextFinding } from '../../core/yaml/document.ts';

/** The form's findings for a document, at their places in the text. */
export function diagnosticsOf(document: vscode.TextDocument, flavor: FlavorName): vscode.Diagnostic[] {
  return findingsIn(readSpecText(document.getText()), flavor).map((finding) => {
    const { Error, Information } = vscode.DiagnosticSeverity;
    const severity = finding.severity === 'error' ? Error : Information;
    const diagnostic = new vscode.Diagnostic(rangeIn(document, finding), finding.message, severity);
    diagnostic.source = 'Deployment Manager';
    return diagnostic;
  });
}

/** The quick fixes of the findings in a range. */
export function fixesAt(document: vscode.TextDocument, range: vscode.Range, flavor: FlavorName): vscode.CodeAction[] {
  const read = readSpecText(document.getText());
  return findingsIn(read, flavor).flatMap((finding) => {
    const marked = rangeIn(document, finding);
    if (marked.intersection(range) === undefined) return [];
    return fixesOf(read, finding).map(({ title, change }, _index, { length }) => {
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
      action.edit = new vscode.WorkspaceEdit();
      action.edit.replace(document.uri, rangeIn(document, change), change.text);
      const all = vscode.languages.getDiagnostics(document.uri);
      action.diagnostics = all.filter((diagnostic) => diagnostic.range.isEqual(marked));
      action.isPreferred = length === 1;
      return action;
    });
  });
}

function rangeIn(document: vscode.TextDocument, { start, end }: Pick<TextFinding, 'start' | 'end'>): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

/** The help for the field under the mouse. */
export function hoverAt(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
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
export function completionsAt(document: vscode.TextDocument, position: vscode.Position): vscode.CompletionItem[] {
  const lines = document.getText().split(/\r?\n/);
  return suggestionsAt(cursorPlace(lines, position.line, position.character)).map(({ kind, text, isBlock }, index) => {
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
