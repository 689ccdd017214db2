import * as vscode from 'vscode';
import type { ReadySession } from '../../state/connections/session.ts';
import type { Services } from '../services.ts';
import { documentUri, showDocument } from '../window/documents.ts';
import { targetOf } from '../window/rowCommands.ts';
import { chooseDeployment } from './chooseDeployment.ts';

/** Shows a row as a read-only YAML document that is updated while the resource changes. */
export async function openDetails(services: Services, session: ReadySession, argument: unknown): Promise<void> {
  const uri = await chooseDocument(services, session.connection.name, argument);
  if (uri !== undefined) await showDocument(uri);
}

async function chooseDocument(
  services: Services,
  connection: string,
  argument: unknown,
): Promise<vscode.Uri | undefined> {
  const { id, name, place } = targetOf(services, argument) ?? {};
  if (place !== undefined) return documentUri({ connection, place }, name ?? id ?? '');
  const deployment = await chooseDeployment(services, argument, vscode.l10n.t('Open Details'));
  if (deployment === undefined) return undefined;
  return documentUri({ connection, place: { kind: 'deployment', ids: [deployment.id] } }, deployment.name);
}

interface NamedDeployment {
  readonly connection: string;
  readonly deploymentId: string;
  readonly name: string;
}

/**
 * Selects the row of a deployment of the current connection, or opens its details.
 * The list may lack the row because of a filter or a later page.
 */
export async function showDeployment({ deployments, views }: Services, deployment: NamedDeployment): Promise<void> {
  await deployments.load();
  const { deploymentId: id } = deployment;
  if (deployments.find(id) !== undefined) await views.deployments.reveal({ kind: 'deployment', ids: [id] });
  else await showDeploymentDocument(deployment);
}

/** Opens the details of a deployment of any connection. */
export async function showDeploymentDocument({ connection, deploymentId, name }: NamedDeployment): Promise<void> {
  await showDocument(documentUri({ connection, place: { kind: 'deployment', ids: [deploymentId] } }, name));
}
