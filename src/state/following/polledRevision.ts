import type { ApiError } from '../../api/errors.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { hasEnded, nextPollDelay } from '../../core/status/pollDelay.ts';
import { revisionStatusView, type Phase } from '../../core/status/status.ts';
import type { Clock } from '../clock.ts';

/** Where a revision is found. */
export interface RevisionId {
  readonly connection: string;
  readonly deploymentId: string;
  readonly revisionId: string;
}

/** Why a revision is asked for: it is followed, an open document shows it, or a row of the list needs it. */
export type Reason = 'followed' | 'document' | 'row';

/** Whether the window has the focus, and the deployments view is on the screen. */
export interface Attention {
  readonly focused: boolean;
  readonly visible: boolean;
}

export interface PollSettings {
  readonly minMilliseconds: number;
  readonly maxMilliseconds: number;
}

/** What the next poll depends on besides the revision itself. */
export interface Circumstances extends PollSettings {
  readonly attention: Attention;
}

/** How an answer differs from what was known before. */
export interface Movement {
  /** Since when the revision has its status, in monotonic time: as the service says at first, later as it was seen. */
  readonly since: number;
  readonly phase: Phase;
  readonly hasEnded: boolean;
  readonly hasMoved: boolean;
  readonly isFirst: boolean;
}

/** One polled revision: what is known of it, and when it is asked for next. */
export class PolledRevision {
  readonly id: RevisionId;
  readonly #clock: Clock;
  #reasons: ReadonlySet<Reason> = new Set();
  #request: AbortController | undefined;
  /** Undefined until it is known. */
  #status: string | undefined;
  #since: number;
  #dueAt: number | undefined;
  /** Until when the service asked not to be asked. */
  #earliest = 0;
  #failures = 0;
  /** The key is not accepted for this; nothing is asked until it or the connection changes. */
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

  /** When it is asked for next, in monotonic time; undefined while it is asked for, and where nothing is to be asked. */
  get dueAt(): number | undefined {
    return this.#dueAt;
  }

  get isAsked(): boolean {
    return this.#request !== undefined;
  }

  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** How many polls have failed in a row. */
  get failures(): number {
    return this.#failures;
  }

  get isFollowed(): boolean {
    return this.#reasons.has('followed');
  }

  setReasons(reasons: ReadonlySet<Reason>): void {
    this.#reasons = reasons;
  }

  /** Whether it may be asked for now: what nobody follows only while somebody looks at it. */
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

  /** A poll without an answer leaves what was known. */
  fail(error: unknown, circumstances: Circumstances): void {
    this.#request = undefined;
    this.#failures += 1;
    this.#isRefused = refusalIn(error) !== undefined;
    this.plan(circumstances, { retryAfterMs: isApiError(error) ? error.retryAfterMs : undefined });
  }

  /** Forgets what went wrong and what the service asked for: a person wants to know it now. */
  askNow(): void {
    if (this.isAsked) return;
    this.#status = undefined;
    this.#failures = 0;
    this.#isRefused = false;
    this.#earliest = 0;
    this.#dueAt = this.#clock.monotonic();
  }

  /** Asks again at once, also for what was refused. */
  retry(circumstances: Circumstances): void {
    this.#isRefused = false;
    this.plan(circumstances, { isAtOnce: true });
  }

  /** Asks for what a list that was loaded again needs. What is followed keeps its own pace. */
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
    // The plan may wait longer than the service asked, because nobody looks; who comes back then need not.
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
      // Only an answer ends a follow: time alone must not stop it from being asked for.
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

/** Why a question waits for another key or connection. */
export function refusalIn(error: unknown): 'unauthorized' | 'forbidden' | undefined {
  if (!isApiError(error)) return undefined;
  return error.kind === 'unauthorized' || error.kind === 'forbidden' ? error.kind : undefined;
}

/** Whether the client failed; its class is loaded with the first client only. */
export function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === 'ApiError';
}

function statusOf({ status }: Revision): string {
  return status ?? 'UNKNOWN';
}

/** How long a revision had its status when it was first seen; the clocks of two machines may differ. */
export function millisecondsSinceChange({ updated_at: updatedAt }: Pick<Revision, 'updated_at'>, now: number): number {
  const time = updatedAt === undefined ? Number.NaN : Date.parse(updatedAt);
  return Number.isNaN(time) ? 0 : Math.max(0, now - time);
}
