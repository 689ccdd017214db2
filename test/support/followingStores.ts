import type { Clock } from '../../src/state/clock.ts';
import { Follower } from '../../src/state/following/follower.ts';
import type { NamedClients } from '../../src/state/following/poll.ts';
import { Poller } from '../../src/state/following/poller.ts';
import { Scheduler } from '../../src/state/following/scheduler.ts';
import { Deployments } from '../../src/state/lists/deployments.ts';
import type { PresentConnection } from '../../src/state/lists/listStore.ts';
import type { Memory } from '../../src/state/memory.ts';
import { OwnDeployments, type WorkspaceFollowing } from '../../src/state/workspace/ownDeployments.ts';
import { searchDeployments, type SearchedRepository } from '../../src/state/workspace/searchDeployments.ts';
import { testAnswers, type TestAnswers } from './answers.ts';

/** What a test may replace in a window. */
interface ListingOptions {
  readonly connections: PresentConnection;
  readonly clock: Clock;
  readonly workspaceMemory: Memory;
  readonly pageSize?: number;
  readonly repositories?: () => Promise<readonly SearchedRepository[]>;
  readonly following?: WorkspaceFollowing;
}

interface FollowingOptions extends ListingOptions {
  readonly connections: PresentConnection & NamedClients;
  readonly settings?: { minMilliseconds: number; maxMilliseconds: number; giveUpMilliseconds: number };
}

/** The stores of a window that list deployments. */
interface ListingStores extends TestAnswers {
  readonly deployments: Deployments;
  readonly ownDeployments: OwnDeployments;
  readonly scheduler: Scheduler;
  dispose(): void;
}

/** The stores of a window that ask the service about deployments, connected as the extension connects them. */
export interface FollowingStores extends ListingStores {
  readonly poller: Poller;
  readonly follower: Follower;
}

export function listingStores({
  connections,
  clock,
  workspaceMemory,
  pageSize = 20,
  repositories = async () => [],
  following = { isOn: () => false, onDidChange: () => ({ dispose: () => undefined }) },
}: ListingOptions): ListingStores {
  const told = testAnswers({ workspaceMemory, clock });
  const { answers } = told;
  const deployments = new Deployments({ connections, answers, workspaceMemory, pageSize: () => pageSize, clock });
  const scheduler = new Scheduler(clock);
  const ownDeployments = new OwnDeployments({
    connections,
    answers,
    deployments,
    workspaceMemory,
    clock,
    scheduler,
    repositories,
    search: searchDeployments,
    following,
    log: { debug: () => undefined },
  });
  return {
    ...told,
    deployments,
    ownDeployments,
    scheduler,
    dispose: () => {
      for (const store of [ownDeployments, deployments, answers]) store.dispose();
    },
  };
}

export function followingStores(options: FollowingOptions): FollowingStores {
  const { connections, clock, workspaceMemory } = options;
  const { settings = { minMilliseconds: 2_000, maxMilliseconds: 30_000, giveUpMilliseconds: 3_600_000 } } = options;
  const listing = listingStores(options);
  const poller = new Poller({ ...listing, connections, settings: () => settings, clock });
  const follower = new Follower({ ...listing, poller, settings: () => settings, workspaceMemory });
  return {
    ...listing,
    poller,
    follower,
    dispose: () => {
      for (const store of [follower, poller, listing]) store.dispose();
    },
  };
}
