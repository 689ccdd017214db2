import type { Random } from './random.ts';
import { beginning, type SimulatedTime } from './simulatedTime.ts';

/** What something was since when; the last entry is what it is now. */
type History<T> = { readonly at: number; readonly value: T }[];

export interface RevisionTruth {
  readonly id: string;
  readonly deploymentId: string;
  readonly createdAt: number;
  readonly commit: string;
  readonly statuses: History<string>;
  /** Whether somebody stopped it, so that it never goes on. */
  isStopped: boolean;
}

export interface DeploymentTruth {
  readonly id: string;
  readonly revisions: RevisionTruth[];
  readonly latest: History<string>;
  readonly active: History<string | undefined>;
  /** How many cores it asks for. */
  readonly cpus: History<number>;
  /** Its own status, which says when it is being deleted. */
  readonly statuses: History<string>;
  readonly exists: History<boolean>;
}

/** What a history said at a time. */
export function valueAt<T>(history: History<T>, at: number): T | undefined {
  return history.findLast((entry) => entry.at <= at)?.value;
}

/** What a history said at any time between two. */
export function valuesBetween<T>(history: History<T>, from: number, to: number): readonly (T | undefined)[] {
  return [valueAt(history, from), ...history.filter(({ at }) => at > from && at <= to).map(({ value }) => value)];
}

const second = 1_000;
const minute = 60 * second;
const failures = { BUILDING: 'BUILD_FAILED', DEPLOYING: 'DEPLOY_FAILED' } as const;

export interface ServiceOptions {
  /** Calls the latest revision the active one, which it may never become. */
  readonly lies?: boolean;
  /** Every deployment goes through the six states in these times and is live then; the service is never wrong. */
  readonly lasts?: readonly number[];
}

/** A service with everything that ever was so on it. It is changed by its own events only. */
export class ServiceModel {
  readonly name: string;
  readonly deployments: DeploymentTruth[] = [];
  /** How much older than the truth a record can be that it sends. */
  readonly recordLag: number;
  isDown = false;
  /** Whether somebody stopped it; only the local service can be. */
  isStopped = false;
  readonly #time: SimulatedTime;
  readonly #random: Random;
  readonly #skew: number;
  readonly #saysWhen: boolean;
  /** Whether its records name the commit of their latest revision. */
  readonly namesCommit: boolean;
  readonly #lies: boolean;
  readonly #lasts: readonly number[] | undefined;

  constructor(name: string, time: SimulatedTime, random: Random, { lies = false, lasts }: ServiceOptions) {
    this.#lies = lies;
    this.#lasts = lasts;
    this.name = name;
    this.#time = time;
    this.#random = random;
    this.#skew = lasts === undefined && random.chance(0.3) ? random.between(-20 * minute, 20 * minute) : 0;
    this.#saysWhen = lasts !== undefined || random.chance(0.9);
    this.namesCommit = lasts !== undefined || random.chance(0.7);
    this.recordLag = lasts === undefined && random.chance(0.3) ? 12 * second : 0;
  }

  /** Whether its times can be compared with those of other machines. */
  get hasRightTime(): boolean {
    return this.#skew === 0 && this.#saysWhen;
  }

  get(deploymentId: string): DeploymentTruth | undefined {
    return this.deployments.find(({ id }) => id === deploymentId);
  }

  revision(deploymentId: string, revisionId: string): RevisionTruth | undefined {
    return this.get(deploymentId)?.revisions.find(({ id }) => id === revisionId);
  }

  existing(): readonly DeploymentTruth[] {
    return this.deployments.filter(({ exists }) => exists.at(-1)?.value === true);
  }

  /** Those that can be changed, because they aren't being deleted. */
  changeable(): readonly DeploymentTruth[] {
    return this.existing().filter((deployment) => !isLeaving(deployment));
  }

  create(): DeploymentTruth {
    const { now } = this.#time;
    const id = `${this.name}-d${this.deployments.length + 1}`;
    const deployment: DeploymentTruth = {
      id,
      revisions: [],
      latest: [],
      active: [{ at: now, value: undefined }],
      cpus: [{ at: now, value: 1 }],
      statuses: [{ at: now, value: 'READY' }],
      exists: [{ at: now, value: true }],
    };
    this.deployments.unshift(deployment);
    this.push(deployment);
    return deployment;
  }

  /** A new revision, which may take the place of one that is not finished. */
  push(deployment: DeploymentTruth, commit?: string): RevisionTruth {
    const { now } = this.#time;
    const before = deployment.revisions[0];
    const id = `${deployment.id}-r${deployment.revisions.length + 1}`;
    const statuses = [{ at: now, value: 'CREATING' }];
    const revision = {
      id,
      deploymentId: deployment.id,
      createdAt: now,
      commit: commit ?? `commit of ${id}`,
      statuses,
      isStopped: false,
    };
    deployment.revisions.unshift(revision);
    deployment.latest.push({ at: now, value: id });
    if (before !== undefined && isUnfinished(before) && this.#random.chance(0.6)) {
      this.#time.plan(this.#random.between(0, 3 * second), () => {
        if (isUnfinished(before)) this.#become(before, 'SKIPPED');
      });
    }
    this.#goOn(deployment, revision, ['QUEUED', 'AWAITING_BUILD', 'BUILDING', 'AWAITING_DEPLOY', 'DEPLOYING']);
    return revision;
  }

  /** Notices a push some time later, or never. */
  notice(deployment: DeploymentTruth, commit: string): void {
    if (this.#random.chance(0.1)) return;
    this.#time.plan(this.#random.spread(500, 7 * minute), () => {
      const isThere = deployment.exists.at(-1)?.value === true && !isLeaving(deployment);
      if (isThere && !this.isDown && !this.isStopped) this.push(deployment, commit);
    });
  }

  /** Deploys an earlier revision again, usually from the same commit. */
  redeploy(deployment: DeploymentTruth, { commit }: RevisionTruth): RevisionTruth {
    return this.push(deployment, this.#random.chance(0.1) ? undefined : commit);
  }

  /** Changes its resources, which makes a new revision, or is used from the next one on. */
  update(deployment: DeploymentTruth): void {
    deployment.cpus.push({ at: this.#time.now, value: deployment.cpus.length + 1 });
    if (this.#random.chance(0.8)) this.push(deployment, deployment.revisions[0]?.commit);
  }

  /** Stops a revision for good. */
  stop(revision: RevisionTruth): void {
    if (!isUnfinished(revision)) return;
    this.#become(revision, 'INTERRUPTED');
    revision.isStopped = true;
  }

  /** Accepts a deletion, which takes its time. */
  delete(deployment: DeploymentTruth): void {
    const become = (value: string): void => void deployment.statuses.push({ at: this.#time.now, value });
    become('AWAITING_DELETE');
    for (const revision of deployment.revisions) this.stop(revision);
    this.#time.plan(this.#random.spread(500, 5 * minute), () => {
      become('AWAITING_FINAL_DELETE');
      this.#time.plan(this.#random.spread(500, 5 * minute), () => {
        if (deployment.exists.at(-1)?.value === true) this.remove(deployment);
      });
    });
  }

  remove(deployment: DeploymentTruth): void {
    deployment.exists.push({ at: this.#time.now, value: false });
  }

  /** It is out of reach for a while, and may have forgotten everything when it is back. */
  restart(): void {
    this.isDown = true;
    const isEmptied = this.#random.chance(0.3);
    this.#time.plan(this.#random.spread(3 * second, 5 * minute), () => {
      this.isDown = false;
      if (isEmptied) for (const deployment of this.existing()) this.remove(deployment);
    });
  }

  /** The body for a path, as of now or a little earlier; undefined for one that it does not know. */
  answer(path: string): unknown {
    const url = new URL(path, 'https://service.test');
    const [, , , deploymentId, , revisionId] = url.pathname.split('/');
    const lag = this.#random.chance(0.3) ? this.#random.between(0, this.recordLag) : 0;
    if (deploymentId === undefined) return this.#page(url, this.#listed(url), (each) => this.#record(each, lag));
    const deployment = this.get(deploymentId);
    if (deployment?.exists.at(-1)?.value !== true) return undefined;
    if (revisionId === undefined) return this.#page(url, deployment.revisions, (each) => this.#sent(each));
    const revision = this.revision(deploymentId, revisionId);
    return revision === undefined ? undefined : this.#sent(revision);
  }

  #listed(url: URL): readonly DeploymentTruth[] {
    const wanted = url.searchParams.get('deployment_ids')?.split(',');
    return this.existing().filter(({ id }) => wanted === undefined || wanted.includes(id));
  }

  #page<T>(url: URL, all: readonly T[], toSent: (each: T) => unknown): unknown {
    const offset = Number(url.searchParams.get('offset') ?? 0);
    const end = offset + Number(url.searchParams.get('limit') ?? 20);
    const resources = all.slice(offset, end).map(toSent);
    return { resources, offset: offset + resources.length };
  }

  #record({ id, latest, active, cpus, statuses, revisions }: DeploymentTruth, lag: number): unknown {
    const created = revisions.at(-1)?.createdAt ?? 0;
    const at = Math.max(created, this.#time.now - lag);
    const commit = revisions.find((each) => each.id === valueAt(latest, at))?.commit;
    const changed = [...latest, ...active, ...cpus, ...statuses]
      .filter((entry) => entry.at <= at)
      .map((entry) => entry.at);
    return {
      id,
      name: `name of ${id}`,
      status: valueAt(statuses, at),
      created_at: this.#timestamp(created),
      updated_at: this.#timestamp(Math.max(...changed)),
      latest_revision_id: valueAt(latest, at) ?? null,
      active_revision_id: valueAt(this.#lies ? latest : active, at) ?? null,
      source_config: { resource_spec: { cpu: valueAt(cpus, at) } },
      ...(this.namesCommit ? { source_revision_config: { repo_commit_sha: commit } } : {}),
    };
  }

  #sent({ id, createdAt, commit, statuses }: RevisionTruth): unknown {
    const { value, at } = statuses.at(-1) ?? { value: 'UNKNOWN', at: 0 };
    return {
      id,
      status: value,
      created_at: this.#timestamp(createdAt),
      source_revision_config: { repo_commit_sha: commit },
      ...(this.#saysWhen ? { updated_at: this.#timestamp(at) } : {}),
      ...(value.endsWith('_FAILED') ? { status_message: `Why ${id} failed.` } : {}),
    };
  }

  #timestamp(at: number): string {
    return new Date(beginning + at + this.#skew).toISOString();
  }

  #become(revision: RevisionTruth, status: string): void {
    revision.statuses.push({ at: this.#time.now, value: status });
  }

  /** Goes through the states that are left, or leaves the way. */
  #goOn(deployment: DeploymentTruth, revision: RevisionTruth, left: readonly string[]): void {
    if (this.#lasts !== undefined) return this.#goOnInTime(deployment, revision, left);
    const status = revision.statuses.at(-1)?.value;
    const isLong = status === 'BUILDING' || status === 'DEPLOYING';
    const lasts = isLong ? this.#random.spread(5 * second, 9 * minute) : this.#random.spread(500, 30 * second);
    // Some never move again.
    if (this.#random.chance(0.015)) return;
    this.#time.plan(lasts, () => {
      if (!isUnfinished(revision)) return;
      const what = this.#random.weigh({ next: 88, skipState: 4, fail: 5, stop: 2, unknown: 1, strange: 1 });
      const [next, ...rest] = left;
      if (what === 'fail') {
        const failed = status === 'BUILDING' || status === 'DEPLOYING' ? failures[status] : 'CREATE_FAILED';
        return this.#become(revision, failed);
      }
      if (what === 'stop') return this.#interrupt(deployment, revision, left);
      if (what === 'unknown' || what === 'strange') {
        this.#become(revision, what === 'unknown' ? 'UNKNOWN' : 'PROVISIONING');
        return this.#goOn(deployment, revision, left);
      }
      if (next === undefined) return this.#finish(deployment, revision);
      if (what === 'skipState' && rest[0] !== undefined) {
        this.#become(revision, rest[0]);
        return this.#goOn(deployment, revision, rest.slice(1));
      }
      this.#become(revision, next);
      return this.#goOn(deployment, revision, rest);
    });
  }

  #goOnInTime(deployment: DeploymentTruth, revision: RevisionTruth, [next, ...rest]: readonly string[]): void {
    const passed = revision.statuses.length - 1;
    this.#time.plan(this.#lasts?.[passed] ?? 0, () => {
      this.#become(revision, next ?? 'DEPLOYED');
      if (next !== undefined) return this.#goOnInTime(deployment, revision, rest);
      deployment.active.push({ at: this.#time.now, value: revision.id });
    });
  }

  #interrupt(deployment: DeploymentTruth, revision: RevisionTruth, left: readonly string[]): void {
    this.#become(revision, 'INTERRUPTED');
    if (this.#random.chance(0.4)) {
      this.#time.plan(this.#random.spread(5 * second, 10 * minute), () => {
        if (!isUnfinished(revision)) return;
        this.#become(revision, 'QUEUED');
        this.#goOn(deployment, revision, left);
      });
    }
  }

  /** The record names the active revision a little before, with or after its status. */
  #finish(deployment: DeploymentTruth, revision: RevisionTruth): void {
    const activate = (): void => {
      const { active, revisions } = deployment;
      const present = revisions.find(({ id }) => id === active.at(-1)?.value);
      if ((present?.createdAt ?? -1) < revision.createdAt) active.push({ at: this.#time.now, value: revision.id });
    };
    switch (this.#random.weigh({ before: 1, with: 6, after: 3 })) {
      case 'before':
        activate();
        this.#time.plan(this.#random.between(0, 5 * second), () => this.#become(revision, 'DEPLOYED'));
        break;
      case 'with':
        activate();
        this.#become(revision, 'DEPLOYED');
        break;
      case 'after':
        this.#become(revision, 'DEPLOYED');
        this.#time.plan(this.#random.spread(100, 20 * second), activate);
        break;
    }
  }
}

/** Whether a deployment is being deleted. */
export function isLeaving({ statuses }: DeploymentTruth): boolean {
  return statuses.at(-1)?.value !== 'READY';
}

/** Whether a revision can still become another status. */
export function isUnfinished({ statuses, isStopped }: RevisionTruth): boolean {
  if (isStopped) return false;
  const status = statuses.at(-1)?.value ?? '';
  return status !== 'DEPLOYED' && status !== 'SKIPPED' && !status.endsWith('_FAILED');
}
