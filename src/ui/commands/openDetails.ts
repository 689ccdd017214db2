import * as vscode from 'vscode';
import { revisionTitle } from '../../core/deploymentSummary.ts';
import type { ReadySession } from '../../state/connections.ts';
import { chooseDeployment } from '../chooseDeployment.ts';
import { documentUri, type DocumentSubject } from '../documents.ts';
import type { Services } from '../services.ts';
import { rowOf } from '../tree/deploymentsView.ts';

/** Shows a row as a read-only YAML document, which is drawn again while it moves. */
export async function openDetails(services: Services, session: ReadySession, argument: unknown): Promise<void> {
  const subject = await chooseSubject(services, session.connection.name, argument);
  if (subject === undefined) return;
  const document = await vscode.workspace.openTextDocument(documentUri(subject));
  await vscode.window.showTextDocument(await vscode.languages.setTextDocumentLanguage(document, 'yaml'), {
    preview: true,
  });
}

async function chooseSubject(
  services: Services,
  connection: string,
  argument: unknown,
): Promise<DocumentSubject | undefined> {
  const target = services.sideViews.targetOf(argument);
  if (target !== undefined) {
    const { name, place } = target;
    return place === undefined ? undefined : { connection, title: name ?? '', place };
  }
  const row = rowOf(argument, services.deploymentsView);
  if (row?.kind === 'revision') {
    const { id, deploymentId } = row;
    const revision = services.deployments.revision(id);
    const title = revision === undefined ? id : revisionTitle(revision);
    return { connection, title, place: { kind: 'revision', ids: [deploymentId, id] } };
  }
  const deployment = await chooseDeployment(services, argument, vscode.l10n.t('Open Details'));
  if (deployment === undefined) return undefined;
  return { connection, title: deployment.name, place: { kind: 'deployment', ids: [deployment.id] } };
}
