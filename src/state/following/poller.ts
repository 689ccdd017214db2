import { hasEnded } from '../../core/status/pollDelay.ts';
import { revisionStatusView } from '../../core/status/status.ts';
import type { Clock } from '../clock.ts';
import { Emitter, type Disposable } from '../emitter.ts';
import type { Deployments } from '../lists/deployments.ts';
import type { PresentConnection } from '../lists/listStore.ts';
import { askRevision, isDeploymentGone, type Answer, type FailedPoll, type NamedClients } from './askRevision.ts';
import { neededRevisions } from './neededRevisions.ts';
import {
  hasNoAnswer,
  millisecondsSinceChange,
  PolledRevision,
  refusalIn,
  statusOf,
  type Circumstances,
  type KnownStatus,
  type PollSettings,
  type RevisionId,
} from './polledRevision.ts';
import type { Attention, Scheduler } from './scheduler.ts';

/** A revision that is polled until it ends, even when nobody is looking. */
export interface FollowedRevision extends RevisionId {
  /** Undefined until the record of its deployment is known. */
  readonly deploymentName?: string;
}

export interface PollerDependencies {
  readonly connections: PresentConnection & NamedClients;
  /**
   * The list, which is reloaded once a minute while the user is looking at it.
   * Its entries need revisions, and it gets every answer for the current connection.
   */
  readonly deployments: Omit<Deployments, 'dispose'>;
  readonly settings: () => PollSettings;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
}

const parallelRequests = 8;
const millisecondsUntilOld = 60_000;

/**
 * Polls every revision that is needed, and reloads the list.
 * Followed revisions are needed, those in open documents, and those of list entries, because a record has no status.
 * A revision that is needed for several reasons is polled once.
 */
export class Poller {
  readonly #dependencies: PollerDependencies;
  readonly #subscriptions: readonly Disposable[];
  readonly #answered = new Emitter<Answer>();
  readonly #failed = new Emitter<FailedPoll>();
  /** The most urgent first: followed revisions, then documents, then list entries from the top. */
  #polled: ReadonlyMap<string, PolledRevision> = new Map();
  #followed: ReadonlyMap<string, FollowedRevision> = new Map();
  #shown: ReadonlyMap<string, readonly RevisionId[]> = new Map();
  /** Since when revisions have been seen stopped or unknown, in monotonic time, because the service may not say. */
  readonly #pausedSince = new Map<string, number>();
  /** When the records that were examined last arrived. */
  #recordsAt = -Infinity;
  /** When a refresh last started. A failed one leaves the list old but must not be repeated at once. */
  #refreshedAt = 0;
  /** The user came back, and another window may have deployed meanwhile. */
  #isReturning = false;
  /** Connections whose last poll got no answer or a refused key. They get one request at a time. */
  readonly #unreachable = new Set<string>();

  /** Fires after the deployments store has applied the answer. */
  readonly onDidAnswer = this.#answered.event;
  readonly onDidFail = this.#failed.event;

  constructor(dependencies: PollerDependencies) {
    this.#dependencies = dependencies;
    const { connections, deployments, scheduler } = dependencies;
    this.#subscriptions = [
      connections.onDidChange(() => this.#restart()),
      deployments.onDidChange(({ kind }) => {
        if (kind === 'list') this.#look();
      }),
      scheduler.onDidChangeAttention((before) => this.#adapt(before)),
      scheduler.add({ dueAt: () => this.#dueAt(), run: () => this.#askDue() }),
    ];
  }

  /** Since when a revision has had its status, in monotonic time; undefined if it isn't polled. */
  since(id: RevisionId): number | undefined {
    return this.#polled.get(keyOf(id))?.since;
  }

  /** When it is polled next, in monotonic time; undefined while it is being polled or if it isn't polled. */
  nextPollAt(id: RevisionId): number | undefined {
    return this.#polled.get(keyOf(id))?.dueAt(this.#circumstances);
  }

  /** How the last polls of a revision failed; undefined after an answer, or if it isn't polled. */
  failureOf(id: RevisionId): Pick<FailedPoll, 'failures' | 'error'> | undefined {
    const polled = this.#polled.get(keyOf(id));
    return polled === undefined || polled.failures === 0 ? undefined : polled;
  }

  /** Replaces the set of followed revisions. */
  setFollowed(followed: readonly FollowedRevision[]): void {
    this.#followed = new Map(followed.map((each) => [keyOf(each), each]));
    this.#look();
  }

  /** Replaces the set of revisions that a focused window shows, in visible documents or as the workspace's own. */
  setShown(shown: readonly RevisionId[], by: 'documents' | 'workspace' = 'documents'): void {
    this.#shown = new Map([...this.#shown, [by, shown]]);
    this.#look();
  }

  /** Polls a revision now, even if the service asked to wait, because the user wants an answer. */
  askNow(id: RevisionId): void {
    this.#polled.get(keyOf(id))?.wake({ isAskedByUser: true });
    this.#dependencies.scheduler.schedule();
  }

  /** Polls paused revisions again, because a key or a connection may have changed. */
  retry(): void {
    this.#wake(({ isPaused }) => isPaused);
    this.#dependencies.scheduler.schedule();
  }

  /** Polls the revisions of a connection at once, because its service was stopped or started. */
  askAgain(connection: string): void {
    this.#unreachable.delete(connection);
    for (const polled of this.#polled.values()) {
      if (polled.id.connection !== connection) continue;
      polled.cancel();
      polled.wake({ isAskedByUser: true });
    }
    this.#dependencies.scheduler.schedule();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    for (const polled of this.#polled.values()) polled.cancel();
    this.#polled = new Map();
    this.#answered.dispose();
    this.#failed.dispose();
  }

  /** Starts over for another connection or key: drops list entries and documents, and polls follows again. */
  #restart(): void {
    for (const polled of this.#polled.values()) polled.cancel();
    this.#polled = new Map([...this.#polled].filter(([, { isFollowed }]) => isFollowed));
    this.#pausedSince.clear();
    this.#unreachable.clear();
    this.#wake(() => true);
    this.#look();
  }

  /** Polls at once when the window gets the focus. */
  #adapt(before: Attention): void {
    if (before.focused || !this.#dependencies.scheduler.attention.focused) return;
    this.#wake(({ isPaused }) => !isPaused);
    this.#isReturning = true;
  }

  #wake(isMeant: (polled: PolledRevision) => boolean): void {
    for (const polled of this.#polled.values()) if (isMeant(polled)) polled.wake();
  }

  /** Determines which revisions are needed and why. */
  #look(): void {
    const { deployments, clock, connections } = this.#dependencies;
    const { session } = connections;
    const needed = neededRevisions({
      session,
      followed: this.#followed.values(),
      shown: [...this.#shown.values()].flat(),
      listed: deployments.records,
      keyOf,
      isAwaited: (id) => this.#isAwaited(id),
      isMoving: (id) => this.#isMoving(id),
    });
    const polled = new Map<string, PolledRevision>();
    for (const [key, { id, why }] of needed) {
      const each = this.#polled.get(key) ?? new PolledRevision(id, this.#known(id), clock);
      // Poll a followed revision until it ends, whatever is already known about it.
      if (why.has('followed') && !each.isFollowed) each.wake({ isAskedByUser: true });
      each.setReasons(why);
      polled.set(key, each);
    }
    for (const [key, each] of this.#polled) if (!polled.has(key)) each.cancel();
    this.#polled = polled;
    const { recordsAt } = deployments;
    const isNews = recordsAt !== this.#recordsAt;
    // A refresh of the list, which coming back may start, leads here again.
    this.#recordsAt = recordsAt;
    // Followed revisions keep their own schedule.
    if (isNews) this.#wake(({ isFollowed }) => !isFollowed);
    if (isNews && session.kind === 'ready') this.#comeBack(session.connection.name);
    this.#dependencies.scheduler.schedule();
  }

  /** Whether the first answer is missing or a poll is running. */
  #isAwaited(id: RevisionId): boolean {
    const isAsked = this.#polled.get(keyOf(id))?.isAsked === true;
    return isAsked || this.#dependencies.deployments.revision(id.revisionId) === undefined;
  }

  #isMoving(id: RevisionId): boolean {
    const known = this.#known(id);
    const { clock } = this.#dependencies;
    return known === undefined || this.#isAwaited(id) || !hasEnded(known.phase, clock.monotonic() - known.since);
  }

  #known(id: RevisionId): KnownStatus | undefined {
    const { deployments, clock } = this.#dependencies;
    const revision = deployments.revision(id.revisionId);
    if (revision === undefined) return undefined;
    const { phase } = revisionStatusView(statusOf(revision));
    const seen = this.since(id) ?? this.#pausedSince.get(keyOf(id));
    const since = seen ?? clock.monotonic() - millisecondsSinceChange(revision, clock.now());
    return { status: statusOf(revision), phase, since };
  }

  #dueAt(): number {
    return Math.min(...this.#waiting().map(({ dueAt }) => dueAt), this.#listDueAt() ?? Infinity);
  }

  #askDue(): void {
    const { clock, deployments } = this.#dependencies;
    const now = clock.monotonic();
    for (;;) {
      // Each poll takes one of the free request slots.
      const next = this.#waiting().find(({ dueAt }) => dueAt <= now);
      if (next === undefined) break;
      void this.#ask(next.polled);
    }
    const listDueAt = this.#listDueAt();
    if (listDueAt !== undefined && listDueAt <= now) {
      this.#refreshedAt = now;
      this.#isReturning = false;
      void deployments.refresh();
    }
  }

  /** Revisions to poll whose service has a free request slot, so a slow service doesn't delay the others. */
  #waiting(): readonly { readonly polled: PolledRevision; readonly dueAt: number }[] {
    const running = new Map<string, number>();
    for (const { id, isAsked } of this.#polled.values()) {
      if (isAsked) running.set(id.connection, (running.get(id.connection) ?? 0) + 1);
    }
    return [...this.#polled.values()].flatMap((polled) => {
      const { connection } = polled.id;
      const most = this.#unreachable.has(connection) ? 1 : parallelRequests;
      const isFree = (running.get(connection) ?? 0) < most;
      const dueAt = isFree ? polled.dueAt(this.#circumstances) : undefined;
      return dueAt === undefined ? [] : [{ polled, dueAt }];
    });
  }

  get #circumstances(): Circumstances {
    const { settings, scheduler } = this.#dependencies;
    return { ...settings(), attention: scheduler.attention };
  }

  get #isLooking(): boolean {
    const { focused, visible } = this.#dependencies.scheduler.attention;
    return focused && visible;
  }

  /** When the list is due for a reload; undefined while nobody is looking or before its first load. */
  #listDueAt(): number | undefined {
    const loadedAt = this.#dependencies.deployments.state.monotonicLoadedAt;
    if (!this.#isLooking || loadedAt === undefined) return undefined;
    const lasts = this.#isReturning ? this.#dependencies.settings().minMilliseconds : millisecondsUntilOld;
    return Math.max(loadedAt, this.#refreshedAt) + lasts;
  }

  async #ask(polled: PolledRevision): Promise<void> {
    const signal = polled.begin(this.#circumstances);
    const { connections, deployments, clock } = this.#dependencies;
    const isNameKnown = this.#followed.get(keyOf(polled.id))?.deploymentName !== undefined;
    const tell = await askRevision({ connections, deployments, clock }, polled, { isNameKnown, signal }).then(
      (answer) => () => {
        const isBack = polled.failures > 0;
        polled.accept(answer);
        this.#unreachable.delete(polled.id.connection);
        if (isBack) this.#comeBack(polled.id.connection);
        this.#publish(answer);
      },
      async (error: unknown) => {
        const isGone = await isDeploymentGone(connections, polled, { error, signal });
        return () => this.#fail(polled, error, isGone);
      },
    );
    if (signal.aborted) return;
    tell();
    this.#look();
  }

  /** Ends every wait for a service that answers again. */
  #comeBack(connection: string): void {
    const { connections, deployments } = this.#dependencies;
    this.#wake(({ id, failures, isPaused }) => id.connection === connection && failures > 0 && !isPaused);
    const { session } = connections;
    const isListed = session.kind === 'ready' && session.connection.name === connection;
    if (isListed && this.#isLooking && deployments.state.error !== undefined) void deployments.refresh();
  }

  #fail(polled: PolledRevision, error: unknown, isGone = false): void {
    const { connection } = polled.id;
    polled.fail(error);
    if (hasNoAnswer(error)) this.#unreachable.add(connection);
    this.#failed.fire({ ...polled.id, error, failures: polled.failures, isGone });
    const refusal = refusalIn(error);
    if (refusal === undefined || refusal === 'forbidden') return;
    // The key is refused for all of them, or the service is stopped, so don't ask for each.
    for (const other of this.#polled.values()) {
      if (other.id.connection !== connection || other.isAsked || other.isPaused) continue;
      other.fail(error);
      this.#failed.fire({ ...other.id, error, failures: other.failures, isGone: false });
    }
  }

  #publish(answer: Answer): void {
    const { connection, deploymentId, phase, since, live, at } = answer;
    const { connections, deployments } = this.#dependencies;
    if (phase === 'stopped' || phase === 'unknown') this.#pausedSince.set(keyOf(answer), since);
    else this.#pausedSince.delete(keyOf(answer));
    // Deployments followed on another connection aren't in this list.
    const { session } = connections;
    if (session.kind !== 'none' && session.connection.name === connection) {
      if (live !== undefined) deployments.update(deploymentId, { revision: live, deployment: undefined, at });
      deployments.update(deploymentId, answer);
    }
    this.#answered.fire(answer);
  }
}

function keyOf({ connection, deploymentId, revisionId }: RevisionId): string {
  return JSON.stringify([connection, deploymentId, revisionId]);
}
