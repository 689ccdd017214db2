import { ApiError } from '../../api/errors.ts';
import { spellingsIn } from '../../api/redaction/redact.ts';
import { MAX_LOG_ENTRIES, type LogPage, type LogQuery } from '../../api/resources/logs.ts';
import { emptyLog, isApart, withEntries, type KeptLog } from '../../core/logs/keptLog.ts';
import { writeEntries, type WrittenEntry } from '../../core/logs/logLines.ts';
import type { LogFilter } from '../../core/logs/logSubject.ts';
import { logTimeFormat } from '../../core/status/duration.ts';
import { nextPollDelay } from '../../core/status/pollDelay.ts';
import { toWallTime, type Clock } from '../clock.ts';
import type { Disposable } from '../emitter.ts';
import type { Scheduler } from '../following/scheduler.ts';

export interface FollowedLogDependencies {
  /** Requests a page of the log. */
  readonly ask: (query: LogQuery, signal: AbortSignal) => Promise<LogPage>;
  /** When what writes the log came to its end, in monotonic time; undefined while it may write. */
  readonly endedAt: () => number | undefined;
  /** The secrets that this machine knows. */
  readonly secrets: () => Promise<readonly string[]>;
  readonly clock: Clock;
  readonly scheduler: Pick<Scheduler, 'add' | 'schedule' | 'attention'>;
  /** The longest delay between two requests after failures, in milliseconds. */
  readonly slowest: () => number;
  /** Called when there is something else to show. */
  readonly onChange: () => void;
}

/** The shortest delay between two requests, in milliseconds. */
const shortestDelay = 2_000;

/** How long lines may take to reach the service after what writes them has ended, in milliseconds. */
const lateness = 10_000;

/** Failures that a further request can't mend. */
const finalKinds: ReadonlySet<ApiError['kind']> = new Set(['notFound', 'unauthorized', 'forbidden', 'invalid']);

/**
 * A log with its newest lines. While a focused window shows it and it may grow, the service is asked for what is newer.
 */
export class FollowedLog {
  readonly #dependencies: FollowedLogDependencies;
  readonly #filter: Pick<LogQuery, 'level' | 'query'>;
  readonly #task: Disposable;
  readonly #time = logTimeFormat();
  #log: KeptLog = emptyLog;
  /** The offset of the page before the oldest one. */
  #older: string | undefined;
  /** More came at once than one page has, so the newest are asked for. */
  #isBehind = true;
  #isVisible = false;
  #request: AbortController | undefined;
  #running: Promise<void> | undefined;
  /** When the newest lines were last asked for. */
  #askedAt = -Infinity;
  #answeredAt: number | undefined;
  #nextAt = 0;
  #failures = 0;
  #error: unknown;

  constructor({ level, text }: LogFilter, dependencies: FollowedLogDependencies) {
    this.#dependencies = dependencies;
    this.#filter = { ...(level && { level }), ...(text !== undefined && { query: text }) };
    this.#task = dependencies.scheduler.add({ dueAt: () => this.#dueAt(), run: () => void this.#askForNewer() });
  }

  get log(): KeptLog {
    return this.#log;
  }

  /** Why the last request failed. */
  get error(): unknown {
    return this.#error;
  }

  /** When the service last answered, in milliseconds since 1970; undefined if it never did. */
  get asOf(): number | undefined {
    return this.#answeredAt === undefined ? undefined : toWallTime(this.#dependencies.clock, this.#answeredAt);
  }

  /** Whether there is an older page, and room for it. */
  get hasOlder(): boolean {
    return this.#older !== undefined && !this.#log.isCut;
  }

  /** Whether new lines may still come. */
  get isGrowing(): boolean {
    const endedAt = this.#dependencies.endedAt();
    return endedAt === undefined || this.#askedAt < endedAt + lateness;
  }

  /** Asks for the newest lines, unless they were answered just now. */
  async open(): Promise<void> {
    const isOld = (this.#answeredAt ?? -Infinity) < this.#dependencies.clock.monotonic() - shortestDelay;
    if (this.#running !== undefined || isOld) await (this.#running ?? this.#askForNewer());
  }

  async loadOlder(): Promise<void> {
    await this.#running;
    if (!this.hasOlder) return;
    await this.#ask({ order: 'desc', offset: this.#older }, ({ nextOffset }, entries) => {
      this.#older = nextOffset;
      this.#log = withEntries(this.#log, entries, true);
    });
  }

  setVisible(isVisible: boolean): void {
    if (isVisible === this.#isVisible) return;
    this.#isVisible = isVisible;
    if (!isVisible) {
      this.#request?.abort();
      // Whoever comes back tries again.
      this.retry();
    }
    this.#dependencies.scheduler.schedule();
  }

  /** Asks again after a failure that would have been the last one. */
  retry(): void {
    if (this.#nextAt === Infinity) this.#nextAt = this.#askedAt + shortestDelay;
    this.#dependencies.scheduler.schedule();
  }

  /** Forgets the lines, because another service has its name now, or another secret is known. */
  restart(): void {
    this.#request?.abort();
    this.#log = emptyLog;
    this.#older = undefined;
    this.#answeredAt = undefined;
    this.#askedAt = -Infinity;
    this.#isBehind = true;
    this.retry();
    this.#dependencies.onChange();
  }

  dispose(): void {
    this.#task.dispose();
    this.#request?.abort();
  }

  #dueAt(): number {
    const isLookedAt = this.#isVisible && this.#dependencies.scheduler.attention.focused;
    const isNeeded = this.isGrowing || this.#error !== undefined;
    return isLookedAt && isNeeded && this.#request === undefined ? this.#nextAt : Infinity;
  }

  async #askForNewer(): Promise<void> {
    const newest = this.#log.entries.at(-1)?.time ?? -Infinity;
    const askedAt = this.#dependencies.clock.monotonic();
    if (this.#isBehind || newest === -Infinity) {
      await this.#ask({ order: 'desc' }, ({ nextOffset }, entries) => {
        this.#askedAt = askedAt;
        const isNew = this.#log.entries.length === 0 || isApart(this.#log, entries);
        if (isNew) this.#older = nextOffset;
        this.#log = withEntries(isNew ? emptyLog : this.#log, entries);
        this.#isBehind = false;
      });
      return;
    }
    await this.#ask({ order: 'asc', start_time: new Date(newest).toISOString() }, ({ nextOffset }, entries) => {
      this.#askedAt = askedAt;
      this.#log = withEntries(this.#log, entries);
      this.#isBehind = nextOffset !== undefined || entries.length >= MAX_LOG_ENTRIES;
    });
  }

  /** Makes one request, unless one is under way, and plans the next one. */
  async #ask(query: PageQuery, accept: AcceptPage): Promise<void> {
    if (this.#request !== undefined) return;
    const request = new AbortController();
    this.#request = request;
    this.#running = this.#askOnce(query, accept, request.signal);
    await this.#running;
  }

  async #askOnce(query: PageQuery, accept: AcceptPage, signal: AbortSignal): Promise<void> {
    const { ask, secrets, clock, scheduler, onChange } = this.#dependencies;
    const askedAt = clock.monotonic();
    try {
      const spellings = spellingsIn(await secrets());
      const page = await ask({ limit: MAX_LOG_ENTRIES, ...query, ...this.#filter }, signal);
      if (signal.aborted) return;
      const entries = query.order === 'desc' ? page.entries.toReversed() : page.entries;
      accept(page, writeEntries(entries, { time: this.#time, spellings }));
      this.#answeredAt = clock.monotonic();
      this.#failures = 0;
      this.#error = undefined;
    } catch (error) {
      if (signal.aborted) return;
      this.#failures += 1;
      this.#error = error;
    } finally {
      this.#request = undefined;
      this.#running = undefined;
      this.#nextAt = askedAt + this.#delay();
      scheduler.schedule();
    }
    onChange();
  }

  #delay(): number {
    const error = this.#error;
    if (error instanceof ApiError && finalKinds.has(error.kind)) return Infinity;
    const retryAfterMs = error instanceof ApiError ? error.retryAfterMs : undefined;
    const delay = nextPollDelay({
      phase: 'working',
      millisecondsInPhase: 0,
      failures: this.#failures,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      focused: true,
      minMilliseconds: shortestDelay,
      maxMilliseconds: this.#dependencies.slowest(),
    });
    return delay ?? Infinity;
  }
}

type PageQuery = LogQuery & { readonly order: 'asc' | 'desc' };
type AcceptPage = (page: LogPage, entries: readonly WrittenEntry[]) => void;
