import * as vscode from 'vscode';
import { revisionTitle } from '../../core/deploymentSummary.ts';
import type { ReadySession } from '../../state/connections.ts';
import { chooseDeployment } from '../chooseDeployment.ts';
import { documentUri, showDocument } from '../documentUri.ts';
import type { Services } from '../services.ts';
import { rowOf } from '../tree/deploymentsView.ts';

/** Shows a row as a read-only YAML document, which is written again while it moves. */
export async function openDetails(services: Services, session: ReadySession, argument: unknown): Promise<void> {
  const uri = await chooseDocument(services, session.connection.name, argument);
  if (uri !== undefined) await showDocument(uri);
}

async function chooseDocument(
  services: Services,
  connection: string,
  argument: unknown,
): Promise<vscode.Uri | undefined> {
  const target = services.sideViews.targetOf(argument);
  if (target !== undefined) {
    const { name, place } = target;
    return place === undefined ? undefined : documentUri({ connection, place }, name ?? '');
  }
  const row = rowOf(argument, services.deploymentsView);
  if (row?.kind === 'revision') {
    const { id, deploymentId } = row;
    const revision = services.deployments.revision(id);
    const title = revision === undefined ? id : revisionTitle(revision);
    return documentUri({ connection, place: { kind: 'revision', ids: [deploymentId, id] } }, title);
  }
  const deployment = await chooseDeployment(services, argument, vscode.l10n.t('Open Details'));
  if (deployment === undefined) return undefined;
  return documentUri({ connection, place: { kind: 'deployment', ids: [deployment.id] } }, deployment.name);
}
