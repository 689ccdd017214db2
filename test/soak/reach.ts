import type { RevisionId } from '../../src/state/answers/answers.ts';
import type { Memory } from '../../src/state/memory.ts';
import type { Network } from './network.ts';
import { meaningOf, type Tell } from './oracle.ts';
import type { DeploymentTruth, ServiceModel } from './serviceModel.ts';
import { rememberedOwn, shownFollowOf, shownFollows, shownLeaving } from './shown.ts';
import type { Settings, SimulatedWindow } from './simulatedWindow.ts';

const second = 1_000;

/** How long a poll can take beside its delay: a slow answer that began before all was well, and a Retry-After. */
const longestDetour = 200 * second;

/** How long an own deployment can change unnoticed. Records come once a minute, and can be older than the change. */
const longestOwn = 150 * second;

/** How long it takes at most to show the own deployments that a window has just learned of: git reads, then one poll. */
const longestFirst = 10 * second;

/** For how long the services could be reached, and whether the windows make use of it. */
export class Reach {
  readonly #network: Network;
  readonly #configured: ReadonlyMap<string, ServiceModel>;
  /** For each service, how long it could be reached since the simulation began. */
  readonly #reachable = new Map<ServiceModel, number>();
  /** The services that could be reached after the last event. */
  readonly #reached = new Set<ServiceModel>();
  /** What was reached when a follow began, in each workspace. */
  readonly #begun = new Map<Memory, Map<string, number>>();
  /** Since when a window has the focus and reaches every service. */
  readonly #calmSince = new Map<SimulatedWindow, number>();
  /** Since when a window knows its own deployments on its present connection. */
  readonly #knownSince = new WeakMap<SimulatedWindow, { readonly known: string; readonly at: number }>();
  #lookedAt = 0;

  constructor(network: Network, configured: ReadonlyMap<string, ServiceModel>) {
    this.#network = network;
    this.#configured = configured;
  }

  get #now(): number {
    return this.#network.machine.time.now;
  }

  /** Counts the time since the last look. What can be reached changes at events only, and this follows each. */
  look(): void {
    const passed = this.#now - this.#lookedAt;
    this.#lookedAt = this.#now;
    for (const service of this.#configured.values()) {
      const before = this.#reachable.get(service) ?? 0;
      // The event that has just happened may have changed it.
      if (this.#reached.has(service)) this.#reachable.set(service, before + passed);
      if (this.#network.reaches(service)) this.#reached.add(service);
      else this.#reached.delete(service);
    }
  }

  /** Since when a window has the focus and reaches every service; undefined if it doesn't. */
  calmSince(window: SimulatedWindow): number | undefined {
    return this.#calmSince.get(window);
  }

  begin(window: SimulatedWindow, { connection, revisionId }: RevisionId): void {
    const service = window.serviceOf(connection);
    if (service === undefined) return;
    const begun = this.#begun.get(window.memory) ?? new Map<string, number>();
    this.#begun.set(window.memory, begun.set(revisionId, this.#reachable.get(service) ?? 0));
  }

  /** Giving up needs that much time in which the service could be asked. */
  checkPatience(followed: RevisionId, window: SimulatedWindow, settings: Settings, tell: Tell): void {
    const { giveUpMilliseconds, maxMilliseconds } = settings;
    const service = window.serviceOf(followed.connection);
    if (service === undefined) return;
    const reached =
      (this.#reachable.get(service) ?? 0) - (this.#begun.get(window.memory)?.get(followed.revisionId) ?? 0);
    // A poll that was planned before a sleep counts with its delay.
    if (reached < giveUpMilliseconds * 0.9 - maxMilliseconds) {
      tell(`it gave up ${followed.revisionId} after ${Math.round(reached / second)} s in which it could ask`);
    }
  }

  /** Where all is well and somebody looks, nothing waits longer than the settings say. */
  check(window: SimulatedWindow, { minMilliseconds, maxMilliseconds }: Settings, tell: Tell): void {
    const { weather, machine, refusing } = this.#network;
    const isUp = [...this.#configured.values()].every(({ isDown, isStopped }) => !isDown && !isStopped);
    const isCalm = window.attention.focused && weather === 'good' && !machine.isAsleep && refusing.size === 0 && isUp;
    if (!isCalm) {
      this.#calmSince.delete(window);
      return;
    }
    const since = this.#calmSince.get(window) ?? this.#now;
    this.#calmSince.set(window, since);
    const longest = Math.max(minMilliseconds, maxMilliseconds) + 5 * second;
    if (this.#now - since < longest + longestDetour) return;
    for (const { outcome, answeredAt = since, revisionId, begunAt = 0 } of shownFollows(window)) {
      const age = this.#now - Math.max(answeredAt, begunAt);
      if (outcome === undefined && age > longest) {
        tell(`the last answer about ${revisionId} came ${Math.round(age / second)} s ago, though all is well`);
      }
    }
    this.#checkLeaving(window, longest + longestDetour, tell);
    this.#checkDocuments(window, Math.max(since, window.presentSince), longest, tell);
    if (window.repositories.isOpen && this.#now - since > longest + longestDetour + longestOwn)
      this.#checkOwn(window, tell);
  }

  /** A row that says it is being deleted goes when that is done. */
  #checkLeaving(window: SimulatedWindow, longest: number, tell: Tell): void {
    if (!window.attention.visible || this.#now - window.presentSince < longest) return;
    for (const id of shownLeaving(window)) {
      const gone = window.service?.get(id)?.exists.findLast(({ value }) => !value);
      if (gone !== undefined && this.#now - gone.at > longest)
        tell(`${id} is still said to be deleted, though it is gone`);
    }
  }

  /** A visible document on the present connection doubts no answer that came while all is well, and none is old. */
  #checkDocuments(window: SimulatedWindow, since: number, longest: number, tell: Tell): void {
    for (const { place, drawn, seenAt } of window.editor.visible) {
      const { connection, deploymentId, revisionId = drawn.resource?.latestId ?? '' } = place;
      const deployment = window.serviceOf(connection)?.get(deploymentId);
      const isThere = deployment?.exists.at(-1)?.value === true && drawn.resource !== undefined;
      if (connection !== window.present || !isThere || this.#now - Math.max(since, seenAt) < longest) continue;
      const { statuses = [] } = deployment.revisions.find(({ id }) => id === revisionId) ?? {};
      const isMoving = statuses.every(({ value }) => meaningOf(value) === 'working');
      const { asOf = 0 } = drawn;
      if (window.hasWrongTime) continue;
      if (drawn.isDoubted && asOf > since) tell(`the document of ${revisionId} doubts the answer of ${asOf}`);
      const age = this.#now - asOf;
      if (isMoving && age > longest) {
        tell(`the document of ${revisionId} is as of ${Math.round(age / second)} s ago, though all is well`);
      }
    }
  }

  /** The workspace's own deployments are followed while they move, and shown at rest. */
  #checkOwn(window: SimulatedWindow, tell: Tell): void {
    const { present, service } = window;
    if (present === undefined || service === undefined) return;
    const remembered = rememberedOwn(window);
    const own = service.existing().filter(({ id }) => remembered.includes(id));
    const latest = own.flatMap(({ revisions }) => revisions.slice(0, 1));
    if (this.#now - this.#knownAt(window, present, own) < longestFirst) return;
    for (const { id, deploymentId, createdAt, statuses } of latest) {
      // One that was interrupted rests, and nobody asks whether it goes on.
      const isMoving = statuses.every(({ value }) => meaningOf(value) === 'working');
      if (window.left.has(id) || this.#now - createdAt < longestOwn || !isMoving) continue;
      // A running follow goes on to the newer revision at the end of the older one.
      const followed = shownFollowOf(window, present, deploymentId);
      const isFollowed = followed !== undefined && followed.outcome === undefined;
      if (!isFollowed) tell(`${id} of the workspace moves, and nobody follows it`);
    }
    // Until a new revision is known, the one before it counts.
    const isLeft = own.some(({ revisions: [newest, before] }) =>
      [newest, this.#now - (newest?.createdAt ?? 0) < longestOwn ? before : undefined].some(
        (revision) => revision !== undefined && window.left.has(revision.id),
      ),
    );
    if (own.length === 0 || isLeft) return;
    if (window.bar.words === undefined) tell('nothing is shown of the workspace');
  }

  #knownAt(window: SimulatedWindow, present: string, own: readonly DeploymentTruth[]): number {
    const known = [present, ...own.map(({ id }) => id)].join(' ');
    const before = this.#knownSince.get(window);
    if (before?.known === known) return before.at;
    this.#knownSince.set(window, { known, at: this.#now });
    return this.#now;
  }
}
