import * as vscode from 'vscode';
import { showMessage } from '../message.ts';
import type { Services } from '../services.ts';
import { chooseServiceConnection } from '../prompts.ts';

/** Removes a connection and its key from this machine; the service itself is not touched. */
export async function removeConnection({ connections, follower }: Services): Promise<void> {
  const connection = await chooseServiceConnection(connections, vscode.l10n.t('Remove Connection'));
  if (connection === undefined) return;
  const remove = vscode.l10n.t('Remove');
  const answer = await showMessage(
    'warning',
    vscode.l10n.t('Remove the connection "{0}"?', connection.name),
    [remove],
    {
      modal: true,
      detail: vscode.l10n.t('Its API key is deleted from this machine. Nothing changes on {0}.', connection.baseUrl),
    },
  );
  if (answer !== remove) return;
  await connections.remove(connection);
  // What is followed there ends at once instead of at its next poll.
  follower.retry();
}
