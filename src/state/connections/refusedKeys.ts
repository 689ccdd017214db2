import { combined, type Disposable } from '../emitter.ts';
import type { Follower } from '../following/follower.ts';
import { refusalIn, type FailedPoll } from '../following/poll.ts';
import type { Poller } from '../following/poller.ts';

/** Tells once of each connection whose key is refused for what is followed, and again after it answered meanwhile. */
export function watchRefusedKeys(
  {
    follower,
    poller,
  }: { readonly follower: Pick<Follower, 'find'>; readonly poller: Pick<Poller, 'onDidAnswer' | 'onDidFail'> },
  tell: (refused: Pick<FailedPoll, 'connection' | 'error'>) => void,
): Disposable {
  const told = new Set<string>();
  return combined([
    poller.onDidAnswer(({ connection }) => void told.delete(connection)),
    poller.onDidFail(({ connection, deploymentId, revisionId, error }) => {
      if (refusalIn(error) !== 'unauthorized' || told.has(connection)) return;
      const followed = follower.find(connection, deploymentId);
      if (followed?.revisionId !== revisionId || followed.outcome !== undefined) return;
      told.add(connection);
      tell({ connection, error });
    }),
  ]);
}
