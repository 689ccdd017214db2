import * as vscode from 'vscode';
import { localConnectionName } from '../../state/connections/connection.ts';
import type { Services } from '../services.ts';

/** Starts the embedded service with the open folders as its repositories, and binds this workspace to it. */
export async function startLocalService({ connections, localService, deployments }: Services): Promise<void> {
  await vscode.window.withProgress({ location: { viewId: 'deploymentManager.deployments' } }, async () =>
    localService.start(),
  );
  await connections.select(localConnectionName);
  await deployments.refresh();
}

/** Stops the embedded service; what it stored stays. */
export async function stopLocalService({ localService }: Services): Promise<void> {
  await localService.stop();
  vscode.window.setStatusBarMessage(vscode.l10n.t('The local service was stopped. Its data is kept.'), 5000);
}
