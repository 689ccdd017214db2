import { isRecord } from '../../api/schema/json.ts';
import { deploymentKey, type Answers, type DeploymentId, type RevisionId } from '../answers/answers.ts';
import type { Clock } from '../clock.ts';
import type { Rename } from '../connections/connectionMemory.ts';
import type { Disposable } from '../emitter.ts';
import { isStoredText, mostRemembered, type Memory } from '../memory.ts';
import type { Follower } from './follower.ts';
import type { Poller } from './poller.ts';

/** A deployment whose next revision is awaited. */
export interface AwaitedBuild extends DeploymentId {
  readonly name: string;
  /** The latest revision from before the push, if there was one. */
  readonly revisionId?: string | undefined;
  /** What was pushed; undefined if git doesn't say. */
  readonly commit?: string | undefined;
  /** When the wait ends, in wall time. */
  readonly until: number;
}

/**
 * How the wait ended: a newer revision is followed, none appeared, the service failed to say whether one did, or nobody
 * waits any longer.
 */
export type PushOutcome =
  | { readonly kind: 'followed' | 'none' | 'stopped' }
  | { readonly kind: 'unknown'; readonly error: unknown };

interface PushedBuildsDependencies {
  readonly answers: Pick<Answers, 'record' | 'onDidChange'>;
  readonly poller: Pick<Poller, 'setAwaited' | 'askNow' | 'nextPollAt' | 'failureOf' | 'onDidAnswer' | 'onDidFail'>;
  readonly follower: Pick<Follower, 'find' | 'follow'>;
  readonly workspaceMemory: Memory;
  readonly clock: Clock;
}

interface Wait {
  build: AwaitedBuild;
  /** When it ends, in monotonic time. */
  readonly endsAt: number;
  readonly timer: Disposable;
  readonly tell: (outcome: PushOutcome) => void;
  /** The newer revision that is followed, which may be one of another commit. */
  built?: string;
}

/** How long a service may take to notice a push, in milliseconds. */
export const longestWait = 5 * 60_000;

const buildsSlot = 'awaitedBuilds';

/** Waits for the revisions that pushes start, and follows them. The poller asks for the records. */
export class PushedBuilds {
  readonly #dependencies: PushedBuildsDependencies;
  readonly #waits = new Map<string, Wait>();
  readonly #subscriptions: readonly Disposable[];

  constructor(dependencies: PushedBuildsDependencies) {
    this.#dependencies = dependencies;
    const { answers, poller, clock } = dependencies;
    const endOf = ({ connection, deploymentId }: RevisionId): void => {
      const wait = this.#waits.get(deploymentKey({ connection, deploymentId }));
      if (wait !== undefined && wait.endsAt <= clock.monotonic()) this.#giveUp(wait);
    };
    this.#subscriptions = [
      answers.onDidChange(({ connection, deploymentIds }) => {
        for (const deploymentId of deploymentIds)
          this.#check(this.#waits.get(deploymentKey({ connection, deploymentId })));
      }),
      poller.onDidAnswer(endOf),
      poller.onDidFail(endOf),
    ];
  }

  /** What the last window of this workspace waited for. */
  get stored(): readonly AwaitedBuild[] {
    const value = this.#dependencies.workspaceMemory.get(buildsSlot);
    return Array.isArray(value) ? value.slice(0, mostRemembered).filter(isAwaitedBuild) : [];
  }

  /**
   * Has a deployment asked for until it has a revision of the pushed commit, and follows each newer revision.
   * One of another commit comes from a push that the service noticed late, or from a later one that includes this commit.
   * A later push to the same deployment takes over its wait.
   */
  async follow(build: AwaitedBuild): Promise<PushOutcome> {
    const before = this.#waits.get(deploymentKey(build));
    if (before !== undefined) this.#end(before, { kind: 'stopped' });
    const { clock } = this.#dependencies;
    return new Promise((tell) => {
      // No wait is longer, whatever was stored or became of the clock.
      const delay = Math.max(0, Math.min(build.until - clock.now(), longestWait));
      const timer = clock.schedule(() => this.#askLast(wait), delay);
      const wait: Wait = { build, endsAt: clock.monotonic() + delay, timer, tell };
      this.#waits.set(deploymentKey(build), wait);
      this.#update();
      this.#check(wait);
    });
  }

  /** Waits on under the new name of a connection. */
  rename({ from, to }: Rename): void {
    for (const [key, wait] of this.#waits) {
      if (wait.build.connection !== from) continue;
      this.#waits.delete(key);
      wait.build = { ...wait.build, connection: to };
      this.#waits.set(deploymentKey(wait.build), wait);
    }
    this.#update();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    // They stay stored, for the next window.
    for (const { timer, tell } of this.#waits.values()) {
      timer.dispose();
      tell({ kind: 'stopped' });
    }
    this.#waits.clear();
  }

  /** Asks once more at the end of a wait, unless the last request failed and the next one is only due later. */
  #askLast(wait: Wait): void {
    const { poller, clock } = this.#dependencies;
    const id = idOf(wait.build);
    const dueAt = poller.nextPollAt(id) ?? 0;
    if (poller.failureOf(id) !== undefined && dueAt > clock.monotonic()) this.#giveUp(wait);
    else poller.askNow(id);
  }

  #check(wait: Wait | undefined): void {
    if (wait === undefined) return;
    const { answers, follower } = this.#dependencies;
    const { connection, deploymentId, revisionId: before, commit } = wait.build;
    const record = answers.record(connection, deploymentId);
    const revisionId = record?.latest_revision_id;
    if (revisionId === undefined || revisionId === before) return;
    if (revisionId !== wait.built && follower.find(connection, deploymentId)?.revisionId !== revisionId) {
      void follower.follow({ connection, deploymentId, revisionId });
    }
    wait.built = revisionId;
    const built = record?.source_revision_config?.repo_commit_sha ?? commit;
    if (built === commit || commit === undefined) this.#end(wait, { kind: 'followed' });
  }

  #giveUp(wait: Wait): void {
    const failure = this.#dependencies.poller.failureOf(idOf(wait.build));
    if (wait.built !== undefined) this.#end(wait, { kind: 'followed' });
    else this.#end(wait, failure === undefined ? { kind: 'none' } : { kind: 'unknown', error: failure.error });
  }

  #end({ build, timer, tell }: Wait, outcome: PushOutcome): void {
    timer.dispose();
    this.#waits.delete(deploymentKey(build));
    this.#update();
    tell(outcome);
  }

  #update(): void {
    const builds = [...this.#waits.values()].map(({ build }) => build);
    this.#dependencies.poller.setAwaited(builds.map(idOf));
    void this.#dependencies.workspaceMemory.update(buildsSlot, builds.length > 0 ? builds : undefined);
  }
}

function idOf({ connection, deploymentId, revisionId = '' }: AwaitedBuild): RevisionId {
  return { connection, deploymentId, revisionId };
}

function isAwaitedBuild(value: unknown): value is AwaitedBuild {
  if (!isRecord(value)) return false;
  const { connection, deploymentId, name, revisionId, commit, until } = value;
  const isOptional = (text: unknown): boolean => text === undefined || isStoredText(text);
  return (
    [connection, deploymentId, name].every(isStoredText) &&
    [revisionId, commit].every(isOptional) &&
    Number.isFinite(until)
  );
}
