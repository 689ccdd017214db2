import type { Clock } from '../clock.ts';
import type { Disposable } from '../emitter.ts';
import type { Deployments } from '../lists/deployments.ts';
import type { Attention } from './follower.ts';

export interface ListRefreshDependencies {
  readonly deployments: Pick<Deployments, 'state' | 'refresh'>;
  readonly clock: Clock;
}

const millisecondsUntilOld = 60_000;

/**
 * Keeps the list of deployments at most a minute old while somebody looks at it: what others deploy, or a push, is seen
 * then. Who comes back to an older one gets it anew at once; what nobody has loaded yet is left alone.
 */
export class ListRefresh {
  readonly #dependencies: ListRefreshDependencies;
  #isWatched = false;
  /** A refresh that failed leaves the list old, and is no reason to ask again at once. */
  #askedAt: number | undefined;
  #timer: Disposable | undefined;

  constructor(dependencies: ListRefreshDependencies) {
    this.#dependencies = dependencies;
  }

  setAttention({ focused, visible }: Attention): void {
    const isWatched = focused && visible;
    if (isWatched === this.#isWatched) return;
    this.#isWatched = isWatched;
    this.#plan();
  }

  dispose(): void {
    this.#isWatched = false;
    this.#plan();
  }

  #plan(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (!this.#isWatched) return;
    const { deployments, clock } = this.#dependencies;
    const now = clock.monotonic();
    const since = Math.max(deployments.state.monotonicLoadedAt ?? now, this.#askedAt ?? 0);
    this.#timer = clock.schedule(() => void this.#refresh(), Math.max(0, since + millisecondsUntilOld - now));
  }

  async #refresh(): Promise<void> {
    const { deployments, clock } = this.#dependencies;
    const { monotonicLoadedAt: loadedAt } = deployments.state;
    if (loadedAt !== undefined && clock.monotonic() - loadedAt >= millisecondsUntilOld) {
      this.#askedAt = clock.monotonic();
      await deployments.refresh();
    }
    this.#plan();
  }
}
