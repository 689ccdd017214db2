import * as vscode from 'vscode';
import type { Fix } from '../../core/spec/fixes.ts';
import type { RangeFinding } from '../../core/yaml/document.ts';

/** A finding about a part of a text, as the editor marks it. */
export function diagnosticOf(
  document: vscode.TextDocument,
  finding: RangeFinding & { readonly severity: 'error' | 'warning' | 'info' },
): vscode.Diagnostic {
  const { Error: error, Warning: warning, Information: info } = vscode.DiagnosticSeverity;
  const severity = { error, warning, info }[finding.severity];
  const diagnostic = new vscode.Diagnostic(rangeIn(document, finding), finding.message, severity);
  diagnostic.source = 'Deployment Manager';
  return diagnostic;
}

export function rangeIn(
  document: vscode.TextDocument,
  { start, end }: Pick<RangeFinding, 'start' | 'end'>,
): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

/** The corrections of a finding as the editor offers them. One that is alone is preferred. */
export function quickFixes(
  document: vscode.TextDocument,
  marked: vscode.Range,
  fixes: readonly Fix[],
): vscode.CodeAction[] {
  return fixes.map(({ title, change }) => {
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.edit = new vscode.WorkspaceEdit();
    action.edit.replace(document.uri, rangeIn(document, change), change.text);
    const all = vscode.languages.getDiagnostics(document.uri);
    action.diagnostics = all.filter((diagnostic) => diagnostic.range.isEqual(marked));
    action.isPreferred = fixes.length === 1;
    return action;
  });
}
