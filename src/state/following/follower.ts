import type { Revision } from '../../api/resources/revisions.ts';
import { isRecord } from '../../api/schema/json.ts';
import { revisionStatusView, statusOf } from '../../core/status/status.ts';
import { successorOf } from '../../core/status/verdict.ts';
import { deploymentKey, type Answers, type RevisionId } from '../answers/answers.ts';
import { RemovedConnectionError } from '../connections/connection.ts';
import { Emitter, type Disposable } from '../emitter.ts';
import { isStoredText, mostRemembered, type Memory } from '../memory.ts';
import type { AnsweredPoll, FailedPoll } from './poll.ts';
import type { Poller } from './poller.ts';

/** How a follow ended: its revision finished, it took too long, or the revision no longer exists. */
export type Outcome = 'ended' | 'gaveUp' | 'gone';

/** One followed deployment. What the service says of it is in the memory of answers. Each change creates a new object. */
export interface Followed extends RevisionId {
  /** The skipped revision whose place this one took. */
  readonly skipped?: Revision;
  /** The commit that the user was told it would be built from. */
  readonly promised?: string | undefined;
  /**
   * The planned delays of the answered polls, in milliseconds, also those of earlier windows.
   * Giving up depends on this alone, because sleep and hours offline must not end a follow.
   */
  readonly waited: number;
  /** Consecutive failed polls, which say nothing about the deployment itself. */
  readonly failures: number;
  readonly error?: unknown;
  /** Whether the user has seen how it ended. */
  readonly isSeen?: true;
  /** True if this follow was resumed after a reload and has no answer yet. */
  readonly resumed: boolean;
  readonly outcome?: Outcome;
}

export interface FollowSettings {
  readonly giveUpMilliseconds: number;
}

interface FollowerDependencies {
  readonly answers: Answers;
  readonly poller: Poller;
  readonly settings: () => FollowSettings;
  readonly workspaceMemory: Memory;
}

/** Tracks the followed deployments and how their follows ended, from the poller's events. */
export class Follower {
  readonly #dependencies: FollowerDependencies;
  readonly #follows = new Map<string, Followed>();
  /** The revisions whose end isn't told yet. A window that closes before then leaves them to the next one. */
  #untold: ReadonlySet<string> = new Set();
  readonly #changed = new Emitter<void>();
  readonly #ended = new Emitter<Followed>();
  readonly #subscriptions: readonly Disposable[];

  readonly onDidChange = this.#changed.event;
  /** Fires with the outcome when a follow ends without being stopped. */
  readonly onDidEnd = this.#ended.event;

  constructor(dependencies: FollowerDependencies) {
    this.#dependencies = dependencies;
    const { poller, answers } = dependencies;
    this.#subscriptions = [
      answers.onDidChange(({ connection, deploymentIds }) => void this.#checkEnded(connection, deploymentIds)),
      poller.onDidAnswer((answer) => void this.#accept(answer)),
      poller.onDidFail((failure) => void this.#fail(failure)),
    ];
  }

  /** Running follows, and ended ones that weren't dismissed yet; the newest first. */
  get followed(): readonly Followed[] {
    return [...this.#follows.values()].toReversed();
  }

  find(connection: string, deploymentId: string): Followed | undefined {
    return this.#follows.get(deploymentKey({ connection, deploymentId }));
  }

  /** Resumes the follows that the last window of this workspace stored. */
  resume(): void {
    const stored = readFollows(this.#dependencies.workspaceMemory);
    if (stored.length === 0) return;
    for (const { waited, promised, ...id } of stored) this.#begin(id, { waited, promised, resumed: true });
    this.#poll();
    this.#changed.fire();
  }

  /** Follows a revision of a deployment from now on, which was promised to be built from a commit. */
  async follow(id: RevisionId, promised?: string): Promise<void> {
    this.#begin(id, { waited: 0, promised, resumed: false });
    this.#poll();
    this.#dependencies.poller.askNow(id);
    await this.#store();
    this.#changed.fire();
  }

  /** Stores no ended follow any longer, because their ends are told now. */
  async forgetEnded(): Promise<void> {
    this.#untold = new Set();
    await this.#store();
  }

  /** Notes that the user has seen how these follows ended. */
  markSeen(isMeant: (followed: Followed) => boolean): void {
    const seen = this.followed.filter((each) => each.outcome !== undefined && !each.isSeen && isMeant(each));
    for (const followed of seen) this.#put({ ...followed, isSeen: true });
    if (seen.length > 0) this.#changed.fire();
  }

  /** Stops a follow or dismisses an ended one; nothing is sent to the service. */
  async stop(connection: string, deploymentId: string): Promise<void> {
    await this.#drop((followed) => followed.connection === connection && followed.deploymentId === deploymentId);
  }

  /** Ends the follow of a revision that the user has stopped, and says nothing: that is no news. */
  async endSilently(id: RevisionId): Promise<void> {
    const running = this.#running(id);
    if (running === undefined) return;
    this.#put({ ...running, outcome: 'ended', isSeen: true });
    this.#poll();
    await this.#store();
    this.#changed.fire();
  }

  /** Drops the follows of a removed connection without an outcome. */
  async forget(connection: string): Promise<void> {
    await this.#drop((followed) => followed.connection === connection);
  }

  /**
   * Follows the newer revision of a deployment whose follow has ended.
   * A record that names another latest revision means that someone pushed or deployed since.
   */
  async followNewer(connection: string, deploymentId: string): Promise<void> {
    const followed = this.find(connection, deploymentId);
    if (followed?.outcome !== 'ended' && followed?.outcome !== 'gaveUp') return;
    const { revision, deployment } = this.#dependencies.answers.observe(connection, deploymentId, followed.revisionId);
    const revisionId = revision && successorOf(revision, deployment);
    if (revisionId !== undefined) await this.follow({ connection, deploymentId, revisionId });
  }

  /** Moves the follows of a connection to its new name. */
  async rename(from: string, to: string): Promise<void> {
    const follows = [...this.#follows.values()];
    this.#follows.clear();
    for (const followed of follows) {
      this.#put(followed.connection === from ? { ...followed, connection: to } : followed);
    }
    this.#poll();
    await this.#store();
    this.#changed.fire();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#follows.clear();
    this.#changed.dispose();
    this.#ended.dispose();
  }

  #begin(
    { connection, deploymentId, revisionId }: RevisionId,
    from: Pick<Followed, 'resumed' | 'waited' | 'promised'>,
  ): void {
    const followed = { connection, deploymentId, revisionId, failures: 0, ...from };
    // Delete first: setting an existing entry would keep its old place in the order.
    this.#follows.delete(deploymentKey(followed));
    this.#put(followed);
  }

  #put(followed: Followed): void {
    this.#follows.set(deploymentKey(followed), followed);
  }

  async #drop(isMeant: (followed: Followed) => boolean): Promise<void> {
    for (const [key, followed] of this.#follows) if (isMeant(followed)) this.#follows.delete(key);
    this.#poll();
    await this.#store();
    this.#changed.fire();
  }

  /** Drops ended follows of deployments that were deleted since, and resumes those whose revisions go on. */
  async #checkEnded(connection: string, changed: ReadonlySet<string>): Promise<void> {
    const { answers } = this.#dependencies;
    const ended = this.followed.filter(
      ({ outcome, ...id }) =>
        (outcome === 'ended' || outcome === 'gaveUp') && id.connection === connection && changed.has(id.deploymentId),
    );
    for (const followed of ended) {
      const { deploymentId, revisionId, outcome, promised } = followed;
      const { revision } = answers.observe(connection, deploymentId, revisionId);
      const isMoving = revision !== undefined && revisionStatusView(statusOf(revision)).phase === 'working';
      if (answers.goneAt(connection, deploymentId) !== undefined) await this.#drop((each) => each === followed);
      // A stopped build can be continued.
      else if (outcome === 'ended' && isMoving) await this.follow({ connection, deploymentId, revisionId }, promised);
    }
  }

  async #accept({ waited, hasEnded, ...id }: AnsweredPoll): Promise<void> {
    const before = this.#running(id);
    if (before === undefined) return;
    const { error: _error, ...kept } = before;
    const next: Followed = { ...kept, failures: 0, waited: before.waited + waited };
    const { revision, deployment } = this.#dependencies.answers.observe(id.connection, id.deploymentId, id.revisionId);
    const successor = revision && successorOf(revision, deployment);
    const givesUp = next.waited > this.#dependencies.settings().giveUpMilliseconds;
    if ((hasEnded || givesUp) && revision !== undefined && successor !== undefined) {
      // A newer revision took over meanwhile, and the user wants to see the latest one go live.
      const { skipped: _skipped, promised: _promised, ...base } = next;
      const isSkipped = revisionStatusView(statusOf(revision)).phase === 'superseded';
      this.#put({ ...base, ...(isSkipped ? { skipped: revision } : {}), revisionId: successor, waited: 0 });
      this.#poll();
      await this.#store();
    } else if (hasEnded) {
      return this.#end({ ...next, outcome: 'ended' });
    } else if (givesUp) {
      return this.#end({ ...next, resumed: false, outcome: 'gaveUp' });
    } else {
      this.#put({ ...next, resumed: false });
      this.#poll();
      if (minutesOf(next) > minutesOf(before)) await this.#store();
    }
    this.#changed.fire();
  }

  async #fail({ error, failures, isGone, ...id }: FailedPoll): Promise<void> {
    const before = this.#running(id);
    if (before === undefined) return;
    if (error instanceof RemovedConnectionError) return this.forget(before.connection);
    const next: Followed = { ...before, failures, error };
    if (isGone) return this.#end({ ...next, outcome: 'gone' });
    this.#put(next);
    this.#changed.fire();
  }

  /** The follow of this revision, unless it has ended. */
  #running(id: RevisionId): Followed | undefined {
    const followed = this.find(id.connection, id.deploymentId);
    return followed?.revisionId === id.revisionId && followed.outcome === undefined ? followed : undefined;
  }

  async #end(ended: Followed): Promise<void> {
    this.#put(ended);
    this.#untold = new Set([...this.#untold, ended.revisionId]);
    this.#poll();
    this.#ended.fire(ended);
    this.#changed.fire();
    await this.#store();
  }

  /** Has the poller poll every follow that hasn't ended, and the memory keep the answers about all. */
  #poll(): void {
    const follows = [...this.#follows.values()];
    this.#dependencies.answers.hold(
      'follows',
      follows.flatMap(({ deploymentId, revisionId }) => [deploymentId, revisionId]),
    );
    this.#dependencies.poller.setFollowed(follows.filter(({ outcome }) => outcome === undefined));
  }

  async #store(): Promise<void> {
    const isStored = ({ outcome, revisionId }: Followed): boolean =>
      outcome === undefined || this.#untold.has(revisionId);
    const stored = [...this.#follows.values()]
      .filter(isStored)
      .map(({ connection, deploymentId, revisionId, waited, promised }) => {
        const optional = promised === undefined ? {} : { promised };
        return { connection, deploymentId, revisionId, waited, ...optional };
      });
    await this.#dependencies.workspaceMemory.update(followsSlot, stored.length > 0 ? stored : undefined);
  }
}

const followsSlot = 'follows';

/** Reads the valid stored follows. One without a valid duration starts over. */
function readFollows(memory: Memory): readonly (RevisionId & Pick<Followed, 'waited' | 'promised'>)[] {
  const value = memory.get(followsSlot);
  if (!Array.isArray(value)) return [];
  return value.slice(0, mostRemembered).flatMap((item: unknown) => {
    if (!isRecord(item)) return [];
    const { connection, deploymentId, revisionId, waited, promised: commit } = item;
    if (!isStoredText(connection) || !isStoredText(deploymentId) || !isStoredText(revisionId)) return [];
    const isDuration = typeof waited === 'number' && Number.isFinite(waited) && waited > 0;
    const promised = isStoredText(commit) ? commit : undefined;
    return [{ connection, deploymentId, revisionId, waited: isDuration ? waited : 0, promised }];
  });
}

/** Stored once a minute, because a follow may be long. */
function minutesOf({ waited }: Followed): number {
  return Math.floor(waited / 60_000);
}
