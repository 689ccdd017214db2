import * as vscode from 'vscode';
import type { Connection } from '../../state/connection.ts';
import type { Services } from '../services.ts';
import { askChoice, back } from '../steps.ts';
import { withoutIcons } from '../withoutIcons.ts';
import { startLocalService } from './startLocalService.ts';

interface Item extends vscode.QuickPickItem {
  readonly connection?: Connection;
  /** Set for an item of the setting that cannot be used as it is. */
  readonly openSettings?: boolean;
}

/** Binds this workspace to another connection. */
export async function switchConnection(services: Services): Promise<void> {
  const { connections } = services;
  const session = await connections.current();
  const present = session.kind === 'none' ? undefined : session.connection.name;
  const items = connections.list().map((connection) => ({
    connection,
    label: `$(${connection.kind === 'local' ? 'device-desktop' : 'plug'}) ${withoutIcons(connection.name)}`,
    description: connection.name === present ? vscode.l10n.t('in use') : '',
    detail: connection.kind === 'local' ? vscode.l10n.t('Runs on this machine') : withoutIcons(connection.baseUrl),
  }));
  const problems = connections.problems().map(({ name, message }) => ({
    label: `$(warning) ${name === '' ? vscode.l10n.t('A connection without a name') : withoutIcons(name)}`,
    description: vscode.l10n.t('cannot be used; open the settings'),
    detail: withoutIcons(message),
    openSettings: true,
  }));
  const add = { label: vscode.l10n.t('$(add) Add Connection…') };
  const choice = await askChoice<Item>({
    title: vscode.l10n.t('Switch Connection'),
    placeholder: vscode.l10n.t('The service that this workspace works with'),
    items: [...items, ...problems, add],
    active: items.find(({ connection }) => connection.name === present),
  });
  if (choice === undefined || choice === back) return;
  if (choice.openSettings === true) {
    await vscode.commands.executeCommand('workbench.action.openSettings', 'deploymentManager.connections');
  } else if (choice.connection === undefined) {
    await vscode.commands.executeCommand('deploymentManager.addConnection');
  } else if (choice.connection.kind === 'local') {
    await startLocalService(services);
  } else {
    await connections.select(choice.connection.name);
  }
}
