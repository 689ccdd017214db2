import type { FollowFacts } from '../../core/status/followWords.ts';
import { revisionStatusView, statusOf } from '../../core/status/status.ts';
import type { Answers, RevisionId } from '../answers/answers.ts';
import type { Clock } from '../clock.ts';
import { localConnectionName } from '../connections/connection.ts';
import type { LocalService } from '../connections/localService.ts';
import { Emitter, type Disposable } from '../emitter.ts';
import type { PresentConnection } from '../lists/listStore.ts';
import type { OwnDeployments, WorkspaceFollowing } from '../workspace/ownDeployments.ts';
import type { WorkspaceDeployments } from '../workspace/workspaceDeployments.ts';
import { followFacts, type ShownDeployment } from './followFacts.ts';
import type { Follower } from './follower.ts';
import type { Poller } from './poller.ts';

export interface ShownDependencies {
  readonly connections: PresentConnection;
  readonly answers: Pick<Answers, 'observe' | 'onDidChange'>;
  readonly ownDeployments: Pick<OwnDeployments, 'remembered' | 'onDidFind'>;
  readonly follower: Pick<Follower, 'find' | 'follow' | 'followed' | 'onDidChange' | 'stop'>;
  readonly poller: Pick<Poller, 'setShown'>;
  readonly workspaceDeployments: Pick<WorkspaceDeployments, 'own' | 'main' | 'onDidMark'>;
  readonly localService: Pick<LocalService, 'isStopped'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly following: WorkspaceFollowing;
}

/**
 * What the status bar and the list of follows show: what is followed, and how the workspace's own deployments rest.
 * Follows the latter as soon as they change. While none does, shows the main one, or all. What the user stopped or
 * dismissed stays so until the deployment has a newer revision.
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
    const look = (): void => this.#look();
    this.#subscriptions = [
      following.onDidChange(look),
      connections.onDidChange(look),
      answers.onDidChange(look),
      ownDeployments.onDidFind(look),
      workspaceDeployments.onDidMark(look),
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
    const { localService, workspaceDeployments } = this.#dependencies;
    const { own, main } = workspaceDeployments;
    return this.all.map((shown): FollowFacts => {
      const { connection, deploymentId, outcome } = shown;
      const isHere = connection === this.#present;
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

  get #present(): string | undefined {
    const { session } = this.#dependencies.connections;
    return session.kind === 'none' ? undefined : session.connection.name;
  }

  /** The connection whose own deployments count; undefined if none do. */
  get #connection(): string | undefined {
    const { connections, following } = this.#dependencies;
    return connections.session.kind === 'ready' && following.isOn() ? this.#present : undefined;
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

  #look(): void {
    const { answers, poller, workspaceDeployments } = this.#dependencies;
    this.#noteFollowed();
    const connection = this.#connection;
    const own = connection === undefined ? [] : [...(workspaceDeployments.own ?? [])];
    const observed = own.map((deploymentId) => ({ deploymentId, ...answers.observe(connection ?? '', deploymentId) }));
    const ids = observed.flatMap(({ deploymentId, deployment }) =>
      [deployment?.active_revision_id, deployment?.latest_revision_id].flatMap((revisionId) =>
        revisionId === undefined ? [] : [{ connection: connection ?? '', deploymentId, revisionId }],
      ),
    );
    const told = JSON.stringify(ids);
    // The poller looks at the whole list then, which would take too long after each answer.
    if (told !== this.#told) poller.setShown(ids, 'workspace');
    this.#told = told;
    for (const { deploymentId, revision } of observed) {
      if (revision !== undefined) this.#lastKnown.set(deploymentId, revision.id);
      if (revision !== undefined && isMoving(statusOf(revision)))
        this.#follow({ connection: connection ?? '', deploymentId, revisionId: revision.id });
    }
    this.#changed.fire();
  }

  #noteFollowed(): void {
    for (const { revisionId } of this.#dependencies.follower.followed) this.#followedOnce.add(revisionId);
  }

  /** A running follow continues with the newer revision by itself. */
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
