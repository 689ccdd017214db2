import * as vscode from 'vscode';
import type { Finding } from '../../core/draft/findings.ts';
import { messageRows } from '../window/steps.ts';

/** Characters that a quick pick shows of a line that shares its row with a heading. */
const firstLineLimit = 64;

/** Rows for findings below a heading, several for a long one; nothing without any. */
export function findingSection(heading: string, findings: readonly Finding[]): vscode.QuickPickItem[] {
  if (findings.length === 0) return [];
  const rows = findings.flatMap(({ message, severity }, place) =>
    messageRows(message, severity, place === 0 ? firstLineLimit : undefined),
  );
  return [{ label: heading, kind: vscode.QuickPickItemKind.Separator }, ...rows.map(({ label }) => ({ label }))];
}
