import * as vscode from 'vscode';
import { RemovedConnectionError } from '../../state/connection.ts';
import type { Followed } from '../../state/follower.ts';
import { requireConnection } from './requireConnection.ts';
import { startLocalService } from './startLocalService.ts';
import type { Services } from '../services.ts';
import { showDeployment, showDeploymentDocument } from '../showDeployment.ts';
import { askChoice, back } from '../steps.ts';
import { withoutIcons } from '../withoutIcons.ts';

/**
 * Shows a followed deployment in the tree. One of another connection is shown after a switch, or as a document, as the
 * person likes; as a document also one that the list does not have, because of a filter or a later page.
 * @throws {RemovedConnectionError} its connection was removed
 */
export async function revealFollowed(services: Services, followed: Followed): Promise<void> {
  const where = await chooseWhere(services, followed);
  if (where === undefined) return;
  if (where === 'tree' && (await requireConnection(services)) === undefined) return;
  const name = nameOf(followed);
  if (where === 'tree') await showDeployment(services, { ...followed, name });
  else await showDeploymentDocument({ ...followed, name });
}

/** Switches to the connection of a follow where that is wanted; undefined when the person leaves. */
async function chooseWhere(services: Services, followed: Followed): Promise<'tree' | 'document' | undefined> {
  const { connections } = services;
  const session = await connections.current();
  const present = session.kind === 'none' ? undefined : session.connection.name;
  if (present === followed.connection) return 'tree';
  const connection = connections.find(followed.connection);
  if (connection === undefined) throw new RemovedConnectionError(followed.connection);
  const switching = {
    label: vscode.l10n.t('$(arrow-swap) Switch to {0}', withoutIcons(connection.name)),
    detail: vscode.l10n.t('This workspace works with it from now on, and the row is shown.'),
  };
  const staying = {
    label: vscode.l10n.t('$(file) Open Details'),
    detail: present === undefined ? '' : vscode.l10n.t('This workspace stays with {0}.', withoutIcons(present)),
  };
  const choice = await askChoice({
    title: vscode.l10n.t('Followed Deployments'),
    placeholder: vscode.l10n.t('"{0}" is on another connection, {1}', nameOf(followed), connection.name),
    items: [switching, staying],
  });
  if (choice === undefined || choice === back) return undefined;
  if (choice === staying) return 'document';
  if (connection.kind === 'local') await startLocalService(services);
  else await connections.select(connection.name);
  return 'tree';
}

function nameOf({ deploymentName, deploymentId }: Followed): string {
  return deploymentName ?? deploymentId;
}
