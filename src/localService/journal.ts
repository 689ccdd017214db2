import type { RevisionStatus } from '../api/schema/enums.ts';
import type { DeploymentTable } from './store/deployments.ts';
import type { LogKind, LogLevel, LogLine, LogTable } from './store/logs.ts';
import type { StoredRevision } from './store/revisions.ts';

interface JournalParts {
  readonly logs: LogTable;
  readonly deployments: DeploymentTable;
  readonly clock: { now(): number };
}

/** Writes what happens to revisions into the logs of their builds and of the running application. */
export class Journal {
  readonly #parts: JournalParts;

  constructor(parts: JournalParts) {
    this.#parts = parts;
  }

  /** Writes about a revision that enters a status. Call it before the deployment's active revision changes. */
  enter(revision: StoredRevision, status: RevisionStatus, message: string | null): void {
    const { deploymentId, id } = revision;
    const replaced = status === 'DEPLOYED' ? this.#parts.deployments.activeRevision(deploymentId) : undefined;
    const wasDeployed = revision.status === 'AWAITING_DEPLOY' || revision.status === 'DEPLOYING';
    switch (status) {
      case 'AWAITING_BUILD':
        return this.#write(revision, 'build', 'INFO', 'Waiting for a builder.');
      case 'BUILDING':
        return this.#write(revision, 'build', 'INFO', 'The build starts.');
      case 'AWAITING_DEPLOY':
        if (message !== null) this.#write(revision, 'build', 'WARNING', message);
        return this.#write(revision, 'build', 'INFO', 'The build succeeded.');
      case 'BUILD_FAILED':
        return this.#write(revision, 'build', 'ERROR', message ?? 'The build failed.');
      case 'DEPLOYING':
        return this.#write(revision, 'deploy', 'INFO', `Deploying revision ${id}${commitOf(revision)}.`);
      case 'DEPLOYED':
        this.#write(revision, 'deploy', 'INFO', `Revision ${id} is live.`);
        if (replaced === undefined || replaced === id) return;
        return this.#write(
          { ...revision, id: replaced },
          'deploy',
          'INFO',
          `Revision ${replaced} is replaced by ${id}.`,
        );
      case 'INTERRUPTED':
        return this.#write(revision, wasDeployed ? 'deploy' : 'build', 'WARNING', message ?? 'Stopped.');
      case 'SKIPPED':
        return this.#write(revision, 'build', 'INFO', message ?? 'Skipped.');
      case 'DEPLOY_FAILED':
        return this.#write(revision, 'deploy', 'ERROR', message ?? "The revision couldn't be deployed.");
      case 'CREATING':
      case 'QUEUED':
      case 'CREATE_FAILED':
      case 'UNKNOWN':
        return;
    }
  }

  /** Writes the steps of a build, each with the time when it was taken. */
  build(revision: StoredRevision, lines: readonly LogLine[]): void {
    this.#add(revision, 'build', lines);
  }

  /** Writes where a build's problem is, as tracebacks do. */
  place(revision: StoredRevision, { path, line }: { readonly path: string; readonly line: number }): void {
    this.#write(revision, 'build', 'ERROR', `  File "${path}", line ${line}`);
  }

  /** Writes that the application ends with its deployment. */
  end(deploymentId: string): void {
    const revisionId = this.#parts.deployments.activeRevision(deploymentId);
    if (revisionId === undefined) return;
    this.#parts.logs.add({ kind: 'deploy', deploymentId, revisionId }, [
      { time: this.#parts.clock.now(), level: 'INFO', message: `Revision ${revisionId} is deleted.` },
    ]);
  }

  #write(revision: StoredRevision, kind: LogKind, level: LogLevel, message: string): void {
    this.#add(revision, kind, [{ time: this.#parts.clock.now(), level, message }]);
  }

  /** Images aren't built, so they have no log of a build. */
  #add({ deploymentId, id, source }: StoredRevision, kind: LogKind, lines: readonly LogLine[]): void {
    if (kind === 'build' && source !== 'repohost' && source !== 'internal_source') return;
    this.#parts.logs.add({ kind, deploymentId, revisionId: id }, lines);
  }
}

function commitOf({ config }: StoredRevision): string {
  const commit = config.repo_commit_sha;
  return commit === null ? '' : ` (commit ${commit.slice(0, 7)})`;
}
