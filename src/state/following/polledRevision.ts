import type { ApiError } from '../../api/errors.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { hasEnded, nextPollDelay } from '../../core/status/pollDelay.ts';
import { revisionStatusView, type Phase } from '../../core/status/status.ts';
import type { Clock } from '../clock.ts';

/** The ids that locate a revision. */
export interface RevisionId {
  readonly connection: string;
  readonly deploymentId: string;
  readonly revisionId: string;
}

/** Why a revision is polled: it is followed, an open document shows it, or a row of the list needs it. */
export type Reason = 'followed' | 'document' | 'row';

/** Whether the window has the focus, and whether the deployments view is visible. */
export interface Attention {
  readonly focused: boolean;
  readonly visible: boolean;
}

export interface PollSettings {
  readonly minMilliseconds: number;
  readonly maxMilliseconds: number;
}

/** Settings and attention, which determine the next poll together with the revision. */
export interface Circumstances extends PollSettings {
  readonly attention: Attention;
}

/** How an answer differs from the previous state. */
export interface Movement {
  /** Since when the revision has had its status, in monotonic time: first as the service says, later as seen here. */
  readonly since: number;
  readonly phase: Phase;
  readonly hasEnded: boolean;
  readonly hasMoved: boolean;
  readonly isFirst: boolean;
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
  #dueAt: number | undefined;
  /** The earliest time for the next poll that the service allows, in monotonic time. */
  #earliest = 0;
  #failures = 0;
  /** The service refused the key for this; polling pauses until a retry, a refresh or the user asks again. */
  #isRefused = false;

  constructor(id: RevisionId, known: Revision | undefined, clock: Clock) {
    this.id = id;
    this.#clock = clock;
    this.#status = known === undefined ? undefined : statusOf(known);
    this.#since = clock.monotonic() - (known === undefined ? 0 : millisecondsSinceChange(known, clock.now()));
    this.#dueAt = clock.monotonic();
  }

  get since(): number {
    return this.#since;
  }

  /** When the next poll is due, in monotonic time; undefined while one is running or if none is planned. */
  get dueAt(): number | undefined {
    return this.#dueAt;
  }

  get isAsked(): boolean {
    return this.#request !== undefined;
  }

  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** Number of consecutive failed polls. */
  get failures(): number {
    return this.#failures;
  }

  get isFollowed(): boolean {
    return this.#reasons.has('followed');
  }

  setReasons(reasons: ReadonlySet<Reason>): void {
    this.#reasons = reasons;
  }

  /** Whether it may be polled now. Unless it is followed, that requires the user's attention. */
  isActive({ focused, visible }: Attention): boolean {
    return this.isFollowed || (focused && (visible || this.#reasons.has('document')));
  }

  begin(): AbortSignal {
    this.#request = new AbortController();
    this.#dueAt = undefined;
    this.#earliest = 0;
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
    const sinceFirst = isFirst ? now - millisecondsSinceChange(revision, this.#clock.now()) : this.#since;
    const since = hasMoved ? now : sinceFirst;
    const { phase } = revisionStatusView(status);
    return { since, phase, hasEnded: hasEnded(phase, now - since), hasMoved, isFirst };
  }

  accept(revision: Revision, { since }: Movement, circumstances: Circumstances): void {
    this.#request = undefined;
    this.#status = statusOf(revision);
    this.#since = since;
    this.#failures = 0;
    this.plan(circumstances);
  }

  /** Records a failed poll; the known state stays. */
  fail(error: unknown, circumstances: Circumstances): void {
    this.#request = undefined;
    this.#failures += 1;
    this.#isRefused = refusalIn(error) !== undefined;
    this.plan(circumstances, { retryAfterMs: isApiError(error) ? error.retryAfterMs : undefined });
  }

  /** Makes a poll due now and clears failures and wait times, because the user wants an answer. */
  askNow(): void {
    if (this.isAsked) return;
    this.#status = undefined;
    this.#failures = 0;
    this.#isRefused = false;
    this.#earliest = 0;
    this.#dueAt = this.#clock.monotonic();
  }

  /** Polls again as soon as the service allows, even after a refusal. */
  retry(circumstances: Circumstances): void {
    this.#isRefused = false;
    this.plan(circumstances, { isAtOnce: true });
  }

  /** Makes a poll due after the list was reloaded. Followed revisions keep their own schedule. */
  refresh(): void {
    if (this.isAsked || this.isFollowed) return;
    this.#isRefused = false;
    this.#dueAt = Math.max(this.#clock.monotonic(), this.#earliest);
  }

  plan(
    circumstances: Circumstances,
    {
      isAtOnce = false,
      retryAfterMs,
    }: { readonly isAtOnce?: boolean; readonly retryAfterMs?: number | undefined } = {},
  ): void {
    if (this.isAsked) return;
    const now = this.#clock.monotonic();
    const delay = this.#delay(circumstances, now, retryAfterMs);
    // The plan may wait longer than the service asked while nobody looks; a returning user needn't wait that long.
    if (retryAfterMs !== undefined) this.#earliest = now + Math.min(retryAfterMs, delay ?? retryAfterMs);
    this.#dueAt = delay === undefined ? undefined : Math.max(now + (isAtOnce ? 0 : delay), this.#earliest);
  }

  #delay(
    { attention, minMilliseconds, maxMilliseconds }: Circumstances,
    now: number,
    retryAfterMs: number | undefined,
  ): number | undefined {
    // A row that never had an answer waits for the next refresh of its list.
    const isHopeless = this.#status === undefined && this.#failures > 0 && !this.isFollowed;
    if (this.#isRefused || isHopeless) return undefined;
    const phase = this.#status === undefined ? 'working' : revisionStatusView(this.#status).phase;
    return nextPollDelay({
      phase,
      // Only an answer ends a follow; elapsed time alone must not stop the polling.
      millisecondsInPhase: this.isFollowed && phase === 'stopped' ? 0 : now - this.#since,
      failures: this.#failures,
      focused: attention.focused,
      visible: attention.visible || this.isFollowed || this.#reasons.has('document'),
      minMilliseconds,
      maxMilliseconds,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    });
  }
}

/** Why a request waits for another key or connection. */
export function refusalIn(error: unknown): 'unauthorized' | 'forbidden' | undefined {
  if (!isApiError(error)) return undefined;
  return error.kind === 'unauthorized' || error.kind === 'forbidden' ? error.kind : undefined;
}

/** Whether the error comes from the client. Checked by name, because the class is loaded with the first client. */
export function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === 'ApiError';
}

function statusOf({ status }: Revision): string {
  return status ?? 'UNKNOWN';
}

/** How long a revision has had its status, in milliseconds; at least 0, because clocks of two machines may differ. */
export function millisecondsSinceChange({ updated_at: updatedAt }: Pick<Revision, 'updated_at'>, now: number): number {
  const time = updatedAt === undefined ? Number.NaN : Date.parse(updatedAt);
  return Number.isNaN(time) ? 0 : Math.max(0, now - time);
}
