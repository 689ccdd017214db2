import * as vscode from 'vscode';
import type { ReadySession } from '../../state/connections.ts';
import { commandRemedy, UserError } from '../errors.ts';
import type { Services } from '../services.ts';
import { askChoice, back } from '../steps.ts';
import { withoutIcons } from '../withoutIcons.ts';

/** Forgets an agent in this workspace; nothing of the service changes. */
export async function removeAgent(services: Services, _session: ReadySession, argument: unknown): Promise<void> {
  const agentId = services.sideViews.agents.agentOf(argument) ?? (await chooseAgent(services));
  if (agentId !== undefined) await services.agents.remove(agentId);
}

async function chooseAgent({ agents }: Services): Promise<string | undefined> {
  if (agents.ids.length === 0) {
    throw new UserError(vscode.l10n.t('There is no agent to remove: none was named on this connection.'), [
      commandRemedy(vscode.l10n.t('Add Agent'), 'addAgent'),
    ]);
  }
  const choice = await askChoice({
    title: vscode.l10n.t('Remove Agent'),
    placeholder: vscode.l10n.t('The agent to forget in this workspace; nothing of the service changes'),
    items: agents.ids.map((id) => ({ id, label: withoutIcons(id) })),
  });
  return choice === undefined || choice === back ? undefined : choice.id;
}
