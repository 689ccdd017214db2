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
