import * as vscode from 'vscode';
import { showMessage } from '../message.ts';
import { chooseServiceConnection } from '../prompts.ts';
import type { Services } from '../services.ts';

/** Deletes a connection's key from this machine; the connection itself stays. */
export async function forgetApiKey({ connections }: Services): Promise<void> {
  const connection = await chooseServiceConnection(connections, vscode.l10n.t('Forget API Key'));
  if (connection === undefined) return;
  const forget = vscode.l10n.t('Forget');
  const answer = await showMessage(
    'warning',
    vscode.l10n.t('Forget the API key of "{0}" on this machine?', connection.name),
    [forget],
    { modal: true, detail: vscode.l10n.t('The key itself stays valid on the service.') },
  );
  if (answer === forget) await connections.forgetKey(connection);
}
