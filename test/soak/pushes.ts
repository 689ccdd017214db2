import type { Deployment } from '../../src/api/resources/deployments.ts';
import type { RevisionId } from '../../src/state/answers/answers.ts';
import type { Tell } from './oracle.ts';
import { valuesBetween, type DeploymentTruth, type ServiceModel } from './serviceModel.ts';
import type { PushOutcome } from './shown.ts';
import type { Settings, SimulatedWindow } from './simulatedWindow.ts';

const second = 1_000;
const minute = 60 * second;

/** How long a window says that it waits for a build. */
const longestWait = 5 * minute;

/** How long a request can take beside that: a slow answer, and a Retry-After. */
const longestDetour = 200 * second;

/** A push whose build a window waits for. */
interface Push {
  readonly window: SimulatedWindow;
  readonly service: ServiceModel;
  readonly truth: DeploymentTruth;
  readonly commit: string;
  readonly at: number;
  /** The latest revision as the window knew it. */
  readonly before: string | undefined;
  /** The revisions that the window followed since, because of a push to this deployment. */
  readonly followed: string[];
  /** Whether a later push took over its wait. */
  isTakenOver: boolean;
}

/** The pushes of a person, and what the windows say of their builds. */
export class Pushes {
  readonly #now: () => number;
  readonly #tell: Tell;
  /** Since when all has been well for a window that somebody looks at. */
  readonly #calmSince: (window: SimulatedWindow) => number | undefined;
  readonly #awaited = new Set<Push>();

  constructor(now: () => number, calmSince: (window: SimulatedWindow) => number | undefined, tell: Tell) {
    this.#now = now;
    this.#calmSince = calmSince;
    this.#tell = tell;
  }

  /** Pushes a commit that the service may notice, and waits for its build in a window. */
  begin(
    window: SimulatedWindow,
    service: ServiceModel,
    { connection, deployment, commit }: { connection: string; deployment: Deployment; commit: string },
  ): void {
    const truth = service.get(deployment.id);
    if (truth === undefined) return;
    const before = deployment.latest_revision_id;
    for (const earlier of this.#awaited) {
      if (earlier.window === window && earlier.truth === truth) earlier.isTakenOver = true;
    }
    const push: Push = {
      window,
      service,
      truth,
      commit,
      at: this.#now(),
      before,
      followed: [],
      isTakenOver: false,
    };
    this.#awaited.add(push);
    service.notice(truth, commit);
    const { id: deploymentId, name } = deployment;
    void window
      .awaitBuild({ connection, deploymentId, name, revisionId: before, commit })
      .then((ending) => this.#end(push, ending));
  }

  isAwaited(window: SimulatedWindow): boolean {
    return [...this.#awaited].some((push) => push.window === window);
  }

  /** The window follows a revision because of a push. */
  hear({ deploymentId, revisionId }: RevisionId, window: SimulatedWindow): void {
    const pushes = [...this.#awaited].filter((push) => push.window === window && push.truth.id === deploymentId);
    if (pushes.length === 0) this.#tell(`${revisionId} is followed after a push that nobody waits for`);
    for (const push of pushes) {
      const { truth, before, followed } = push;
      const [was, is] = [before, revisionId].map((id) => truth.revisions.findIndex((each) => each.id === id));
      if (is === undefined || is < 0) this.#tell(`${revisionId} is followed after a push, but never existed`);
      else if (was !== undefined && was >= 0 && is >= was)
        this.#tell(`after a push it went from ${before} to ${revisionId}`);
      followed.push(revisionId);
    }
  }

  /** The window follows a revision that somebody deployed again, whatever was pushed before. */
  note({ deploymentId, revisionId }: RevisionId, window: SimulatedWindow): void {
    for (const push of this.#awaited) {
      if (push.window === window && push.truth.id === deploymentId) push.followed.push(revisionId);
    }
  }

  /** A closed window says nothing more. */
  forget(window: SimulatedWindow): void {
    for (const push of this.#awaited) if (push.window === window) this.#awaited.delete(push);
  }

  /** What is awaited ends in time, and where all is well a build is noticed as soon as the settings say. */
  check({ minMilliseconds, maxMilliseconds }: Settings): void {
    const now = this.#now();
    const longest = Math.max(minMilliseconds, maxMilliseconds) + 20 * second;
    for (const push of this.#awaited) {
      const { window, truth, at, followed, before, isTakenOver } = push;
      const { machine } = window;
      const isLate = now - at > longestWait + longestDetour && !machine.isAsleep;
      if (isLate && now - machine.awakeSince > longestWait + longestDetour)
        this.#tell(`it still waits for ${push.commit}`);
      const calm = this.#calmSince(window) ?? Infinity;
      const [latest] = truth.revisions;
      if (
        calm > at ||
        isTakenOver ||
        isLost(push) ||
        latest === undefined ||
        latest.id === before ||
        latest.createdAt <= at
      )
        continue;
      if (
        now - latest.createdAt < longest ||
        followed.includes(latest.id) ||
        latest.createdAt - at > longestWait - longest
      )
        continue;
      if (truth.exists.at(-1)?.value === true) this.#tell(`${latest.id} is the build of a push, and nobody follows it`);
    }
  }

  #end(push: Push, outcome: PushOutcome): void {
    if (!this.#awaited.delete(push)) return;
    const { window, service, truth, commit, at, before, followed, isTakenOver } = push;
    const now = this.#now();
    const call = window.clients.longestCallAt(now) + second;
    const isOver = now - at >= longestWait;
    const latest = valuesBetween(truth.latest, now - call - service.recordLag, now);
    const exists = valuesBetween(truth.exists, now - call, now);
    switch (outcome.kind) {
      case 'followed': {
        const last = followed.at(-1);
        if (last === undefined) return this.#tell(`the build of ${commit} is said to be followed`);
        const built = truth.revisions.find(({ id }) => id === last)?.commit;
        if (!isOver && service.namesCommit && built !== commit) {
          this.#tell(`it waits no longer for ${commit}, but only follows ${last} of ${built}`);
        }
        break;
      }
      case 'none':
        if (!isOver) this.#tell(`no build of ${commit} is said after ${now - at} ms`);
        if (!latest.includes(before) && !exists.includes(false)) {
          this.#tell(`no build of ${commit} is said, but ${latest.join()} is the latest`);
        }
        break;
      case 'unknown':
        if (outcome.error === undefined) this.#tell(`it doesn't say why it can't tell of ${commit}`);
        if (!isLost(push) && (this.#calmSince(window) ?? Infinity) < now - longestDetour) {
          this.#tell(`the service is said not to answer about ${commit}, though all is well`);
        }
        break;
      case 'stopped':
        if (!isTakenOver) this.#tell(`it waits no longer for ${commit}, and says nothing`);
        break;
    }
  }
}

/** Whether the connection was removed. */
function isLost({ window, service }: Push): boolean {
  return !window.services.includes(service);
}
