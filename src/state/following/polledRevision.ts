import type { ApiError } from '../../api/errors.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { hasEnded, nextPollDelay } from '../../core/status/pollDelay.ts';
import { isFinal, revisionStatusView, type Phase } from '../../core/status/status.ts';
import type { PauseReason } from '../../core/status/freshness.ts';
import type { Clock } from '../clock.ts';
import { StoppedServiceError } from '../connections/localService.ts';
import type { Attention } from './scheduler.ts';

/** The ids that locate a revision. */
export interface RevisionId {
  readonly connection: string;
  readonly deploymentId: string;
  readonly revisionId: string;
}

/** Why a revision is polled: it is followed, an open document shows it, or a list entry needs it. */
export type Reason = 'followed' | 'document' | 'listed';

export interface PollSettings {
  readonly minMilliseconds: number;
  readonly maxMilliseconds: number;
}

/** Settings and attention, which determine the next poll together with the revision. */
export interface Circumstances extends PollSettings {
  readonly attention: Attention;
}

/** The known status of a revision. */
export interface KnownStatus {
  readonly status: string;
  readonly phase: Phase;
  /** Since when the revision has had its status, in monotonic time: as the service says, but later than the status before. */
  readonly since: number;
}

/** How an answer differs from the previous state. */
export interface Movement extends Omit<KnownStatus, 'status'> {
  readonly hasEnded: boolean;
  readonly hasMoved: boolean;
  readonly isFirst: boolean;
}

/** What a finished poll says about a revision. */
export interface PollResult extends Pick<Movement, 'since' | 'hasEnded'> {
  readonly revision: Revision;
}

/** One polled revision: its known state and the time of its next poll. */
export class PolledRevision {
  readonly id: RevisionId;
  readonly #clock: Clock;
  #reasons: ReadonlySet<Reason> = new Set();
  #request: AbortController | undefined;
  /** Undefined until known. */
  #status: string | undefined;
  #since: number;
  /** When the running or the last poll began, in monotonic time. */
  #begunAt = -Infinity;
  /** When the last answered poll began, in monotonic time: the status changed later. */
  #confirmedAt = -Infinity;
  /** Final, but its record doesn't name what follows from that yet. */
  #isSettling = false;
  /** When the last poll ended, in monotonic time; the delay until the next one counts from then. */
  #polledAt: number;
  /** How long the service asked to wait when the last poll failed. */
  #retryAfterMs: number | undefined;
  #failures = 0;
  #error: unknown;
  /** The service refused the key for this. */
  #isRefused = false;
  /** The next poll waits only as long as the service asks. */
  #isWoken = true;
  /** The planned delay before the running poll. */
  #waited = 0;

  constructor(id: RevisionId, known: KnownStatus | undefined, clock: Clock) {
    this.id = id;
    this.#clock = clock;
    this.#status = known?.status;
    this.#since = known?.since ?? clock.monotonic();
    this.#polledAt = clock.monotonic();
  }

  get since(): number {
    return this.#since;
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

  /** The planned delay before the last poll, in milliseconds. Time in which nobody could ask doesn't count. */
  get waited(): number {
    return this.#waited;
  }

  get isFollowed(): boolean {
    return this.#reasons.has('followed');
  }

  /**
   * Whether it isn't polled until it is woken: the key was refused, or a listed one never had an answer.
   * The latter waits for the next load of its list.
   */
  get isPaused(): boolean {
    const isHopeless = this.#status === undefined && this.#failures > 0 && !this.isFollowed;
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
    this.#status = undefined;
    this.#polledAt = this.#clock.monotonic();
    this.#failures = 0;
    this.#retryAfterMs = undefined;
  }

  begin(circumstances: Circumstances): AbortSignal {
    this.#begunAt = this.#clock.monotonic();
    // While the key is refused, no poll is planned.
    const planned = this.#isRefused ? 0 : (this.#delay(circumstances) ?? 0);
    this.#waited = Math.min(planned, this.#begunAt - this.#polledAt);
    this.#request = new AbortController();
    this.#isWoken = false;
    return this.#request.signal;
  }

  cancel(): void {
    this.#request?.abort();
    this.#request = undefined;
  }

  compare(revision: Revision): Movement {
    const now = this.#clock.monotonic();
    const status = statusOf(revision);
    const isFirst = this.#status === undefined;
    const hasMoved = !isFirst && this.#status !== status;
    const said = now - millisecondsSinceChange(revision, this.#clock.now());
    // A service whose clock differs may say that the status changed before it was last seen with another one.
    const moved = said < this.#confirmedAt ? now : said;
    const since = isFirst ? said : hasMoved ? moved : this.#since;
    const { phase } = revisionStatusView(status);
    // A follow of an unknown status ends by giving up, which says so.
    const isOpen = this.isFollowed && phase === 'unknown';
    // An answer that was under way while the machine slept says nothing about the time of the sleep.
    return { since, phase, hasEnded: !isOpen && hasEnded(phase, this.#begunAt - since), hasMoved, isFirst };
  }

  accept({ revision, since, hasEnded: isSettled }: PollResult): void {
    this.#finish();
    this.#confirmedAt = this.#begunAt;
    this.#status = statusOf(revision);
    this.#since = since;
    this.#isSettling = isFinal(revisionStatusView(this.#status).phase) && !isSettled;
    this.#failures = 0;
  }

  /** Records a failed poll; the known state stays. */
  fail(error: unknown): void {
    this.#finish();
    this.#failures += 1;
    this.#error = error;
    this.#isRefused = refusalIn(error) !== undefined;
    this.#retryAfterMs = isApiError(error) ? error.retryAfterMs : undefined;
  }

  /** When the next poll is due, in monotonic time; undefined while one is running or if none is needed. */
  dueAt(circumstances: Circumstances): number | undefined {
    if (this.isAsked || this.isPaused || !this.#isActive(circumstances.attention)) return undefined;
    const delay = this.#delay(circumstances);
    if (delay === undefined) return undefined;
    return this.#polledAt + (this.#isWoken ? Math.min(delay, this.#retryAfterMs ?? 0) : delay);
  }

  /** Whether it may be polled now. Unless it is followed, that requires the user's attention. */
  #isActive({ focused, visible }: Attention): boolean {
    return this.isFollowed || (focused && (visible || this.#reasons.has('document')));
  }

  #finish(): void {
    this.#request = undefined;
    this.#isWoken = false;
    this.#polledAt = this.#clock.monotonic();
    this.#retryAfterMs = undefined;
    this.#error = undefined;
    this.#isRefused = false;
  }

  #delay({ attention, minMilliseconds, maxMilliseconds }: Circumstances): number | undefined {
    const isOpen = this.#status === undefined || this.#isSettling;
    const phase = isOpen ? 'working' : revisionStatusView(this.#status ?? '').phase;
    return nextPollDelay({
      phase,
      // Only an answer ends a follow; elapsed time alone must not stop the polling.
      millisecondsInPhase: this.isFollowed && phase !== 'working' ? 0 : this.#polledAt - this.#since,
      failures: this.#failures,
      focused: attention.focused,
      visible: attention.visible || this.isFollowed || this.#reasons.has('document'),
      minMilliseconds,
      maxMilliseconds,
      ...(this.#retryAfterMs === undefined ? {} : { retryAfterMs: this.#retryAfterMs }),
    });
  }
}

/** Why a request waits until the user acts. */
export function refusalIn(error: unknown): PauseReason | undefined {
  if (error instanceof StoppedServiceError) return 'stopped';
  if (!isApiError(error)) return undefined;
  return error.kind === 'unauthorized' || error.kind === 'forbidden' ? error.kind : undefined;
}

/** Whether the service didn't answer, or refused the key for everything. */
export function hasNoAnswer(error: unknown): boolean {
  return !isApiError(error) || error.status === undefined || error.kind === 'unauthorized';
}

/** Whether the error comes from the client. Checked by name, because the class is loaded with the first client. */
export function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === 'ApiError';
}

/** The status of a revision; a service may omit it. */
export function statusOf({ status }: Revision): string {
  return status ?? 'UNKNOWN';
}

/** How long a revision has had its status, in milliseconds; at least 0, because clocks of two machines may differ. */
export function millisecondsSinceChange({ updated_at: updatedAt }: Pick<Revision, 'updated_at'>, now: number): number {
  const time = updatedAt === undefined ? Number.NaN : Date.parse(updatedAt);
  return Number.isNaN(time) ? 0 : Math.max(0, now - time);
}
