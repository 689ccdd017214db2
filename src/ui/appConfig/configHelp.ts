import * as vscode from 'vscode';
import { isYamlPath } from '../../core/appConfig/appConfig.ts';
import { appConfigSchema } from '../../core/appConfig/schema.ts';
import { fieldHelpAt, fieldSuggestions, type HelpedText } from '../../core/yaml/suggestions.ts';

/** The help for the key under the mouse in an application config. */
export function configHoverAt(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
  const range = document.getWordRangeAtPosition(position, /"[^"\\]*"(?=\s*:)|[\w$-]+(?=\s*:)/);
  const field = range && fieldHelpAt(helpedText(document), document.offsetAt(range.end));
  return field?.help && new vscode.Hover(field.help(), range);
}

/** The keys and values that fit at the cursor in an application config. */
export function configCompletionsAt(document: vscode.TextDocument, position: vscode.Position): vscode.CompletionItem[] {
  const range =
    document.getWordRangeAtPosition(position, /"[^"\\]*"?|[\w$.-]+/) ?? new vscode.Range(position, position);
  const found = fieldSuggestions(helpedText(document), document.offsetAt(position));
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

function helpedText(document: vscode.TextDocument): HelpedText {
  return { text: document.getText(), isYaml: isYamlPath(document.uri.path), schema: appConfigSchema };
}
