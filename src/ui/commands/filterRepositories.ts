import * as vscode from 'vscode';
import type { ReadySession } from '../../state/connections.ts';
import type { Services } from '../services.ts';

/** Filters the repositories by what is typed, while it is typed. An empty box shows all; Escape changes nothing. */
export async function filterRepositories({ sideViews }: Services, _session: ReadySession): Promise<void> {
  const view = sideViews.repositories;
  await vscode.commands.executeCommand('deploymentManager.repositories.focus');
  await view.whileLoading(() => view.expandAll());
  const before = view.filter;
  const input = vscode.window.createInputBox();
  input.title = vscode.l10n.t('Filter Repositories');
  input.prompt = vscode.l10n.t('Words of the owner and the name. Leave empty to show all.');
  input.placeholder = 'acme agent';
  input.value = before;
  // A click on a repository that was found must not undo the filter, as hiding the box would.
  input.ignoreFocusOut = true;
  input.onDidChangeValue((words) => {
    view.filter = words;
  });
  view.filter = await new Promise<string>((resolve) => {
    input.onDidAccept(() => resolve(input.value));
    input.onDidHide(() => resolve(before));
    input.show();
  });
  input.dispose();
}
