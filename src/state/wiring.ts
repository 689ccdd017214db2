import type { Connections } from './connections/connections.ts';
import type { SecretStore } from './connections/storedKeys.ts';
import type { LocalService } from './connections/localService.ts';
import { renameStoredSecrets } from './deploying/storedSecrets.ts';
import type { Disposable } from './emitter.ts';
import type { Follower } from './following/follower.ts';
import type { Poller } from './following/poller.ts';
import type { Deployments } from './lists/deployments.ts';
import type { Repositories } from './lists/repositories.ts';

export interface WiredStores {
  readonly connections: Pick<Connections, 'session' | 'onDidRead' | 'onDidRename'>;
  readonly deployments: Pick<Deployments, 'find' | 'onDidChange'>;
  readonly follower: Pick<Follower, 'takeUpNewer' | 'rename'>;
  readonly poller: Pick<Poller, 'retry'>;
  readonly secrets: SecretStore;
}

/**
 * Connects the stores by rules that no single store knows.
 * The poller reads the list's entries, and the list stores follow the connection; those links are made where the stores
 * are created.
 */
export function connectStores({ connections, deployments, follower, poller, secrets }: WiredStores): Disposable {
  const rules = [
    // Follow a deployment again when the list learns of a newer revision.
    deployments.onDidChange(() => {
      const { session } = connections;
      if (session.kind !== 'ready') return;
      void follower.takeUpNewer(session.connection.name, (id) => deployments.find(id));
    }),
    // A key or a connection may have changed, even one that this workspace didn't select.
    connections.onDidRead(() => poller.retry()),
    connections.onDidRename(({ from, to }) => void follower.rename(from, to)),
    // What can't be moved stays listed under the old name.
    connections.onDidRename((rename) => void renameStoredSecrets(secrets, rename).catch(() => undefined)),
  ];
  return {
    dispose: () => {
      for (const rule of rules) rule.dispose();
    },
  };
}

export interface StoresOfFolders {
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
