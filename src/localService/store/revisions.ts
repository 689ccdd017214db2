import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import type { RevisionListQuery } from '../../api/resources/revisions.ts';
import { REVISION_STATUSES } from '../../api/schema/enums.ts';
import type { RevisionStatus } from '../../api/schema/enums.ts';
import { sourceRevisionConfigWire } from '../../api/schema/source.ts';
import { allOf, jsonList } from './conditions.ts';
import { integer, isoTime, json, optionalText, Table, text } from './database.ts';
import type { DatabaseRow } from './database.ts';

/** "Source revision config" with all fields; null for those that weren't given. */
export type RevisionConfig = Readonly<Record<keyof z.infer<typeof sourceRevisionConfigWire>, string | null>>;

/** A revision as the lifecycle needs it. */
export interface StoredRevision {
  readonly id: string;
  readonly deploymentId: string;
  readonly source: string;
  readonly config: RevisionConfig;
  readonly status: RevisionStatus;
  /** Why the revision has this status, or a warning of its build. */
  readonly message: string | null;
  /** When the next step is due on the service's monotonic clock, in milliseconds; null when none is. */
  readonly stepDueAt: number | null;
}

/** The revisions of all deployments. */
export class RevisionTable extends Table {
  /** Adds a revision in CREATING, the first status, with its deployment's source. Returns its id. */
  add(deploymentId: string, config: RevisionConfig, now: number, stepDueAt: number): string {
    const id = randomUUID();
    this.database.run(
      `INSERT INTO revisions (id, deployment_id, source, config_json, status, step_due_at, created_at, updated_at)
       SELECT ?, id, source, ?, 'CREATING', ?, ?, ? FROM deployments WHERE id = ?`,
      id,
      JSON.stringify(config),
      stepDueAt,
      now,
      now,
      deploymentId,
    );
    return id;
  }

  /** The revision as the API returns it ("Revision"). */
  resource(deploymentId: string, id: string) {
    const row = this.database.get('SELECT * FROM revisions WHERE id = ? AND deployment_id = ?', id, deploymentId);
    return this.database.readRow(row, id, toResource);
  }

  /** One page of a deployment's revisions as the API returns them, newest first. */
  page(deploymentId: string, { status }: RevisionListQuery, { limit, offset }: { limit: number; offset: number }) {
    const { sql, values } = allOf([
      ['deployment_id = ?', deploymentId],
      ['status IN (SELECT value FROM json_each(?))', jsonList(status)],
    ]);
    const found = this.database.all(
      `SELECT rowid, id FROM revisions WHERE ${sql} ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
      ...values,
      limit,
      offset,
    );
    return this.database.readRows(found, sqlOfRow, toResource);
  }

  find(id: string): StoredRevision | undefined {
    const row = this.database.get('SELECT * FROM revisions WHERE id = ?', id);
    return row === undefined ? undefined : toStored(row);
  }

  change(
    id: string,
    { status, message, stepDueAt }: Pick<StoredRevision, 'status' | 'message' | 'stepDueAt'>,
    now: number,
  ): void {
    this.database.run(
      'UPDATE revisions SET status = ?, status_message = ?, step_due_at = ?, updated_at = ? WHERE id = ?',
      status,
      message,
      stepDueAt,
      now,
      id,
    );
  }

  setConfig(id: string, config: RevisionConfig): void {
    this.database.run('UPDATE revisions SET config_json = ? WHERE id = ?', JSON.stringify(config), id);
  }

  /** The revisions whose next step is due, longest waiting first. One that can't be read stays where it is. */
  due(now: number): StoredRevision[] {
    const found = this.database.all(
      'SELECT rowid, id FROM revisions WHERE step_due_at <= ? ORDER BY step_due_at, created_at, id',
      now,
    );
    const read = this.database.readRows(found, sqlOfRow, toStored);
    return read.filter((revision) => 'stepDueAt' in revision);
  }

  /** When the first step after `now` is due; undefined when none is scheduled. */
  nextDueAfter(now: number): number | undefined {
    const row = this.database.get('SELECT min(step_due_at) AS due FROM revisions WHERE step_due_at > ?', now);
    return row === undefined || row['due'] === null ? undefined : integer(row, 'due');
  }

  /** The revisions of a deployment with one of these statuses, oldest first. */
  inStatus(deploymentId: string, statuses: readonly RevisionStatus[]): StoredRevision[] {
    return this.database
      .all(
        `SELECT * FROM revisions WHERE deployment_id = ? AND status IN (SELECT value FROM json_each(?))
         ORDER BY created_at, id`,
        deploymentId,
        JSON.stringify(statuses),
      )
      .map(toStored);
  }

  /** Parks a queued revision without a due time until `releaseQueued` lets it check its turn. */
  waitForTurn(id: string): void {
    this.database.run('UPDATE revisions SET step_due_at = NULL WHERE id = ?', id);
  }

  /** Lets the queued revisions of one deployment, or of all, check whether it is their turn. */
  releaseQueued(now: number, deploymentId?: string): void {
    const release = `UPDATE revisions SET step_due_at = ? WHERE status = 'QUEUED' AND step_due_at IS NULL`;
    if (deploymentId === undefined) this.database.run(release, now);
    else this.database.run(`${release} AND deployment_id = ?`, now, deploymentId);
  }

  /**
   * Continues the schedule after a pause.
   * Missed steps don't add up. No step waits past `latest`, even if the clock was set back.
   */
  resume(now: number, latest: number): void {
    const resume = 'UPDATE revisions SET step_due_at = min(max(step_due_at, ?), ?) WHERE step_due_at IS NOT NULL';
    this.database.run(resume, now, latest);
  }
}

const sqlOfRow = 'SELECT * FROM revisions WHERE rowid = ?';

function toResource(row: DatabaseRow) {
  return {
    id: text(row, 'id'),
    created_at: isoTime(row, 'created_at'),
    updated_at: isoTime(row, 'updated_at'),
    status: text(row, 'status'),
    status_message: optionalText(row, 'status_message'),
    source: text(row, 'source'),
    source_revision_config: json(row, 'config_json'),
  };
}

function toStored(row: DatabaseRow): StoredRevision {
  return {
    id: text(row, 'id'),
    deploymentId: text(row, 'deployment_id'),
    source: text(row, 'source'),
    config: toRevisionConfig(json(row, 'config_json')),
    status: toStatus(text(row, 'status')),
    message: optionalText(row, 'status_message'),
    stepDueAt: row['step_due_at'] === null ? null : integer(row, 'step_due_at'),
  };
}

/** Completes a config: missing fields become null. */
export function toRevisionConfig(value: unknown): RevisionConfig {
  const config = sourceRevisionConfigWire.parse(value);
  return {
    repo_ref: config.repo_ref ?? null,
    graph_config_path: config.graph_config_path ?? null,
    image_uri: config.image_uri ?? null,
    source_tarball_path: config.source_tarball_path ?? null,
    repo_commit_sha: config.repo_commit_sha ?? null,
  };
}

function toStatus(value: string): RevisionStatus {
  return REVISION_STATUSES.find((status) => status === value) ?? 'UNKNOWN';
}
