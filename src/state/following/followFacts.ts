import type { FollowFacts } from '../../core/status/followWords.ts';
import { revisionTitle } from '../../core/status/rowWords.ts';
import { verdict } from '../../core/status/verdict.ts';
import type { Answers, RevisionId } from '../answers/answers.ts';
import { toWallTime, type Clock } from '../clock.ts';
import type { Followed } from './follower.ts';
import { refusalIn } from './poll.ts';
import type { Poller } from './poller.ts';

/** What is shown of a deployment beside the answers about it: a follow, or one of the workspace's own at rest. */
export interface ShownDeployment
  extends RevisionId, Pick<Followed, 'skipped' | 'failures' | 'error' | 'outcome' | 'isSeen'> {
  /** Nobody follows it. */
  readonly rests?: true;
}

/** The known facts about a deployment that is followed or shown. */
export function followFacts(
  { connection, deploymentId, revisionId, skipped, failures, error, outcome, isSeen, rests }: ShownDeployment,
  { answers, clock }: { readonly answers: Pick<Answers, 'observe'>; readonly clock: Pick<Clock, 'monotonic'> },
): FollowFacts {
  const observed = answers.observe(connection, deploymentId, revisionId);
  const { deployment, revision, active, since, stored } = observed;
  const now = clock.monotonic();
  const found = verdict(observed);
  const answeredAt = found.asOf ?? observed.revisionAt ?? stored?.at;
  return {
    name: deployment?.name ?? stored?.name ?? deploymentId,
    connection,
    verdict: found,
    inPhase: since === undefined ? 0 : now - since,
    sinceAnswer: answeredAt === undefined ? undefined : now - answeredAt,
    storedStatus: stored?.status,
    reason: revision?.status_message,
    live: active && revisionTitle(active),
    skipped: skipped && revisionTitle(skipped),
    failures,
    // A refused follow is paused until the key or the connection changes, or the local service is started.
    refusal: outcome === undefined ? refusalIn(error) : undefined,
    outcome,
    isSeen,
    rests,
  };
}

/** Times of a follow in wall time, in milliseconds; each is undefined while it isn't known. */
export interface FollowTimes {
  /** Since when the revision has had its status. */
  readonly since: number | undefined;
  /** When the service answered last, also to an earlier window. */
  readonly checkedAt: number | undefined;
  readonly nextCheckAt: number | undefined;
}

/** When a shown revision got its status, and when it was and will be checked. */
export function followTimes(
  { connection, deploymentId, revisionId, outcome }: ShownDeployment,
  {
    answers,
    poller,
    clock,
  }: {
    readonly answers: Pick<Answers, 'observe'>;
    readonly poller: Pick<Poller, 'nextPollAt'>;
    readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  },
): FollowTimes {
  const { since, revisionAt, stored } = answers.observe(connection, deploymentId, revisionId);
  // One that is due waits for a free request or the next turn.
  const plannedAt = outcome === undefined ? poller.nextPollAt({ connection, deploymentId, revisionId }) : undefined;
  const toWall = (at: number | undefined): number | undefined => (at === undefined ? undefined : toWallTime(clock, at));
  return {
    since: toWall(since),
    checkedAt: toWall(revisionAt ?? stored?.at),
    nextCheckAt: toWall(plannedAt && Math.max(plannedAt, clock.monotonic())),
  };
}
