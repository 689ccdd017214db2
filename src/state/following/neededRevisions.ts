import type { Deployment } from '../../api/resources/deployments.ts';
import type { Session } from '../connections/session.ts';
import type { Reason, RevisionId } from './polledRevision.ts';

/** Where revisions can be needed, and what is known about those. */
export interface NeedSources {
  readonly session: Session;
  readonly followed: Iterable<RevisionId>;
  readonly shown: readonly RevisionId[];
  readonly listed: readonly Deployment[];
  readonly keyOf: (id: RevisionId) => string;
  /** Whether the first answer is missing or a poll is running. */
  readonly isAwaited: (id: RevisionId) => boolean;
  readonly isMoving: (id: RevisionId) => boolean;
}

/** A revision to poll, and why. */
export interface NeededRevision {
  readonly id: RevisionId;
  readonly why: ReadonlySet<Reason>;
}

/** The revisions to poll, the most urgent first: followed ones, then those in documents, then list entries from the top. */
export function neededRevisions(sources: NeedSources): ReadonlyMap<string, NeededRevision> {
  const { session, followed, shown, listed, keyOf, isAwaited, isMoving } = sources;
  const needed = new Map<string, { readonly id: RevisionId; readonly why: Set<Reason> }>();
  const need = (reason: Reason, id: RevisionId): void => {
    const known = needed.get(keyOf(id));
    if (known === undefined) needed.set(keyOf(id), { id, why: new Set([reason]) });
    else known.why.add(reason);
  };
  for (const { connection, deploymentId, revisionId } of followed) {
    need('followed', { connection, deploymentId, revisionId });
  }
  if (session.kind !== 'ready') return needed;
  const { name } = session.connection;
  for (const id of shown) if (id.connection === name && isMoving(id)) need('document', id);
  for (const { id: deploymentId, active_revision_id: active, latest_revision_id: latest } of listed) {
    const idOf = (revisionId: string): RevisionId => ({ connection: name, deploymentId, revisionId });
    const isLatestLive = latest === undefined || latest === active;
    if (!isLatestLive && isMoving(idOf(latest))) need('listed', idOf(latest));
    // The first answer about the latest one usually brings the live one along.
    if (active !== undefined && isAwaited(idOf(active)) && (isLatestLive || !isAwaited(idOf(latest)))) {
      need('listed', idOf(active));
    }
  }
  return needed;
}
