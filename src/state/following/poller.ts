import { isDeletion } from '../../api/schema/enums.ts';
import { hasEnded, settlingMilliseconds } from '../../core/status/pollDelay.ts';
import { revisionStatusView, statusOf } from '../../core/status/status.ts';
import type { RevisionId } from '../answers/answers.ts';
import { Emitter, type Disposable } from '../emitter.ts';
import type { Deployments } from '../lists/deployments.ts';
import type { PresentConnection } from '../lists/listStore.ts';
import type { OwnDeployments } from '../workspace/ownDeployments.ts';
import {
  hasNoAnswer,
  PolledRevision,
  refusalIn,
  type AnsweredPoll,
  type Circumstances,
  type FailedPoll,
  type NamedClients,
  type PolledStores,
  type PollSettings,
  type Reason,
} from './poll.ts';
import type { Attention, Scheduler } from './scheduler.ts';

interface PollerDependencies extends PolledStores {
  readonly connections: PresentConnection & NamedClients;
  /** The list, which is reloaded once a minute while the user is looking at it. */
  readonly deployments: Pick<Deployments, 'state' | 'refresh' | 'onDidChange'>;
  /** The deployments whose revisions are needed: those of the list, and those that it may not contain. */
  readonly ownDeployments: Pick<OwnDeployments, 'candidates' | 'foundAt' | 'onDidFind'>;
  readonly settings: () => PollSettings;
  readonly scheduler: Scheduler;
}

const parallelRequests = 8;
const millisecondsUntilOld = 60_000;

interface NeededRevision {
  readonly id: RevisionId;
  readonly why: Set<Reason>;
}

/**
 * Polls every revision that is needed, and reloads the list.
 * Followed and awaited revisions are needed, those in documents, and those of list entries, whose records have no status.
 * Of a deployment that is being deleted, the record is polled until the service no longer has it.
 */
export class Poller {
  readonly #dependencies: PollerDependencies;
  readonly #subscriptions: readonly Disposable[];
  readonly #answered = new Emitter<AnsweredPoll>();
  readonly #failed = new Emitter<FailedPoll>();
  /** The most urgent first: followed revisions, then documents, then list entries from the top. */
  #polled: ReadonlyMap<string, PolledRevision> = new Map();
  #followed: readonly RevisionId[] = [];
  #awaited: readonly RevisionId[] = [];
  #shown: ReadonlyMap<string, readonly RevisionId[]> = new Map();
  /** When the records that were examined last arrived. */
  #recordsAt = -Infinity;
  /** When a refresh last started. A failed one leaves the list old but must not be repeated at once. */
  #refreshedAt = 0;
  /** The user came back, and another window may have deployed meanwhile. */
  #isReturning = false;
  /** Connections whose last poll got no answer or a refused key. They get one request at a time. */
  readonly #unreachable = new Set<string>();

  /** Fires when what the service said is in the memory of answers. */
  readonly onDidAnswer = this.#answered.event;
  readonly onDidFail = this.#failed.event;

  constructor(dependencies: PollerDependencies) {
    this.#dependencies = dependencies;
    const { connections, answers, deployments, ownDeployments, scheduler } = dependencies;
    this.#subscriptions = [
      // Any answer may name a new revision, or be why another poll is due later or not at all.
      answers.onDidChange(() => this.#update()),
      connections.onDidChange(() => this.#restart()),
      deployments.onDidChange(({ kind }) => {
        if (kind === 'list') this.#update();
      }),
      ownDeployments.onDidFind(() => this.#update()),
      scheduler.onDidChangeAttention((before) => this.#adapt(before)),
      scheduler.add({ dueAt: () => this.#dueAt(), run: () => this.#askDue() }),
    ];
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
  setFollowed(followed: readonly RevisionId[]): void {
    this.#followed = followed.map(({ connection, deploymentId, revisionId }) => ({
      connection,
      deploymentId,
      revisionId,
    }));
    this.#update();
  }

  /** Replaces the set of revisions whose successors are awaited. Their deployments are asked for at the fastest pace. */
  setAwaited(awaited: readonly RevisionId[]): void {
    this.#awaited = awaited;
    this.#update();
  }

  /** Replaces the set of revisions that a focused window shows, in visible documents or as the workspace's own. */
  setShown(shown: readonly RevisionId[], by: 'documents' | 'logs' | 'workspace' = 'documents'): void {
    this.#shown = new Map([...this.#shown, [by, shown]]);
    this.#update();
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

  /** Starts over for another connection or key. */
  #restart(): void {
    for (const polled of this.#polled.values()) polled.cancel();
    this.#polled = new Map();
    this.#unreachable.clear();
    this.#update();
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
  #update(): void {
    const { deployments, ownDeployments, connections } = this.#dependencies;
    const polled = new Map<string, PolledRevision>();
    for (const [key, { id, why }] of this.#needed()) {
      const each = this.#polled.get(key) ?? new PolledRevision(id, this.#dependencies);
      // Poll a followed revision until it ends, whatever is already known about it.
      const isNew = (why.has('followed') && !each.isFollowed) || (why.has('awaited') && !each.isAwaited);
      if (isNew) each.wake({ isAskedByUser: true });
      each.setReasons(why);
      polled.set(key, each);
    }
    for (const [key, each] of this.#polled) if (!polled.has(key)) each.cancel();
    this.#polled = polled;
    const recordsAt = Math.max(deployments.state.monotonicLoadedAt ?? -Infinity, ownDeployments.foundAt);
    const isNews = recordsAt !== this.#recordsAt;
    // A refresh of the list, which coming back may start, leads here again.
    this.#recordsAt = recordsAt;
    // Followed revisions keep their own schedule.
    if (isNews) this.#wake(({ isFollowed, isAwaited }) => !isFollowed && !isAwaited);
    if (isNews && connections.session.kind === 'ready') this.#comeBack(connections.session.connection.name);
    this.#dependencies.scheduler.schedule();
  }

  /** The most urgent first: followed revisions, then those in documents, then list entries from the top. */
  #needed(): ReadonlyMap<string, NeededRevision> {
    const needed = new Map<string, NeededRevision>();
    const need = (reason: Reason, id: RevisionId): void => {
      const known = needed.get(keyOf(id));
      if (known === undefined) needed.set(keyOf(id), { id, why: new Set([reason]) });
      else known.why.add(reason);
    };
    for (const id of this.#followed) need('followed', id);
    for (const id of this.#awaited) need('awaited', id);
    const { connections, ownDeployments } = this.#dependencies;
    if (connections.session.kind !== 'ready') return needed;
    const connection = connections.session.connection.name;
    for (const id of [...this.#shown.values()].flat()) {
      if (id.connection === connection && this.#isMoving(id)) need('document', id);
    }
    for (const deployment of ownDeployments.candidates) {
      const { id: deploymentId, active_revision_id: active, latest_revision_id: latest } = deployment;
      const idOf = (revisionId: string): RevisionId => ({ connection, deploymentId, revisionId });
      if (isDeletion(deployment.status)) {
        // Its revisions no longer matter.
        need('leaving', idOf(''));
        continue;
      }
      const isLatestLive = latest === undefined || latest === active;
      if (!isLatestLive && this.#isMoving(idOf(latest))) need('listed', idOf(latest));
      if (active === undefined || !this.#isUnanswered(idOf(active))) continue;
      // The first answer about the latest one usually brings the live one along.
      if (isLatestLive || !this.#isUnanswered(idOf(latest))) need('listed', idOf(active));
    }
    return needed;
  }

  /** Whether the first answer is missing or a poll is running. */
  #isUnanswered(id: RevisionId): boolean {
    const isAsked = this.#polled.get(keyOf(id))?.isAsked === true;
    return isAsked || this.#dependencies.answers.revision(id.connection, id.revisionId) === undefined;
  }

  #isMoving(id: RevisionId): boolean {
    const { answers, clock } = this.#dependencies;
    const { revision, since = Infinity } = answers.observe(id.connection, id.deploymentId, id.revisionId);
    if (revision === undefined || this.#isUnanswered(id)) return true;
    return !hasEnded(revisionStatusView(statusOf(revision)).phase, clock.monotonic() - since);
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
      const isFree = (running.get(connection) ?? 0) < (this.#unreachable.has(connection) ? 1 : parallelRequests);
      const dueAt = isFree ? polled.dueAt(this.#circumstances) : undefined;
      return dueAt === undefined ? [] : [{ polled, dueAt }];
    });
  }

  get #circumstances(): Circumstances {
    const { settings, scheduler } = this.#dependencies;
    return { ...settings(), attention: scheduler.attention };
  }

  get #isWatched(): boolean {
    const { focused, visible } = this.#dependencies.scheduler.attention;
    return focused && visible;
  }

  /** When the list is due for a reload; undefined while nobody is looking or before its first load. */
  #listDueAt(): number | undefined {
    const loadedAt = this.#dependencies.deployments.state.monotonicLoadedAt;
    if (!this.#isWatched || loadedAt === undefined) return undefined;
    const lasts = this.#isReturning ? this.#dependencies.settings().minMilliseconds : millisecondsUntilOld;
    return Math.max(loadedAt, this.#refreshedAt) + lasts;
  }

  async #ask(polled: PolledRevision): Promise<void> {
    const begun = polled.begin(this.#circumstances);
    const tell = await polled.ask(begun).then(
      (answered) => () => this.#accept(polled, answered),
      async (error: unknown) => {
        const isGone = await polled.isGone(error, begun.signal);
        return () => this.#fail(polled, { error, askedAt: begun.askedAt, isGone });
      },
    );
    if (begun.signal.aborted) return;
    tell();
    this.#update();
  }

  #accept(polled: PolledRevision, answered: AnsweredPoll): void {
    const isBack = polled.failures > 0;
    polled.accept(answered);
    this.#unreachable.delete(answered.connection);
    if (isBack) this.#comeBack(answered.connection);
    const { answers } = this.#dependencies;
    answers.put(...answered.answers);
    if (answered.goneAt !== undefined) answers.remove({ ...answered, askedAt: answered.goneAt });
    this.#answered.fire(answered);
  }

  /** Ends every wait for a service that answers again. */
  #comeBack(connection: string): void {
    const { connections, deployments } = this.#dependencies;
    this.#wake(({ id, failures, isPaused }) => id.connection === connection && failures > 0 && !isPaused);
    const { session } = connections;
    const isListed = session.kind === 'ready' && session.connection.name === connection;
    if (isListed && this.#isWatched && deployments.state.error !== undefined) void deployments.refresh();
  }

  #fail(polled: PolledRevision, failed: Pick<FailedPoll, 'error' | 'askedAt' | 'isGone'>): void {
    const { connection } = polled.id;
    polled.fail(failed.error);
    if (hasNoAnswer(failed.error)) this.#unreachable.add(connection);
    // A new deployment may not be listed yet.
    if (failed.isGone) this.#dependencies.answers.remove({ ...polled.id, ...failed }, settlingMilliseconds);
    this.#failed.fire({ ...polled.id, ...failed, failures: polled.failures });
    const refusal = refusalIn(failed.error);
    if (refusal === undefined || refusal === 'forbidden') return;
    // The key is refused for all of them, or the service is stopped, so don't ask for each.
    for (const other of this.#polled.values()) {
      if (other.id.connection !== connection || other.isAsked || other.isPaused) continue;
      other.fail(failed.error);
      this.#failed.fire({ ...other.id, ...failed, failures: other.failures, isGone: false });
    }
  }
}

/** Identifies a revision among those of all connections. */
function keyOf({ connection, deploymentId, revisionId }: RevisionId): string {
  return JSON.stringify([connection, deploymentId, revisionId]);
}
