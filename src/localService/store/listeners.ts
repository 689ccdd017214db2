import { randomUUID } from 'node:crypto';
import { listenerWire } from '../../api/resources/listeners.ts';
import type { ListenerCreate, ListenerPatch } from '../../api/resources/listeners.ts';
import { isoTime, json, optionalText, Table, text } from './database.ts';
import type { DatabaseRow } from './database.ts';

const configShape = listenerWire.shape.compute_config;

/** The listeners of the data folder, which is one workspace. */
export class ListenerTable extends Table {
  /**
   * Adds a listener and returns its id.
   * @throws {Error} a unique violation if its `compute_id` is taken
   */
  add({ compute_type, compute_id, compute_config, version }: ListenerCreate, now: number): string {
    const id = randomUUID();
    this.database.run(
      `INSERT INTO listeners (id, compute_type, compute_id, compute_config_json, version, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      id,
      compute_type,
      compute_id,
      JSON.stringify({ k8s_namespaces: compute_config?.k8s_namespaces ?? [] }),
      version ?? null,
      now,
      now,
    );
    return id;
  }

  /** Changes the given fields. Null and absent ones stay. */
  change(id: string, { compute_config, version }: ListenerPatch, now: number): void {
    const namespaces = compute_config?.k8s_namespaces;
    this.database.run(
      `UPDATE listeners SET compute_config_json = coalesce(?, compute_config_json), version = coalesce(?, version),
         updated_at = ? WHERE id = ?`,
      namespaces === undefined || namespaces === null ? null : JSON.stringify({ k8s_namespaces: namespaces }),
      version ?? null,
      now,
      id,
    );
  }

  /** Whether deployments run on a listener. */
  isUsed(id: string): boolean {
    return this.database.get('SELECT 1 FROM deployments WHERE listener_id = ?', id) !== undefined;
  }

  remove(id: string): void {
    this.database.run('DELETE FROM listeners WHERE id = ?', id);
  }

  /** The listener as the API returns it ("Listener"). */
  resource(id: string) {
    const row = this.database.get('SELECT * FROM listeners WHERE id = ?', id);
    return this.database.readRow(row, id, toResource);
  }

  /** One page of listeners as the API returns them, newest first. */
  page({ limit, offset }: { limit: number; offset: number }) {
    const found = this.database.all(
      'SELECT rowid, id FROM listeners ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?',
      limit,
      offset,
    );
    return this.database.readRows(found, 'SELECT * FROM listeners WHERE rowid = ?', toResource);
  }

  /** The namespaces of a listener; undefined when there is no such listener. */
  namespaces(id: string): readonly string[] | undefined {
    const row = this.database.get('SELECT compute_config_json FROM listeners WHERE id = ?', id);
    if (row === undefined) return undefined;
    return configShape.parse(json(row, 'compute_config_json'))?.k8s_namespaces ?? [];
  }
}

function toResource(row: DatabaseRow) {
  return {
    id: text(row, 'id'),
    compute_type: text(row, 'compute_type'),
    compute_id: text(row, 'compute_id'),
    compute_config: json(row, 'compute_config_json'),
    version: optionalText(row, 'version'),
    created_at: isoTime(row, 'created_at'),
    updated_at: isoTime(row, 'updated_at'),
  };
}
