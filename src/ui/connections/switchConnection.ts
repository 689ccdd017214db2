import * as vscode from 'vscode';
import { withoutIcons } from '../../core/text/text.ts';
import type { Connection } from '../../state/connections/connection.ts';
import type { ReadySession, Session } from '../../state/connections/session.ts';
import type { Services } from '../services.ts';
import { showMessage } from '../window/errors.ts';
import { askChoice, back } from '../window/steps.ts';
import { enterConnection } from './addConnection.ts';
import { chooseServiceConnection, provideKey } from './keys.ts';
import { startLocalService } from './localService.ts';

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
    placeholder: vscode.l10n.t('Select the service that this workspace uses'),
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

/**
 * A session that can be used: asks for what is missing, or gives undefined when the person does not go on.
 * @throws {UnreadableKeyError} the keyring does not answer
 */
export async function requireConnection(services: Services): Promise<ReadySession | undefined> {
  const { connections } = services;
  const session = await provideKey(connections);
  if (session.kind !== 'none') return ready(session);
  return (await offerConnection(services)) ? ready(await connections.current()) : undefined;
}

function ready(session: Session): ReadySession | undefined {
  if (session.kind === 'keyMissing' && session.error !== undefined) throw session.error;
  return session.kind === 'ready' ? session : undefined;
}

async function offerConnection(services: Services): Promise<boolean> {
  const local = {
    label: vscode.l10n.t('$(device-desktop) Use Local Service'),
    detail: vscode.l10n.t('Needs no account. Rehearses a deployment with your real repository.'),
    run: () => startLocalService(services),
  };
  const add = {
    label: vscode.l10n.t('$(add) Add Connection…'),
    detail: vscode.l10n.t('A deployment service that you have an API key for.'),
    // What follows tells by itself where the connection does not work.
    run: async () => void (await enterConnection(services)),
  };
  const configured = services.connections.list().filter(({ kind }) => kind === 'service');
  const existing = configured.map(({ name }) => ({
    label: vscode.l10n.t('$(plug) Use {0}', withoutIcons(name)),
    detail: vscode.l10n.t('A connection that you added before.'),
    run: async () => void (await services.connections.select(name)),
  }));
  const choice = await askChoice({
    title: vscode.l10n.t('Connect to a Deployment Service'),
    placeholder: vscode.l10n.t('This workspace has no connection yet'),
    items: [...existing, local, add],
  });
  if (choice === undefined || choice === back) return false;
  await choice.run();
  return true;
}

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
  await follower.forget(connection.name);
}
