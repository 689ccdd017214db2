import * as vscode from 'vscode';
import { chooseServiceConnection, promptApiKey } from '../prompts.ts';
import type { Services } from '../services.ts';

/** Stores another key for a connection; what was paused because the old one was refused goes on. */
export async function setApiKey({ connections, deployments, follower }: Services): Promise<void> {
  const connection = await chooseServiceConnection(connections, vscode.l10n.t('Set API Key'));
  if (connection === undefined) return;
  const key = await promptApiKey(connection.name);
  if (key === undefined) return;
  await connections.setKey(connection, key);
  follower.retry();
  // The same key again makes no new session; the service may accept it by now.
  if (deployments.state.error !== undefined) await deployments.refresh();
  const { session } = connections;
  // A new key makes a new list, but a list that failed with this very key is asked for again here.
  const isShown = session.kind === 'ready' && session.connection.name === connection.name;
  if (isShown && deployments.state.error !== undefined) await deployments.refresh();
}
