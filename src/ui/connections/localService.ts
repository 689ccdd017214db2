import * as vscode from 'vscode';
import { localConnectionName } from '../../state/connections/connection.ts';
import type { Services } from '../services.ts';

/** Starts the local service with the open folders and selects it for this workspace. */
export async function startLocalService({ connections, localService, deployments }: Services): Promise<void> {
  await vscode.window.withProgress({ location: { viewId: 'deploymentManager.deployments' } }, async () =>
    localService.start(),
  );
  await connections.select(localConnectionName);
  await deployments.refresh();
}

/** Stops the local service; its data is kept. */
export async function stopLocalService({ localService }: Services): Promise<void> {
  await localService.stop();
  vscode.window.setStatusBarMessage(vscode.l10n.t('The local service was stopped. Its data is kept.'), 5000);
}
