import * as vscode from 'vscode';
import type { Deployment } from '../../../api/resources/deployments.ts';
import { showDeploymentDocument } from '../../deployments/details.ts';
import type { Services } from '../../services.ts';
import { showError, showMessage } from '../../window/errors.ts';

/**
 * Follows what a push makes the service build, and shows in the status bar that it is awaited.
 * A deployment without a new revision is reported, because the service may not have heard of the push.
 */
export function followPush(services: Services, connection: string, deployments: readonly Deployment[]): void {
  const { pushedBuilds, log } = services;
  if (deployments.length === 0) return;
  const title = vscode.l10n.t('Waiting for a build of {0}…', namesOf(deployments));
  const wait = async (): Promise<void> => {
    const outcomes = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () =>
      Promise.all(deployments.map((deployment) => pushedBuilds.follow({ connection, deployment }))),
    );
    const unbuilt = deployments.filter((_, place) => outcomes[place] === 'none');
    if (unbuilt.length > 0) await report(connection, unbuilt);
  };
  void wait().catch((error: unknown) => showError(error, log));
}

async function report(connection: string, unbuilt: readonly Deployment[]): Promise<void> {
  const details = vscode.l10n.t('Open Details');
  const message = vscode.l10n.t('No new revision of {0} within five minutes of the push.', namesOf(unbuilt));
  if ((await showMessage('warning', message, [details])) !== details) return;
  for (const { id: deploymentId, name } of unbuilt) await showDeploymentDocument({ connection, deploymentId, name });
}

function namesOf(deployments: readonly Deployment[]): string {
  return deployments.map(({ name }) => name).join(', ');
}
