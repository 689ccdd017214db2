import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { systemClock } from './state/clock.ts';
import { Connections } from './state/connections.ts';
import { Deployments } from './state/deployments.ts';
import { Follower } from './state/follower.ts';
import { LocalService } from './state/localService.ts';
import { RevisionWatch } from './state/revisionWatch.ts';
import { watchAttention } from './ui/attention.ts';
import { registerCommands } from './ui/commands/index.ts';
import { createContextKeys } from './ui/contextKeys.ts';
import * as host from './ui/host.ts';
import { createNotifications } from './ui/notifications.ts';
import { createStatusBar } from './ui/statusBar.ts';
import { DeploymentsView } from './ui/tree/deploymentsView.ts';

/** Creates what the extension is made of and connects it; nothing is asked of a service here. */
export function activate(context: vscode.ExtensionContext): void {
  if (vscode.l10n.bundle !== undefined) l10n.config({ contents: vscode.l10n.bundle });
  const log = vscode.window.createOutputChannel('Deployment Manager', { log: true });
  const { workspaceState: workspaceMemory, secrets } = context;
  const clock = systemClock;
  const localService = new LocalService({
    script: context.asAbsolutePath('dist/localService.js'),
    dataFolder: () => host.localServiceFolder(context.globalStorageUri),
    stepMilliseconds: host.stepMilliseconds,
    repositories: host.localFolders,
    log,
  });
  const connections = new Connections({
    settings: host.connectionSettings(),
    network: host.networkSettings,
    fetch: (...request) => globalThis.fetch(...request),
    workspaceMemory,
    secrets,
    localService,
    log,
  });
  const deployments = new Deployments({ connections, pageSize: host.pageSize, clock });
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
  const deploymentsView = new DeploymentsView({ connections, deployments, follower, revisionWatch, clock, log });
  context.subscriptions.push(
    log,
    localService,
    connections,
    deployments,
    follower,
    revisionWatch,
    deploymentsView,
    createContextKeys(connections, deployments),
    createStatusBar({ follower, deployments, clock }),
    createNotifications({ follower, deployments, clock }),
    watchAttention({ follower, revisionWatch, deploymentsView }),
    connections.onDidChange(() => follower.retry()),
    registerCommands({ clock, log, secrets, connections, localService, deployments, follower, deploymentsView }),
  );
  void connections.reload().then(() => follower.resume());
}
