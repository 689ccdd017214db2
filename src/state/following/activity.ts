import { hideValues } from '../../api/http/hideValues.ts';
import { safeText, type Logger } from '../../api/http/redact.ts';
import type { Deployment } from '../../api/resources/deployments.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { applicationUrl } from '../../core/resources/webPages.ts';
import type { ActivityList, ActivityStart } from '../../core/status/activityWords.ts';
import { revisionTitle } from '../../core/status/rowWords.ts';
import { usualDuration } from '../../core/status/usualDuration.ts';
import type { FollowFacts } from '../../core/status/followWords.ts';
import { shortened } from '../../core/text/text.ts';
import type { Clock } from '../clock.ts';
import type { ActivityFile } from './activityFile.ts';
import { longestLine, parseActivity } from './activityLines.ts';
import type { Followed } from './follower.ts';
import type { RevisionId } from './polledRevision.ts';

export interface ActivityDependencies {
  readonly file: ActivityFile;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Logger, 'warn'>;
}

/** What was deployed from this machine. A failed write is logged and disturbs no deployment. */
export class Activity {
  readonly #dependencies: ActivityDependencies;
  /** Revisions whose start this window wrote, so that each is written once. */
  readonly #started = new Set<string>();
  #last: Promise<void> = Promise.resolve();
  /** Durations of successful deployments, by deployment; undefined until the file was read. */
  #durations: ReadonlyMap<string, readonly number[]> | undefined;

  constructor(dependencies: ActivityDependencies) {
    this.#dependencies = dependencies;
  }

  /** Writes that a deployment was started here. */
  async begin(kind: ActivityStart['kind'], id: RevisionId, deployment: Deployment, revision?: Revision): Promise<void> {
    const { connection, deploymentId, revisionId } = id;
    if (this.#started.has(revisionId)) return;
    this.#started.add(revisionId);
    // An earlier window may have written it.
    const { entries } = await this.list();
    if (entries.some((known) => known.deploymentId === deploymentId && known.revisionId === revisionId)) return;
    const now = this.#dependencies.clock.now();
    // A push may be noticed long after it.
    const created = kind === 'pushed' ? Date.parse(revision?.created_at ?? '') : Number.NaN;
    const shown = revision ?? { id: revisionId, source_revision_config: deployment.source_revision_config };
    await this.#write({
      event: 'started',
      at: Number.isNaN(created) ? now : Math.min(created, now),
      kind,
      connection,
      deploymentId,
      revisionId,
      name: textOf(deployment.name),
      title: textOf(revisionTitle(shown)),
    });
  }

  /** Writes how a followed deployment ended, if it was started from this machine. */
  async end({ deploymentId, revisionId, revision, deployment, outcome }: Followed, facts: FollowFacts): Promise<void> {
    const { entries } = await this.list();
    const entry = entries.find((known) => known.deploymentId === deploymentId && known.revisionId === revisionId);
    if (entry === undefined || entry.end !== undefined || outcome === undefined) return;
    const link = deployment && applicationUrl(deployment);
    await this.#write({
      event: 'ended',
      at: this.#dependencies.clock.now(),
      deploymentId,
      revisionId,
      outcome,
      verdict: facts.verdict.kind,
      status: facts.verdict.status,
      title: revision && textOf(revisionTitle(revision)),
      milliseconds: outcome === 'ended' ? millisecondsOf(revision) : undefined,
      // An address that may hold a secret isn't written.
      link: link === undefined || textOf(link) !== link ? undefined : link,
    });
    await this.list();
  }

  /** The usual duration of a deployment in milliseconds; undefined before the file was read, or if it isn't known. */
  usual({ deploymentId }: Pick<RevisionId, 'deploymentId'>): number | undefined {
    return usualDuration(this.#durations?.get(deploymentId) ?? []);
  }

  /** Everything that is known of this machine's deployments. */
  async list(): Promise<ActivityList> {
    const text = await this.#dependencies.file.read().catch((error: unknown) => {
      this.#dependencies.log.warn('The activity could not be read.', error);
      return '';
    });
    const list = parseActivity(text);
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
    await this.list();
  }

  /** Appends a line after the one before it. */
  async #write(entry: object): Promise<void> {
    const line = JSON.stringify(entry);
    if (Buffer.byteLength(line) > longestLine) return;
    const { file, log } = this.#dependencies;
    this.#last = this.#last.then(() =>
      file.append(line).catch((error: unknown) => log.warn('The activity could not be written.', error)),
    );
    await this.#last;
  }
}

function textOf(text: string): string {
  return shortened(safeText(String(hideValues(text, () => '(hidden)'))), 250);
}

function millisecondsOf(revision: Revision | undefined): number | undefined {
  const difference = Date.parse(revision?.updated_at ?? '') - Date.parse(revision?.created_at ?? '');
  return difference >= 0 ? difference : undefined;
}
