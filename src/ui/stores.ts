import * as vscode from 'vscode';
import { createSystemClock, type Clock } from '../state/clock.ts';
import { Connections } from '../state/connections/connections.ts';
import { LocalService } from '../state/connections/localService.ts';
import type { SecretStore } from '../state/connections/storedKeys.ts';
import { LateCreates } from '../state/deploying/lateCreates.ts';
import { LeftReviews } from '../state/deploying/leftReviews.ts';
import { Activity } from '../state/following/activity/activity.ts';
import { activityFile } from '../state/following/activity/activityFile.ts';
import { Follower } from '../state/following/follower.ts';
import { OwnDeployments } from '../state/following/ownDeployments.ts';
import { Poller } from '../state/following/poller.ts';
import { PushedBuilds } from '../state/following/pushedBuilds.ts';
import { Scheduler } from '../state/following/scheduler.ts';
import { Agents } from '../state/lists/agents.ts';
import { Deployments } from '../state/lists/deployments.ts';
import { createListenerStore, type ListenerStore } from '../state/lists/listeners.ts';
import { Repositories } from '../state/lists/repositories.ts';
import { type Memory, withLoggedFailures } from '../state/memory.ts';
import { connectStores, tellFolders } from '../state/wiring.ts';
import { foldersOnDisk } from './window/files.ts';
import { createLog, type Log } from './window/log.ts';
import * as host from './window/settings.ts';
import { knownGitPath } from './workspace/gitExtension.ts';
import { RemoteAddresses } from './workspace/remoteAddresses.ts';
import type { LeftReview } from './deploy/reviewAndCreate.ts';

/** The state of the extension. Views read it, commands change it. */
export interface Stores {
  readonly clock: Clock;
  readonly log: Log;
  readonly workspaceMemory: Memory;
  readonly secrets: SecretStore;
  readonly localService: LocalService;
  readonly connections: Connections;
  readonly deployments: Deployments;
  readonly ownDeployments: OwnDeployments;
  readonly follower: Follower;
  readonly poller: Poller;
  readonly scheduler: Scheduler;
  readonly activity: Activity;
  readonly pushedBuilds: PushedBuilds;
  readonly lateCreates: LateCreates;
  readonly leftReviews: LeftReviews<LeftReview>;
  readonly listeners: ListenerStore;
  readonly repositories: Repositories;
  readonly agents: Agents;
  readonly remoteAddresses: RemoteAddresses;
}

/**
 * Creates the stores and connects them to the editor.
 * In Restricted Mode, it also tells a running local service which folders are open.
 */
export function createStores(context: vscode.ExtensionContext): Stores {
  const { workspaceState, secrets, subscriptions } = context;
  const { version }: { version: string } = context.extension.packageJSON;
  const clock = createSystemClock();
  const log = createLog();
  const workspaceMemory = withLoggedFailures(workspaceState, log);
  const localService = new LocalService({
    script: context.asAbsolutePath('dist/localService.js'),
    dataFolder: () => host.localServiceFolder(context.globalStorageUri),
    stepMilliseconds: host.stepMilliseconds,
    folders: () => foldersOnDisk().map(({ uri }) => uri.fsPath),
    isTrusted: () => vscode.workspace.isTrusted,
    gitPath: knownGitPath,
    clock,
    log,
  });
  const connections = new Connections({
    settings: host.connectionSettings(),
    network: host.networkSettings,
    // Looked up on each call, because VS Code replaces `fetch` after extensions are loaded.
    fetch: (...request) => globalThis.fetch(...request),
    userAgent: `deployment-manager/${version} vscode/${vscode.version}`,
    workspaceMemory,
    clock,
    secrets,
    localService,
    log,
  });
  const deployments = new Deployments({ connections, workspaceMemory, pageSize: host.pageSize, clock });
  const scheduler = new Scheduler(clock);
  const settings = host.followSettings;
  const poller = new Poller({ connections, deployments, settings, clock, scheduler });
  const remoteAddresses = new RemoteAddresses(context.extensionPath);
  const ownDeployments = new OwnDeployments({
    connections,
    deployments,
    workspaceMemory,
    clock,
    scheduler,
    repositories: async () => {
      // Loaded with the first search, to keep the start of VS Code fast.
      const { searchedRepositories } = await import('./workspace/searchedRepositories.ts');
      return searchedRepositories(remoteAddresses);
    },
    following: host.workspaceFollowing(),
    log,
  });
  const follower = new Follower({ poller, settings, workspaceMemory, clock });
  const file = activityFile(vscode.Uri.joinPath(context.globalStorageUri, 'activity.jsonl').fsPath);
  const activity = new Activity({ file, clock, log });
  const pushedBuilds = new PushedBuilds({ connections, deployments, follower, settings, clock, scheduler });
  const lateCreates = new LateCreates(clock, connections);
  const leftReviews = new LeftReviews<LeftReview>(clock);
  const listeners = createListenerStore({ connections, pageSize: host.pageSize, clock });
  const repositories = new Repositories({ connections, clock });
  const agents = new Agents({ connections, workspaceMemory, clock });
  const lists = { deployments, listeners, repositories, agents };
  const tellOfFolders = (): void =>
    void tellFolders({ connections, localService, repositories }, vscode.workspace.isTrusted);
  if (!vscode.workspace.isTrusted) tellOfFolders();
  const trust = vscode.workspace.onDidGrantWorkspaceTrust(tellOfFolders);
  const folders = vscode.workspace.onDidChangeWorkspaceFolders(tellOfFolders);
  subscriptions.push(
    trust,
    folders,
    connectStores({ connections, localService, deployments, follower, ownDeployments, poller, secrets }),
    log,
    localService,
  );
  subscriptions.push(
    connections,
    ...Object.values(lists),
    ownDeployments,
    follower,
    poller,
    pushedBuilds,
    lateCreates,
    leftReviews,
  );
  const services = { clock, log, workspaceMemory, secrets, localService, connections };
  return {
    ...services,
    ...lists,
    ownDeployments,
    follower,
    poller,
    scheduler,
    pushedBuilds,
    lateCreates,
    leftReviews,
    activity,
    remoteAddresses,
  };
}
