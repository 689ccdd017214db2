import * as vscode from 'vscode';
import { withoutIcons } from '../../core/text/text.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import type { Services } from '../services.ts';
import { commandRemedy, UserError } from '../window/errors.ts';
import { askChoice, askText, back } from '../window/steps.ts';

/** Adds an agent by its id and shows its connections; the service can't list agents. */
export async function addAgent(
  services: Pick<Services, 'agents' | 'views'>,
  { connection }: ReadySession,
): Promise<void> {
  const answer = await askText({
    title: vscode.l10n.t('Add Agent'),
    prompt: vscode.l10n.t('The ID of an agent on "{0}". It is remembered in this workspace.', connection.name),
    placeholder: vscode.l10n.t('Agent ID'),
    problemOf: (text) => (text.trim() === '' ? vscode.l10n.t('Enter the ID of an agent.') : undefined),
  });
  if (answer === undefined || answer === back) return;
  const agentId = answer.trim();
  await services.agents.add(agentId);
  await services.views.agents.reveal({ kind: 'agent', ids: [agentId] }, { expand: true });
}

/** Removes an agent from this workspace; nothing changes on the service. */
export async function removeAgent(
  services: Pick<Services, 'agents' | 'views'>,
  _session: ReadySession,
  argument: unknown,
): Promise<void> {
  const agentId = services.views.agents.agentOf(argument) ?? (await chooseAgent(services));
  if (agentId !== undefined) await services.agents.remove(agentId);
}

async function chooseAgent({ agents }: Pick<Services, 'agents'>): Promise<string | undefined> {
  if (agents.ids.length === 0) {
    throw new UserError(vscode.l10n.t('There is no agent to remove: none was added on this connection.'), [
      commandRemedy(vscode.l10n.t('Add Agent'), 'addAgent'),
    ]);
  }
  const choice = await askChoice({
    title: vscode.l10n.t('Remove Agent'),
    placeholder: vscode.l10n.t('Select an agent to remove from this workspace; nothing changes on the service'),
    items: agents.ids.map((id) => ({ id, label: withoutIcons(id) })),
  });
  return choice?.id;
}

interface AgentItem extends vscode.QuickPickItem {
  /** Undefined for the item that asks for another agent's id. */
  readonly id?: string;
}

/** Shows the connections of a remembered agent or of a new one. */
export async function showAgentConnections(
  services: Pick<Services, 'agents' | 'views'>,
  session: ReadySession,
): Promise<void> {
  const { agents, views } = services;
  const named: AgentItem[] = agents.ids.map((id) => ({ id, label: withoutIcons(id) }));
  if (named.length === 0) {
    await addAgent(services, session);
    return;
  }
  const choice = await askChoice<AgentItem>({
    title: vscode.l10n.t('Show Agent Connections'),
    placeholder: vscode.l10n.t('Select an agent'),
    items: [...named, { label: vscode.l10n.t('$(edit) Enter the ID of another agent…') }],
  });
  if (choice === undefined) return;
  if (choice.id === undefined) await addAgent(services, session);
  else await views.agents.reveal({ kind: 'agent', ids: [choice.id] }, { expand: true });
}
