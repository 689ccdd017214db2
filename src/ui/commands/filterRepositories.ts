import * as vscode from 'vscode';
import type { ReadySession } from '../../state/connections.ts';
import type { Services } from '../services.ts';

/** Opens every installation and then the editor's own search box, which filters the rows while one types. */
export async function filterRepositories({ sideViews }: Services, _session: ReadySession): Promise<void> {
  await vscode.commands.executeCommand('deploymentManager.repositories.focus');
  await sideViews.repositories.whileLoading(() => sideViews.repositories.expandAll());
  await vscode.commands.executeCommand('list.find');
}
