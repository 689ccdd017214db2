import { Emitter, type Disposable } from '../../src/state/emitter.ts';
import type { OpenWorkspace } from '../../src/state/following/followOwn.ts';
import type { OwnDeployments } from '../../src/state/following/ownDeployments.ts';
import type { Deployments } from '../../src/state/lists/deployments.ts';
import type { SimulatedClock } from './simulatedTime.ts';

/** What is true of the repositories of a workspace, whether a window shows it or not. */
export interface OwnTruth {
  readonly isOwn: (deploymentId: string) => boolean;
  /** The deployment that the person chose for the workspace. */
  choice: string | undefined;
}

/** How long git takes to read the open repositories, in milliseconds. */
const reading = 300;

/** The open repositories as a window knows them: git compares the records a moment after they arrive. */
export class OwnWorkspace implements OpenWorkspace {
  readonly #truth: OwnTruth | undefined;
  readonly #deployments: Deployments;
  readonly #remember: OwnDeployments['remember'];
  readonly #clock: SimulatedClock;
  readonly #marked = new Emitter<void>();
  #isReading = false;
  #timer: Disposable | undefined;
  #choice = '';
  own: ReadonlySet<string> | undefined;

  readonly onDidMark = this.#marked.event;

  constructor(
    truth: OwnTruth | undefined,
    deployments: Deployments,
    ownDeployments: OwnDeployments,
    clock: SimulatedClock,
  ) {
    this.#truth = truth;
    this.#deployments = deployments;
    this.#remember = (ids) => ownDeployments.remember(ids);
    this.#clock = clock;
    deployments.onDidChange(() => this.read());
  }

  get isOn(): boolean {
    return this.#truth !== undefined;
  }

  get main(): string | undefined {
    const [only, another] = this.own ?? [];
    if (this.own?.has(this.#choice) === true) return this.#choice;
    return another === undefined ? only : undefined;
  }

  isOwn(deploymentId: string): boolean {
    return this.#truth?.isOwn(deploymentId) === true;
  }

  read(): void {
    if (this.#isReading || !this.isOn) return;
    this.#isReading = true;
    this.#timer = this.#clock.schedule(() => {
      this.#isReading = false;
      const { records } = this.#deployments;
      if (records.length === 0) return;
      const own = records.map(({ id }) => id).filter((id) => this.isOwn(id));
      this.#remember(own);
      this.own = new Set(own);
      this.#choice = this.#truth?.choice ?? '';
      this.#marked.fire();
    }, reading);
  }

  dispose(): void {
    this.#timer?.dispose();
  }

  /** Another connection has other deployments. */
  forget(): void {
    this.own = undefined;
  }
}
