import * as vscode from 'vscode';
import { checkAppConfig, hasGraphCode, hasGraphs, isNoAppConfig } from '../../core/appConfig/appConfig.ts';
import { configFixes } from '../../core/appConfig/fixes.ts';
import { shownFinding, type ShownFinding } from '../window/diagnostics.ts';

/**
 * Whether the text of a document is an application config: it must have a map of graphs, and the code of one of them
 * unless the file has a usual name.
 */
export function isAppConfig(document: vscode.TextDocument): boolean {
  const { uri } = document;
  const text = document.getText();
  const patterns = vscode.workspace.getConfiguration('deploymentManager', uri).get<string[]>('appConfig.patterns', []);
  const isUsual = vscode.languages.match(
    patterns.map((pattern) => ({ pattern })),
    document,
  );
  return isUsual > 0 ? hasGraphs(text, uri.path) : hasGraphCode(text, uri.path);
}

/** Whether a document that was a config is none any longer. One that can't be read for a moment still is. */
export function isNoConfig(document: vscode.TextDocument): boolean {
  return isNoAppConfig(document.getText(), document.uri.path);
}

/** What the rules say of the text of a config. */
export function configFindings(document: vscode.TextDocument): readonly ShownFinding[] {
  const text = document.getText();
  const { findings } = checkAppConfig(text, document.uri.path);
  // The editor itself says where JSON is broken, but takes comments for valid in "JSON with Comments".
  const ours = findings.filter(({ isSyntax }) => isSyntax !== true || document.languageId !== 'json');
  return ours.map((finding) => shownFinding(document, finding, () => configFixes(text, finding)));
}
