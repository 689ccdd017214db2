import * as vscode from 'vscode';
import type { ReadySession } from '../../state/connections.ts';
import { askForAlternative } from '../chooseDeployment.ts';
import type { Services } from '../services.ts';
import { rowOf } from '../tree/deploymentsView.ts';

/** Says which of several deployments of the open repository is this workspace's, until another one is chosen. */
export async function chooseWorkspaceDeployment(
  services: Services,
  _session: ReadySession,
  argument: unknown,
): Promise<void> {
  // A row that happens to be selected is no answer to the question which one is meant.
  const row = argument === undefined ? undefined : rowOf(argument, services.deploymentsView);
  const id =
    row?.kind === 'deployment'
      ? row.id
      : (await askForAlternative(services, vscode.l10n.t('Choose Deployment of This Workspace')))?.id;
  if (id !== undefined) await services.workspaceDrift.choose(id);
}
