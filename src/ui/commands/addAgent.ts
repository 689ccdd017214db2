import * as vscode from 'vscode';
import type { ReadySession } from '../../state/connections.ts';
import type { Services } from '../services.ts';
import { askText, back } from '../steps.ts';

/** Remembers an agent by its id and shows its connections; the service has no list to choose from. */
export async function addAgent(services: Services, { connection }: ReadySession): Promise<void> {
  const answer = await askText({
    title: vscode.l10n.t('Add Agent'),
    prompt: vscode.l10n.t('The id of an agent on "{0}". It is remembered in this workspace.', connection.name),
    placeholder: vscode.l10n.t('Agent id'),
    problemOf: (text) => (text.trim() === '' ? vscode.l10n.t('Enter the id of an agent.') : undefined),
  });
  if (answer === undefined || answer === back) return;
  const agentId = answer.trim();
  await services.agents.add(agentId);
  await services.sideViews.agents.reveal(agentId);
}
