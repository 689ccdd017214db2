import { InMemoryMemory } from '../support/editorStorage.ts';
import { Network } from './network.ts';
import { Random } from './random.ts';
import { ServiceModel, type DeploymentTruth, type RevisionTruth } from './serviceModel.ts';
import { shownFollows } from './shown.ts';
import { Machine, SimulatedTime } from './simulatedTime.ts';
import { SimulatedWindow } from './simulatedWindow.ts';

const second = 1_000;
const minute = 60 * second;

/** A deployment of 14 minutes: the times of its six states. */
const lasts = [5, 5, 10, 420, 10, 390].map((seconds) => seconds * second);

/** A window on a service whose deployments all take 14 minutes, on a good network. */
class Office {
  readonly random: Random;
  readonly time = new SimulatedTime();
  readonly service: ServiceModel;
  readonly window: SimulatedWindow;
  /** When the window first knew of the states of each followed revision, by its place in their order. */
  readonly #seen = new Map<string, number[]>();

  constructor(seed: number) {
    this.random = new Random(seed);
    this.service = new ServiceModel('Work', this.time, this.random, { lasts });
    this.window = new SimulatedWindow({
      network: new Network(new Machine(this.time, true), this.random),
      configured: new Map([['Work', this.service]]),
      present: 'Work',
      memory: new InMemoryMemory(),
      settings: { minMilliseconds: 2 * second, maxMilliseconds: 30 * second, giveUpMilliseconds: 60 * minute },
      activity: { read: async () => '', append: async () => undefined, remove: async () => undefined },
      onEnd: () => undefined,
    });
    this.window.onDidChangeFollows(() => this.#note());
  }

  async pass(duration: number): Promise<void> {
    await this.time.run(
      () => true,
      this.time.now + duration,
      () => undefined,
    );
  }

  /** Creates a deployment and follows it once the answer to that has come. */
  deploy(): RevisionTruth {
    const deployment = this.service.create();
    const [revision] = deployment.revisions;
    if (revision === undefined) throw new Error('A new deployment has no revision.');
    this.time.plan(this.random.spread(100, 2 * second), () => void this.#follow(deployment, revision));
    return revision;
  }

  /** How long after each change of a revision the window knew of it. */
  lagsOf({ id, statuses }: RevisionTruth): readonly number[] {
    const seen = this.#seen.get(id) ?? [];
    return statuses
      .slice(1)
      .map(({ at }, index) => (seen.slice(index + 1).find((time) => time !== undefined) ?? 0) - at);
  }

  async #follow({ id: deploymentId }: DeploymentTruth, { id: revisionId }: RevisionTruth): Promise<void> {
    const deployment = { id: deploymentId, name: deploymentId, latest_revision_id: revisionId };
    this.window.add(deployment);
    await this.window.follow({ connection: 'Work', deploymentId, revisionId }, deployment);
  }

  #note(): void {
    for (const { status, deploymentId, revisionId } of shownFollows(this.window)) {
      const truth = this.service.revision(deploymentId, revisionId);
      const place = truth?.statuses.findIndex(({ value }) => value === status) ?? -1;
      if (place < 0) continue;
      const seen = this.#seen.get(revisionId) ?? [];
      seen[place] ??= this.time.now;
      this.#seen.set(revisionId, seen);
    }
  }
}

/** What following costs, and what it gains. */
export interface FollowCost {
  /** The requests for the revision, and the others. */
  readonly requests: number;
  readonly others: number;
  /** In milliseconds, the shortest first. */
  readonly lags: readonly number[];
}

/** Follows one deployment of 14 minutes in a focused window. */
export async function followOne(seed: number): Promise<FollowCost> {
  const office = new Office(seed);
  office.window.look({ focused: true, visible: false });
  const revision = office.deploy();
  await office.pass(20 * minute);
  const { requests } = office.window.clients;
  office.window.close();
  const own = requests.filter(({ path }) => path.endsWith(`/revisions/${revision.id}`)).length;
  const lags = office.lagsOf(revision).toSorted((one, other) => one - other);
  return { requests: own, others: requests.length - own, lags };
}

/** Follows 50 deployments that begin within the first 45 minutes of an hour; the number of requests. */
export async function followFifty(seed: number, focused: boolean): Promise<number> {
  const office = new Office(seed);
  office.window.look({ focused, visible: false });
  for (let count = 0; count < 50; count += 1) {
    office.time.plan(office.random.between(0, 45 * minute), () => void office.deploy());
  }
  await office.pass(60 * minute);
  office.window.close();
  return office.window.clients.requests.length;
}

/** Shows a list in which much moves, and looks away for an hour; the number of requests in that hour. */
export async function lookAway(seed: number): Promise<number> {
  const office = new Office(seed);
  for (let count = 0; count < 20; count += 1) office.service.create();
  office.window.look({ focused: true, visible: true });
  await office.pass(minute);
  const before = office.window.clients.requests.length;
  if (before === 0) throw new Error('The list was never loaded.');
  office.window.look({ focused: false, visible: true });
  await office.pass(60 * minute);
  office.window.close();
  return office.window.clients.requests.length - before;
}

export function medianOf(sorted: readonly number[]): number {
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}
