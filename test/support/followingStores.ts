import type { Answers } from '../../src/state/answers/answers.ts';
import type { Clock } from '../../src/state/clock.ts';
import type { Rename } from '../../src/state/connections/connectionMemory.ts';
import type { Emitter, Disposable } from '../../src/state/emitter.ts';
import { Follower } from '../../src/state/following/follower.ts';
import { OwnDeployments } from '../../src/state/workspace/ownDeployments.ts';
import type { NamedClients } from '../../src/state/following/poll.ts';
import { Poller } from '../../src/state/following/poller.ts';
import { Scheduler } from '../../src/state/following/scheduler.ts';
import { Deployments } from '../../src/state/lists/deployments.ts';
import type { PresentConnection } from '../../src/state/lists/listStore.ts';
import type { Memory } from '../../src/state/memory.ts';
import { searchDeployments } from '../../src/state/workspace/searchDeployments.ts';
import { testAnswers } from './answers.ts';

/** What a test may replace in a window. */
export interface FollowingOptions {
  readonly connections: PresentConnection & NamedClients;
  readonly clock: Clock;
  readonly workspaceMemory: Memory;
  readonly settings?: { minMilliseconds: number; maxMilliseconds: number; giveUpMilliseconds: number };
  readonly pageSize?: number;
}

/** The stores of a window that ask the service about deployments, connected as the extension connects them. */
export interface FollowingStores extends Disposable {
  readonly answers: Answers;
  readonly deployments: Deployments;
  readonly ownDeployments: OwnDeployments;
  readonly scheduler: Scheduler;
  readonly poller: Poller;
  readonly follower: Follower;
  /** A connection was changed, with the name of its connection. */
  readonly replaced: Emitter<string>;
  readonly renamed: Emitter<Rename>;
}

export function followingStores(options: FollowingOptions): FollowingStores {
  const { connections, clock, workspaceMemory } = options;
  const { settings = { minMilliseconds: 2_000, maxMilliseconds: 30_000, giveUpMilliseconds: 3_600_000 } } = options;
  const { answers, replaced, renamed } = testAnswers({ workspaceMemory, clock });
  const deployments = new Deployments({
    connections,
    answers,
    workspaceMemory,
    pageSize: () => options.pageSize ?? 20,
    clock,
  });
  const scheduler = new Scheduler(clock);
  const ownDeployments = new OwnDeployments({
    connections,
    answers,
    deployments,
    workspaceMemory,
    clock,
    scheduler,
    repositories: async () => [],
    search: searchDeployments,
    following: { isOn: () => false, onDidChange: () => ({ dispose: () => undefined }) },
    log: { debug: () => undefined },
  });
  const poller = new Poller({
    connections,
    answers,
    deployments,
    ownDeployments,
    settings: () => settings,
    clock,
    scheduler,
  });
  const follower = new Follower({ answers, poller, settings: () => settings, workspaceMemory });
  return {
    answers,
    deployments,
    ownDeployments,
    scheduler,
    poller,
    follower,
    replaced,
    renamed,
    dispose: () => {
      for (const store of [follower, poller, ownDeployments, deployments, answers]) store.dispose();
    },
  };
}
