import type { Deployment } from '../../api/resources/deployments.ts';
import { nextPollDelay } from '../../core/status/pollDelay.ts';
import type { Clock } from '../clock.ts';
import type { Deployments } from '../lists/deployments.ts';
import type { PresentConnection } from '../lists/listStore.ts';
import type { NamedClients } from './askRevision.ts';
import type { Follower } from './follower.ts';
import { isApiError, type PollSettings, type RevisionId } from './polledRevision.ts';
import type { Scheduler } from './scheduler.ts';

/** Where the deployment is whose next revision is awaited. */
export interface AwaitedBuild {
  readonly connection: string;
  /** Its record from before the push. */
  readonly deployment: Deployment;
  /** What was pushed; undefined if git doesn't say. */
  readonly commit: string | undefined;
}

/**
 * How the wait ended: a newer revision is followed, none appeared, the service failed to say whether one did, or nobody
 * waits any longer.
 */
export type PushOutcome =
  | { readonly kind: 'followed' | 'none' | 'stopped' }
  | { readonly kind: 'unknown'; readonly error: unknown };

export interface PushedBuildsDependencies {
  readonly connections: Pick<PresentConnection, 'session'> & NamedClients;
  /** Shows a newer record, because the polls of a follow ask for none until its end. */
  readonly deployments: Pick<Deployments, 'update'>;
  readonly follower: Pick<Follower, 'follow'>;
  readonly settings: () => PollSettings;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly scheduler: Scheduler;
}

/** How long a service may take to notice a push, in milliseconds. */
const longestWait = 5 * 60_000;

/** Waits for the revisions that pushes start, and follows them. */
export class PushedBuilds {
  readonly #dependencies: PushedBuildsDependencies;
  readonly #waits = new Map<string, AbortController>();

  constructor(dependencies: PushedBuildsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Asks for a deployment until it has a revision of the pushed commit, and follows each newer revision.
   * One of another commit comes from a push that the service noticed late, or from a later one that includes this commit.
   * A failed request is repeated. A later push to the same deployment takes over its wait.
   */
  async follow(pushed: AwaitedBuild): Promise<PushOutcome> {
    const { clock, scheduler, settings } = this.#dependencies;
    const key = JSON.stringify([pushed.connection, pushed.deployment.id]);
    const stop = new AbortController();
    this.#waits.get(key)?.abort();
    this.#waits.set(key, stop);
    const since = clock.monotonic();
    const until = since + longestWait;
    let failures = 0;
    let built: string | undefined;
    try {
      for (;;) {
        const sentAt = clock.monotonic();
        const { present, error } = await this.#find(pushed, stop.signal);
        if (stop.signal.aborted) return { kind: 'stopped' };
        failures = error === undefined ? 0 : failures + 1;
        if (hasNewer(present, pushed.deployment)) {
          const { id: deploymentId, latest_revision_id: revisionId, source_revision_config: config } = present;
          const id = { connection: pushed.connection, deploymentId, revisionId };
          if (revisionId !== built) await this.#follow(id, present, sentAt);
          built = revisionId;
          const commit = config?.repo_commit_sha ?? pushed.commit;
          if (pushed.commit === undefined || commit === pushed.commit) return { kind: 'followed' };
        }
        const askedAt = clock.monotonic();
        const retryAfterMs = isApiError(error) ? error.retryAfterMs : undefined;
        const dueAt = (): number => {
          const delay = nextPollDelay({
            phase: 'working',
            millisecondsInPhase: askedAt - since,
            failures,
            ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
            focused: scheduler.attention.focused,
            visible: true,
            ...settings(),
          });
          return Math.min(askedAt + (delay ?? longestWait), until);
        };
        if (askedAt < until) await this.#waitFor(dueAt, stop.signal);
        if (stop.signal.aborted) return { kind: 'stopped' };
        // The service may have asked to wait until after the end.
        const isOver = askedAt >= until || clock.monotonic() < askedAt + (retryAfterMs ?? 0);
        if (isOver && built !== undefined) return { kind: 'followed' };
        if (isOver) return error === undefined ? { kind: 'none' } : { kind: 'unknown', error };
      }
    } finally {
      if (this.#waits.get(key) === stop) this.#waits.delete(key);
    }
  }

  dispose(): void {
    for (const stop of this.#waits.values()) stop.abort();
  }

  async #follow(id: RevisionId, deployment: Deployment, at: number): Promise<void> {
    const { connections, deployments, follower } = this.#dependencies;
    await follower.follow(id, { deployment });
    const { session } = connections;
    const isListed = session.kind === 'ready' && session.connection.name === id.connection;
    if (isListed) deployments.update(id.deploymentId, { deployment, revision: undefined, at });
  }

  async #find({ connection, deployment }: AwaitedBuild, signal: AbortSignal): Promise<Found> {
    try {
      const client = await this.#dependencies.connections.clientNamed(connection);
      return { present: await client.deployments.find(deployment.id, { signal }) };
    } catch (error) {
      // Whoever uses the connection next says what is wrong with it.
      return { error };
    }
  }

  async #waitFor(dueAt: () => number, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const end = (): void => {
        signal.removeEventListener('abort', end);
        task.dispose();
        resolve();
      };
      const task = this.#dependencies.scheduler.add({ dueAt, run: end });
      signal.addEventListener('abort', end);
    });
  }
}

/** The answer to one request. */
interface Found {
  /** Undefined if the service doesn't have the deployment, or if the request failed. */
  readonly present?: Deployment | undefined;
  readonly error?: unknown;
}

type WithRevision = Deployment & { readonly latest_revision_id: string };

function hasNewer(present: Deployment | undefined, before: Deployment): present is WithRevision {
  return present?.latest_revision_id !== undefined && present.latest_revision_id !== before.latest_revision_id;
}
