import { revisionTitle } from '../../core/status/deploymentSummary.ts';
import type { FollowFacts } from '../../core/status/followSummary.ts';
import { refusalOf, type Followed } from '../../state/following/follower.ts';
import type { Deployments } from '../../state/lists/deployments.ts';

/** What the summaries say about a followed deployment, from what the last polls brought; `now` is monotonic. */
export function followFacts(followed: Followed, deployments: Deployments, now: number): FollowFacts {
  const activeId = followed.deployment?.active_revision_id;
  const active = activeId === followed.revisionId ? followed.revision : deployments.revision(activeId ?? '');
  return {
    name: followed.deploymentName ?? followed.deploymentId,
    connection: followed.connection,
    status: followed.revision?.status,
    phase: followed.phase,
    inPhase: now - followed.phaseSince,
    reason: followed.revision?.status_message,
    live: active === undefined ? undefined : revisionTitle(active),
    failures: followed.failures,
    refusal: refusalOf(followed),
    outcome: followed.outcome,
  };
}
