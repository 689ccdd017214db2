import {
  parseFilter,
  parseRevisionFilter,
  type DeploymentFilter,
  type RevisionFilter,
} from '../../core/resources/deploymentFilter.ts';
import { flavorOf } from '../connections/connection.ts';
import { slotOfConnection } from '../connections/connectionMemory.ts';
import type { Connections } from '../connections/connections.ts';
import type { Memory } from '../memory.ts';

/**
 * The filters of the current connection, as the workspace remembers them.
 * Each connection has its own, because ids and versions of one service mean nothing to another.
 */
export class StoredFilters {
  readonly #connections: Pick<Connections, 'session'>;
  readonly #memory: Memory;

  constructor(connections: Pick<Connections, 'session'>, memory: Memory) {
    this.#connections = connections;
    this.#memory = memory;
  }

  get deployments(): DeploymentFilter {
    return parseFilter(this.#memory.get(this.#slot('filter')));
  }

  /** Without what the service has no name for. */
  get revisions(): RevisionFilter {
    const stored = parseRevisionFilter(this.#memory.get(this.#slot('revisionFilter')));
    const { session } = this.#connections;
    if (session.kind === 'none' || flavorOf(session.connection).revisionFilters.remote_reconciled !== undefined)
      return stored;
    return { status: stored.status };
  }

  get hidesRevisions(): boolean {
    const { status, remote_reconciled: reconciled } = this.revisions;
    return status.length > 0 || reconciled !== undefined;
  }

  /** What is filtered. A filter of revisions never causes an empty list of deployments, so the other comes first. */
  get filtered(): 'deployments' | 'revisions' | false {
    if (Object.keys(this.deployments).length > 0) return 'deployments';
    return this.hidesRevisions && 'revisions';
  }

  async setDeployments(filter: DeploymentFilter): Promise<void> {
    await this.#memory.update(this.#slot('filter'), filter);
  }

  async setRevisions(filter: RevisionFilter): Promise<void> {
    await this.#memory.update(this.#slot('revisionFilter'), parseRevisionFilter(filter));
  }

  #slot(name: 'filter' | 'revisionFilter'): string {
    return slotOfConnection(name, this.#connections.session);
  }
}
