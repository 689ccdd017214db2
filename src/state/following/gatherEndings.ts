import type { Clock } from '../clock.ts';
import type { Disposable } from '../emitter.ts';
import type { Followed, Follower } from './follower.ts';

/** How long an ending waits for others, in milliseconds. */
const gathering = 2_000;

/**
 * Passes on the endings of follows, those within a few seconds together.
 * Leaves out what the user dismissed meanwhile, and what was on a connection that was removed.
 */
export function gatherEndings(
  {
    follower,
    clock,
  }: {
    readonly follower: Pick<Follower, 'onDidEnd' | 'find' | 'forgetEnded'>;
    readonly clock: Pick<Clock, 'schedule'>;
  },
  tell: (ended: readonly Followed[]) => void,
): Disposable {
  let ended: readonly Followed[] = [];
  let timer: Disposable | undefined;
  const subscription = follower.onDidEnd((followed) => {
    // Of a deployment that ended twice, the last ending counts.
    const { connection, deploymentId } = followed;
    ended = [...ended.filter((each) => each.connection !== connection || each.deploymentId !== deploymentId), followed];
    timer ??= clock.schedule(() => {
      const news = ended.filter((each) => follower.find(each.connection, each.deploymentId) !== undefined);
      ended = [];
      timer = undefined;
      void follower.forgetEnded();
      if (news.length > 0) tell(news);
    }, gathering);
  });
  return {
    dispose: () => {
      subscription.dispose();
      timer?.dispose();
    },
  };
}
