import type { Deployment } from '../../src/api/resources/deployments.ts';
import type { RevisionId } from '../../src/state/answers/answers.ts';
import { localConnectionName } from '../../src/state/connections/connection.ts';
import { InMemoryMemory } from '../support/editorStorage.ts';
import { ActivityTruth } from './activityTruth.ts';
import { checkEnding } from './endings.ts';
import { Network } from './network.ts';
import { checkWindow } from './oracle.ts';
import { Pushes } from './pushes.ts';
import { Random } from './random.ts';
import type { IsOwn } from './openRepositories.ts';
import { Reach } from './reach.ts';
import { ServiceModel, type ServiceOptions } from './serviceModel.ts';
import { ownIds, shownFollows, type ShownEnding } from './shown.ts';
import { Machine, SimulatedTime } from './simulatedTime.ts';
import { SimulatedWindow, type Settings } from './simulatedWindow.ts';

const second = 1_000;
const minute = 60 * second;

/** More than any simulation has, unless something goes round in circles. */
const mostEvents = 100_000;

/** What was false, and what happened before. */
export interface Falsehood {
  readonly what: string;
  readonly trace: readonly string[];
}

/** Everything that there is: machine, network, services, and the windows with what they remember. */
export class World {
  readonly random: Random;
  readonly time = new SimulatedTime();
  readonly network: Network;
  readonly configured = new Map<string, ServiceModel>();
  /** Also those whose connection was removed. */
  readonly services: readonly ServiceModel[];
  readonly settings: Settings;
  readonly activity = new ActivityTruth();
  readonly #trace: string[] = [];
  /** Each workspace remembers, whether a window shows it or not. */
  readonly #workspaces = [new InMemoryMemory(), new InMemoryMemory()] as const;
  /** Each service has deployments of both workspaces and of none; undefined if nobody wants them followed. */
  readonly #owns: readonly [IsOwn, IsOwn] | undefined;
  readonly windows: SimulatedWindow[] = [];
  /** The endings that were told, and all of them with the number of times that somebody followed again. */
  readonly #told = new Set<string>();
  readonly #ended = new WeakMap<ShownEnding, string>();
  readonly #begun = new Map<string, number>();
  readonly #reach: Reach;
  readonly #pushes: Pushes;
  #commits = 0;
  falsehood: Falsehood | undefined;
  isResting = false;
  requests = 0;
  events = 0;
  endings = 0;

  constructor(seed: number, options: ServiceOptions) {
    const random = new Random(seed);
    this.random = random;
    this.network = new Network(new Machine(this.time, random.chance(0.5)), random);
    this.#reach = new Reach(this.network, this.configured);
    const calmSince = (window: SimulatedWindow): number | undefined => this.#reach.calmSince(window);
    this.#pushes = new Pushes(
      () => this.time.now,
      calmSince,
      (what) => this.tell(what),
    );
    for (const name of ['Work', 'Home']) this.configured.set(name, new ServiceModel(name, this.time, random, options));
    this.configured.set(localConnectionName, new ServiceModel('Local', this.time, random, options));
    this.services = [...this.configured.values()];
    const minMilliseconds = random.chance(0.8) ? 2 * second : random.spread(100, minute);
    const maxMilliseconds = random.chance(0.8) ? 30 * second : random.spread(second, 10 * minute);
    const ownOf =
      (workspace: number): IsOwn =>
      (deploymentId) =>
        Number(deploymentId.split('-d')[1]) % 3 === workspace;
    this.#owns = random.chance(0.6) ? [ownOf(0), ownOf(1)] : undefined;
    this.settings = { minMilliseconds, maxMilliseconds, giveUpMilliseconds: random.pick([20, 40, 60]) * minute };
    for (const service of this.configured.values()) {
      for (let count = random.between(0, 8); count > 0; count -= 1) service.create();
    }
  }

  check(): void {
    this.events += 1;
    if (this.events > mostEvents) this.tell('it never comes to rest');
    this.#reach.look();
    for (const window of this.windows) {
      checkWindow(window, this.time.now, this.#pushes.isAwaited(window), (what) => this.tell(what));
      this.#reach.check(window, this.settings, (what) => this.tell(what));
    }
    this.#pushes.check(this.settings);
  }

  tell(what: string): void {
    this.falsehood ??= { what: `at ${this.time.now}: ${what}`, trace: this.#trace.slice(-30) };
  }

  note(what: string): void {
    this.#trace.push(`${this.time.now} ${what}`);
  }

  open(workspace: 0 | 1): SimulatedWindow {
    const [present = ''] = this.configured.keys();
    const window = new SimulatedWindow({
      network: this.network,
      configured: this.configured,
      present,
      memory: this.#workspaces[workspace],
      settings: this.settings,
      activity: this.activity.file,
      ...(this.#owns === undefined ? {} : { isOwn: this.#owns[workspace] }),
      onEnd: (followed, from) => this.#hear(followed, from),
      onTell: (ended) => this.#hearTold(ended),
      onFollowOwn: (id, from) => this.#noteBegin(from, id),
      onFollowPushed: (id, from) => {
        this.#noteBegin(from, id);
        this.#pushes.hear(id, from);
      },
    });
    this.windows.push(window);
    window.look({ visible: this.random.chance(0.6) });
    this.look(window);
    return window;
  }

  reload(window: SimulatedWindow): void {
    this.note('reload');
    const before = runningIn(window);
    const workspace = this.workspaceOf(window);
    const documents = window.editor.open;
    this.close(window);
    const isRead = before.every((id) => this.configured.has(id.slice(0, id.indexOf(' '))));
    const reloaded = this.open(workspace);
    const after = runningIn(reloaded);
    for (const place of documents) void reloaded.editor.show(place);
    if (isRead && after.join() !== before.join())
      this.tell(`followed ${before.join()} and after a reload ${after.join()}`);
  }

  workspaceOf({ memory }: SimulatedWindow): 0 | 1 {
    return memory === this.#workspaces[0] ? 0 : 1;
  }

  close(window: SimulatedWindow): void {
    this.requests += window.clients.requests.length;
    this.#pushes.forget(window);
    window.close();
    if (window.clock.pending > 0) this.tell('a closed window still has a timer');
    this.windows.splice(this.windows.indexOf(window), 1);
  }

  #hear(followed: ShownEnding, window: SimulatedWindow): void {
    const { revisionId, outcome } = followed;
    this.endings += 1;
    this.activity.hear(followed);
    this.note(`told: ${revisionId} ${outcome} ${followed.status}`);
    const tell = (what: string): void => this.tell(what);
    checkEnding(followed, window, this.time.now, tell);
    // A build that was stopped may go on and end once more.
    const how = `${this.workspaceOf(window)} ${revisionId} ${followed.status}`;
    this.#ended.set(followed, `${how} ${this.#begun.get(followed.deploymentId)}`);
    // A reload before the end is told.
    if (this.random.chance(0.1)) {
      this.time.plan(this.random.between(0, 2 * second), () => {
        if (!this.isResting && this.windows.includes(window) && !this.network.machine.isAsleep) this.reload(window);
      });
    }
    if (outcome === 'gaveUp') this.#reach.checkPatience(followed, window, this.settings, tell);
  }

  #hearTold(ended: readonly ShownEnding[]): void {
    for (const followed of ended) {
      const once = this.#ended.get(followed) ?? '';
      if (this.#told.has(once)) this.tell(`the end of ${followed.revisionId} was told twice`);
      this.#told.add(once);
    }
  }

  /** The person chooses one of the own deployments of a workspace, or changes their mind. */
  choose(window: SimulatedWindow): void {
    if (!window.repositories.isOpen) return;
    const own = ownIds(window);
    const choice = own[this.random.between(0, own.length + 1)];
    if (choice === undefined) return;
    this.note(`chooses ${choice}`);
    window.choose(choice);
  }

  /** Stops or starts the local service. Its window knows at once, and the others when the file has changed. */
  setLocalService(isStopped: boolean): void {
    const service = this.configured.get(localConnectionName);
    if (service === undefined || service.isStopped === isStopped) return;
    this.note(isStopped ? 'the local service is stopped' : 'the local service is started');
    service.isStopped = isStopped;
    // Something must happen for somebody to look: this is when every window must have learned it.
    this.time.plan(4 * second, () => undefined);
    for (const [index, window] of this.windows.entries()) {
      window.heardAt = this.time.now + second;
      this.time.plan(index === 0 ? 0 : this.random.between(0, second), () => {
        if (this.windows.includes(window)) window.hearOfLocalService();
      });
    }
  }

  /** Somebody looks for a while, and then works on with something else. */
  look(window: SimulatedWindow): void {
    window.look({ focused: true });
    this.time.plan(this.random.spread(5 * second, 10 * minute), () => {
      if (!this.isResting && this.windows.includes(window)) window.look({ focused: false });
    });
  }

  /** Somebody pushes a commit from a window, which waits for its build. */
  pushFrom(
    window: SimulatedWindow,
    service: ServiceModel,
    { connection, deployment }: { connection: string; deployment: Deployment },
  ): void {
    this.#commits += 1;
    const commit = `commit ${this.#commits}`;
    this.note(`pushes ${commit} to ${deployment.id}`);
    this.#pushes.begin(window, service, { connection, deployment, commit });
  }

  /** Whether a window waits for the build of a push. */
  isAwaiting(window: SimulatedWindow): boolean {
    return this.#pushes.isAwaited(window);
  }

  #noteBegin(window: SimulatedWindow, id: RevisionId): void {
    this.#begun.set(id.deploymentId, (this.#begun.get(id.deploymentId) ?? 0) + 1);
    this.#reach.begin(window, id);
  }

  /** Somebody deploys from a window, which was promised a commit if it deploys a revision again. */
  begin(window: SimulatedWindow, id: RevisionId, deployment: Deployment, promised?: string): void {
    this.#noteBegin(window, id);
    this.#pushes.note(id, window);
    void window.follow(id, deployment, promised);
  }
}

/** The follows of a window that have not ended, or whose end was not told yet, as text. */
export function runningIn(window: SimulatedWindow): readonly string[] {
  const untold = new Set(window.untold.map(({ revisionId }) => revisionId));
  return shownFollows(window)
    .filter(({ outcome, revisionId }) => outcome === undefined || untold.has(revisionId))
    .map(({ connection, revisionId }) => `${connection} ${revisionId}`)
    .toSorted();
}
