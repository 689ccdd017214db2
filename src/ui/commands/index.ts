import * as vscode from 'vscode';
import type { ReadySession } from '../../state/connections.ts';
import { isCancelled, messageOf, retryRemedies, showError, UserError } from '../errors.ts';
import { isRowLost } from './lostRow.ts';
import type { Services } from '../services.ts';

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
  addConnection: always(async () => (await import('./addConnection.ts')).addConnection),
  switchConnection: always(async () => (await import('./switchConnection.ts')).switchConnection),
  editConnection: always(async () => (await import('./editConnection.ts')).editConnection),
  testConnection: connected(async () => (await import('./testConnection.ts')).testConnection),
  removeConnection: always(async () => (await import('./removeConnection.ts')).removeConnection),
  setApiKey: always(async () => (await import('./setApiKey.ts')).setApiKey),
  forgetApiKey: always(async () => (await import('./forgetApiKey.ts')).forgetApiKey),
  startLocalService: always(async () => (await import('./startLocalService.ts')).startLocalService),
  stopLocalService: always(async () => (await import('./stopLocalService.ts')).stopLocalService),
  refresh: always(async () => (await import('./refresh.ts')).refresh),
  refreshDeployments: connected(async () => (await import('./refresh.ts')).refreshDeployments),
  refreshListeners: connected(async () => (await import('./refresh.ts')).refreshListeners),
  refreshRepositories: connected(async () => (await import('./refresh.ts')).refreshRepositories),
  refreshAgents: connected(async () => (await import('./refresh.ts')).refreshAgents),
  loadMore: always(async () => (await import('./refresh.ts')).loadMore),
  retry: always(async () => (await import('./refresh.ts')).retry),
  filterDeployments: connected(async () => (await import('./filterDeployments.ts')).filterDeployments),
  clearFilters: always(async () => (await import('./filterDeployments.ts')).clearFilters),
  filterRevisions: connected(async () => (await import('./filterRevisions.ts')).filterRevisions),
  deployCurrentRepository: connected(
    async () => (await import('./deployCurrentRepository.ts')).deployCurrentRepository,
  ),
  editResourceSpec: always(async () => (await import('./editResourceSpec.ts')).editResourceSpec),
  saveResourceSpec: always(async () => (await import('./saveResourceSpec.ts')).saveResourceSpec),
  showResourceSpec: ofRows(connected(async () => (await import('./showResourceSpec.ts')).showResourceSpec)),
  followDeployment: ofRows(connected(async () => (await import('./followDeployment.ts')).followDeployment)),
  stopFollowing: ofRows(always(async () => (await import('./followDeployment.ts')).stopFollowing)),
  showFollowed: always(async () => (await import('./showFollowed.ts')).showFollowed),
  openDetails: ofRows(connected(async () => (await import('./openDetails.ts')).openDetails)),
  compareRevisions: ofRows(connected(async () => (await import('./compareRevisions.ts')).compareRevisions)),
  showChangesSinceLive: ofRows(connected(async () => (await import('./showChangesSinceLive.ts')).showChangesSinceLive)),
  chooseWorkspaceDeployment: ofRows(
    connected(async () => (await import('./chooseWorkspaceDeployment.ts')).chooseWorkspaceDeployment),
  ),
  copyId: ofRows(always(async () => (await import('./copy.ts')).copyId)),
  copyName: ofRows(always(async () => (await import('./copy.ts')).copyName)),
  openApplication: ofRows(connected(async () => (await import('./openPages.ts')).openApplication)),
  openRepository: ofRows(connected(async () => (await import('./openPages.ts')).openRepository)),
  openServicePage: ofRows(connected(async () => (await import('./openPages.ts')).openServicePage)),
  createListener: connected(async () => (await import('./createListener.ts')).createListener),
  deployRepository: ofRows(connected(async () => (await import('./deployRepository.ts')).deployRepository)),
  filterRepositories: connected(async () => (await import('./filterRepositories.ts')).filterRepositories),
  addAgent: connected(async () => (await import('./addAgent.ts')).addAgent),
  removeAgent: ofRows(connected(async () => (await import('./removeAgent.ts')).removeAgent)),
  showAgentConnections: connected(async () => (await import('./showAgentConnections.ts')).showAgentConnections),
  updateOAuthProvider: connected(async () => (await import('./updateOAuthProvider.ts')).updateOAuthProvider),
  showLog: always(async () => (await import('./showLog.ts')).showLog),
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
      throw new UserError(vscode.l10n.t('The row was just being drawn anew, and nothing was done. Choose it again.'));
    }
    if (command.needs === 'nothing') {
      await (
        await command.load()
      )(services, argument);
      return;
    }
    const handler = await command.load();
    const { requireConnection } = await import('./requireConnection.ts');
    const session = await requireConnection(services);
    if (session !== undefined) await handler(services, session, argument);
  } catch (error) {
    if (isCancelled(error)) return;
    log.error(`command ${id}: ${messageOf(error)}`);
    await showError(error, log, retryRemedies(error, id, argument));
  }
}
