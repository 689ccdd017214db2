import * as vscode from 'vscode';
import { systemClock, type Clock } from '../state/clock.ts';
import { Connections } from '../state/connections/connections.ts';
import { LocalService } from '../state/connections/localService.ts';
import type { SecretStore } from '../state/connections/secrets.ts';
import { Follower } from '../state/following/follower.ts';
import { ListRefresh } from '../state/following/listRefresh.ts';
import { RevisionWatch } from '../state/following/revisionWatch.ts';
import { Agents } from '../state/lists/agents.ts';
import { Deployments } from '../state/lists/deployments.ts';
import { createListenerStore, type ListenerStore } from '../state/lists/listeners.ts';
import { Repositories } from '../state/lists/repositories.ts';
import { type Memory, withLoggedFailures } from '../state/memory.ts';
import { createLog, type Log } from './window/log.ts';
import * as host from './window/settings.ts';
import { knownGitPath } from './workspace/gitExtension.ts';

/** What the extension remembers. Views read it, commands change it. */
export interface Stores {
  readonly clock: Clock;
  readonly log: Log;
  readonly workspaceMemory: Memory;
  readonly secrets: SecretStore;
  readonly localService: LocalService;
  readonly connections: Connections;
  readonly deployments: Deployments;
  readonly follower: Follower;
  readonly revisionWatch: RevisionWatch;
  readonly listRefresh: ListRefresh;
  readonly listeners: ListenerStore;
  readonly repositories: Repositories;
  readonly agents: Agents;
}

/** Makes the stores and lends them what they need of the editor; nothing is asked of a service here. */
export function createStores(context: vscode.ExtensionContext): Stores {
  const { workspaceState, secrets, subscriptions } = context;
  const clock = systemClock;
  const log = createLog();
  const workspaceMemory = withLoggedFailures(workspaceState, log);
  const localService = new LocalService({
    script: context.asAbsolutePath('dist/localService.js'),
    dataFolder: () => host.localServiceFolder(context.globalStorageUri),
    stepMilliseconds: host.stepMilliseconds,
    folders: host.localFolders,
    isTrusted: () => vscode.workspace.isTrusted,
    gitPath: knownGitPath,
    clock,
    log,
  });
  const connections = new Connections({
    settings: host.connectionSettings(),
    network: host.networkSettings,
    // Looked up at each call: VS Code puts its own `fetch` in place after extensions are loaded.
    fetch: (...request) => globalThis.fetch(...request),
    workspaceMemory,
    clock,
    secrets,
    localService,
    log,
  });
  const deployments = new Deployments({ connections, workspaceMemory, pageSize: host.pageSize, clock });
  const follower = new Follower({
    clientOf: async (name) => connections.clientNamed(name),
    settings: host.followSettings,
    publish: (connection, deploymentId, deployment, revision) => {
      const { session } = connections;
      // What is followed on another connection is not in this list.
      if (session.kind !== 'none' && session.connection.name === connection) {
        deployments.update(deploymentId, deployment, revision);
      }
    },
    workspaceMemory,
    clock,
  });
  const revisionWatch = new RevisionWatch({ connections, deployments, follower, settings: host.followSettings, clock });
  const listRefresh = new ListRefresh({ deployments, clock });
  const listeners = createListenerStore({ connections, pageSize: host.pageSize, clock });
  const repositories = new Repositories({ connections, clock });
  const agents = new Agents({ connections, workspaceMemory, clock });
  const lists = { deployments, listeners, repositories, agents };
  const tellFolders = (): void => {
    const { session } = connections;
    const isUsed = session.kind === 'ready' && session.connection.kind === 'local';
    // A service for other windows only isn't told of trusted folders, but must not run git in restricted ones.
    if (vscode.workspace.isTrusted && !isUsed) return;
    void localService.tellFolders().then(() => repositories.refreshLoaded());
  };
  if (!vscode.workspace.isTrusted) tellFolders();
  const trust = vscode.workspace.onDidGrantWorkspaceTrust(tellFolders);
  const folders = vscode.workspace.onDidChangeWorkspaceFolders(tellFolders);
  const news = deployments.onDidChange(() => {
    const { session } = connections;
    if (session.kind !== 'ready') return;
    void follower.takeUpNewer(session.connection.name, (id) => deployments.find(id));
  });
  const renames = connections.onDidRename(({ from, to }) => void follower.rename(from, to));
  subscriptions.push(trust, folders, renames, news, log, localService, connections);
  subscriptions.push(...Object.values(lists), follower, revisionWatch, listRefresh);
  const services = { clock, log, workspaceMemory, secrets, localService, connections };
  return { ...services, ...lists, follower, revisionWatch, listRefresh };
}
