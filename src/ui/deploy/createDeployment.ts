import * as vscode from 'vscode';
import type { Client } from '../../api/client.ts';
import type { Deployment, DeploymentCreate } from '../../api/deployments.ts';
import { ApiError } from '../../api/errors.ts';
import { readableRows } from '../../state/pagedList.ts';

/**
 * Sends a create request once. When the answer got lost, the deployment may exist all the same, so its name is
 * looked up and the person is told what was found; the request itself is never repeated.
 */
export async function createDeployment(client: Client, body: DeploymentCreate): Promise<Deployment> {
  try {
    return await client.deployments.create(body);
  } catch (error) {
    if (!isAmbiguous(error)) throw error;
    const found = await findByName(client, body.name).catch(() => 'unknown' as const);
    if (found === 'unknown') throw lost(error, vscode.l10n.t('Whether "{0}" was created is not known.', body.name));
    if (found === undefined)
      throw lost(error, vscode.l10n.t('"{0}" was not created, so you can send it again.', body.name));
    void vscode.window.showWarningMessage(
      vscode.l10n.t('The answer of the service was lost, but it has a deployment named "{0}" now.', body.name),
    );
    return found;
  }
}

/** The deployment with exactly this name; the interface's own filter finds names that contain it. */
export async function findByName(client: Client, name: string): Promise<Deployment | undefined> {
  for await (const row of client.deployments.listAll({ name_contains: name })) {
    const [deployment] = readableRows([row]);
    if (deployment?.name === name) return deployment;
  }
  return undefined;
}

/** True when the request may have reached the service and no answer says what became of it. */
function isAmbiguous(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || !error.sent) return false;
  return ['network', 'timeout', 'server', 'unexpectedResponse'].includes(error.kind);
}

function lost(error: ApiError, consequence: string): ApiError {
  const { kind, status, requestId, sent } = error;
  return new ApiError({ kind, status, requestId, sent, message: `${error.message} ${consequence}`, cause: error });
}
