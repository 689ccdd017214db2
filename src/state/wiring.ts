import type { Answers } from './answers/answers.ts';
import type { Connections } from './connections/connections.ts';
import type { SecretStore } from './connections/storedKeys.ts';
import { renameStoredSecrets } from './deploying/storedSecrets.ts';
import { localConnectionName } from './connections/connection.ts';
import type { LocalService } from './connections/localService.ts';
import { combined, type Disposable } from './emitter.ts';
import type { Follower } from './following/follower.ts';
import type { OwnDeployments } from './workspace/ownDeployments.ts';
import type { Poller } from './following/poller.ts';
import type { PushedBuilds } from './following/pushedBuilds.ts';
import type { Deployments } from './lists/deployments.ts';
import { isUnasked } from './lists/pagedList.ts';
import type { Repositories } from './lists/repositories.ts';

interface WiredStores {
  readonly connections: Pick<Connections, 'session' | 'find' | 'isNameTaken' | 'onDidRead' | 'onDidRename'>;
  readonly localService: Pick<LocalService, 'onDidChange'>;
  readonly answers: Pick<Answers, 'onDidChange'>;
  readonly deployments: Pick<Deployments, 'state' | 'refresh'>;
  readonly follower: Pick<Follower, 'followed' | 'forget' | 'followNewer' | 'rename'>;
  readonly ownDeployments: Pick<OwnDeployments, 'retry'>;
  readonly poller: Pick<Poller, 'retry' | 'askAgain'>;
  readonly pushedBuilds: Pick<PushedBuilds, 'rename'>;
  readonly secrets: SecretStore;
}

/**
 * Connects the stores by rules that no single store knows.
 * The poller reads the list's entries, and the list stores follow the connection; those links are made where the stores
 * are created.
 */
export function connectStores(stores: WiredStores): Disposable {
  const { connections, localService, answers, deployments, follower, ownDeployments, poller, pushedBuilds, secrets } =
    stores;
  return combined([
    // Follow a deployment again when its record names a newer revision.
    answers.onDidChange(({ connection, deploymentIds }) => {
      for (const id of deploymentIds) void follower.followNewer(connection, id);
    }),
    // A key or a connection may have changed, even one that this workspace didn't select.
    connections.onDidRead(() => {
      poller.retry();
      ownDeployments.retry();
      // Nothing polls what has ended, so no failed poll says that its connection was removed.
      for (const { connection: name, outcome } of follower.followed) {
        const isKnown = connections.find(name) !== undefined || connections.isNameTaken(name);
        if (outcome !== undefined && !isKnown) void follower.forget(name);
      }
    }),
    connections.onDidRename((rename) => {
      pushedBuilds.rename(rename);
      void follower.rename(rename.from, rename.to);
    }),
    // Every place says at once that the local service is stopped or answers again.
    localService.onDidChange(() => {
      poller.askAgain(localConnectionName);
      ownDeployments.retry();
      const { session } = connections;
      const isListed = session.kind === 'ready' && session.connection.kind === 'local';
      if (isListed && !isUnasked(deployments.state)) void deployments.refresh();
    }),
    // What can't be moved stays listed under the old name.
    connections.onDidRename((rename) => void renameStoredSecrets(secrets, rename).catch(() => undefined)),
  ]);
}

interface StoresOfFolders {
  readonly connections: Pick<Connections, 'session'>;
  readonly localService: Pick<LocalService, 'tellFolders'>;
  readonly repositories: Pick<Repositories, 'refreshLoaded'>;
}

/** Tells the local service which folders are open, because it lists their repositories. */
export async function tellFolders(
  { connections, localService, repositories }: StoresOfFolders,
  isTrusted: boolean,
): Promise<void> {
  const { session } = connections;
  const isUsed = session.kind === 'ready' && session.connection.kind === 'local';
  // A service used only by other windows gets no trusted folders, but must not run git in restricted ones.
  if (isTrusted && !isUsed) return;
  await localService.tellFolders();
  await repositories.refreshLoaded();
}
