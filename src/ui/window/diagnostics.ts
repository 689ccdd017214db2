import * as vscode from 'vscode';
import type { Fix } from '../../core/spec/fixes.ts';
import type { RangeFinding } from '../../core/yaml/document.ts';

interface LocatedFinding extends RangeFinding {
  readonly severity: 'error' | 'warning' | 'info';
}

/** A finding about a part of a text, as the editor marks it. */
export function diagnosticOf(document: vscode.TextDocument, finding: LocatedFinding): vscode.Diagnostic {
  const { Error: error, Warning: warning, Information: info } = vscode.DiagnosticSeverity;
  const severity = { error, warning, info }[finding.severity];
  const diagnostic = new vscode.Diagnostic(rangeIn(document, finding), finding.message, severity);
  diagnostic.source = 'Deployment Manager';
  return diagnostic;
}

function rangeIn(document: vscode.TextDocument, { start, end }: Pick<RangeFinding, 'start' | 'end'>): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

/** A finding as the editor shows it. */
export interface ShownFinding {
  readonly diagnostic: vscode.Diagnostic;
  /** The changes that correct it. Folders are searched for them only if the user wants to see them. */
  readonly fixes: (isAsked: boolean) => readonly ShownFix[] | Promise<readonly ShownFix[]>;
}

export interface ShownFix {
  readonly title: string;
  readonly edit: vscode.WorkspaceEdit;
}

/** A finding of a text as the editor shows it, with its corrections. */
export function shownFinding(
  document: vscode.TextDocument,
  finding: LocatedFinding,
  fixes: () => readonly Fix[],
): ShownFinding {
  return { diagnostic: diagnosticOf(document, finding), fixes: () => fixes().map((fix) => shownFix(document, fix)) };
}

export function shownFix(document: vscode.TextDocument, { title, change }: Fix): ShownFix {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, rangeIn(document, change), change.text);
  return { title, edit };
}

/** The corrections of the findings in a range as the editor offers them. One that is alone is preferred. */
export async function quickFixes(
  findings: readonly ShownFinding[],
  range: vscode.Range,
  isAsked: boolean,
): Promise<vscode.CodeAction[]> {
  const actions = findings
    .filter(({ diagnostic }) => diagnostic.range.intersection(range) !== undefined)
    .map(async ({ diagnostic, fixes: findFixes }) => {
      const fixes = await findFixes(isAsked);
      return fixes.map(({ title, edit }) => {
        const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
        action.edit = edit;
        action.diagnostics = [diagnostic];
        action.isPreferred = fixes.length === 1;
        return action;
      });
    });
  return (await Promise.all(actions)).flat();
}
