import { LOG_LEVELS } from '../../api/resources/logs.ts';
import type { LogQuery } from '../../api/resources/logs.ts';
import { allOf } from './conditions.ts';
import { integer, isoTime, Table, text } from './database.ts';
import type { DatabaseRow } from './database.ts';

/** What a log is of: a build, or the running application. */
export type LogKind = 'build' | 'deploy';

export type LogLevel = (typeof LOG_LEVELS)[number];

/** One line, with its time in milliseconds since 1970. */
export interface LogLine {
  readonly time: number;
  readonly level: LogLevel;
  readonly message: string;
}

/** A log; without a revision that of all. */
interface LogPlace {
  readonly kind: LogKind;
  readonly deploymentId: string;
  readonly revisionId?: string | undefined;
}

/** The most lines that a deployment's logs keep together. */
const mostKept = 10_000;

const defaultLimit = 100;

/** The logs of all deployments. */
export class LogTable extends Table {
  /** Adds lines in the given order. Drops the deployment's oldest lines beyond the most that are kept. */
  add({ kind, deploymentId, revisionId }: LogPlace & { readonly revisionId: string }, lines: readonly LogLine[]): void {
    this.database.transaction(() => {
      for (const { time, level, message } of lines) {
        this.database.run(
          `INSERT INTO log_entries (deployment_id, revision_id, kind, logged_at, level, message)
           VALUES (?, ?, ?, ?, ?, ?)`,
          deploymentId,
          revisionId,
          kind,
          time,
          level,
          message,
        );
      }
      this.database.run(
        `DELETE FROM log_entries WHERE deployment_id = ? AND id <= (
           SELECT id FROM log_entries WHERE deployment_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?)`,
        deploymentId,
        deploymentId,
        mostKept,
      );
    });
  }

  /** One page of a log as the API returns it. The offset is the id of the last entry, so new lines move no page. */
  page(place: LogPlace, query: LogQuery) {
    const limit = query.limit ?? defaultLimit;
    const isDescending = query.order === 'desc';
    const offset = Number(query.offset ?? 0);
    const lowest = LOG_LEVELS.findIndex((level) => level === query.level);
    const { sql, values } = allOf([
      ['deployment_id = ?', place.deploymentId],
      ['kind = ?', place.kind],
      ['revision_id = ?', place.revisionId],
      [`id ${isDescending ? '<' : '>'} ?`, offset === 0 ? undefined : offset],
      ['level IN (SELECT value FROM json_each(?))', lowest > 0 ? JSON.stringify(LOG_LEVELS.slice(lowest)) : undefined],
      ['instr(lower(message), lower(?)) > 0', query.query],
      ['logged_at >= ?', milliseconds(query.start_time)],
      ['logged_at <= ?', milliseconds(query.end_time)],
    ]);
    const rows = this.database.all(
      `SELECT * FROM log_entries WHERE ${sql} ORDER BY id ${isDescending ? 'DESC' : 'ASC'} LIMIT ?`,
      ...values,
      limit + 1,
    );
    const logs = rows.slice(0, limit).map(toEntry);
    return { logs, next_offset: rows.length > limit ? (logs.at(-1)?.id ?? null) : null };
  }
}

function milliseconds(time: string | null | undefined): number | undefined {
  return time === undefined || time === null ? undefined : Date.parse(time);
}

function toEntry(row: DatabaseRow) {
  return {
    id: String(integer(row, 'id')),
    timestamp: isoTime(row, 'logged_at'),
    level: text(row, 'level'),
    message: text(row, 'message'),
  };
}
