import * as vscode from 'vscode';
import type { ReadySession } from '../state/connections/session.ts';
import type { Services } from './services.ts';
import { isCancelled, messageOf, retryRemedies, showError, UserError } from './window/errors.ts';
import { isRowLost } from './window/lostRow.ts';

type Handler = (services: Services, argument: unknown) => Promise<void>;
type ConnectedHandler = (services: Services, session: ReadySession, argument: unknown) => Promise<void>;

/** A command, loaded when it is first run so that starting the editor does not pay for it. */
type Command = (
  | { readonly needs: 'nothing'; readonly load: () => Promise<Handler> }
  | { readonly needs: 'connection'; readonly load: () => Promise<ConnectedHandler> }
) & {
  /** True for a command of the menus of rows. A button of a view's title is no such menu, and names no row. */
  readonly isOfRows?: true;
};

const always = (load: () => Promise<Handler>): Command => ({ needs: 'nothing', load });
const connected = (load: () => Promise<ConnectedHandler>): Command => ({ needs: 'connection', load });
const ofRows = (command: Command): Command => ({ ...command, isOfRows: true });

/** Every command of the extension: its id without the prefix, what it needs, and where it is. */
const commands = {
  addConnection: always(async () => (await import('./connections/addConnection.ts')).addConnection),
  switchConnection: always(async () => (await import('./connections/switchConnection.ts')).switchConnection),
  editConnection: always(async () => (await import('./connections/editConnection.ts')).editConnection),
  testConnection: connected(async () => (await import('./connections/testConnection.ts')).testConnection),
  removeConnection: always(async () => (await import('./connections/switchConnection.ts')).removeConnection),
  setApiKey: always(async () => (await import('./connections/keys.ts')).setApiKey),
  forgetApiKey: always(async () => (await import('./connections/keys.ts')).forgetApiKey),
  startLocalService: always(async () => (await import('./connections/localService.ts')).startLocalService),
  stopLocalService: always(async () => (await import('./connections/localService.ts')).stopLocalService),
  refresh: always(async () => (await import('./window/rowCommands.ts')).refresh),
  refreshDeployments: connected(
    async () =>
      ({ views }) =>
        views.deployments.refresh(),
  ),
  refreshListeners: connected(
    async () =>
      ({ views }) =>
        views.listeners.refresh(),
  ),
  refreshRepositories: connected(
    async () =>
      ({ views }) =>
        views.repositories.refresh(),
  ),
  refreshAgents: connected(
    async () =>
      ({ views }) =>
        views.agents.refresh(),
  ),
  loadMore: always(async () => (await import('./window/rowCommands.ts')).loadMore),
  retry: ofRows(always(async () => (await import('./window/rowCommands.ts')).retry)),
  filterDeployments: connected(async () => (await import('./deployments/filter.ts')).filterDeployments),
  clearFilters: always(async () => (await import('./deployments/filter.ts')).clearFilters),
  filterRevisions: connected(async () => (await import('./deployments/filter.ts')).filterRevisions),
  deployCurrentRepository: connected(async () => (await import('./deploy/deploy.ts')).deployCurrentRepository),
  editResourceSpec: always(async () => (await import('./resourceForm/commands.ts')).editResourceSpec),
  saveResourceSpec: always(async () => (await import('./resourceForm/commands.ts')).saveResourceSpec),
  showResourceSpec: ofRows(connected(async () => (await import('./resourceForm/commands.ts')).showResourceSpec)),
  followDeployment: ofRows(connected(async () => (await import('./following/followed.ts')).followDeployment)),
  stopFollowing: ofRows(always(async () => (await import('./following/followed.ts')).stopFollowing)),
  showFollowed: always(async () => (await import('./following/followed.ts')).showFollowed),
  openDetails: ofRows(connected(async () => (await import('./deployments/details.ts')).openDetails)),
  compareRevisions: ofRows(connected(async () => (await import('./deployments/details.ts')).compareRevisions)),
  showChangesSinceLive: ofRows(connected(async () => (await import('./deployments/details.ts')).showChangesSinceLive)),
  chooseWorkspaceDeployment: ofRows(
    connected(async () => (await import('./deployments/chooseDeployment.ts')).chooseWorkspaceDeployment),
  ),
  copyId: ofRows(always(async () => (await import('./window/rowCommands.ts')).copyId)),
  copyName: ofRows(always(async () => (await import('./window/rowCommands.ts')).copyName)),
  openApplication: ofRows(connected(async () => (await import('./deployments/openPages.ts')).openApplication)),
  openRepository: ofRows(connected(async () => (await import('./deployments/openPages.ts')).openRepository)),
  openServicePage: ofRows(connected(async () => (await import('./deployments/openPages.ts')).openServicePage)),
  createListener: connected(async () => (await import('./listeners/registerListener.ts')).createListener),
  deployRepository: ofRows(connected(async () => (await import('./deploy/deploy.ts')).deployRepository)),
  filterRepositories: connected(async () => (await import('./repositories/chooseRepository.ts')).filterRepositories),
  addAgent: connected(async () => (await import('./agents/agents.ts')).addAgent),
  removeAgent: ofRows(connected(async () => (await import('./agents/agents.ts')).removeAgent)),
  showAgentConnections: connected(async () => (await import('./agents/agents.ts')).showAgentConnections),
  updateOAuthProvider: connected(async () => (await import('./agents/oauthProvider.ts')).updateOAuthProvider),
  showLog: always(async () => (await import('./window/log.ts')).showLog),
} satisfies Record<string, Command>;

/** Registers every command behind one wrapper, which alone shows their errors. */
export function registerCommands(services: Services): vscode.Disposable {
  const entries: [string, Command][] = Object.entries(commands);
  return vscode.Disposable.from(
    ...entries.map(([id, command]) =>
      vscode.commands.registerCommand(`deploymentManager.${id}`, (...args: unknown[]) =>
        run(id, command, services, args),
      ),
    ),
  );
}

async function run(id: string, command: Command, services: Services, args: readonly unknown[]): Promise<void> {
  const { log } = services;
  const [argument] = args;
  log.debug(`command ${id}`);
  try {
    if (command.isOfRows === true && isRowLost(args)) {
      throw new UserError(vscode.l10n.t('The list was refreshing. Select the row again.'));
    }
    if (command.needs === 'nothing') {
      await (
        await command.load()
      )(services, argument);
      return;
    }
    const handler = await command.load();
    const { requireConnection } = await import('./connections/switchConnection.ts');
    const session = await requireConnection(services);
    if (session !== undefined) await handler(services, session, argument);
  } catch (error) {
    if (isCancelled(error)) return;
    log.error(`command ${id}: ${messageOf(error)}`);
    await showError(error, log, retryRemedies(error, id, argument));
  }
}
