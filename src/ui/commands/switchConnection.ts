import * as vscode from 'vscode';
import type { Services } from '../services.ts';
import { askChoice, back } from '../steps.ts';
import { startLocalService } from './startLocalService.ts';

/** Binds this workspace to another connection. */
export async function switchConnection(services: Services): Promise<void> {
  const { connections } = services;
  const session = await connections.current();
  const present = session.kind === 'none' ? undefined : session.connection.name;
  const items = connections.list().map((connection) => ({
    connection,
    label: `$(${connection.kind === 'local' ? 'device-desktop' : 'plug'}) ${connection.name}`,
    description: connection.name === present ? vscode.l10n.t('in use') : '',
    detail: connection.kind === 'local' ? vscode.l10n.t('Runs on this machine') : connection.baseUrl,
  }));
  const add = { label: vscode.l10n.t('$(add) Add Connection…'), connection: undefined };
  const choice = await askChoice({
    title: vscode.l10n.t('Switch Connection'),
    placeholder: vscode.l10n.t('The service that this workspace works with'),
    items: [...items, add],
    active: items.find(({ connection }) => connection.name === present),
  });
  if (choice === undefined || choice === back) return;
  if (choice.connection === undefined) await vscode.commands.executeCommand('deploymentManager.addConnection');
  else if (choice.connection.kind === 'local') await startLocalService(services);
  else await connections.select(choice.connection.name);
}
