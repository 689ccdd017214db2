import type { RevisionStatus } from '../api/schema/enums.ts';
import { sourceConfigWire } from '../api/schema/source.ts';
import type { Build } from './build/build.ts';
import type { BuildOutcome, Note } from './build/outcome.ts';
import type { Journal } from './journal.ts';
import type { Database } from './store/database.ts';
import type { DeletionTable } from './store/deletions.ts';
import type { DeploymentTable } from './store/deployments.ts';
import type { LogLine } from './store/logs.ts';
import type { RevisionConfig, RevisionTable, StoredRevision } from './store/revisions.ts';

/** The service's time in milliseconds. */
export class ServiceClock {
  readonly #wallAtOrigin = Date.now() - performance.now();

  /** Wall time since 1970, for display. It jumps when the system clock is set. */
  now(): number {
    return Date.now();
  }

  /** Time for the schedule: starts at wall time with the process, then only runs forward. */
  monotonic(): number {
    return Math.trunc(this.#wallAtOrigin + performance.now());
  }
}

export interface LifecycleParts {
  readonly database: Database;
  readonly deployments: DeploymentTable;
  readonly revisions: RevisionTable;
  readonly deletions: DeletionTable;
  readonly journal: Journal;
  readonly clock: ServiceClock;
  readonly build: Build;
  /** How long a revision stays in each status, in milliseconds. */
  readonly stepMilliseconds: number;
  /** Called when a deployment is gone. */
  readonly onDeleted: (deploymentId: string) => void;
  readonly onError: (error: unknown) => void;
}

/** The statuses of a revision that waits for its turn. A newer revision makes it SKIPPED. */
const waitingStatuses = ['CREATING', 'QUEUED', 'AWAITING_BUILD'] as const;

/** The statuses of the one revision of a deployment whose turn it is. */
const busyStatuses = ['AWAITING_BUILD', 'BUILDING', 'AWAITING_DEPLOY', 'DEPLOYING'] as const;

const maxBuilds = 2;

/** The longest delay that timers accept, in milliseconds. */
const maxDelay = 2_147_483_647;

/** The first and the longest delay after failures of the service itself, such as a full disk, in milliseconds. */
const retryDelays = { first: 1000, longest: 60_000 } as const;

/**
 * Moves revisions through their statuses on a schedule ("Revision status").
 * The schedule is stored with the revisions, so the service resumes wherever it was stopped.
 */
export class Lifecycle {
  readonly #parts: LifecycleParts;
  readonly #builds = new Map<string, Promise<void>>();
  readonly #stopped = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  /** In a row. */
  #failures = 0;

  constructor(parts: LifecycleParts) {
    this.#parts = parts;
  }

  start(): void {
    const { database, revisions, deletions, clock, stepMilliseconds } = this.#parts;
    const now = clock.monotonic();
    try {
      database.transaction(() => {
        revisions.resume(now, now + stepMilliseconds);
        deletions.resume(now, now + stepMilliseconds);
        revisions.releaseQueued(now);
      });
    } catch (error) {
      // Without this, missed steps are taken at once.
      this.#parts.onError(error);
    }
    this.wake();
  }

  /** Takes every due step and sets the timer for the next one. Call it after every outside change. */
  wake(): void {
    clearTimeout(this.#timer);
    if (this.#stopped.signal.aborted) return;
    try {
      // Read the clock once: a step that becomes due between two readings would never be taken.
      const now = this.#parts.clock.monotonic();
      const failure = this.#runDueSteps(now);
      const { revisions, deletions } = this.#parts;
      const dues = [revisions.nextDueAfter(now), deletions.nextDueAfter(now)].filter((time) => time !== undefined);
      const due = dues.length === 0 ? undefined : Math.min(...dues);
      if (due !== undefined) this.#wakeIn(due - now);
      // A build that goes on may have been started again because its result couldn't be stored.
      if (failure === undefined && this.#builds.size === 0) this.#failures = 0;
      if (failure !== undefined) this.#retryLater(failure.error, due === undefined ? maxDelay : due - now);
    } catch (error) {
      this.#retryLater(error);
    }
  }

  /** Waits until every due step is taken, including builds. */
  async settle(): Promise<void> {
    this.wake();
    while (this.#builds.size > 0) {
      await Promise.all(this.#builds.values());
    }
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    // Only the builds are left.
    await this.settle();
  }

  /** Handles a push to a deployment's ref: a new revision replaces the waiting ones. Returns its id. */
  push(deploymentId: string, config: RevisionConfig): string {
    return this.#addRevision(deploymentId, config, 'Replaced by a newer push.');
  }

  /**
   * Adds a revision that someone asked for, which replaces the waiting ones. Returns its id.
   * `alongside` then makes its changes in the same transaction.
   */
  deploy(deploymentId: string, config: RevisionConfig, alongside: () => void): string {
    return this.#addRevision(deploymentId, config, 'Replaced by a newer revision.', alongside);
  }

  /** Stops a revision. False if it has already ended. */
  interrupt(revisionId: string): boolean {
    const revision = this.#parts.revisions.find(revisionId);
    if (revision === undefined || !isMoving(revision.status)) return false;
    this.#enter(revision, 'INTERRUPTED', 'Stopped on request.');
    this.wake();
    return true;
  }

  /** Deletes a deployment: stops its revisions at once, and removes it two steps later. */
  delete(deploymentId: string, deletesProject: boolean): void {
    const { database, revisions, deletions, journal, clock, stepMilliseconds } = this.#parts;
    database.transaction(() => {
      if (deletions.has(deploymentId)) return;
      for (const moving of revisions.inStatus(deploymentId, [...waitingStatuses, ...busyStatuses])) {
        this.#enter(moving, 'INTERRUPTED', 'Its deployment is being deleted.');
      }
      journal.end(deploymentId);
      deletions.add(deploymentId, deletesProject, clock.now(), clock.monotonic() + 2 * stepMilliseconds);
    });
    this.wake();
  }

  #addRevision(deploymentId: string, config: RevisionConfig, reason: string, alongside = () => {}): string {
    const { database, deployments, revisions, clock, stepMilliseconds } = this.#parts;
    const id = database.transaction(() => {
      for (const waiting of revisions.inStatus(deploymentId, waitingStatuses)) this.#enter(waiting, 'SKIPPED', reason);
      const dueAt = clock.monotonic() + stepMilliseconds;
      const revisionId = deployments.addRevision(deploymentId, config, clock.now(), dueAt);
      alongside();
      return revisionId;
    });
    this.wake();
    return id;
  }

  /** Returns the last failure of a step, which stops no other one. */
  #runDueSteps(now: number): { readonly error: unknown } | undefined {
    const { database, revisions, deletions, onDeleted } = this.#parts;
    let failure: { readonly error: unknown } | undefined;
    const attempt = (work: () => boolean): boolean => {
      try {
        return work();
      } catch (error) {
        failure = { error };
        return false;
      }
    };
    const step = (revision: StoredRevision): boolean => attempt(() => database.transaction(() => this.#step(revision)));
    for (const id of deletions.due(now)) {
      attempt(() => {
        deletions.carryOut(id);
        onDeleted(id);
        return true;
      });
    }
    // After this computer slept for several steps, a step can make the next one due at once.
    while (revisions.due(now).filter(step).length > 0);
    return failure;
  }

  /** Takes one step. Returns false when the revision has to wait for a build. */
  #step(revision: StoredRevision): boolean {
    const { revisions } = this.#parts;
    switch (revision.status) {
      case 'CREATING':
        this.#enter(revision, 'QUEUED');
        return true;
      case 'QUEUED':
        if (this.#isTurnOf(revision)) this.#enter(revision, 'AWAITING_BUILD');
        else revisions.waitForTurn(revision.id);
        return true;
      case 'AWAITING_BUILD':
        this.#enter(revision, 'BUILDING');
        return true;
      case 'BUILDING':
        this.#startBuild(revision);
        return false;
      case 'AWAITING_DEPLOY':
        this.#enter(revision, 'DEPLOYING', revision.message);
        return true;
      case 'DEPLOYING':
        this.#enter(revision, 'DEPLOYED', revision.message);
        return true;
      case 'CREATE_FAILED':
      case 'BUILD_FAILED':
      case 'DEPLOY_FAILED':
      case 'DEPLOYED':
      case 'SKIPPED':
      case 'INTERRUPTED':
      case 'UNKNOWN':
        this.#enter(revision, revision.status);
        return true;
    }
  }

  #isTurnOf(revision: StoredRevision): boolean {
    const busy = this.#parts.revisions.inStatus(revision.deploymentId, busyStatuses);
    return busy.every(({ id }) => id === revision.id);
  }

  /** The only place where a status changes, with all consequences in one transaction. */
  #enter(revision: StoredRevision, status: RevisionStatus, message: string | null = null): void {
    const { database, deployments, revisions, journal, clock, stepMilliseconds } = this.#parts;
    const stepDueAt = isMoving(status) ? (revision.stepDueAt ?? clock.monotonic()) + stepMilliseconds : null;
    const now = clock.now();
    database.transaction(() => {
      revisions.change(revision.id, { status, message, stepDueAt }, now);
      if (status !== revision.status) journal.enter(revision, status, message);
      if (status === 'DEPLOYED') deployments.activate(revision.deploymentId, revision.id, now);
      if (!isOneOf(busyStatuses, status)) revisions.releaseQueued(clock.monotonic(), revision.deploymentId);
    });
  }

  #startBuild(revision: StoredRevision): void {
    if (this.#builds.has(revision.id) || this.#builds.size >= maxBuilds) return;
    this.#builds.set(revision.id, this.#buildAndGoOn(revision));
  }

  async #buildAndGoOn(revision: StoredRevision): Promise<void> {
    const { clock } = this.#parts;
    const lines: LogLine[] = [];
    const note = (message: string): void => void lines.push({ time: clock.now(), level: 'INFO', message });
    try {
      const outcome = await this.#outcomeOf(revision, note);
      if (!this.#stopped.signal.aborted) this.#finishBuild(revision, outcome, lines);
      this.#builds.delete(revision.id);
      this.wake();
    } catch (error) {
      this.#builds.delete(revision.id);
      this.#retryLater(error);
    }
  }

  async #outcomeOf({ deploymentId, source, config }: StoredRevision, note: Note): Promise<BuildOutcome> {
    try {
      const { repo_url: repositoryUrl } = sourceConfigWire.parse(this.#parts.deployments.sourceConfig(deploymentId));
      return await this.#parts.build({ source, config, repositoryUrl: repositoryUrl ?? null }, note);
    } catch (error) {
      // Fail the build, because retrying it could go on forever.
      if (!this.#stopped.signal.aborted) this.#parts.onError(error);
      const problem = 'The local service failed while building this revision. Its log has the details.';
      return { config, problem };
    }
  }

  #finishBuild(started: StoredRevision, outcome: BuildOutcome, lines: readonly LogLine[]): void {
    const { database, revisions, journal } = this.#parts;
    const { config, problem, warning } = outcome;
    database.transaction(() => {
      const revision = revisions.find(started.id);
      // The outcome is void if the revision has moved meanwhile.
      if (revision?.stepDueAt !== started.stepDueAt) return;
      revisions.setConfig(revision.id, config);
      journal.build({ ...revision, config }, lines);
      if (problem === undefined) this.#enter(revision, 'AWAITING_DEPLOY', warning);
      else this.#enter(revision, 'BUILD_FAILED', problem);
      if (outcome.place !== undefined) journal.place(revision, outcome.place);
    });
  }

  #retryLater(error: unknown, latest = maxDelay): void {
    if (this.#stopped.signal.aborted) return;
    this.#parts.onError(error);
    this.#wakeIn(Math.min(retryDelays.first * 2 ** this.#failures, retryDelays.longest, latest));
    this.#failures += 1;
  }

  #wakeIn(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.wake(), Math.min(milliseconds, maxDelay));
  }
}

function isMoving(status: RevisionStatus): boolean {
  return isOneOf(waitingStatuses, status) || isOneOf(busyStatuses, status);
}

function isOneOf(statuses: readonly RevisionStatus[], status: RevisionStatus): boolean {
  return statuses.includes(status);
}
