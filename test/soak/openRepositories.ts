import type { Disposable } from '../../src/state/emitter.ts';
import type { PresentConnection } from '../../src/state/lists/listStore.ts';
import type { OwnDeployments } from '../../src/state/workspace/ownDeployments.ts';
import type { WorkspaceDeployments } from '../../src/state/workspace/workspaceDeployments.ts';
import type { SimulatedClock } from './simulatedTime.ts';

/** Which deployments are built from the repository of a workspace, whether a window shows it or not. */
export type IsOwn = (deploymentId: string) => boolean;

interface ReadStores {
  readonly connections: PresentConnection;
  readonly ownDeployments: OwnDeployments;
  readonly workspaceDeployments: WorkspaceDeployments;
  readonly clock: SimulatedClock;
}

/** How long git takes to read the open repositories, in milliseconds. */
const reading = 300;

/** The open repository as git reads it: a moment after records arrive, and once more for those that arrive meanwhile. */
export class OpenRepositories {
  readonly #isOwn: IsOwn | undefined;
  readonly #stores: ReadStores;
  #timer: Disposable | undefined;
  #isStale = false;

  constructor(isOwn: IsOwn | undefined, stores: ReadStores) {
    this.#isOwn = isOwn;
    this.#stores = stores;
  }

  get isOpen(): boolean {
    return this.#isOwn !== undefined;
  }

  read(): void {
    const isOwn = this.#isOwn;
    if (isOwn === undefined) return;
    this.#isStale = this.#timer !== undefined;
    if (this.#isStale) return;
    const { connections, ownDeployments, workspaceDeployments, clock } = this.#stores;
    const { session } = connections;
    const { candidates } = ownDeployments;
    if (candidates.length === 0) return;
    const deployments = candidates.filter(({ id }) => isOwn(id));
    this.#timer = clock.schedule(() => {
      this.#timer = undefined;
      workspaceDeployments.match(session, [{ root: '/repository', configFiles: new Set(), deployments }]);
      if (this.#isStale) this.read();
    }, reading);
  }

  dispose(): void {
    this.#timer?.dispose();
  }
}
