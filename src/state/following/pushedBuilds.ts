import type { Deployment } from '../../api/resources/deployments.ts';
import { nextPollDelay } from '../../core/status/pollDelay.ts';
import type { Clock } from '../clock.ts';
import type { Connections } from '../connections/connections.ts';
import type { Disposable } from '../emitter.ts';
import type { Deployments } from '../lists/deployments.ts';
import type { Follower } from './follower.ts';
import type { PollSettings } from './polledRevision.ts';
import type { Poller } from './poller.ts';

/** Where the deployment is whose next revision is awaited. */
export interface AwaitedBuild {
  readonly connection: string;
  /** Its record from before the push. */
  readonly deployment: Deployment;
}

/** How the wait ended: a newer revision is followed, none appeared, or nobody waits any longer. */
export type PushOutcome = 'followed' | 'none' | 'stopped';

export interface PushedBuildsDependencies {
  readonly connections: Pick<Connections, 'session' | 'clientNamed'>;
  readonly deployments: Pick<Deployments, 'update'>;
  readonly follower: Pick<Follower, 'follow'>;
  /** Knows whether the window has the focus. */
  readonly poller: Pick<Poller, 'attention'>;
  readonly settings: () => PollSettings;
  readonly clock: Clock;
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
   * Asks for a deployment until it has a newer revision, which is followed then.
   * Failed requests count as no answer. A later push to the same deployment takes over its wait.
   */
  async follow(pushed: AwaitedBuild): Promise<PushOutcome> {
    const { clock, settings, poller } = this.#dependencies;
    const key = JSON.stringify([pushed.connection, pushed.deployment.id]);
    const stop = new AbortController();
    this.#waits.get(key)?.abort();
    this.#waits.set(key, stop);
    const since = clock.monotonic();
    let failures = 0;
    try {
      while (!stop.signal.aborted) {
        const answer = await this.#ask(pushed, stop.signal);
        if (answer === 'newer') return 'followed';
        failures = answer === 'failed' ? failures + 1 : 0;
        const waited = clock.monotonic() - since;
        if (waited >= longestWait || stop.signal.aborted) break;
        const delay = nextPollDelay({
          phase: 'working',
          millisecondsInPhase: waited,
          failures,
          focused: poller.attention.focused,
          visible: true,
          ...settings(),
        });
        await this.#pause(Math.min(delay ?? longestWait, longestWait - waited), stop.signal);
      }
      return stop.signal.aborted ? 'stopped' : 'none';
    } finally {
      if (this.#waits.get(key) === stop) this.#waits.delete(key);
    }
  }

  dispose(): void {
    for (const stop of this.#waits.values()) stop.abort();
  }

  async #ask({ connection, deployment: before }: AwaitedBuild, signal: AbortSignal): Promise<Answer> {
    const { connections, deployments, follower, clock } = this.#dependencies;
    const at = clock.monotonic();
    const present = await this.#find(connection, before.id, signal);
    if (signal.aborted || present === 'failed') return 'failed';
    const revisionId = present?.latest_revision_id;
    if (present === undefined || revisionId === undefined || revisionId === before.latest_revision_id) return 'same';
    const { session } = connections;
    if (session.kind !== 'none' && session.connection.name === connection) {
      deployments.update(present.id, { deployment: present, revision: undefined, at });
    }
    await follower.follow({ connection, deploymentId: present.id, revisionId }, { deployment: present });
    return 'newer';
  }

  async #find(connection: string, id: string, signal: AbortSignal): Promise<Deployment | undefined | 'failed'> {
    try {
      const client = await this.#dependencies.connections.clientNamed(connection);
      return await client.deployments.find(id, { signal });
    } catch {
      // Whoever uses the connection next says what is wrong with it.
      return 'failed';
    }
  }

  async #pause(delay: number, signal: AbortSignal): Promise<void> {
    let timer: Disposable | undefined;
    await new Promise<void>((resolve) => {
      timer = this.#dependencies.clock.schedule(resolve, delay);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    timer?.dispose();
  }
}

type Answer = 'newer' | 'same' | 'failed';
