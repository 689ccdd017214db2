import type { Client } from '../../api/client.ts';
import type { ApiError } from '../../api/errors.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { hasEnded, nextPollDelay } from '../../core/status/pollDelay.ts';
import { revisionStatusView, type Phase } from '../../core/status/status.ts';
import type { Clock } from '../clock.ts';
import { RemovedConnectionError } from '../connections/connection.ts';
import { Emitter, type Disposable } from '../emitter.ts';
import type { Memory } from '../memory.ts';
import { readFollows, storeFollows, type FollowId } from './storedFollows.ts';

/** How a follow ended: the revision reached its end, was followed for too long, or is no longer there. */
export type Outcome = 'ended' | 'gaveUp' | 'gone';

/** One followed deployment as it is known now. Each change makes a new object. */
export interface Followed extends FollowId {
  /** Known after the first answer that names it. */
  readonly deploymentName?: string;
  readonly revision?: Revision;
  readonly deployment?: Deployment;
  readonly phase: Phase;
  /** When the present status was first seen here, in monotonic time. */
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
  readonly minMilliseconds: number;
  readonly maxMilliseconds: number;
  readonly giveUpMilliseconds: number;
}

export interface FollowerDependencies {
  readonly clientOf: (connection: string) => Promise<Client>;
  readonly settings: () => FollowSettings;
  readonly workspaceMemory: Memory;
  readonly clock: Clock;
  /** Tells the lists what a poll brought, so that nobody asks again. */
  readonly publish: (
    connection: string,
    deploymentId: string,
    deployment: Deployment | undefined,
    revision: Revision,
  ) => void;
}

/** Whether a person can see what is polled. */
export interface Attention {
  readonly focused: boolean;
  readonly visible: boolean;
}

/** Follows revisions to their end with one timer for all of them. */
export class Follower {
  readonly #dependencies: FollowerDependencies;
  readonly #follows = new Map<string, Followed>();
  readonly #due = new Map<string, number>();
  /** Until when the service asked not to be asked; only the person, by following anew, comes before that. */
  readonly #earliest = new Map<string, number>();
  readonly #polls = new Map<string, AbortController>();
  readonly #changed = new Emitter<void>();
  readonly #ended = new Emitter<Followed>();
  #attention: Attention = { focused: true, visible: true };
  #timer: Disposable | undefined;

  readonly onDidChange = this.#changed.event;
  /** Fires once for each follow that ends by itself, with its outcome. */
  readonly onDidEnd = this.#ended.event;

  constructor(dependencies: FollowerDependencies) {
    this.#dependencies = dependencies;
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
    this.#changed.fire();
    this.#reschedule();
  }

  /** Follows a deployment's revision from now on. */
  async follow(id: FollowId, known: { readonly deployment?: Deployment } = {}): Promise<void> {
    this.#cancelPoll(keyOf(id));
    this.#begin(id, { resumed: false, ...known });
    await this.#store();
    this.#changed.fire();
    this.#reschedule();
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
    const follows = [...this.#follows];
    this.#follows.clear();
    for (const [key, followed] of follows) {
      const renamed = followed.connection === from ? { ...followed, connection: to } : followed;
      const newKey = keyOf(renamed);
      this.#follows.set(newKey, renamed);
      if (newKey === key) continue;
      this.#cancelPoll(key);
      this.#due.delete(key);
      this.#earliest.delete(key);
      if (renamed.outcome === undefined) this.#due.set(newKey, this.#dependencies.clock.monotonic());
    }
    await this.#store();
    this.#changed.fire();
    this.#reschedule();
  }

  /** A focused window polls at once; an unfocused one slowly, and only what is working. */
  setAttention(attention: Attention): void {
    const { focused, visible } = this.#attention;
    // Planning anew from now puts a poll off, so who changes nothing must not do it however often they say so.
    if (attention.focused === focused && attention.visible === visible) return;
    const returned = attention.focused && !focused;
    this.#attention = attention;
    for (const [key, followed] of this.#follows) {
      if (followed.outcome !== undefined || this.#polls.has(key) || refusalOf(followed) !== undefined) continue;
      this.#plan(key, followed, returned ? 0 : undefined);
    }
    this.#reschedule();
  }

  /** Polls paused follows again, because the key or the connection changed. */
  retry(): void {
    for (const [key, followed] of this.#follows) {
      if (followed.outcome === undefined && !this.#polls.has(key)) this.#plan(key, followed, 0);
    }
    this.#reschedule();
  }

  dispose(): void {
    this.#timer?.dispose();
    for (const poll of this.#polls.values()) poll.abort();
    this.#follows.clear();
    this.#due.clear();
    this.#earliest.clear();
    this.#changed.dispose();
    this.#ended.dispose();
  }

  #begin(id: FollowId, known: Pick<Followed, 'resumed' | 'deployment'> & { readonly startedAt?: number }): void {
    const now = this.#dependencies.clock.monotonic();
    const { connection, deploymentId, revisionId } = id;
    const key = keyOf(id);
    // Delete first: an entry that is set again would keep its old place in the order.
    this.#follows.delete(key);
    this.#follows.set(key, {
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
    this.#due.set(key, now);
    this.#earliest.delete(key);
  }

  async #drop(isMeant: (followed: Followed) => boolean): Promise<void> {
    for (const [key, followed] of this.#follows) {
      if (!isMeant(followed)) continue;
      this.#cancelPoll(key);
      this.#follows.delete(key);
      this.#due.delete(key);
      this.#earliest.delete(key);
    }
    await this.#store();
    this.#changed.fire();
    this.#reschedule();
  }

  async #poll(key: string, followed: Followed): Promise<void> {
    const { clientOf, publish } = this.#dependencies;
    const poll = new AbortController();
    this.#polls.set(key, poll);
    this.#due.delete(key);
    this.#earliest.delete(key);
    try {
      const client = await clientOf(followed.connection);
      const { deploymentId, revisionId } = followed;
      const revision = await client.revisions.get(deploymentId, revisionId, { signal: poll.signal });
      const next = this.#seen(followed, revision);
      // The record is asked for when its name is not known yet, and at the end: only it says what is live now.
      const deployment =
        next.ended || followed.deploymentName === undefined
          ? await client.deployments.find(deploymentId, { signal: poll.signal })
          : undefined;
      if (poll.signal.aborted) return;
      publish(followed.connection, deploymentId, deployment, revision);
      await this.#accept(key, next, deployment);
    } catch (error) {
      if (!poll.signal.aborted) await this.#fail(key, followed, error);
    } finally {
      if (this.#polls.get(key) === poll) this.#polls.delete(key);
    }
    this.#reschedule();
  }

  /** A cancelled poll leaves its place at once, so that the next one does not wait for its end. */
  #cancelPoll(key: string): void {
    this.#polls.get(key)?.abort();
    this.#polls.delete(key);
  }

  /** The follow after an answer: a known status keeps its time, a new one starts now. */
  #seen(followed: Followed, revision: Revision): { readonly followed: Followed; readonly ended: boolean } {
    const now = this.#dependencies.clock.monotonic();
    const status = revision.status ?? 'UNKNOWN';
    const phaseSince = followed.revision?.status === revision.status ? followed.phaseSince : now;
    const { phase } = revisionStatusView(status);
    const { error: _error, ...rest } = followed;
    return {
      followed: { ...rest, revision, phase, phaseSince, failures: 0 },
      ended: hasEnded(phase, now - phaseSince),
    };
  }

  async #accept(
    key: string,
    { followed, ended }: { readonly followed: Followed; readonly ended: boolean },
    deployment: Deployment | undefined,
  ): Promise<void> {
    const now = this.#dependencies.clock.monotonic();
    const next: Followed =
      deployment === undefined ? followed : { ...followed, deployment, deploymentName: deployment.name };
    const latest = deployment?.latest_revision_id;
    if (ended && latest !== undefined && latest !== next.revisionId) {
      // A newer push took over while this one ended: the latest revision is what the person wants to see live.
      const { revision: _revision, ...base } = next;
      this.#follows.set(key, { ...base, revisionId: latest, phase: 'working', phaseSince: now });
      this.#due.set(key, now);
      await this.#store();
    } else if (ended) {
      await this.#end(key, { ...next, outcome: 'ended' });
    } else if (this.#isTooLong({ ...next, resumed: false })) {
      await this.#end(key, { ...next, resumed: false, outcome: 'gaveUp' });
    } else {
      this.#follows.set(key, { ...next, resumed: false });
      this.#plan(key, next);
    }
    this.#changed.fire();
  }

  async #fail(key: string, followed: Followed, error: unknown): Promise<void> {
    if (error instanceof RemovedConnectionError) return this.forget(followed.connection);
    const isGone = isApiError(error) && error.kind === 'notFound';
    const next: Followed = { ...followed, failures: followed.failures + 1, error };
    if (isGone) {
      await this.#end(key, { ...next, outcome: 'gone' });
    } else if (this.#isTooLong(next)) {
      await this.#end(key, { ...next, resumed: false, outcome: 'gaveUp' });
    } else {
      this.#follows.set(key, next);
      // What was refused is not asked again until the key or the connection changes; `retry` is called then.
      if (refusalOf(next) === undefined) {
        this.#plan(key, next, undefined, isApiError(error) ? error.retryAfterMs : undefined);
      }
    }
    this.#changed.fire();
  }

  /** A follow that was resumed and has no answer yet may have ended long ago: what it became is still to be told. */
  #isTooLong({ startedAt, phaseSince, resumed }: Followed): boolean {
    const { clock, settings } = this.#dependencies;
    return clock.monotonic() - (resumed ? phaseSince : startedAt) > settings().giveUpMilliseconds;
  }

  async #end(key: string, ended: Followed): Promise<void> {
    this.#follows.set(key, ended);
    this.#due.delete(key);
    await this.#store();
    this.#ended.fire(ended);
  }

  #plan(key: string, followed: Followed, delay?: number, retryAfterMs?: number): void {
    const { clock, settings } = this.#dependencies;
    const now = clock.monotonic();
    const { minMilliseconds, maxMilliseconds } = settings();
    const wait =
      delay ??
      nextPollDelay({
        phase: followed.phase,
        millisecondsInPhase: now - followed.phaseSince,
        failures: followed.failures,
        ...this.#attention,
        minMilliseconds,
        maxMilliseconds,
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      });
    // The plan may wait longer than the service asked, because nobody looks; who comes back then need not.
    if (retryAfterMs !== undefined) this.#earliest.set(key, now + Math.min(retryAfterMs, wait ?? retryAfterMs));
    if (wait === undefined) this.#due.delete(key);
    else this.#due.set(key, Math.max(now + wait, this.#earliest.get(key) ?? now));
  }

  #reschedule(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (this.#due.size === 0) return;
    const { clock } = this.#dependencies;
    const delay = Math.max(0, Math.min(...this.#due.values()) - clock.monotonic());
    this.#timer = clock.schedule(() => this.#pollDue(), delay);
  }

  #pollDue(): void {
    const now = this.#dependencies.clock.monotonic();
    for (const [key, due] of this.#due) {
      const followed = this.#follows.get(key);
      if (due <= now && followed !== undefined && !this.#polls.has(key)) void this.#poll(key, followed);
    }
    this.#reschedule();
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
  if (outcome !== undefined || !isApiError(error)) return undefined;
  return error.kind === 'unauthorized' || error.kind === 'forbidden' ? error.kind : undefined;
}

function keyOf({ connection, deploymentId }: Pick<FollowId, 'connection' | 'deploymentId'>): string {
  return JSON.stringify([connection, deploymentId]);
}

function isNewer(record: Deployment, known: Deployment | undefined): boolean {
  return Date.parse(record.updated_at ?? '') > Date.parse(known?.updated_at ?? '');
}

function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === 'ApiError';
}
