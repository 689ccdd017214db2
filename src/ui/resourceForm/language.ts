import * as vscode from 'vscode';
import type { FlavorName } from '../../api/flavor.ts';
import { cursorPlace, helpKeyAt, suggestionsAt } from '../../core/spec/cursor.ts';
import { isSpecKey } from '../../core/spec/fields.ts';
import { fixesOf } from '../../core/spec/fixes.ts';
import { fieldHelp, fieldLabel } from '../../core/spec/help.ts';
import { findingsIn } from '../../core/spec/rules.ts';
import { readSpecText } from '../../core/yaml/document.ts';

/** The form's findings for a document, at their places in the text. */
export function diagnosticsOf(document: vscode.TextDocument, flavor: FlavorName): vscode.Diagnostic[] {
  return findingsIn(readSpecText(document.getText()), flavor).map(({ severity, message, start, end }) => {
    const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
    const { Error, Information } = vscode.DiagnosticSeverity;
    const diagnostic = new vscode.Diagnostic(range, message, severity === 'error' ? Error : Information);
    diagnostic.source = 'Deployment Manager';
    return diagnostic;
  });
}

/** The quick fixes of the findings in a range. */
export function fixesAt(document: vscode.TextDocument, range: vscode.Range, flavor: FlavorName): vscode.CodeAction[] {
  const read = readSpecText(document.getText());
  const rangeOf = ({ start, end }: { readonly start: number; readonly end: number }): vscode.Range =>
    new vscode.Range(document.positionAt(start), document.positionAt(end));
  const touched = findingsIn(read, flavor).filter((finding) => rangeOf(finding).intersection(range) !== undefined);
  return touched.flatMap((finding) =>
    fixesOf(read, finding).map(({ title, change }, _index, { length }) => {
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
      action.edit = new vscode.WorkspaceEdit();
      action.edit.replace(document.uri, rangeOf(change), change.text);
      const all = vscode.languages.getDiagnostics(document.uri);
      action.diagnostics = all.filter(({ range: marked }) => marked.isEqual(rangeOf(finding)));
      action.isPreferred = length === 1;
      return action;
    }),
  );
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
