import * as vscode from 'vscode';
import { lineEdits, type LineEdit } from '../../core/logs/lineEdits.ts';
import { LOG_HEAD_LINES } from '../../core/logs/logText.ts';

/**
 * Brings the open document of a log up to date, in place: the whole text would take long, and lose the selection. An
 * editor at the end stays there, and any other one keeps its lines in view.
 * @returns false if the document changed meanwhile
 */
export async function editLog(document: vscode.TextDocument, lines: readonly string[]): Promise<boolean> {
  const edits = lineEdits(document.getText().split(/\r?\n/), lines, LOG_HEAD_LINES);
  if (edits.length === 0) return true;
  const editors = vscode.window.visibleTextEditors.filter((editor) => editor.document === document);
  const places = editors.map((editor) => ({ editor, line: lineToShow(editor, edits) }));
  const edit = new vscode.WorkspaceEdit();
  for (const { start, end, lines: added } of edits) {
    edit.replace(document.uri, new vscode.Range(start, 0, end, 0), added.map((line) => `${line}\n`).join(''));
  }
  if (!(await vscode.workspace.applyEdit(edit))) return false;
  for (const { editor, line } of places) {
    if (line === 'end') reveal(editor, document.lineCount - 1, vscode.TextEditorRevealType.Default);
    else if (line !== undefined) reveal(editor, line + linesAbove(editor), vscode.TextEditorRevealType.AtTop);
  }
  return true;
}

/** The line that must be shown after edits; undefined if the editor keeps its place by itself. */
function lineToShow(
  { document, visibleRanges }: vscode.TextEditor,
  edits: readonly LineEdit[],
): number | 'end' | undefined {
  const [first, last] = [visibleRanges[0]?.start.line ?? 0, visibleRanges.at(-1)?.end.line ?? 0];
  if (last >= document.lineCount - 2) return 'end';
  const above = edits.filter(({ start }) => start >= LOG_HEAD_LINES && start <= first);
  const moved = above.reduce((sum, { start, end, lines }) => sum + lines.length - (end - start), 0);
  return moved === 0 ? undefined : Math.max(0, first + moved);
}

/** How many lines VS Code shows above a line that it reveals at the top. */
function linesAbove({ document, visibleRanges }: vscode.TextEditor): number {
  const settings = vscode.workspace.getConfiguration('editor', document);
  const sticky = settings.get('stickyScroll.enabled', true) ? settings.get('stickyScroll.maxLineCount', 5) : 0;
  const height = visibleRanges.reduce((sum, { start, end }) => sum + end.line - start.line + 1, 0);
  return Math.min(Math.floor(height / 2), Math.max(sticky, settings.get('cursorSurroundingLines', 0)));
}

function reveal(editor: vscode.TextEditor, line: number, type: vscode.TextEditorRevealType): void {
  editor.revealRange(new vscode.Range(line, 0, line, 0), type);
}
