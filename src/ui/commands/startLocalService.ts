import * as vscode from 'vscode';
import { localConnectionName } from '../../state/connection.ts';
import type { Services } from '../services.ts';

/** Starts the embedded service with the open folders as its repositories, and binds this workspace to it. */
export async function startLocalService({ connections, localService, deployments }: Services): Promise<void> {
  await vscode.window.withProgress({ location: { viewId: 'deploymentManager.deployments' } }, async () =>
    localService.start(),
  );
  await connections.select(localConnectionName);
  await deployments.refresh();
}
