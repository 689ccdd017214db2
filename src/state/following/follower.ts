import type { Deployment } from '../../api/resources/deployments.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import type { FollowFacts } from '../../core/status/followWords.ts';
import { revisionTitle } from '../../core/status/rowWords.ts';
import type { Phase } from '../../core/status/status.ts';
import { successorOf, verdict, type Observation } from '../../core/status/verdict.ts';
import type { Clock } from '../clock.ts';
import { RemovedConnectionError } from '../connections/connection.ts';
import { Emitter, type Disposable } from '../emitter.ts';
import type { Deployments } from '../lists/deployments.ts';
import type { Memory } from '../memory.ts';
import type { Answer, FailedPoll } from './askRevision.ts';
import { refusalIn, type RevisionId } from './polledRevision.ts';
import type { Poller } from './poller.ts';
import { readFollows, storeFollows, type StoredAnswer } from './storedFollows.ts';

/** How a follow ended: its revision finished, it took too long, or the revision no longer exists. */
export type Outcome = 'ended' | 'gaveUp' | 'gone';

/** The current state of one followed deployment. Each change creates a new object. */
export interface Followed extends RevisionId {
  /** Undefined until the deployment's record is known. */
  readonly deploymentName?: string;
  readonly revision?: Revision;
  /** When the revision was received, in monotonic time. */
  readonly revisionAt?: number;
  readonly deployment?: Deployment;
  /** When the record was requested, in monotonic time; undefined for one known before the follow. */
  readonly deploymentAt?: number;
  /** The skipped revision whose place this one took. */
  readonly skipped?: Revision;
  readonly phase: Phase;
  /** Since when the revision has had its current status, in monotonic time. */
  readonly phaseSince: number;
  /**
   * The planned delays of the answered polls, in milliseconds, also those of earlier windows.
   * Giving up depends on this alone, because sleep and hours offline must not end a follow.
   */
  readonly waited: number;
  /** Consecutive failed polls, which say nothing about the deployment itself. */
  readonly failures: number;
  readonly error?: unknown;
  /** The last answer to an earlier window, in monotonic time; undefined after the first answer to this one. */
  readonly lastAnswer?: StoredAnswer;
  /** Whether the user has seen how it ended. */
  readonly isSeen?: true;
  /** Whether nobody followed it: it is one of the workspace's own deployments. */
  readonly isQuiet?: true;
  /** True if this follow was resumed after a reload and has no answer yet. */
  readonly resumed: boolean;
  readonly outcome?: Outcome;
}

/** What is shown of a deployment that rests and that nobody followed. */
export const resting = { outcome: 'ended', isSeen: true, isQuiet: true, resumed: false } as const;

export interface FollowSettings {
  readonly giveUpMilliseconds: number;
}

export interface FollowerDependencies {
  readonly poller: Poller;
  readonly settings: () => FollowSettings;
  readonly workspaceMemory: Memory;
  readonly clock: Clock;
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
    const { poller } = dependencies;
    this.#subscriptions = [
      poller.onDidAnswer((answer) => void this.#accept(answer)),
      poller.onDidFail((failure) => void this.#fail(failure)),
    ];
  }

  /** Running follows, and ended ones that weren't dismissed yet; the newest first. */
  get followed(): readonly Followed[] {
    return [...this.#follows.values()].toReversed();
  }

  find(connection: string, deploymentId: string): Followed | undefined {
    return this.#follows.get(keyOf({ connection, deploymentId }));
  }

  /** Resumes the follows that the last window of this workspace stored. */
  resume(): void {
    const { workspaceMemory, clock } = this.#dependencies;
    const stored = readFollows(workspaceMemory);
    if (stored.length === 0) return;
    for (const { waited, lastAnswer, isQuiet, ...id } of stored) {
      // The clock may have been set back since.
      const age = clock.now() - (lastAnswer?.at ?? 0);
      const at = clock.monotonic() - Math.max(0, age);
      this.#begin(id, {
        ...(isQuiet === true ? resting : { resumed: true }),
        waited,
        ...(lastAnswer === undefined ? {} : { lastAnswer: { ...lastAnswer, at } }),
      });
    }
    this.#poll();
    this.#changed.fire();
  }

  /** Follows a revision of a deployment from now on. */
  async follow(id: RevisionId, known: { readonly deployment?: Deployment } = {}): Promise<void> {
    this.#begin(id, { resumed: false, ...known });
    this.#poll();
    this.#dependencies.poller.askNow(id);
    await this.#store();
    this.#changed.fire();
  }

  /** Shows how a deployment rests that nobody followed. */
  async present(resting: Followed): Promise<void> {
    this.#put(resting);
    await this.#store();
    this.#changed.fire();
  }

  /** Stores no ended follow any longer, because their ends are told now. */
  async forgetEnded(): Promise<void> {
    this.#untold = new Set();
    await this.#store();
  }

  /** Notes that the user has seen how these follows ended. */
  look(isMeant: (followed: Followed) => boolean): void {
    const seen = this.followed.filter((each) => each.outcome !== undefined && !each.isSeen && isMeant(each));
    for (const followed of seen) this.#put({ ...followed, isSeen: true });
    if (seen.length > 0) this.#changed.fire();
  }

  /** Stops a follow or dismisses an ended one; nothing is sent to the service. */
  async stop(connection: string, deploymentId: string): Promise<void> {
    await this.#drop((followed) => followed.connection === connection && followed.deploymentId === deploymentId);
  }

  /** Drops the follows of a removed connection without an outcome. */
  async forget(connection: string): Promise<void> {
    await this.#drop((followed) => followed.connection === connection);
  }

  /**
   * Follows newer revisions of deployments whose follow has ended.
   * A newer record that names another latest revision means that someone pushed or deployed since.
   */
  async takeUpNewer(connection: string, recordOf: (deploymentId: string) => Deployment | undefined): Promise<void> {
    const newer = this.followed.flatMap((followed): Deployment[] => {
      const { outcome, isQuiet } = followed;
      if (followed.connection !== connection || (outcome !== 'ended' && outcome !== 'gaveUp') || isQuiet) return [];
      const record = recordOf(followed.deploymentId);
      return record !== undefined && isNewer(record, followed.deployment) ? [record] : [];
    });
    for (const deployment of newer) {
      const { id: deploymentId, latest_revision_id: revisionId } = deployment;
      const { revisionId: ended } = this.find(connection, deploymentId) ?? {};
      if (revisionId === undefined || revisionId === ended) continue;
      await this.follow({ connection, deploymentId, revisionId }, { deployment });
    }
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
    id: RevisionId,
    known: Pick<Followed, 'resumed'> & Partial<Pick<Followed, 'deployment' | 'lastAnswer' | 'waited' | 'outcome'>>,
  ): void {
    const now = this.#dependencies.clock.monotonic();
    const { connection, deploymentId, revisionId } = id;
    // Delete first: setting an existing entry would keep its old place in the order.
    this.#follows.delete(keyOf(id));
    this.#put({
      connection,
      deploymentId,
      revisionId,
      phase: 'working',
      phaseSince: now,
      waited: 0,
      failures: 0,
      ...(known.deployment === undefined ? {} : { deploymentName: known.deployment.name }),
      ...known,
    });
  }

  #put(followed: Followed): void {
    this.#follows.set(keyOf(followed), followed);
  }

  async #drop(isMeant: (followed: Followed) => boolean): Promise<void> {
    for (const [key, followed] of this.#follows) if (isMeant(followed)) this.#follows.delete(key);
    this.#poll();
    await this.#store();
    this.#changed.fire();
  }

  async #accept({ revision, deployment, at, waited, phase, since, hasEnded, ...id }: Answer): Promise<void> {
    const before = this.#running(id);
    if (before === undefined) return;
    const { error: _error, lastAnswer: _lastAnswer, ...kept } = before;
    const record = deployment === undefined ? {} : { deployment, deploymentAt: at, deploymentName: deployment.name };
    const state = { revision, revisionAt: at, phase, phaseSince: since, failures: 0, waited: before.waited + waited };
    const next: Followed = { ...kept, ...record, ...state };
    const successor = successorOf(revision, deployment);
    if (hasEnded && successor !== undefined) {
      // A newer revision took over while this one ended, and the user wants to see the latest one go live.
      const { revision: _revision, revisionAt: _revisionAt, skipped: _skipped, ...base } = next;
      const skipped = phase === 'superseded' ? { skipped: revision } : {};
      this.#put({ ...base, ...skipped, revisionId: successor, phase: 'working', phaseSince: at, waited: 0 });
      this.#poll();
      await this.#store();
    } else if (hasEnded) {
      return this.#end({ ...next, outcome: 'ended' });
    } else if (next.waited > this.#dependencies.settings().giveUpMilliseconds) {
      return this.#end({ ...next, resumed: false, outcome: 'gaveUp' });
    } else {
      this.#put({ ...next, resumed: false });
      this.#poll();
      if (minutesOf(next) > minutesOf(before) || next.revision?.status !== before.revision?.status) await this.#store();
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

  /** Has the poller poll every follow that hasn't ended. */
  #poll(): void {
    this.#dependencies.poller.setFollowed([...this.#follows.values()].filter(({ outcome }) => outcome === undefined));
  }

  async #store(): Promise<void> {
    const { workspaceMemory, clock } = this.#dependencies;
    const isStored = ({ outcome, isQuiet, revisionId }: Followed): boolean =>
      outcome === undefined || isQuiet === true || this.#untold.has(revisionId);
    await storeFollows(workspaceMemory, [...this.#follows.values()].filter(isStored), clock);
  }
}

type Known = Pick<Deployments, 'observe' | 'revision'>;

/** The known facts about a followed deployment; `now` is in monotonic time. */
export function followFacts(followed: Followed, deployments: Known, now: number): FollowFacts {
  const observed = observationOf(followed, deployments);
  const { lastAnswer } = followed;
  const found = verdict(observed);
  const answeredAt = found.asOf ?? followed.revisionAt ?? lastAnswer?.at;
  return {
    name: followed.deploymentName ?? lastAnswer?.name ?? followed.deploymentId,
    connection: followed.connection,
    verdict: found,
    inPhase: now - followed.phaseSince,
    sinceAnswer: answeredAt === undefined ? undefined : now - answeredAt,
    storedStatus: lastAnswer?.status,
    reason: followed.revision?.status_message,
    live: observed.active === undefined ? undefined : revisionTitle(observed.active),
    skipped: followed.skipped && revisionTitle(followed.skipped),
    failures: followed.failures,
    // A refused follow is paused until the key or the connection changes, or the local service is started.
    refusal: followed.outcome === undefined ? refusalIn(followed.error) : undefined,
    outcome: followed.outcome,
    isSeen: followed.isSeen,
    isQuiet: followed.isQuiet,
  };
}

/** The newest known record of a followed deployment. */
export function followedRecord(followed: Followed, deployments: Known): Deployment | undefined {
  return observationOf(followed, deployments).deployment;
}

/** The known state of a follow, with the list's record if that is newer. */
function observationOf(followed: Followed, deployments: Known): Observation {
  const { deploymentId, revisionId, revision, revisionAt } = followed;
  const listed = deployments.observe(deploymentId, revisionId);
  const isListedNewer = (listed.deploymentAt ?? -Infinity) > (followed.deploymentAt ?? -Infinity);
  const { deployment, deploymentAt } = isListedNewer ? listed : followed;
  const activeId = deployment?.active_revision_id;
  const active = activeId === revisionId ? revision : deployments.revision(activeId ?? '');
  return { revisionId, revision, revisionAt, deployment, deploymentAt, active };
}

function keyOf({ connection, deploymentId }: Pick<RevisionId, 'connection' | 'deploymentId'>): string {
  return JSON.stringify([connection, deploymentId]);
}

/** Stored once a minute, because a follow may be long. */
function minutesOf({ waited }: Followed): number {
  return Math.floor(waited / 60_000);
}

function isNewer(record: Deployment, known: Deployment | undefined): boolean {
  return Date.parse(record.updated_at ?? '') > Date.parse(known?.updated_at ?? '');
}
