import * as vscode from 'vscode';
import { activityText } from '../../core/status/activityWords.ts';
import type { Services } from '../services.ts';
import { showMessage } from '../window/errors.ts';

/** Shows what was deployed from this machine as a read-only document. */
export async function showActivity({ activity, documents, follower }: Services): Promise<void> {
  const text = activityText(await activity.list(), ({ connection, deploymentId, revisionId }) => {
    const followed = follower.find(connection, deploymentId);
    return followed?.revisionId === revisionId && followed.outcome === undefined;
  });
  await documents.showText(vscode.l10n.t('Activity'), text, 'txt');
}

/** Deletes the activity of this machine. Nothing changes on a service. */
export async function clearActivity({ activity }: Services): Promise<void> {
  const clear = vscode.l10n.t('Clear Activity');
  const answer = await showMessage('warning', vscode.l10n.t('Clear the activity of this machine?'), [clear], {
    modal: true,
    detail: vscode.l10n.t('This deletes the list of deployments from this machine. Nothing changes on any service.'),
  });
  if (answer === clear) await activity.clear();
}
