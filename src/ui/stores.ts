import * as vscode from 'vscode';
import { Answers } from '../state/answers/answers.ts';
import { createSystemClock } from '../state/clock.ts';
import { Capabilities } from '../state/connections/capabilities.ts';
import { Connections } from '../state/connections/connections.ts';
import { LocalService } from '../state/connections/localService.ts';
import { Follower } from '../state/following/follower.ts';
import { Poller } from '../state/following/poller.ts';
import { PushedBuilds } from '../state/following/pushedBuilds.ts';
import { Scheduler } from '../state/following/scheduler.ts';
import { Agents } from '../state/lists/agents.ts';
import { Deployments } from '../state/lists/deployments.ts';
import { createListenerStore } from '../state/lists/listStore.ts';
import { Repositories } from '../state/lists/repositories.ts';
import { withLoggedFailures } from '../state/memory.ts';
import { OwnDeployments } from '../state/workspace/ownDeployments.ts';
import { WorkspaceDeployments } from '../state/workspace/workspaceDeployments.ts';
import { foldersOnDisk } from './window/files.ts';
import { createLog } from './window/log.ts';
import * as host from './window/settings.ts';
import { knownGitPath } from './workspace/gitExtension.ts';
import { RemoteAddresses } from './workspace/openRemotes.ts';
import { parts } from './parts.ts';

/** The state of the extension. Views read it, commands change it. */
export type Stores = Readonly<ReturnType<typeof createStores>>;

/** Creates the stores and connects them to the editor. */
export function createStores(context: vscode.ExtensionContext) {
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
    secrets,
    localService,
    log,
  });
  const capabilities = new Capabilities(connections);
  const answers = new Answers({ connections, workspaceMemory, clock });
  const deployments = new Deployments({ connections, answers, workspaceMemory, pageSize: host.pageSize, clock });
  const scheduler = new Scheduler(clock);
  const settings = host.followSettings;
  const remoteAddresses = new RemoteAddresses(
    async () => new (await parts.background()).RealRemotes(context.extensionPath),
    log,
  );
  const ownDeployments = new OwnDeployments({
    connections,
    answers,
    deployments,
    workspaceMemory,
    clock,
    scheduler,
    repositories: async () => (await parts.background()).searchedRepositories(remoteAddresses),
    search: async (...asked) => (await parts.background()).searchDeployments(...asked),
    following: host.workspaceFollowing(),
    log,
  });
  const workspaceDeployments = new WorkspaceDeployments({ connections, ownDeployments, workspaceMemory });
  const poller = new Poller({ connections, answers, deployments, ownDeployments, settings, clock, scheduler });
  const follower = new Follower({ answers, poller, settings, workspaceMemory });
  const pushedBuilds = new PushedBuilds({ answers, poller, follower, workspaceMemory, clock });
  const listeners = createListenerStore({ connections, pageSize: host.pageSize, clock });
  const repositories = new Repositories({ connections, clock });
  const agents = new Agents({ connections, workspaceMemory, clock });
  const disposables = {
    log,
    localService,
    connections,
    capabilities,
    answers,
    deployments,
    listeners,
    repositories,
    agents,
    ownDeployments,
    workspaceDeployments,
    follower,
    poller,
    pushedBuilds,
    remoteAddresses,
  };
  subscriptions.push(...Object.values(disposables));
  const uploadsFolder = vscode.Uri.joinPath(context.globalStorageUri, 'uploads').fsPath;
  /** How deployments differ from open files. By the URI of a file, then by the IDs of a deployment and its latest revision. */
  const fileMarks = new Map<string, ReadonlyMap<string, string>>();
  return { ...disposables, clock, workspaceMemory, secrets, scheduler, uploadsFolder, fileMarks };
}
