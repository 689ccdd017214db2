import * as vscode from 'vscode';
import type { ReadySession } from '../../state/connections.ts';
import type { Services } from '../services.ts';
import { askChoice, back } from '../steps.ts';
import { withoutIcons } from '../withoutIcons.ts';
import { addAgent } from './addAgent.ts';

interface AgentItem extends vscode.QuickPickItem {
  /** Without one, the person names another agent. */
  readonly id?: string;
}

/** Shows the connections of an agent that was named before, or of another one. */
export async function showAgentConnections(services: Services, session: ReadySession): Promise<void> {
  const { agents, sideViews } = services;
  const named: AgentItem[] = agents.ids.map((id) => ({ id, label: withoutIcons(id) }));
  if (named.length === 0) {
    await addAgent(services, session);
    return;
  }
  const choice = await askChoice<AgentItem>({
    title: vscode.l10n.t('Show Agent Connections'),
    placeholder: vscode.l10n.t('The agent'),
    items: [...named, { label: vscode.l10n.t('$(edit) Enter the id of another agent…') }],
  });
  if (choice === undefined || choice === back) return;
  if (choice.id === undefined) await addAgent(services, session);
  else await sideViews.agents.reveal(choice.id);
}
