import * as vscode from 'vscode';
import { chooseServiceConnection, promptApiKey } from '../prompts.ts';
import type { Services } from '../services.ts';
import { refresh } from './refresh.ts';

/** Stores another key for a connection; what was paused because the old one was refused goes on. */
export async function setApiKey(services: Services): Promise<void> {
  const { connections, follower } = services;
  const connection = await chooseServiceConnection(connections, vscode.l10n.t('Set API Key'));
  if (connection === undefined) return;
  const key = await promptApiKey(connection.name);
  if (key === undefined) return;
  await connections.setKey(connection, key);
  follower.retry();
  const { session } = connections;
  // A new key makes new lists, but those that failed with this very key are asked for again here.
  const isShown = session.kind === 'ready' && session.connection.name === connection.name;
  if (isShown && hasFailed(services)) await refresh(services);
}

function hasFailed({ deployments, listeners, repositories, agents }: Services): boolean {
  const lists = [deployments.state, listeners.state, repositories.installations];
  const ofAgents = agents.ids.map((id) => agents.connectionsOf(id));
  return [...lists, ...ofAgents].some(({ error }) => error !== undefined);
}
