import type { Deployment } from '../../api/resources/deployments.ts';
import type { Revision } from '../../api/resources/revisions.ts';
import { settlingMilliseconds } from '../../core/status/pollDelay.ts';
import { statusOf } from '../../core/status/status.ts';
import type { Observation } from '../../core/status/verdict.ts';
import { toWallTime, type Clock } from '../clock.ts';
import type { Rename } from '../connections/connectionMemory.ts';
import type { Connections } from '../connections/connections.ts';
import { Emitter, type Disposable } from '../emitter.ts';
import type { Memory } from '../memory.ts';
import { StoredAnswers, type StoredAnswer } from './storedAnswers.ts';

/** The ids that locate a deployment. */
export interface DeploymentId {
  readonly connection: string;
  readonly deploymentId: string;
}

/** The ids that locate a revision. */
export interface RevisionId extends DeploymentId {
  readonly revisionId: string;
}

/** Identifies a deployment among those of all connections. */
export function deploymentKey({ connection, deploymentId }: DeploymentId): string {
  return JSON.stringify([connection, deploymentId]);
}

/** What one request said of a deployment: its record, one of its revisions, or both. Times are monotonic. */
export interface Answer extends DeploymentId {
  readonly record?: Deployment | undefined;
  readonly revision?: Revision | undefined;
  /** When the request was sent. Of two answers, the one that was asked for later is newer. */
  readonly askedAt: number;
  readonly receivedAt: number;
}

/** What is known of a revision and its deployment, with the times of the answers. */
export interface Observed extends Observation {
  /** Since when the revision has had its status, in monotonic time: as the service says, but after the status before. */
  readonly since?: number | undefined;
  /** What an earlier window was told, until this one has an answer; `at` is in monotonic time. */
  readonly stored?: Pick<StoredAnswer, 'name' | 'status' | 'at'> | undefined;
}

/** Which deployments of a connection have other answers. */
export interface AnswersChange {
  readonly connection: string;
  readonly deploymentIds: ReadonlySet<string>;
}

interface AnswersDependencies {
  readonly connections: Pick<Connections, 'onDidReplace' | 'onDidRename'>;
  readonly workspaceMemory: Memory;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
}

interface Known<T> {
  readonly said: T;
  readonly askedAt: number;
  readonly receivedAt: number;
  /** Counts up with each answer and each look, to find what nobody has looked at for longest. */
  usedAt: number;
}

interface KnownRevision extends Known<Revision> {
  readonly deploymentId: string;
  readonly since: number;
}

/** What one connection said, by id. */
interface Place {
  readonly records: Map<string, Known<Deployment>>;
  readonly revisions: Map<string, KnownRevision>;
  /** When the service was asked for deployments that it no longer has, in monotonic time. */
  readonly gone: Map<string, number>;
  /** Answers to requests before this monotonic time don't count: the name had another service or key then. */
  readonly since: number;
}

const newPlace = (since = -Infinity): Place => ({ records: new Map(), revisions: new Map(), gone: new Map(), since });

/** Who needs answers. What is followed or the workspace's own is stored for the next window. */
type Holder = 'follows' | 'documents' | `own of ${string}` | `list of ${string}`;

/** How many of each a connection keeps: records and revisions that nobody holds, and deployments that are gone. */
const mostUnheld = 1_000;

/**
 * The last record of each deployment and the last answer about each revision, of every connection.
 * Whoever asks the service puts the answer here, and everything that is shown is read from here.
 */
export class Answers {
  readonly #dependencies: AnswersDependencies;
  readonly #places = new Map<string, Place>();
  readonly #held = new Map<Holder, ReadonlySet<string>>();
  /** How many were kept when the unused ones were forgotten last. */
  readonly #kept = new WeakMap<ReadonlyMap<string, unknown>, number>();
  readonly #stored: StoredAnswers;
  readonly #changed = new Emitter<AnswersChange>();
  readonly #dropped = new Emitter<string>();
  readonly #subscriptions: readonly Disposable[];
  #uses = 0;
  #version = 0;

  readonly onDidChange = this.#changed.event;
  /** Fires with the name of a connection whose answers no longer count. */
  readonly onDidDrop = this.#dropped.event;

  constructor(dependencies: AnswersDependencies) {
    this.#dependencies = dependencies;
    const { connections, workspaceMemory, clock } = dependencies;
    this.#stored = new StoredAnswers(workspaceMemory, clock);
    this.#subscriptions = [
      connections.onDidReplace((name) => this.#drop(name)),
      connections.onDidRename((rename) => this.#rename(rename)),
    ];
  }

  /** Counts up with each answer, for what is made of many of them. */
  get version(): number {
    return this.#version;
  }

  /** Takes answers, unless what is known is newer. */
  put(...answers: readonly Answer[]): void {
    const changed = new Map<string, Set<string>>();
    for (const answer of answers) {
      const { connection, deploymentId, record, revision } = answer;
      const place = this.#placeOf(connection);
      if (answer.askedAt < place.since || answer.askedAt <= (place.gone.get(deploymentId) ?? -Infinity)) continue;
      const isNewRecord = record !== undefined && isNewer(record, answer, place.records.get(record.id));
      const isNewRevision = revision !== undefined && isNewer(revision, answer, place.revisions.get(revision.id));
      this.#uses += 1;
      const known = { askedAt: answer.askedAt, receivedAt: answer.receivedAt, usedAt: this.#uses };
      if (isNewRecord) {
        place.records.set(record.id, { ...known, said: record });
        place.gone.delete(record.id);
      }
      if (isNewRevision) {
        const since = this.sinceOf(connection, revision, answer.receivedAt);
        place.revisions.set(revision.id, { ...known, said: revision, deploymentId, since });
      }
      this.#noteStored(connection, revision?.id);
      this.#noteStored(connection, record?.latest_revision_id);
      if (!isNewRecord && !isNewRevision) continue;
      changed.set(connection, (changed.get(connection) ?? new Set()).add(deploymentId));
    }
    this.#stored.write();
    for (const [connection, deploymentIds] of changed) {
      this.#version += 1;
      this.#forgetUnused(connection);
      this.#changed.fire({ connection, deploymentIds });
    }
  }

  /**
   * Forgets a deployment that is gone, unless a later answer has it. What was asked for earlier doesn't bring it back.
   * @param margin its last record must be at least this much older than the request, in milliseconds
   */
  remove({ connection, deploymentId, askedAt }: Omit<Answer, 'record' | 'revision' | 'receivedAt'>, margin = 0): void {
    const { records, revisions, gone, since } = this.#placeOf(connection);
    if (askedAt < Math.max(since, (records.get(deploymentId)?.askedAt ?? -Infinity) + margin)) return;
    records.delete(deploymentId);
    for (const [id, known] of revisions) if (known.deploymentId === deploymentId) revisions.delete(id);
    gone.set(deploymentId, askedAt);
    for (const id of gone.keys()) if (gone.size > mostUnheld) gone.delete(id);
    this.#dropStored(connection, deploymentId);
    this.#stored.write();
    this.#version += 1;
    this.#changed.fire({ connection, deploymentIds: new Set([deploymentId]) });
  }

  /** When the service was asked for a deployment that it no longer has, in monotonic time. */
  goneAt(connection: string, deploymentId: string): number | undefined {
    return this.#places.get(connection)?.gone.get(deploymentId);
  }

  record(connection: string, deploymentId: string): Deployment | undefined {
    return this.#recall(this.#places.get(connection)?.records, deploymentId)?.said;
  }

  /** The last record with a name, if one is known. A deployment created again under that name became known later. */
  named(connection: string, name: string): Deployment | undefined {
    return [...(this.#places.get(connection)?.records.values() ?? [])].findLast(({ said }) => said.name === name)?.said;
  }

  revision(connection: string, revisionId: string | undefined): Revision | undefined {
    return this.#recall(this.#places.get(connection)?.revisions, revisionId)?.said;
  }

  /**
   * What is known of a deployment and one of its revisions: by default, the latest one that its record names.
   * Without a record, that is the one which an earlier window knew last.
   */
  observe(connection: string, deploymentId: string, id?: string): Observed {
    const { records, revisions } = this.#places.get(connection) ?? {};
    const record = this.#recall(records, deploymentId);
    const revisionId =
      id ?? (record === undefined ? this.#stored.lastOf(connection, deploymentId) : record.said.latest_revision_id);
    const known = this.#recall(revisions, revisionId);
    return {
      revisionId,
      revision: known?.said,
      revisionAt: known?.receivedAt,
      since: known?.since,
      deployment: record?.said,
      deploymentAt: record?.askedAt,
      active: this.#recall(revisions, record?.said.active_revision_id)?.said,
      stored: known === undefined ? this.#stored.of(connection, revisionId) : undefined,
    };
  }

  /** Since when a revision would have its status, in monotonic time, if this were the answer about it. */
  sinceOf(connection: string, revision: Revision, receivedAt: number): number {
    const said = receivedAt - millisecondsSinceChange(revision, toWallTime(this.#dependencies.clock, receivedAt));
    const before = this.#places.get(connection)?.revisions.get(revision.id);
    if (before === undefined) return said;
    if (statusOf(before.said) === statusOf(revision)) return before.since;
    // A service whose clock differs may say that the status changed before it was last seen with another one.
    return said < before.askedAt ? receivedAt : said;
  }

  /** Keeps the answers about these deployments and revisions, by id, and releases those that this holder held before. */
  hold(holder: Holder, ids: Iterable<string>): void {
    const before = this.#held.get(holder) ?? new Set();
    const held = new Set(ids);
    this.#held.set(holder, held);
    this.#stored.drop((stored) => {
      const wasHeld = before.has(stored.revisionId) || before.has(stored.deploymentId);
      return wasHeld && !this.#isNeededNext(stored);
    });
    for (const [connection, { records }] of this.#places) {
      for (const id of held) {
        if (before.has(id)) continue;
        this.#noteStored(connection, id);
        this.#noteStored(connection, records.get(id)?.said.latest_revision_id);
      }
    }
    this.#stored.write();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#changed.dispose();
    this.#dropped.dispose();
  }

  #placeOf(connection: string): Place {
    const place = this.#places.get(connection) ?? newPlace();
    this.#places.set(connection, place);
    return place;
  }

  #recall<T extends Known<unknown>>(known: ReadonlyMap<string, T> | undefined, id: string | undefined): T | undefined {
    const found = id === undefined ? undefined : known?.get(id);
    this.#uses += 1;
    if (found !== undefined) found.usedAt = this.#uses;
    return found;
  }

  #isHeld(id: string): boolean {
    return [...this.#held.values()].some((held) => held.has(id));
  }

  /** Whether the next window needs the answer, because the revision is followed or the deployment is the workspace's own. */
  #isNeededNext({ connection, deploymentId, revisionId }: RevisionId): boolean {
    const isOwn = this.#held.get(`own of ${connection}`)?.has(deploymentId) === true;
    return isOwn || this.#isFollowed(revisionId);
  }

  #isFollowed(revisionId: string): boolean {
    return this.#held.get('follows')?.has(revisionId) === true;
  }

  #forgetUnused(connection: string): void {
    const { records, revisions } = this.#places.get(connection) ?? {};
    for (const known of [records, revisions]) {
      // Looked at again only after as many more.
      if (known === undefined || known.size <= (this.#kept.get(known) ?? mostUnheld) + mostUnheld) continue;
      const unheld = [...known].filter(([id]) => !this.#isHeld(id)).toSorted(([, a], [, b]) => b.usedAt - a.usedAt);
      for (const [id] of unheld.slice(mostUnheld)) known.delete(id);
      this.#kept.set(known, known.size);
    }
  }

  #drop(connection: string): void {
    this.#places.set(connection, newPlace(this.#dependencies.clock.monotonic()));
    this.#dropStored(connection);
    this.#stored.write();
    this.#version += 1;
    this.#dropped.fire(connection);
  }

  #rename({ from, to }: Rename): void {
    const place = this.#places.get(from);
    this.#places.set(from, newPlace(this.#dependencies.clock.monotonic()));
    if (place !== undefined) this.#places.set(to, place);
    this.#stored.rename({ from, to });
    this.#version += 1;
  }

  /** Notes what to store of a revision that is followed or the latest own one. */
  #noteStored(connection: string, revisionId: string | undefined): void {
    const { records, revisions } = this.#places.get(connection) ?? {};
    const known = revisionId === undefined ? undefined : revisions?.get(revisionId);
    if (known === undefined) return;
    const { deploymentId, said, receivedAt: at } = known;
    const id = { connection, deploymentId, revisionId: said.id };
    const { name, latest_revision_id: latest } = records?.get(deploymentId)?.said ?? {};
    const isLatest = latest === said.id;
    if (!this.#isNeededNext(id) || !(isLatest || this.#isFollowed(said.id))) return;
    this.#stored.note({ ...id, name, status: statusOf(said), at });
    if (isLatest) this.#dropStored(connection, deploymentId, said.id);
  }

  /** Forgets the stored statuses of a connection or deployment, except of a latest revision and of follows. */
  #dropStored(connection: string, deploymentId?: string, latestId?: string): void {
    this.#stored.drop(
      (stored) =>
        stored.connection === connection &&
        (deploymentId === undefined || stored.deploymentId === deploymentId) &&
        stored.revisionId !== latestId &&
        !this.#isFollowed(stored.revisionId),
    );
  }
}

/**
 * The one rule for which of two answers counts: the one that was asked for later.
 * For a while after a change, a service may still send what was true before it.
 */
function isNewer<T extends { readonly updated_at?: string | undefined }>(
  said: T,
  { askedAt, receivedAt }: Answer,
  known: Known<T> | undefined,
): boolean {
  if (known === undefined) return true;
  const isBehind = Date.parse(said.updated_at ?? '') < Date.parse(known.said.updated_at ?? '');
  return askedAt >= known.askedAt && !(isBehind && receivedAt - known.receivedAt < settlingMilliseconds);
}

/** How long a revision has had its status, in milliseconds; at least 0, because clocks of two machines may differ. */
function millisecondsSinceChange({ updated_at: updatedAt }: Revision, now: number): number {
  const time = updatedAt === undefined ? Number.NaN : Date.parse(updatedAt);
  return Number.isNaN(time) ? 0 : Math.max(0, now - time);
}
