import * as vscode from 'vscode';
import { verdict } from '../../core/status/verdict.ts';
import { withoutIcons } from '../../core/text/text.ts';
import { localConnectionName } from '../../state/connections/connection.ts';
import type { ReadySession } from '../../state/connections/session.ts';
import { readableEntries } from '../../state/lists/pagedList.ts';
import type { Services } from '../services.ts';
import { confirm, settingsRemedy } from '../window/errors.ts';
import { askChoice } from '../window/steps.ts';
import { addConnection, enterConnection } from './addConnection.ts';
import { chooseServiceConnection, connectionItems, provideKeyOf, readySession } from './keys.ts';

type SwitchServices = Pick<Services, 'connections' | 'deployments' | 'localService' | 'views'>;

/** Binds this workspace to another connection. */
export async function switchConnection(services: SwitchServices & Pick<Services, 'log'>): Promise<void> {
  const { connections } = services;
  const session = await connections.current();
  const inUse = session.kind === 'none' ? undefined : session.connection.name;
  const items = connectionItems(connections.list(), inUse).map((item) => ({
    ...item,
    run: async () => {
      if (item.connection.kind === 'local') await startLocalService(services);
      else await connections.select(item.connection.name);
    },
  }));
  const problems = connections.problems().map(({ name, message }) => ({
    label: `$(warning) ${name === '' ? vscode.l10n.t('A connection without a name') : withoutIcons(name)}`,
    description: vscode.l10n.t("can't be used; open the settings"),
    detail: withoutIcons(message),
    run: settingsRemedy('deploymentManager.connections').run,
  }));
  // A connection that is added here is selected as well.
  const add = { label: vscode.l10n.t('$(add) Add Connection…'), run: () => addConnection(services) };
  const choice = await askChoice({
    title: vscode.l10n.t('Switch Connection'),
    placeholder: vscode.l10n.t('Select the service to use'),
    items: [...items, ...problems, add],
    active: items.find(({ connection }) => connection.name === inUse),
  });
  await choice?.run();
}

/**
 * Returns a ready session, after asking for a missing connection or key. Undefined if the user cancels.
 * @throws {UnreadableKeyError} the keyring isn't responding
 */
export async function requireConnection(services: SwitchServices): Promise<ReadySession | undefined> {
  const { connections } = services;
  const session = await connections.current();
  if (session.kind === 'none') {
    return (await offerConnection(services)) ? readySession(await connections.current()) : undefined;
  }
  // The keyring may be responding by now.
  if (session.kind === 'keyMissing' && session.error !== undefined) await connections.reload();
  return readySession(await provideKeyOf(connections, session.connection));
}

async function offerConnection(services: SwitchServices): Promise<boolean> {
  const local = {
    label: vscode.l10n.t('$(device-desktop) Use Local Service'),
    detail: vscode.l10n.t('Needs no account. Rehearses a deployment with your real repository.'),
    run: () => startLocalService(services),
  };
  const add = {
    label: vscode.l10n.t('$(add) Add Connection…'),
    detail: vscode.l10n.t('A deployment service that you have an API key for.'),
    // If the connection doesn't work, the command that needs it reports the error.
    run: async () => {
      const connection = await enterConnection(services);
      if (connection !== undefined) await services.connections.select(connection.name);
    },
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
  if (choice === undefined) return false;
  await choice.run();
  return true;
}

/** Removes a connection and its key from this machine. Nothing changes on the service. */
export async function removeConnection(
  { connections, follower }: Pick<Services, 'connections' | 'follower'>,
  argument: unknown,
): Promise<void> {
  const connection = await chooseServiceConnection(connections, vscode.l10n.t('Remove Connection'), argument);
  if (connection === undefined) return;
  const question = vscode.l10n.t('Remove the connection "{0}"?', connection.name);
  const detail = vscode.l10n.t('Its API key is deleted from this machine. Nothing changes on {0}.', connection.baseUrl);
  if (!(await confirm(question, vscode.l10n.t('Remove'), detail))) return;
  await connections.remove(connection);
  await follower.forget(connection.name);
}

/** Starts the local service with the open folders and selects it for this workspace. */
export async function startLocalService({
  connections,
  localService,
  deployments,
  views,
}: SwitchServices): Promise<void> {
  await views.deployments.whileLoading(() => localService.start());
  await connections.select(localConnectionName);
  await deployments.refresh();
}

/** Stops the local service; its data is kept. Asks first if something is in progress there. */
export async function stopLocalService(
  services: Pick<Services, 'deployments' | 'follower' | 'localService'>,
): Promise<void> {
  const count = deployingLocally(services);
  if (count > 0) {
    const detail =
      count === 1
        ? vscode.l10n.t('A deployment is in progress. It continues when the service is started again.')
        : vscode.l10n.t('{0} deployments are in progress. They continue when the service is started again.', count);
    const question = vscode.l10n.t('Stop the local service?');
    if (!(await confirm(question, vscode.l10n.t('Stop Local Service'), detail))) return;
  }
  const words = (await services.localService.stop())
    ? vscode.l10n.t('The local service was stopped. Its data is kept.')
    : vscode.l10n.t("The local service wasn't running.");
  vscode.window.setStatusBarMessage(words, 5000);
}

/** How many deployments of the local service this window knows to be in progress: followed ones and loaded ones. */
function deployingLocally({ deployments, follower }: Pick<Services, 'deployments' | 'follower'>): number {
  const followed = follower.followed.filter(
    ({ connection, outcome }) => connection === localConnectionName && outcome === undefined,
  );
  const isListed = deployments.connection === localConnectionName;
  const listed = isListed ? readableEntries(deployments.state.entries) : [];
  const working = listed.filter(
    ({ id, latest_revision_id: latest }) => verdict(deployments.observe(id, latest)).kind === 'working',
  );
  return new Set([...followed.map(({ deploymentId }) => deploymentId), ...working.map(({ id }) => id)]).size;
}
