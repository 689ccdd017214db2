import type * as vscode from 'vscode';
import { isYamlPath } from '../../core/appConfig/appConfig.ts';
import { appConfigSchema } from '../../core/appConfig/schema.ts';
import type { HelpedText } from '../../core/yaml/suggestions.ts';
import { completionsOf, hoverIn } from '../window/schemaHelp.ts';

/** The help for the key under the mouse in an application config. */
export function configHoverAt(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
  return hoverIn(document, position, helpedText(document));
}

/** The keys and values that fit at the cursor in an application config. */
export function configCompletionsAt(document: vscode.TextDocument, position: vscode.Position): vscode.CompletionItem[] {
  return completionsOf(document, position, helpedText(document));
}

function helpedText(document: vscode.TextDocument): HelpedText {
  return { text: document.getText(), isYaml: isYamlPath(document.uri.path), schema: appConfigSchema };
}
