import { toWallTime, type Clock } from '../clock.ts';
import type { Followed } from './follower.ts';
import type { Poller } from './poller.ts';

/** Times of a follow in wall time, in milliseconds; each is undefined while it isn't known. */
export interface FollowTimes {
  /** Since when the revision has had its status. */
  readonly since: number | undefined;
  /** When the service answered last, also to an earlier window. */
  readonly checkedAt: number | undefined;
  readonly nextCheckAt: number | undefined;
}

/** When a followed revision got its status, and when it was and will be checked. */
export function followTimes(
  followed: Followed,
  { poller, clock }: { readonly poller: Pick<Poller, 'nextPollAt'>; readonly clock: Pick<Clock, 'now' | 'monotonic'> },
): FollowTimes {
  // One that is due waits for a free request or the next turn.
  const plannedAt = followed.outcome === undefined ? poller.nextPollAt(followed) : undefined;
  const toWall = (at: number | undefined): number | undefined => (at === undefined ? undefined : toWallTime(clock, at));
  return {
    since: followed.revision === undefined ? undefined : toWall(followed.phaseSince),
    checkedAt: toWall(followed.revisionAt ?? followed.lastAnswer?.at),
    nextCheckAt: toWall(plannedAt && Math.max(plannedAt, clock.monotonic())),
  };
}
