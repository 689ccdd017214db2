import type { Deployment } from '../../api/resources/deployments.ts';
import { isDeletion } from '../../api/schema/enums.ts';
import type { RevisionId } from '../answers/answers.ts';

/**
 * Why a revision is polled: it is followed, a push is about to be built after it, an open document shows it, a list entry
 * needs it, or its deployment is being deleted, which only the record tells.
 */
export type Reason = 'followed' | 'awaited' | 'document' | 'listed' | 'leaving';

/** A revision to poll, and why. */
interface NeededRevision {
  readonly id: RevisionId;
  readonly why: Set<Reason>;
}

/** What may need a poll. */
export interface PollNeeds {
  readonly followed: readonly RevisionId[];
  readonly awaited: readonly RevisionId[];
  /** The connection in use; undefined if nothing of it is shown. */
  readonly connection: string | undefined;
  readonly shown: readonly RevisionId[];
  /** The records of the list and of the workspace's own deployments. */
  readonly listed: Iterable<Deployment>;
  /** Whether the revision may still change. */
  readonly isMoving: (id: RevisionId) => boolean;
  /** Whether the first answer about the revision is missing. */
  readonly isUnanswered: (id: RevisionId) => boolean;
}

/** The revisions to poll, the most urgent first: followed ones, then those in documents, then list entries from the top. */
export function neededRevisions(needs: PollNeeds): ReadonlyMap<string, NeededRevision> {
  const { followed, awaited, connection, shown, listed, isMoving, isUnanswered } = needs;
  const needed = new Map<string, NeededRevision>();
  const need = (reason: Reason, id: RevisionId): void => {
    const known = needed.get(keyOf(id));
    if (known === undefined) needed.set(keyOf(id), { id, why: new Set([reason]) });
    else known.why.add(reason);
  };
  for (const id of followed) need('followed', id);
  for (const id of awaited) need('awaited', id);
  if (connection === undefined) return needed;
  for (const id of shown) if (id.connection === connection && isMoving(id)) need('document', id);
  const byId = new Map([...listed].map((deployment) => [deployment.id, deployment]));
  for (const deployment of byId.values()) {
    const { id: deploymentId, active_revision_id: active, latest_revision_id: latest } = deployment;
    if (isDeletion(deployment.status)) {
      // Its revisions no longer matter.
      need('leaving', { connection, deploymentId, revisionId: '' });
      continue;
    }
    const idOf = (revisionId: string): RevisionId => ({ connection, deploymentId, revisionId });
    const isLatestLive = latest === undefined || latest === active;
    if (!isLatestLive && isMoving(idOf(latest))) need('listed', idOf(latest));
    // The first answer about the latest one usually brings the live one along.
    if (active !== undefined && isUnanswered(idOf(active)) && (isLatestLive || !isUnanswered(idOf(latest)))) {
      need('listed', idOf(active));
    }
  }
  return needed;
}

/** Identifies a revision among those of all connections. */
export function keyOf({ connection, deploymentId, revisionId }: RevisionId): string {
  return JSON.stringify([connection, deploymentId, revisionId]);
}
