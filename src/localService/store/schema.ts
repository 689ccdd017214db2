/** The schema version, stored in the file's `user_version`. Other versions are rejected. */
export const schemaVersion = 1;

/**
 * The tables of the database.
 * Times are milliseconds since 1970 on the service's clock; `step_due_at` uses its monotonic clock. Columns ending in
 * `_json` hold JSON that was validated on arrival. A tracing project reserves its name and outlives its deployment. The
 * index of the deployment list covers most filters, so they needn't read whole rows.
 */
export const schema = `
CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE tracing_projects (
  name TEXT PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE deployments (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE REFERENCES tracing_projects (name),
  source TEXT NOT NULL,
  source_config_json TEXT NOT NULL,
  deployment_type TEXT,
  build_on_push INTEGER NOT NULL CHECK (build_on_push IN (0, 1)),
  secret_names_json TEXT NOT NULL,
  secret_references_json TEXT NOT NULL,
  status TEXT NOT NULL,
  image_version TEXT,
  remote_reconciled INTEGER NOT NULL CHECK (remote_reconciled IN (0, 1)),
  tag_value_ids_json TEXT NOT NULL DEFAULT '[]',
  listener_id TEXT REFERENCES listeners (id),
  latest_revision_id TEXT REFERENCES revisions (id) DEFERRABLE INITIALLY DEFERRED,
  active_revision_id TEXT REFERENCES revisions (id) DEFERRABLE INITIALLY DEFERRED,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX deployments_newest_first ON deployments
  (created_at DESC, id DESC, name, status, deployment_type, image_version, remote_reconciled);
CREATE INDEX deployments_built_on_push ON deployments (id) WHERE build_on_push = 1;
CREATE INDEX deployments_listener ON deployments (listener_id);
CREATE INDEX deployments_latest ON deployments (latest_revision_id);
CREATE INDEX deployments_active ON deployments (active_revision_id);

CREATE TABLE revisions (
  id TEXT PRIMARY KEY,
  deployment_id TEXT NOT NULL REFERENCES deployments (id),
  source TEXT NOT NULL,
  config_json TEXT NOT NULL,
  status TEXT NOT NULL,
  status_message TEXT,
  step_due_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX revisions_newest_first ON revisions (deployment_id, created_at DESC, id DESC);
CREATE INDEX revisions_due ON revisions (step_due_at) WHERE step_due_at IS NOT NULL;

CREATE TABLE listeners (
  id TEXT PRIMARY KEY,
  compute_type TEXT NOT NULL,
  compute_id TEXT NOT NULL UNIQUE,
  compute_config_json TEXT NOT NULL,
  version TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX listeners_newest_first ON listeners (created_at DESC, id DESC);

CREATE TABLE oauth_providers (
  id TEXT PRIMARY KEY,
  provider_json TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE agents (
  id TEXT PRIMARY KEY,
  connections_json TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;

/**
 * Tables that the first version of this schema didn't have. Versions without them leave them alone.
 * A `deletions` row carries out an accepted deletion when it is due, on the monotonic clock. `logged_at` is the
 * service's time. A `held_tips` row has the commit that a branch was at when its deployment went back to an earlier one.
 */
export const additions = `
CREATE TABLE IF NOT EXISTS log_entries (
  id INTEGER PRIMARY KEY,
  deployment_id TEXT NOT NULL REFERENCES deployments (id),
  revision_id TEXT NOT NULL REFERENCES revisions (id),
  kind TEXT NOT NULL CHECK (kind IN ('build', 'deploy')),
  logged_at INTEGER NOT NULL,
  level TEXT NOT NULL,
  message TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS log_entries_in_order ON log_entries (deployment_id, id);
CREATE INDEX IF NOT EXISTS log_entries_revision ON log_entries (revision_id);

CREATE TABLE IF NOT EXISTS deletions (
  deployment_id TEXT PRIMARY KEY REFERENCES deployments (id),
  deletes_project INTEGER NOT NULL CHECK (deletes_project IN (0, 1)),
  step_due_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS held_tips (
  deployment_id TEXT PRIMARY KEY REFERENCES deployments (id),
  repo_commit_sha TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;
