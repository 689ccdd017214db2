import type { FollowFacts } from '../../core/status/followWords.ts';
import { revisionCommit } from '../../core/resources/webPages.ts';
import { madeFrom, revisionTitle } from '../../core/status/rowWords.ts';
import { revisionStatusView, statusOf } from '../../core/status/status.ts';
import { verdict } from '../../core/status/verdict.ts';
import type { Answers, RevisionId } from '../answers/answers.ts';
import { toWallTime, type Clock } from '../clock.ts';
import { localConnectionName } from '../connections/connection.ts';
import type { LocalService } from '../connections/localService.ts';
import { connectionNameOf } from '../connections/session.ts';
import { Emitter, type Disposable } from '../emitter.ts';
import type { PresentConnection } from '../lists/listStore.ts';
import type { OwnDeployments, WorkspaceFollowing } from '../workspace/ownDeployments.ts';
import type { WorkspaceDeployments } from '../workspace/workspaceDeployments.ts';
import type { Followed, Follower } from './follower.ts';
import { refusalIn } from './poll.ts';
import type { Poller } from './poller.ts';

/** What is shown of a deployment beside the answers about it: a follow, or one of the workspace's own at rest. */
export interface ShownDeployment
  extends RevisionId, Pick<Followed, 'skipped' | 'promised' | 'failures' | 'error' | 'outcome' | 'isSeen'> {
  /** Nobody follows it. */
  readonly rests?: true;
}

interface ShownDependencies {
  readonly connections: PresentConnection;
  readonly answers: Pick<Answers, 'observe' | 'onDidChange' | 'onDidDrop'>;
  readonly ownDeployments: Pick<OwnDeployments, 'remembered' | 'onDidFind'>;
  readonly follower: Pick<Follower, 'find' | 'follow' | 'followed' | 'onDidChange' | 'stop'>;
  readonly poller: Pick<Poller, 'setShown'>;
  readonly workspaceDeployments: Pick<WorkspaceDeployments, 'own' | 'main' | 'onDidMark'>;
  readonly localService: Pick<LocalService, 'isStopped'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly following: WorkspaceFollowing;
}

/**
 * What the status bar and the list of follows show: all follows, and the workspace's own deployments that nobody follows.
 * An own deployment is followed as soon as it is in progress. At rest, only the main one is shown, or all if none is
 * the main one. What the user stopped or dismissed isn't shown again until the deployment has a newer revision.
 */
export class ShownDeployments {
  readonly #dependencies: ShownDependencies;
  /** The revisions that were followed since the window opened. */
  readonly #followedOnce = new Set<string>();
  readonly #dismissed = new Set<string>();
  /** The newest revision of each own deployment that there was an answer about: it rests until there is one about the next. */
  readonly #lastKnown = new Map<string, string>();
  /** What the poller was told that the workspace shows. */
  #told = '[]';
  readonly #changed = new Emitter<void>();
  readonly #subscriptions: readonly Disposable[];

  readonly onDidChange = this.#changed.event;

  constructor(dependencies: ShownDependencies) {
    this.#dependencies = dependencies;
    const { connections, answers, follower, ownDeployments, workspaceDeployments, following } = dependencies;
    const update = (): void => this.#update();
    this.#subscriptions = [
      following.onDidChange(update),
      connections.onDidChange(update),
      answers.onDidChange(update),
      answers.onDidDrop(update),
      ownDeployments.onDidFind(update),
      workspaceDeployments.onDidMark(update),
      follower.onDidChange(() => {
        this.#noteFollowed();
        this.#changed.fire();
      }),
    ];
  }

  /** Running follows and ended ones that weren't dismissed yet, the newest first, and then what rests. */
  get all(): readonly ShownDeployment[] {
    const { follower, workspaceDeployments, ownDeployments } = this.#dependencies;
    const connection = this.#connection;
    if (connection === undefined) return follower.followed;
    const { main } = workspaceDeployments;
    // Until git has been asked, those of the last window count.
    const ids = main === undefined ? (workspaceDeployments.own ?? ownDeployments.remembered) : [main];
    return [...follower.followed, ...[...ids].flatMap((id) => this.#restingOf(connection, id) ?? [])];
  }

  find(connection: string, deploymentId: string): ShownDeployment | undefined {
    return this.all.find((shown) => shown.connection === connection && shown.deploymentId === deploymentId);
  }

  /** Stops a follow, or no longer shows what has ended or rests; nothing is sent to the service. */
  async dismiss({ connection, deploymentId, revisionId, rests }: ShownDeployment): Promise<void> {
    if (rests !== true) return this.#dependencies.follower.stop(connection, deploymentId);
    this.#dismissed.add(revisionId);
    this.#changed.fire();
  }

  /** The facts about all, and which of them are the workspace's own. */
  get facts(): readonly FollowFacts[] {
    const { connections, localService, workspaceDeployments } = this.#dependencies;
    const { own, main } = workspaceDeployments;
    return this.all.map((shown): FollowFacts => {
      const { connection, deploymentId, outcome } = shown;
      const isHere = connection === connectionNameOf(connections.session);
      const place = deploymentId === main ? 'main' : 'other';
      // Nothing polls what has ended, so no failed poll says that the service is stopped.
      const isStopped = outcome !== undefined && connection === localConnectionName && localService.isStopped;
      return {
        ...followFacts(shown, this.#dependencies),
        ...(isHere && own?.has(deploymentId) === true ? { own: place } : {}),
        ...(isStopped ? { refusal: 'stopped' } : {}),
      };
    });
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#changed.dispose();
  }

  /** The connection whose own deployments count; undefined if none do. */
  get #connection(): string | undefined {
    const { session } = this.#dependencies.connections;
    return session.kind === 'ready' && this.#dependencies.following.isOn() ? session.connection.name : undefined;
  }

  #restingOf(connection: string, deploymentId: string): ShownDeployment | undefined {
    const { answers, follower } = this.#dependencies;
    if (follower.find(connection, deploymentId) !== undefined) return undefined;
    const latest = answers.observe(connection, deploymentId);
    const isKnown = latest.revision !== undefined || latest.stored !== undefined;
    const { revisionId, revision, deployment, stored } = isKnown
      ? latest
      : answers.observe(connection, deploymentId, this.#lastKnown.get(deploymentId));
    if (revisionId === undefined || this.#followedOnce.has(revisionId) || this.#dismissed.has(revisionId))
      return undefined;
    const status = revision !== undefined && deployment !== undefined ? statusOf(revision) : stored?.status;
    if (status === undefined || isMoving(status)) return undefined;
    return { connection, deploymentId, revisionId, failures: 0, outcome: 'ended', isSeen: true, rests: true };
  }

  #update(): void {
    const { answers, poller, workspaceDeployments } = this.#dependencies;
    this.#noteFollowed();
    const connection = this.#connection;
    const own = workspaceDeployments.own ?? [];
    const observed =
      connection === undefined
        ? []
        : [...own].map((id) => ({ connection, deploymentId: id, ...answers.observe(connection, id) }));
    const ids = observed.flatMap(({ connection, deploymentId, deployment }) =>
      [deployment?.active_revision_id, deployment?.latest_revision_id].flatMap((revisionId) =>
        revisionId === undefined ? [] : [{ connection, deploymentId, revisionId }],
      ),
    );
    const told = JSON.stringify(ids);
    // The poller looks at the whole list then, which would take too long after each answer.
    if (told !== this.#told) poller.setShown(ids, 'workspace');
    this.#told = told;
    for (const { connection, deploymentId, revision } of observed) {
      if (revision === undefined) continue;
      this.#lastKnown.set(deploymentId, revision.id);
      if (isMoving(statusOf(revision))) this.#follow({ connection, deploymentId, revisionId: revision.id });
    }
    this.#changed.fire();
  }

  #noteFollowed(): void {
    for (const { revisionId } of this.#dependencies.follower.followed) this.#followedOnce.add(revisionId);
  }

  /** Follows a revision once in this window, unless its deployment is followed: that follow goes on with newer ones. */
  #follow(id: RevisionId): void {
    const { follower } = this.#dependencies;
    const followed = follower.find(id.connection, id.deploymentId);
    if (this.#followedOnce.has(id.revisionId) || (followed !== undefined && followed.outcome === undefined)) return;
    this.#followedOnce.add(id.revisionId);
    void follower.follow(id);
  }
}

function isMoving(status: string): boolean {
  return revisionStatusView(status).phase === 'working';
}

/** The known facts about a deployment that is followed or shown. */
export function followFacts(
  { connection, deploymentId, revisionId, skipped, promised, failures, error, outcome, isSeen, rests }: ShownDeployment,
  { answers, clock }: { readonly answers: Pick<Answers, 'observe'>; readonly clock: Pick<Clock, 'monotonic'> },
): FollowFacts {
  const observed = answers.observe(connection, deploymentId, revisionId);
  const { deployment, revision, active, since, stored } = observed;
  const now = clock.monotonic();
  const found = verdict(observed);
  const answeredAt = found.asOf ?? observed.revisionAt ?? stored?.at;
  return {
    name: deployment?.name ?? stored?.name ?? deploymentId,
    connection,
    verdict: found,
    inPhase: since === undefined ? 0 : now - since,
    sinceAnswer: answeredAt === undefined ? undefined : now - answeredAt,
    storedStatus: stored?.status,
    reason: revision?.status_message,
    live: active && madeFrom(active),
    skipped: skipped && revisionTitle(skipped),
    promised,
    built: revisionCommit(revision),
    failures,
    // A refused follow is paused until the key or the connection changes, or the local service is started.
    refusal: outcome === undefined ? refusalIn(error) : undefined,
    outcome,
    isSeen,
    rests,
  };
}

/** Times of a follow in wall time, in milliseconds; each is undefined while it isn't known. */
interface FollowTimes {
  /** Since when the revision has had its status. */
  readonly since: number | undefined;
  /** When the service answered last, also to an earlier window. */
  readonly checkedAt: number | undefined;
  readonly nextCheckAt: number | undefined;
}

/** When a shown revision got its status, and when it was and will be checked. */
export function followTimes(
  { connection, deploymentId, revisionId, outcome }: ShownDeployment,
  {
    answers,
    poller,
    clock,
  }: {
    readonly answers: Pick<Answers, 'observe'>;
    readonly poller: Pick<Poller, 'nextPollAt'>;
    readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  },
): FollowTimes {
  const { since, revisionAt, stored } = answers.observe(connection, deploymentId, revisionId);
  // One that is due waits for a free request or the next turn.
  const plannedAt = outcome === undefined ? poller.nextPollAt({ connection, deploymentId, revisionId }) : undefined;
  const toWall = (at: number | undefined): number | undefined => (at === undefined ? undefined : toWallTime(clock, at));
  return {
    since: toWall(since),
    checkedAt: toWall(revisionAt ?? stored?.at),
    nextCheckAt: toWall(plannedAt && Math.max(plannedAt, clock.monotonic())),
  };
}
