import * as vscode from 'vscode';
import { fieldHelpAt, fieldSuggestions, type HelpedText } from '../../core/yaml/suggestions.ts';

/** The help for the key under the mouse in a part of a document that begins at an offset. */
export function hoverIn(
  document: vscode.TextDocument,
  position: vscode.Position,
  helped: HelpedText,
  start = 0,
): vscode.Hover | undefined {
  const range = document.getWordRangeAtPosition(position, /"[^"\\]*"(?=\s*:)|(?<![\w$-])[\w$-]+(?=\s*:)/);
  const field = range && fieldHelpAt(helped, document.offsetAt(range.end) - start);
  return field?.help && new vscode.Hover(field.help(), range);
}

/** The keys and values that fit at the cursor in a part of a document that begins at an offset. */
export function completionsOf(
  document: vscode.TextDocument,
  position: vscode.Position,
  helped: HelpedText,
  start = 0,
): vscode.CompletionItem[] {
  const range =
    document.getWordRangeAtPosition(position, /"[^"\\]*"?|[\w$.-]+/) ?? new vscode.Range(position, position);
  const found = fieldSuggestions(helped, document.offsetAt(position) - start);
  // Only the name changes where a colon follows.
  const isRenamed = /^\s*:/.test(document.lineAt(range.end.line).text.slice(range.end.character));
  return found.map(({ kind, label, insert, snippet, help }, index) => {
    const itemKind = kind === 'key' ? vscode.CompletionItemKind.Property : vscode.CompletionItemKind.Value;
    const item = new vscode.CompletionItem(label, itemKind);
    item.sortText = String(index).padStart(3, '0');
    item.range = range;
    // What is replaced may begin with a quote, which the label lacks.
    item.filterText = insert;
    if (kind === 'key' && isRenamed) item.insertText = insert.replace(/: $/, '');
    else item.insertText = snippet === undefined ? insert : new vscode.SnippetString(snippet);
    if (help !== undefined) item.documentation = help;
    return item;
  });
}
