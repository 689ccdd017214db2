import type { Deployment } from '../../api/resources/deployments.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import type { Phase } from '../../core/status/status.ts';
import type { Clock } from '../clock.ts';
import { RemovedConnectionError } from '../connections/connection.ts';
import { Emitter, type Disposable } from '../emitter.ts';
import type { Memory } from '../memory.ts';
import { isApiError, refusalIn, type RevisionId } from './polledRevision.ts';
import type { Answer, FailedPoll, Poller } from './poller.ts';
import { readFollows, storeFollows } from './storedFollows.ts';

/** How a follow ended: the revision reached its end, was followed for too long, or is no longer there. */
export type Outcome = 'ended' | 'gaveUp' | 'gone';

/** One followed deployment as it is known now. Each change makes a new object. */
export interface Followed extends RevisionId {
  /** Known after the first answer that names it. */
  readonly deploymentName?: string;
  readonly revision?: Revision;
  /** When the revision was answered, in monotonic time. */
  readonly revisionAt?: number;
  readonly deployment?: Deployment;
  /** When the record was asked for after the revision, in monotonic time; undefined for one that was known before. */
  readonly deploymentAt?: number;
  readonly phase: Phase;
  /** Since when the revision has its present status, in monotonic time. */
  readonly phaseSince: number;
  /** When following began, in monotonic time; before this window where it was resumed. */
  readonly startedAt: number;
  /** Consecutive failed polls. They say nothing about the deployment itself. */
  readonly failures: number;
  readonly error?: unknown;
  /** True when this follow was resumed after a reload and has had no answer yet. */
  readonly resumed: boolean;
  readonly outcome?: Outcome;
}

export interface FollowSettings {
  readonly giveUpMilliseconds: number;
}

export interface FollowerDependencies {
  readonly poller: Poller;
  readonly settings: () => FollowSettings;
  readonly workspaceMemory: Memory;
  readonly clock: Clock;
}

/** What is followed and how it ended, from what the poller hears. */
export class Follower {
  readonly #dependencies: FollowerDependencies;
  readonly #follows = new Map<string, Followed>();
  readonly #changed = new Emitter<void>();
  readonly #ended = new Emitter<Followed>();
  readonly #subscriptions: readonly Disposable[];

  readonly onDidChange = this.#changed.event;
  /** Fires once for each follow that ends by itself, with its outcome. */
  readonly onDidEnd = this.#ended.event;

  constructor(dependencies: FollowerDependencies) {
    this.#dependencies = dependencies;
    const { poller } = dependencies;
    this.#subscriptions = [
      poller.onDidAnswer((answer) => void this.#accept(answer)),
      poller.onDidFail((failure) => void this.#fail(failure)),
    ];
  }

  /** What is followed, and what ended and was not dismissed yet; the newest first. */
  get followed(): readonly Followed[] {
    return [...this.#follows.values()].toReversed();
  }

  find(connection: string, deploymentId: string): Followed | undefined {
    return this.#follows.get(keyOf({ connection, deploymentId }));
  }

  /** Takes up the follows that the last window of this workspace left. Does nothing when there are none. */
  resume(): void {
    const { workspaceMemory, clock } = this.#dependencies;
    const now = clock.now();
    const stored = readFollows(workspaceMemory, now);
    if (stored.length === 0) return;
    for (const { startedAt, ...id } of stored) {
      this.#begin(id, { resumed: true, startedAt: clock.monotonic() - (now - startedAt) });
    }
    this.#poll();
    this.#changed.fire();
  }

  /** Follows a deployment's revision from now on. */
  async follow(id: RevisionId, known: { readonly deployment?: Deployment } = {}): Promise<void> {
    this.#begin(id, { resumed: false, ...known });
    this.#poll();
    this.#dependencies.poller.askNow(id);
    await this.#store();
    this.#changed.fire();
  }

  /** Ends a follow or dismisses an ended one; nothing is told to the service. */
  async stop(connection: string, deploymentId: string): Promise<void> {
    await this.#drop((followed) => followed.connection === connection && followed.deploymentId === deploymentId);
  }

  /** Ends the follows of a connection that was removed. That says nothing about their deployments. */
  async forget(connection: string): Promise<void> {
    await this.#drop((followed) => followed.connection === connection);
  }

  /**
   * Goes on with the newest revision of what has ended, where a record that is newer than the one at the end names
   * another one: somebody pushed or deployed meanwhile.
   */
  async takeUpNewer(connection: string, recordOf: (deploymentId: string) => Deployment | undefined): Promise<void> {
    const newer = this.followed.flatMap((followed): Deployment[] => {
      if (followed.connection !== connection || followed.outcome !== 'ended') return [];
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

  /** Goes on under the new name of a connection. */
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

  #begin(id: RevisionId, known: Pick<Followed, 'resumed' | 'deployment'> & { readonly startedAt?: number }): void {
    const now = this.#dependencies.clock.monotonic();
    const { connection, deploymentId, revisionId } = id;
    // Delete first: an entry that is set again would keep its old place in the order.
    this.#follows.delete(keyOf(id));
    this.#put({
      connection,
      deploymentId,
      revisionId,
      phase: 'working',
      phaseSince: now,
      startedAt: now,
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

  async #accept({ revision, deployment, phase, since, hasEnded, ...id }: Answer): Promise<void> {
    const before = this.#running(id);
    if (before === undefined) return;
    const { error: _error, ...kept } = before;
    const now = this.#dependencies.clock.monotonic();
    const record = deployment === undefined ? {} : { deployment, deploymentAt: now, deploymentName: deployment.name };
    const next: Followed = { ...kept, ...record, revision, revisionAt: now, phase, phaseSince: since, failures: 0 };
    const latest = deployment?.latest_revision_id;
    if (hasEnded && latest !== undefined && latest !== next.revisionId) {
      // A newer push took over while this one ended: the latest revision is what the person wants to see live.
      const { revision: _revision, revisionAt: _revisionAt, ...base } = next;
      this.#put({ ...base, revisionId: latest, phase: 'working', phaseSince: now });
      this.#poll();
      await this.#store();
    } else if (hasEnded) {
      await this.#end({ ...next, outcome: 'ended' });
    } else if (this.#isTooLong({ ...next, resumed: false })) {
      await this.#end({ ...next, resumed: false, outcome: 'gaveUp' });
    } else {
      this.#put({ ...next, resumed: false });
      this.#poll();
    }
    this.#changed.fire();
  }

  async #fail({ error, failures, ...id }: FailedPoll): Promise<void> {
    const before = this.#running(id);
    if (before === undefined) return;
    if (error instanceof RemovedConnectionError) return this.forget(before.connection);
    const next: Followed = { ...before, failures, error };
    if (isApiError(error) && error.kind === 'notFound') await this.#end({ ...next, outcome: 'gone' });
    else if (this.#isTooLong(next)) await this.#end({ ...next, resumed: false, outcome: 'gaveUp' });
    else this.#put(next);
    this.#changed.fire();
  }

  /** The follow of a revision that has not ended. */
  #running(id: RevisionId): Followed | undefined {
    const followed = this.find(id.connection, id.deploymentId);
    return followed?.revisionId === id.revisionId && followed.outcome === undefined ? followed : undefined;
  }

  /** A follow that was resumed and has no answer yet may have ended long ago: what it became is still to be told. */
  #isTooLong({ startedAt, phaseSince, resumed }: Followed): boolean {
    const { clock, settings } = this.#dependencies;
    return clock.monotonic() - (resumed ? phaseSince : startedAt) > settings().giveUpMilliseconds;
  }

  async #end(ended: Followed): Promise<void> {
    this.#put(ended);
    this.#poll();
    await this.#store();
    this.#ended.fire(ended);
  }

  /** Has everything polled that has not ended. */
  #poll(): void {
    const running = [...this.#follows.values()].filter(({ outcome }) => outcome === undefined);
    this.#dependencies.poller.setFollowed(
      running.map((followed) => ({ ...followed, needsRecord: followed.deploymentName === undefined })),
    );
  }

  async #store(): Promise<void> {
    const { clock, workspaceMemory } = this.#dependencies;
    const unended = [...this.#follows.values()].filter(({ outcome }) => outcome === undefined);
    // Monotonic time means nothing to the next window.
    const toWall = (time: number): number => Math.round(clock.now() - (clock.monotonic() - time));
    const stored = unended.map((followed) => ({ ...followed, startedAt: toWall(followed.startedAt) }));
    await storeFollows(workspaceMemory, stored);
  }
}

/** Why a follow waits for another key or connection: it is not polled meanwhile. */
export function refusalOf({ outcome, error }: Followed): 'unauthorized' | 'forbidden' | undefined {
  return outcome === undefined ? refusalIn(error) : undefined;
}

function keyOf({ connection, deploymentId }: Pick<RevisionId, 'connection' | 'deploymentId'>): string {
  return JSON.stringify([connection, deploymentId]);
}

function isNewer(record: Deployment, known: Deployment | undefined): boolean {
  return Date.parse(record.updated_at ?? '') > Date.parse(known?.updated_at ?? '');
}
