import type { Followed } from '../../src/state/following/follower.ts';

/** A follow that has just begun. */
export const begun: Followed = {
  connection: 'Work',
  deploymentId: 'd1',
  revisionId: 'r1',
  waited: 0,
  failures: 0,
  resumed: false,
};
