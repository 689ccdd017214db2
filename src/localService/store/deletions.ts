import { integer, Table, text } from './database.ts';

/** The deployments that are being deleted. */
export class DeletionTable extends Table {
  /** Accepts a deletion: the deployment is AWAITING_DELETE until it is carried out. */
  add(deploymentId: string, deletesProject: boolean, now: number, stepDueAt: number): void {
    this.database.run(
      "UPDATE deployments SET status = 'AWAITING_DELETE', updated_at = ? WHERE id = ?",
      now,
      deploymentId,
    );
    this.database.run(
      'INSERT INTO deletions (deployment_id, deletes_project, step_due_at) VALUES (?, ?, ?)',
      deploymentId,
      deletesProject ? 1 : 0,
      stepDueAt,
    );
  }

  has(deploymentId: string): boolean {
    return this.database.get('SELECT 1 FROM deletions WHERE deployment_id = ?', deploymentId) !== undefined;
  }

  /** The deployments whose deletion is due. */
  due(now: number): string[] {
    const rows = this.database.all(
      'SELECT deployment_id FROM deletions WHERE step_due_at <= ? ORDER BY step_due_at, deployment_id',
      now,
    );
    return rows.map((row) => text(row, 'deployment_id'));
  }

  /** When the first deletion after `now` is due; undefined when there is none. */
  nextDueAfter(now: number): number | undefined {
    const row = this.database.get('SELECT min(step_due_at) AS due FROM deletions WHERE step_due_at > ?', now);
    return row === undefined || row['due'] === null ? undefined : integer(row, 'due');
  }

  /** Carries out a deletion, in one transaction: the deployment, all that belongs to it, and maybe its project. */
  carryOut(deploymentId: string): void {
    this.database.transaction(() => {
      const found = this.database.get(
        `SELECT d.name, x.deletes_project FROM deletions x JOIN deployments d ON d.id = x.deployment_id
         WHERE d.id = ?`,
        deploymentId,
      );
      if (found === undefined) return;
      const remove = (table: string, column = 'deployment_id'): void =>
        this.database.run(`DELETE FROM ${table} WHERE ${column} = ?`, deploymentId);
      for (const table of ['log_entries', 'held_tips', 'deletions']) remove(table);
      this.database.run(
        'UPDATE deployments SET latest_revision_id = NULL, active_revision_id = NULL WHERE id = ?',
        deploymentId,
      );
      remove('revisions');
      remove('deployments', 'id');
      if (integer(found, 'deletes_project') === 0) return;
      this.database.run('DELETE FROM tracing_projects WHERE name = ?', text(found, 'name'));
    });
  }

  /** Continues the schedule after a pause, as that of the revisions. */
  resume(now: number, latest: number): void {
    this.database.run('UPDATE deletions SET step_due_at = min(max(step_due_at, ?), ?)', now, latest);
  }
}
