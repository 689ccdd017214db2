import { ApiError } from '../../api/errors.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import type { PauseReason } from '../../core/status/freshness.ts';
import { hasEnded, nextPollDelay, settlingMilliseconds } from '../../core/status/pollDelay.ts';
import { isFinal, revisionStatusView, statusOf } from '../../core/status/status.ts';
import { isRecordBehind } from '../../core/status/verdict.ts';
import type { Answer, Answers, Observed, RevisionId } from '../answers/answers.ts';
import type { Clock } from '../clock.ts';
import type { Connections } from '../connections/connections.ts';
import { StoppedServiceError } from '../connections/localService.ts';
import { readableEntries } from '../lists/pagedList.ts';
import type { Attention } from './scheduler.ts';

export interface PollSettings {
  readonly minMilliseconds: number;
  readonly maxMilliseconds: number;
}

/** Settings and attention, which determine the next poll together with the revision. */
export interface Circumstances extends PollSettings {
  readonly attention: Attention;
}

/**
 * Why a revision is polled: it is followed, a push is about to be built after it, an open document shows it, a list entry
 * needs it, or its deployment is being deleted, which only the record tells.
 */
export type Reason = 'followed' | 'awaited' | 'document' | 'listed' | 'leaving';

/** Gives the client of each connection, also of those that this workspace didn't select. */
export type NamedClients = Pick<Connections, 'clientNamed'>;

/** An answered poll. */
export interface AnsweredPoll extends RevisionId {
  /** What the service said: of the revision, and of the live one and the record where they were asked for. */
  readonly answers: readonly Answer[];
  /** The revision has ended, and the record names what follows from that, or is late. */
  readonly hasEnded: boolean;
  /** The planned delay before this poll, in milliseconds. */
  readonly waited: number;
  /** When the service was asked for a deployment that it no longer has, in monotonic time. */
  readonly goneAt?: number | undefined;
}

/** A failed poll. It says nothing about the revision. */
export interface FailedPoll extends RevisionId {
  readonly error: unknown;
  /** When the service was asked, in monotonic time: an answer that was asked for later is newer. */
  readonly askedAt: number;
  /** Number of consecutive failed polls. */
  readonly failures: number;
  /** The service knows neither the revision nor its deployment. */
  readonly isGone: boolean;
}

export interface PolledStores {
  readonly connections: NamedClients;
  readonly answers: Answers;
  readonly clock: Clock;
}

/** A poll that has begun. */
interface BegunPoll extends Pick<AnsweredPoll, 'waited'> {
  readonly signal: AbortSignal;
  /** In monotonic time. */
  readonly askedAt: number;
}

/** One polled revision: how its last polls went, and when the next one is due. */
export class PolledRevision {
  readonly id: RevisionId;
  readonly #stores: PolledStores;
  #reasons: ReadonlySet<Reason> = new Set();
  #request: AbortController | undefined;
  /** It is polled as one that was never answered, because it wasn't or because the user wants to know. */
  #isOpen: boolean;
  /** When it was last polled from the beginning, in monotonic time. */
  #openedAt: number;
  /** The last answer was the last that it needed, or none was since it is polled. */
  #isSettled = true;
  /** When the last poll ended, in monotonic time; the delay until the next one counts from then. */
  #polledAt: number;
  /** How long the service asked to wait when the last poll failed. */
  #retryAfterMs: number | undefined;
  #failures = 0;
  #error: unknown;
  /** The next poll waits only as long as the service asks. */
  #isWoken = true;

  constructor(id: RevisionId, stores: PolledStores) {
    this.id = id;
    this.#stores = stores;
    this.#isOpen = this.#observed.revision === undefined;
    this.#openedAt = stores.clock.monotonic();
    this.#polledAt = this.#openedAt;
  }

  get isAsked(): boolean {
    return this.#request !== undefined;
  }

  /** Number of consecutive failed polls. */
  get failures(): number {
    return this.#failures;
  }

  /** Why the last poll failed; undefined if it was answered. */
  get error(): unknown {
    return this.#error;
  }

  get isFollowed(): boolean {
    return this.#reasons.has('followed');
  }

  /** Whether the next revision of its deployment is awaited, which only the record names. */
  get isAwaited(): boolean {
    return this.#reasons.has('awaited');
  }

  /**
   * Whether it isn't polled until it is woken: the key was refused, or a listed one never had an answer.
   * The latter waits for the next load of its list, unless a build is awaited or its deployment is being deleted.
   */
  get isPaused(): boolean {
    const isHopeless = this.#isOpen && !this.isFollowed && !this.isAwaited && !this.#isLeaving;
    return !this.#isWoken && (this.#isRefused || isHopeless);
  }

  setReasons(reasons: ReadonlySet<Reason>): void {
    this.#reasons = reasons;
  }

  /** Makes a poll due as soon as the service allows. If the user asks for it, it is due now and starts afresh. */
  wake({ isAskedByUser = false } = {}): void {
    if (this.isAsked) return;
    this.#isWoken = true;
    if (!isAskedByUser) return;
    this.#isOpen = true;
    this.#openedAt = this.#stores.clock.monotonic();
    this.#polledAt = this.#openedAt;
    this.#failures = 0;
    this.#retryAfterMs = undefined;
  }

  begin(circumstances: Circumstances): BegunPoll {
    const askedAt = this.#stores.clock.monotonic();
    // While the key is refused, no poll is planned.
    const planned = this.#isRefused ? 0 : (this.#delay(circumstances) ?? 0);
    this.#request = new AbortController();
    this.#isWoken = false;
    return { signal: this.#request.signal, askedAt, waited: Math.min(planned, askedAt - this.#polledAt) };
  }

  cancel(): void {
    this.#request?.abort();
    this.#request = undefined;
  }

  /**
   * Requests the revision and, where it may have changed, the record of its deployment.
   * @throws what the client throws
   */
  async ask({ signal, askedAt, waited }: BegunPoll): Promise<AnsweredPoll> {
    const { connections, answers, clock } = this.#stores;
    const { connection, deploymentId, revisionId } = this.id;
    const client = await connections.clientNamed(connection);
    const place = { connection, deploymentId };
    if (this.#asksForRecord) {
      const record = await client.deployments.find(deploymentId, { signal });
      return {
        ...this.id,
        hasEnded: false,
        waited,
        goneAt: record === undefined && this.#isLeaving ? askedAt : undefined,
        answers: [{ ...place, record, askedAt, receivedAt: clock.monotonic() }],
      };
    }
    const liveId = this.#unknownLive();
    // The newest two are usually the latest and the live one, so one list is cheaper than two requests.
    const newest = liveId && (await client.revisions.list(deploymentId, { limit: 2 }, { signal }));
    const rows = newest ? readableEntries(newest.resources) : [];
    const named = (id: string | undefined): Revision | undefined => rows.find((each) => each.id === id);
    const revision = named(revisionId) ?? (await client.revisions.get(deploymentId, revisionId, { signal }));
    const receivedAt = clock.monotonic();
    const since = answers.sinceOf(connection, revision, receivedAt);
    const status = statusOf(revision);
    const { phase } = revisionStatusView(status);
    // A follow of an unknown status ends by giving up, which says so.
    const isEndless = this.isFollowed && phase === 'unknown';
    // An answer that was under way while the machine slept says nothing about the time of the sleep.
    const isAtEnd = !isEndless && hasEnded(phase, askedAt - since);
    // A service without the filter by id sends another record, which is no reason to drop the answer about the revision.
    const listed = this.#needsRecord({ status, isAtEnd, since })
      ? await client.deployments.list({ deployment_ids: deploymentId, limit: 1 }, { signal })
      : undefined;
    const record = readableEntries(listed?.resources ?? []).find(({ id }) => id === deploymentId);
    // A follow shows what follows from the end, so it waits for the record to name that.
    const isBehind = this.isFollowed && record !== undefined && isRecordBehind(revision, record);
    const isLate = receivedAt - since >= settlingMilliseconds;
    return {
      ...this.id,
      hasEnded: isAtEnd && (!isBehind || isLate),
      waited,
      answers: [
        { ...place, revision: named(liveId), askedAt, receivedAt },
        { ...place, revision, askedAt, receivedAt },
        { ...place, record, askedAt: receivedAt, receivedAt: clock.monotonic() },
      ],
    };
  }

  accept({ hasEnded: isSettled }: AnsweredPoll): void {
    this.#finish();
    this.#isOpen = false;
    this.#isSettled = isSettled;
    this.#failures = 0;
  }

  /** Records a failed poll; what is known stays. */
  fail(error: unknown): void {
    this.#finish();
    this.#failures += 1;
    this.#error = error;
    this.#retryAfterMs = error instanceof ApiError ? error.retryAfterMs : undefined;
  }

  /** Whether the list agrees that a followed deployment no longer exists. A gateway can answer "not found" too. */
  async isGone(error: unknown, signal: AbortSignal): Promise<boolean> {
    if (!this.isFollowed || !(error instanceof ApiError) || error.kind !== 'notFound') return false;
    try {
      const client = await this.#stores.connections.clientNamed(this.id.connection);
      return (await client.deployments.find(this.id.deploymentId, { signal })) === undefined;
    } catch {
      return false;
    }
  }

  /** When the next poll is due, in monotonic time; undefined while one is running or if none is needed. */
  dueAt(circumstances: Circumstances): number | undefined {
    if (this.isAsked || this.isPaused || !this.#isActive(circumstances.attention)) return undefined;
    const delay = this.#delay(circumstances);
    if (delay === undefined) return undefined;
    return this.#polledAt + (this.#isWoken ? Math.min(delay, this.#retryAfterMs ?? 0) : delay);
  }

  get #observed(): Observed {
    const { connection, deploymentId, revisionId } = this.id;
    return this.#stores.answers.observe(connection, deploymentId, revisionId);
  }

  get #isRefused(): boolean {
    return refusalIn(this.#error) !== undefined;
  }

  /** Whether the record alone says what is to be known. */
  get #asksForRecord(): boolean {
    const reasons = [...this.#reasons];
    return reasons.length > 0 && reasons.every((reason) => reason === 'awaited' || reason === 'leaving');
  }

  get #isLeaving(): boolean {
    return this.#reasons.has('leaving');
  }

  /** Whether it may be polled now. Unless it is followed, that requires the user's attention to the list or a document. */
  #isActive({ focused, visible }: Attention): boolean {
    return this.isFollowed || this.isAwaited || (focused && (visible || this.#reasons.has('document')));
  }

  #finish(): void {
    this.#request = undefined;
    this.#isWoken = false;
    this.#polledAt = this.#stores.clock.monotonic();
    this.#retryAfterMs = undefined;
    this.#error = undefined;
  }

  #delay({ attention, minMilliseconds, maxMilliseconds }: Circumstances): number | undefined {
    const { revision, since = this.#openedAt } = this.#observed;
    const isOpen = this.#isOpen || this.isAwaited || revision === undefined;
    const known = isOpen ? 'working' : revisionStatusView(statusOf(revision)).phase;
    // A final one whose record doesn't name what follows from that is still moving.
    const phase = isFinal(known) && !this.#isSettled ? 'working' : known;
    // A push may be built at any time of the wait, so its pace never slows. Only an answer ends a follow.
    const ignoresTime = this.isAwaited || (this.isFollowed && phase !== 'working');
    return nextPollDelay({
      phase,
      millisecondsInPhase: ignoresTime ? 0 : this.#polledAt - (isOpen ? this.#openedAt : since),
      failures: this.#failures,
      focused: attention.focused,
      minMilliseconds,
      maxMilliseconds,
      retryAfterMs: this.#retryAfterMs,
    });
  }

  /** The id of the live revision of a row, if it is another one that nobody has asked for yet. */
  #unknownLive(): string | undefined {
    const { deployment, active } = this.#observed;
    const liveId = deployment?.active_revision_id;
    return this.isFollowed || active !== undefined || liveId === this.id.revisionId ? undefined : liveId;
  }

  /**
   * Whether a poll also requests the record, because only the record names the live revision.
   * It does at the end of a change that the record is older than, for a follow without a record, and
   * while the next revision is awaited.
   */
  #needsRecord({
    status,
    isAtEnd,
    since,
  }: {
    readonly status: string;
    readonly isAtEnd: boolean;
    readonly since: number;
  }): boolean {
    const { deployment, deploymentAt = -Infinity } = this.#observed;
    if (this.isAwaited) return true;
    if (this.isFollowed) return isAtEnd || deployment === undefined;
    const isLiveUnknown =
      revisionStatusView(status).phase === 'success' && deployment?.active_revision_id !== this.id.revisionId;
    return isAtEnd && (deploymentAt < since || isLiveUnknown);
  }
}

/** Why a request waits until the user acts. */
export function refusalIn(error: unknown): PauseReason | undefined {
  if (error instanceof StoppedServiceError) return 'stopped';
  if (!(error instanceof ApiError)) return undefined;
  return error.kind === 'unauthorized' || error.kind === 'forbidden' ? error.kind : undefined;
}

/** Whether the service didn't answer, or refused the key for everything. */
export function hasNoAnswer(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === undefined || error.kind === 'unauthorized';
}
