import type { FollowFacts } from '../../core/status/followWords.ts';
import { revisionTitle } from '../../core/status/rowWords.ts';
import { verdict, type Observation } from '../../core/status/verdict.ts';
import { refusalOf, type Followed } from '../../state/following/follower.ts';
import type { Deployments } from '../../state/lists/deployments.ts';

type Known = Pick<Deployments, 'observe' | 'revision'>;

/** The known facts about a followed deployment; `now` is in monotonic time. */
export function followFacts(followed: Followed, deployments: Known, now: number): FollowFacts {
  const observed = observationOf(followed, deployments);
  return {
    name: followed.deploymentName ?? followed.deploymentId,
    connection: followed.connection,
    verdict: verdict(observed),
    inPhase: now - followed.phaseSince,
    reason: followed.revision?.status_message,
    live: observed.active === undefined ? undefined : revisionTitle(observed.active),
    failures: followed.failures,
    refusal: refusalOf(followed),
    outcome: followed.outcome,
  };
}

/** The known state of a follow, with the list's record if that is newer. */
function observationOf(followed: Followed, deployments: Known): Observation {
  const { deploymentId, revisionId, revision, revisionAt } = followed;
  const listed = deployments.observe(deploymentId, revisionId);
  const isListedNewer = (listed.deploymentAt ?? -Infinity) > (followed.deploymentAt ?? -Infinity);
  const { deployment, deploymentAt } = isListedNewer ? listed : followed;
  const activeId = deployment?.active_revision_id;
  const active = activeId === revisionId ? revision : deployments.revision(activeId ?? '');
  return { revisionId, revision, revisionAt, deployment, deploymentAt, active };
}
