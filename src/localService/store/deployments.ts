import { randomUUID } from 'node:crypto';
import type { SQLInputValue } from 'node:sqlite';
import * as z from 'zod';
import type { DeploymentListQuery } from '../../api/resources/deployments.ts';
import { SOURCES } from '../../api/schema/enums.ts';
import type { Source } from '../../api/schema/enums.ts';
import { sourceConfigWire } from '../../api/schema/source.ts';
import type { SourceConfig } from '../../api/schema/source.ts';
import { allOf, jsonList } from './conditions.ts';
import { integer, isoTime, json, optionalText, Table, text } from './database.ts';
import type { Database, DatabaseRow } from './database.ts';
import { toRevisionConfig } from './revisions.ts';
import type { RevisionConfig, RevisionTable } from './revisions.ts';

/** A create request with all API fields: null for those that weren't given, and no secret values. */
export interface NewDeployment {
  readonly name: string;
  readonly source: Source;
  readonly sourceConfig: CompleteSourceConfig;
  readonly revisionConfig: RevisionConfig;
  readonly secretNames: readonly string[];
  readonly secretReferences: readonly object[];
}

export type CompleteSourceConfig = {
  readonly [Field in keyof Required<SourceConfig>]: NonNullable<SourceConfig[Field]> | null;
};

/** A deployment and the config of its latest revision. */
export interface StoredDeployment extends NewDeployment {
  readonly status: string;
}

/** A deployment that gets a new revision whenever its branch moves. */
export interface PushedDeployment {
  readonly id: string;
  readonly repositoryUrl: string;
  readonly latestConfig: RevisionConfig;
  /** The commit of the ref that is known already. */
  readonly knownTip: string | null;
}

/** The deployments of the data folder. */
export class DeploymentTable extends Table {
  readonly #revisions: RevisionTable;
  readonly #tenantId: string;

  constructor(database: Database, revisions: RevisionTable, tenantId: string) {
    super(database);
    this.#revisions = revisions;
    this.#tenantId = tenantId;
  }

  /**
   * Adds a deployment with its tracing project and its first revision. Returns its id.
   * @throws {Error} a unique violation if the name is taken
   */
  add(deployment: NewDeployment, now: number, firstStepAt: number): string {
    const id = randomUUID();
    return this.database.transaction(() => {
      this.database.run(
        'INSERT INTO tracing_projects (name, id, created_at) VALUES (?, ?, ?)',
        deployment.name,
        randomUUID(),
        now,
      );
      this.database.run(
        `INSERT INTO deployments (id, name, source, source_config_json, deployment_type, build_on_push,
           remote_reconciled, listener_id, secret_names_json, secret_references_json, status, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'AWAITING_DATABASE', ?, ?)`,
        id,
        deployment.name,
        deployment.source,
        ...configColumns(deployment.sourceConfig),
        JSON.stringify(deployment.secretNames),
        JSON.stringify(deployment.secretReferences),
        now,
        now,
      );
      this.addRevision(id, deployment.revisionConfig, now, firstStepAt);
      return id;
    });
  }

  /** Adds a revision, which becomes the latest one. Returns its id. */
  addRevision(deploymentId: string, config: RevisionConfig, now: number, firstStepAt: number): string {
    return this.database.transaction(() => {
      const revisionId = this.#revisions.add(deploymentId, config, now, firstStepAt);
      this.database.run('DELETE FROM held_tips WHERE deployment_id = ?', deploymentId);
      this.database.run(
        'UPDATE deployments SET latest_revision_id = ?, updated_at = ? WHERE id = ?',
        revisionId,
        now,
        deploymentId,
      );
      return revisionId;
    });
  }

  exists(id: string): boolean {
    return this.database.get('SELECT 1 FROM deployments WHERE id = ?', id) !== undefined;
  }

  isRemoteReconciled(id: string): boolean {
    const row = this.database.get('SELECT remote_reconciled FROM deployments WHERE id = ?', id);
    return row !== undefined && integer(row, 'remote_reconciled') === 1;
  }

  find(id: string): StoredDeployment | undefined {
    return this.database.readRow(this.#rowOf(id), id, toStored);
  }

  /** Changes what no revision has. A new revision has to be added for it. */
  change(
    id: string,
    deployment: Pick<NewDeployment, 'sourceConfig' | 'secretNames' | 'secretReferences'>,
    now: number,
  ) {
    const { sourceConfig, secretNames, secretReferences } = deployment;
    this.database.run(
      `UPDATE deployments SET source_config_json = ?, deployment_type = ?, build_on_push = ?, remote_reconciled = ?,
         listener_id = ?, secret_names_json = ?, secret_references_json = ?, updated_at = ? WHERE id = ?`,
      ...configColumns(sourceConfig),
      JSON.stringify(secretNames),
      JSON.stringify(secretReferences),
      now,
      id,
    );
  }

  activeRevision(id: string): string | undefined {
    const row = this.database.get('SELECT active_revision_id FROM deployments WHERE id = ?', id);
    return (row && optionalText(row, 'active_revision_id')) ?? undefined;
  }

  /**
   * Remembers the commit of a deployment's ref although its latest revision has an earlier one.
   * Otherwise the next check for pushes would deploy that commit again.
   */
  holdTip(id: string, commit: string): void {
    this.database.run('INSERT OR REPLACE INTO held_tips (deployment_id, repo_commit_sha) VALUES (?, ?)', id, commit);
  }

  /** The deployment as the API returns it ("Deployment"). */
  resource(id: string) {
    return this.database.readRow(this.#rowOf(id), id, (row) => toResource(row, this.#tenantId));
  }

  #rowOf(id: string): DatabaseRow | undefined {
    return this.database.get(`${sqlWithConfig} WHERE d.id = ?`, id);
  }

  /** One page of the deployments that match the filters, as the API returns them, newest first. */
  page(filters: DeploymentListQuery, { limit, offset }: { limit: number; offset: number }) {
    const { where, values } = conditions(filters);
    // Select the page in the index first, so skipped rows are never read.
    const found = this.database.all(
      `SELECT rowid, id FROM deployments ${where} ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
      ...values,
      limit,
      offset,
    );
    return this.database.readRows(found, `${sqlWithConfig} WHERE d.rowid = ?`, (row) =>
      toResource(row, this.#tenantId),
    );
  }

  sourceConfig(id: string): unknown {
    const row = this.database.get('SELECT source_config_json FROM deployments WHERE id = ?', id);
    return row === undefined ? undefined : json(row, 'source_config_json');
  }

  /** Makes a revision the active one. The first active revision makes the deployment READY. */
  activate(id: string, revisionId: string, now: number): void {
    this.database.run(
      `UPDATE deployments SET active_revision_id = ?, updated_at = ?,
         status = CASE status WHEN 'AWAITING_DATABASE' THEN 'READY' ELSE status END WHERE id = ?`,
      revisionId,
      now,
      id,
    );
  }

  builtOnPush(): PushedDeployment[] {
    const found = this.database.all(
      "SELECT rowid, id FROM deployments WHERE build_on_push = 1 AND status <> 'AWAITING_DELETE'",
    );
    const read = this.database.readRows(
      found,
      `SELECT d.id, d.source_config_json ->> '$.repo_url' AS url, r.config_json, t.repo_commit_sha
       FROM deployments d LEFT JOIN revisions r ON r.id = d.latest_revision_id
       LEFT JOIN held_tips t ON t.deployment_id = d.id WHERE d.rowid = ?`,
      (row): PushedDeployment => {
        const latestConfig = toRevisionConfig(json(row, 'config_json'));
        return {
          id: text(row, 'id'),
          repositoryUrl: text(row, 'url'),
          latestConfig,
          knownTip: optionalText(row, 'repo_commit_sha') ?? latestConfig.repo_commit_sha,
        };
      },
    );
    return read.filter((deployment) => 'latestConfig' in deployment);
  }
}

const sqlWithConfig =
  'SELECT d.*, r.config_json FROM deployments d LEFT JOIN revisions r ON r.id = d.latest_revision_id';

/** The values of the columns that hold a config: as JSON, and what lists and checks need of it. */
function configColumns(config: CompleteSourceConfig): SQLInputValue[] {
  const { deployment_type, build_on_push, listener_id } = config;
  return [
    JSON.stringify(config),
    deployment_type,
    build_on_push === true ? 1 : 0,
    listener_id === null ? 0 : 1,
    listener_id?.toLowerCase() ?? null,
  ];
}

function conditions(filters: DeploymentListQuery) {
  const { sql, values } = allOf([
    ['instr(lower(name), lower(?)) > 0', filters.name_contains],
    ['status IN (SELECT value FROM json_each(?))', jsonList(filters.status)],
    ['remote_reconciled = ?', filters.remote_reconciled],
    [hasAnyTag, jsonList(filters.tag_value_ids)],
    ['image_version = ?', filters.image_version],
    ['deployment_type = ?', filters.deployment_type],
    ['id IN (SELECT value FROM json_each(?))', jsonList(filters.deployment_ids?.toLowerCase())],
  ]);
  return { where: sql === '' ? '' : `WHERE ${sql}`, values };
}

const hasAnyTag =
  'EXISTS (SELECT 1 FROM json_each(tag_value_ids_json) tag JOIN json_each(?) wanted ON tag.value = wanted.value)';

const names = z.array(z.string());
const references = z.array(z.looseObject({}));

function toStored(row: DatabaseRow): StoredDeployment {
  return {
    name: text(row, 'name'),
    source: z.enum(SOURCES).parse(text(row, 'source')),
    sourceConfig: readSourceConfig(json(row, 'source_config_json')),
    revisionConfig: toRevisionConfig(json(row, 'config_json')),
    secretNames: names.parse(json(row, 'secret_names_json')),
    secretReferences: references.parse(json(row, 'secret_references_json')),
    status: text(row, 'status'),
  };
}

/** Completes a config: missing fields become null. */
export function readSourceConfig(value: unknown): CompleteSourceConfig {
  const config = sourceConfigWire.parse(value);
  return {
    integration_id: config.integration_id ?? null,
    repo_url: config.repo_url ?? null,
    deployment_type: config.deployment_type ?? null,
    build_on_push: config.build_on_push ?? null,
    custom_url: config.custom_url ?? null,
    resource_spec: config.resource_spec ?? null,
    listener_id: config.listener_id ?? null,
    listener_config: config.listener_config ?? null,
    install_command: config.install_command ?? null,
    build_command: config.build_command ?? null,
  };
}

function toResource(row: DatabaseRow, tenantId: string) {
  return {
    id: text(row, 'id'),
    name: text(row, 'name'),
    tenant_id: tenantId,
    source: text(row, 'source'),
    source_config: json(row, 'source_config_json'),
    source_revision_config: json(row, 'config_json'),
    // The values were dropped on arrival, because nothing uses them.
    secrets: names.parse(json(row, 'secret_names_json')).map((name) => ({ name, value: '' })),
    secret_references: json(row, 'secret_references_json'),
    status: text(row, 'status'),
    latest_revision_id: optionalText(row, 'latest_revision_id'),
    active_revision_id: optionalText(row, 'active_revision_id'),
    image_version: optionalText(row, 'image_version'),
    created_at: isoTime(row, 'created_at'),
    updated_at: isoTime(row, 'updated_at'),
  };
}
