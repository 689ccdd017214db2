import type { Logger } from '../../api/redaction/redact.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import type { ActivityChange, ActivityEntry, ActivityList, ActivityStart } from '../../core/status/activityWords.ts';
import { usualDuration } from '../../core/status/duration.ts';
import type { Clock } from '../clock.ts';
import type { ActivityFile } from './activityFile.ts';
import { changeLine, endLine, parseActivity, startLine } from './activityLines.ts';
import type { Followed } from '../following/follower.ts';
import type { Observed, RevisionId } from '../answers/answers.ts';

interface ActivityDependencies {
  readonly file: ActivityFile;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Logger, 'warn'>;
}

/** What was deployed from this machine. A failed write is logged and disturbs no deployment. */
export class Activity {
  readonly #dependencies: ActivityDependencies;
  /** Revisions whose start this window wrote. Each is written once. */
  readonly #started = new Set<string>();
  #last: Promise<void> = Promise.resolve();
  /** Everything that is being written, also what waits for something else first. */
  #unwritten: Promise<unknown> = Promise.resolve();
  /** Durations of successful deployments, by deployment; undefined until the file was read. */
  #durations: ReadonlyMap<string, readonly number[]> | undefined;

  constructor(dependencies: ActivityDependencies) {
    this.#dependencies = dependencies;
  }

  /** Writes that a deployment was started here. */
  async begin(kind: ActivityStart['kind'], id: RevisionId, deployment: Deployment, revision?: Revision): Promise<void> {
    if (this.#started.has(id.revisionId)) return;
    this.#started.add(id.revisionId);
    await this.#listed(async () => {
      // An earlier window may have written it.
      if ((await this.#find(id)) !== undefined) return;
      await this.#write(startLine(kind, id, { deployment, revision }, this.#dependencies.clock.now()));
    });
  }

  /** Writes how a followed deployment ended, if it was started from this machine, which is written first. */
  async end(followed: Followed, observed: Observed, begun: Promise<void>): Promise<void> {
    await this.#listed(async () => {
      await begun;
      const entry = await this.#find(followed);
      if (entry === undefined || entry.end !== undefined) return;
      await this.#write(endLine(followed, observed, this.#dependencies.clock.now()));
      await this.#read();
    });
  }

  /** Writes that something else was changed here. */
  async noteChange(change: Omit<ActivityChange, 'at'>): Promise<void> {
    await this.#write(changeLine({ ...change, at: this.#dependencies.clock.now() }));
  }

  /** The usual duration of a deployment in milliseconds; undefined before the file was read, or if it isn't known. */
  usual({ deploymentId }: Pick<RevisionId, 'deploymentId'>): number | undefined {
    return usualDuration(this.#durations?.get(deploymentId) ?? []);
  }

  /** Everything that is known of this machine's deployments, also what is being written. */
  async list(): Promise<ActivityList> {
    await this.#unwritten;
    return this.#read();
  }

  async #read(): Promise<ActivityList> {
    const { file, log } = this.#dependencies;
    let failure: { readonly problem?: string } = {};
    const text = await file.read().catch((error: unknown) => {
      log.warn('The activity could not be read.', error);
      failure = { problem: error instanceof Error ? error.message : String(error) };
      return '';
    });
    const list = { ...parseActivity(text), ...failure };
    const durations = new Map<string, readonly number[]>();
    for (const { deploymentId, end } of list.entries) {
      if (end?.verdict !== 'live' || end.milliseconds === undefined) continue;
      durations.set(deploymentId, [...(durations.get(deploymentId) ?? []), end.milliseconds]);
    }
    this.#durations = durations;
    return list;
  }

  /** Deletes the file. */
  async clear(): Promise<void> {
    await this.#dependencies.file.remove();
    this.#started.clear();
    await this.#read();
  }

  /** Does work that the next list waits for. */
  async #listed(work: () => Promise<void>): Promise<void> {
    const done = work();
    this.#unwritten = Promise.allSettled([this.#unwritten, done]).then(() => undefined);
    await done;
  }

  async #find({ deploymentId, revisionId }: RevisionId): Promise<ActivityEntry | undefined> {
    const { entries } = await this.#read();
    return entries.find((entry) => entry.deploymentId === deploymentId && entry.revisionId === revisionId);
  }

  /** Appends a line after the one before it. One that is too long to be written in one piece is left out. */
  async #write(line: string | undefined): Promise<void> {
    if (line === undefined) return;
    const { file, log } = this.#dependencies;
    this.#last = this.#last
      .then(async () => file.append(line))
      .catch((error: unknown) => log.warn('The activity could not be written.', error));
    await this.#last;
  }
}
