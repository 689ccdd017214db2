import type { Deployment } from '../../api/resources/deployments.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { hasEnded, nextPollDelay } from '../../core/status/pollDelay.ts';
import { revisionStatusView } from '../../core/status/status.ts';
import type { Clock } from '../clock.ts';
import type { ReadySession, Session } from '../connections/connections.ts';
import { Emitter, type Disposable, type Event } from '../emitter.ts';
import type { Deployments } from '../lists/deployments.ts';
import { readableRows } from '../lists/pagedList.ts';
import type { Attention, Follower, FollowSettings } from './follower.ts';
import type { FollowId } from './storedFollows.ts';

export interface RevisionWatchDependencies {
  readonly connections: { readonly session: Session; readonly onDidChange: Event<Session> };
  readonly deployments: Deployments;
  readonly follower: Follower;
  readonly settings: () => FollowSettings;
  readonly clock: Clock;
}

/** A revision that a row of the list needs: asked for once, and again for as long as it moves. */
interface Watched {
  readonly deploymentId: string;
  /** Since when it has its present status, in monotonic time: as the service says, later as it was seen. */
  since: number;
  status: string | undefined;
  /** In monotonic time. */
  dueAt: number | undefined;
  failures: number;
  isAsked: boolean;
}

/** A question about a revision that brought no answer; what is known of it stays. */
export interface FailedWatch extends FollowId {
  readonly error: unknown;
}

const parallelRequests = 8;

/**
 * Completes the rows of the deployment list. A record carries no revision statuses, so that for each loaded row the
 * active revision is asked for once, and the latest one, where it is another, until it ends. What a document shows is
 * asked for in the same way, whether or not the list has it. Nothing is asked for what nobody looks at; what is followed
 * is left to the follower.
 */
export class RevisionWatch {
  readonly #dependencies: RevisionWatchDependencies;
  readonly #subscriptions: readonly Disposable[];
  /** By the id of the revision: those of documents, and then in the order of the rows. */
  #watched: ReadonlyMap<string, Watched> = new Map();
  readonly #failed = new Emitter<FailedWatch>();
  #shown: readonly FollowId[] = [];
  #attention: Attention = { focused: false, visible: false };
  #loadedAt: number | undefined;
  #running = 0;
  #abort = new AbortController();
  #timer: Disposable | undefined;
  #disposed = false;

  readonly onDidFail = this.#failed.event;

  constructor(dependencies: RevisionWatchDependencies) {
    this.#dependencies = dependencies;
    this.#subscriptions = [
      dependencies.connections.onDidChange(() => this.#restart()),
      dependencies.deployments.onDidChange(({ kind }) => {
        if (kind === 'list') this.#look();
      }),
    ];
  }

  /** Since when a moving revision has its status, in monotonic time; undefined for one that is not watched. */
  since(revisionId: string): number | undefined {
    return this.#watched.get(revisionId)?.since;
  }

  setAttention(attention: Attention): void {
    this.#attention = attention;
    this.#look();
  }

  /** Watches the revisions that documents on the screen show, in place of those of before. */
  setShown(shown: readonly FollowId[]): void {
    this.#shown = shown;
    this.#look();
  }

  dispose(): void {
    this.#disposed = true;
    this.#failed.dispose();
    this.#abort.abort();
    this.#timer?.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #restart(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#running = 0;
    this.#watched = new Map();
    this.#loadedAt = undefined;
    this.#timer?.dispose();
  }

  /** Finds out what the loaded rows need, and asks for what is due. */
  #look(): void {
    const { deployments, clock } = this.#dependencies;
    const now = clock.monotonic();
    const isRefreshed = deployments.state.monotonicLoadedAt !== this.#loadedAt;
    this.#loadedAt = deployments.state.monotonicLoadedAt;
    const needed = new Map<string, string>();
    for (const { deploymentId, revisionId } of this.#shownHere()) {
      if (this.#moves(revisionId) && !this.#isFollowed(deploymentId, revisionId)) needed.set(revisionId, deploymentId);
    }
    for (const deployment of readableRows(deployments.state.rows)) {
      for (const id of this.#revisionsOf(deployment)) needed.set(id, deployment.id);
    }
    // Made anew, so that what is asked for first is what a person sees first, also after rows came on top.
    const watched = new Map<string, Watched>();
    for (const [id, deploymentId] of needed) {
      const known = this.#watched.get(id);
      if (known !== undefined && isRefreshed && !known.isAsked) known.dueAt = now;
      const status = deployments.revision(id)?.status;
      watched.set(id, known ?? { deploymentId, since: now, status, dueAt: now, failures: 0, isAsked: false });
    }
    this.#watched = watched;
    this.#askDue();
  }

  /** The revisions of a row that are not known yet, or that still move and are followed by nobody. */
  #revisionsOf({ id, active_revision_id: active, latest_revision_id: latest }: Deployment): readonly string[] {
    const { deployments } = this.#dependencies;
    const ids: string[] = [];
    if (active !== undefined && deployments.revision(active) === undefined) ids.push(active);
    if (latest !== undefined && latest !== active && !this.#isFollowed(id, latest) && this.#moves(latest)) {
      ids.push(latest);
    }
    return ids;
  }

  #isFollowed(deploymentId: string, revisionId: string): boolean {
    const { follower, connections } = this.#dependencies;
    const { session } = connections;
    const followed = session.kind === 'none' ? undefined : follower.find(session.connection.name, deploymentId);
    return followed?.revisionId === revisionId && followed.outcome === undefined;
  }

  /** What is shown of the present connection. */
  #shownHere(): readonly FollowId[] {
    const { session } = this.#dependencies.connections;
    return session.kind === 'none'
      ? []
      : this.#shown.filter(({ connection }) => connection === session.connection.name);
  }

  /** Whether a row of the list or a document that shows the revision is on the screen. */
  #isVisible(id: string): boolean {
    return this.#attention.visible || this.#shownHere().some(({ revisionId }) => revisionId === id);
  }

  #moves(revisionId: string): boolean {
    const { deployments, clock } = this.#dependencies;
    const revision = deployments.revision(revisionId);
    if (revision === undefined) return true;
    const { phase } = revisionStatusView(revision.status ?? 'UNKNOWN');
    const since = this.#watched.get(revisionId)?.since ?? clock.monotonic();
    return !hasEnded(phase, clock.monotonic() - since);
  }

  #askDue(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    const { clock, connections } = this.#dependencies;
    const { session } = connections;
    if (session.kind !== 'ready' || !this.#attention.focused) return;
    const now = clock.monotonic();
    const seen = [...this.#watched].filter(([id]) => this.#isVisible(id));
    for (const [id, watched] of seen) {
      if (this.#running >= parallelRequests) return;
      if (!watched.isAsked && watched.dueAt !== undefined && watched.dueAt <= now) {
        void this.#ask(id, watched, session);
      }
    }
    const waiting = seen.flatMap(([, { isAsked, dueAt }]) => (isAsked || dueAt === undefined ? [] : [dueAt]));
    if (waiting.length === 0) return;
    this.#timer = clock.schedule(() => this.#look(), Math.max(0, Math.min(...waiting) - now));
  }

  async #ask(id: string, watched: Watched, session: ReadySession): Promise<void> {
    const { deployments, clock } = this.#dependencies;
    const connection = session.connection.name;
    const { signal } = this.#abort;
    this.#running += 1;
    watched.isAsked = true;
    try {
      const service = await session.client();
      const revision = await service.revisions.get(watched.deploymentId, id, { signal });
      const isFirst = watched.status === undefined;
      const hadMoved = watched.status !== undefined && watched.status !== revision.status;
      if (isFirst) watched.since = clock.monotonic() - millisecondsSinceChange(revision, clock.now());
      else if (hadMoved) watched.since = clock.monotonic();
      watched.status = revision.status;
      watched.failures = 0;
      this.#plan(id, watched, revision.status ?? 'UNKNOWN');
      // Only the record says what is live, so that it is asked for when a movement came to its end, also to one that
      // came between the record and this answer.
      const isNews = hadMoved || (isFirst && this.#isLiveUnknown(watched.deploymentId, revision));
      const record =
        isNews && watched.dueAt === undefined
          ? await service.deployments.find(watched.deploymentId, { signal })
          : undefined;
      if (signal.aborted) return;
      deployments.update(watched.deploymentId, record, revision);
    } catch (error) {
      // The row keeps what it had; the list itself says when the service cannot be reached.
      watched.failures += 1;
      if (watched.status === undefined) watched.dueAt = undefined;
      else this.#plan(id, watched, watched.status);
      if (!signal.aborted) {
        this.#failed.fire({ connection, deploymentId: watched.deploymentId, revisionId: id, error });
      }
    } finally {
      watched.isAsked = false;
      // What was asked before a change of connection is not counted any more.
      if (!signal.aborted) this.#running -= 1;
    }
    // Also after a change of connection: what waits there was not asked for while all requests were taken.
    if (!this.#disposed) this.#look();
  }

  /** Whether a revision went live that the record, as it is known here, does not name as the live one. */
  #isLiveUnknown(deploymentId: string, { id, status }: Revision): boolean {
    const record = this.#dependencies.deployments.find(deploymentId);
    return revisionStatusView(status ?? 'UNKNOWN').phase === 'success' && record?.active_revision_id !== id;
  }

  #plan(id: string, watched: Watched, status: string): void {
    const { clock, settings } = this.#dependencies;
    const { minMilliseconds, maxMilliseconds } = settings();
    const delay = nextPollDelay({
      phase: revisionStatusView(status).phase,
      millisecondsInPhase: clock.monotonic() - watched.since,
      failures: watched.failures,
      focused: this.#attention.focused,
      visible: this.#isVisible(id),
      minMilliseconds,
      maxMilliseconds,
    });
    watched.dueAt = delay === undefined ? undefined : clock.monotonic() + delay;
  }
}

/** How long a revision had its status when it was first asked for; the clocks of two machines may differ. */
function millisecondsSinceChange({ updated_at: updatedAt }: Revision, now: number): number {
  const time = updatedAt === undefined ? Number.NaN : Date.parse(updatedAt);
  return Number.isNaN(time) ? 0 : Math.max(0, now - time);
}
