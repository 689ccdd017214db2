import * as vscode from 'vscode';

/** The document that a tab shows, as text, beside another one, or in an editor of its own. */
export function uriOfTab({ input }: vscode.Tab): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputTextDiff) return input.modified;
  return input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? input.uri : undefined;
}

/** Whether a document has a tab that shows it as text. */
export function isOpenAsText(uri: vscode.Uri): boolean {
  return tabsOf(uri).some(({ input }) => !(input instanceof vscode.TabInputCustom));
}

/** The tabs that show a document. */
export function tabsOf(uri: vscode.Uri): readonly vscode.Tab[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.filter((tab) => uriOfTab(tab)?.toString() === uri.toString());
}
