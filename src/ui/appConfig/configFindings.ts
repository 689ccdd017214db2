import * as vscode from 'vscode';
import { checkAppConfig, hasGraphCode, hasGraphs, type ConfigFinding } from '../../core/appConfig/appConfig.ts';
import { configFixes } from '../../core/appConfig/fixes.ts';

/** A finding as the editor shows it, with the changes that correct it. */
export interface ShownFinding {
  readonly diagnostic: vscode.Diagnostic;
  readonly fixes: readonly { readonly title: string; readonly edit: vscode.WorkspaceEdit }[];
}

/**
 * Whether a document is an application config. `langgraph.json` always is. Other names are anybody's, so the text
 * decides: it must have a map of graphs, and the code of one of them unless its name is a usual one.
 */
export function isAppConfig(document: vscode.TextDocument): boolean {
  const { uri } = document;
  if (isMainConfig(uri)) return true;
  const text = document.getText();
  if (!text.includes('graphs')) return false;
  const patterns = vscode.workspace.getConfiguration('deploymentManager', uri).get<string[]>('appConfig.patterns', []);
  const isUsual = vscode.languages.match(
    patterns.map((pattern) => ({ pattern })),
    document,
  );
  return isUsual > 0 ? hasGraphs(text, uri.path) : hasGraphCode(text, uri.path);
}

/** Whether a file has the name that belongs to application configs only. */
function isMainConfig({ path }: vscode.Uri): boolean {
  return path.endsWith('/langgraph.json');
}

/** What the rules say of the text of a config. */
export function configFindings(document: vscode.TextDocument): readonly ShownFinding[] {
  const text = document.getText();
  const { findings } = checkAppConfig(text, document.uri.path);
  // The editor itself says where JSON is broken, but takes comments for valid in "JSON with Comments".
  const ours = findings.filter(({ isSyntax }) => isSyntax !== true || document.languageId !== 'json');
  return ours.map((finding) => ({
    diagnostic: diagnosticOf(document, finding),
    fixes: configFixes(text, finding).map(({ title, change }) => {
      const edit = new vscode.WorkspaceEdit();
      edit.replace(document.uri, rangeIn(document, change), change.text);
      return { title, edit };
    }),
  }));
}

/** A finding as the editor marks it. */
export function diagnosticOf(document: vscode.TextDocument, finding: ConfigFinding): vscode.Diagnostic {
  const { Error, Warning } = vscode.DiagnosticSeverity;
  const severity = finding.severity === 'error' ? Error : Warning;
  const diagnostic = new vscode.Diagnostic(rangeIn(document, finding), finding.message, severity);
  diagnostic.source = 'Deployment Manager';
  return diagnostic;
}

function rangeIn(document: vscode.TextDocument, { start, end }: Pick<ConfigFinding, 'start' | 'end'>): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}
