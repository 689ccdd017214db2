import { ageWords, answerWords, lastCheckWords, pauseView } from '../../core/status/freshness.ts';
import type { RevisionId } from '../answers/answers.ts';
import type { Clock } from '../clock.ts';
import type { Deployments } from '../lists/deployments.ts';
import type { Follower } from './follower.ts';
import { refusalIn } from './poll.ts';
import type { Poller } from './poller.ts';
import type { Scheduler } from './scheduler.ts';

interface DoubtSources {
  readonly deployments: Pick<Deployments, 'observe' | 'state'>;
  readonly follower: Pick<Follower, 'find'>;
  readonly poller: Pick<Poller, 'failureOf'>;
  readonly scheduler: Pick<Scheduler, 'attention'>;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
}

/** Why the status of a listed revision may have changed since the last answer about it; undefined after a recent one. */
export function doubtOf(id: RevisionId, sources: DoubtSources): string | undefined {
  const { deployments, poller, clock } = sources;
  const { failures = 0, error } = poller.failureOf(id) ?? {};
  const refusal = refusalIn(error) ?? refusalIn(deployments.state.error);
  const isStopped = refusal === 'stopped';
  if (refusal !== undefined && !isStopped) return pauseView(refusal).words;
  const { revisionAt } = deployments.observe(id.deploymentId, id.revisionId);
  const sinceAnswer = revisionAt === undefined ? undefined : clock.monotonic() - revisionAt;
  // An age would go on growing where nobody draws it again. That the service is stopped is said above the rows.
  const isTold = sinceAnswer !== undefined && (isStopped || !isAskedFor(id, sources));
  if (isTold) return lastCheckWords(clock.now() - sinceAnswer);
  return isStopped ? answerWords({}) : ageWords({ failures, sinceAnswer });
}

/** Whether a revision in progress is polled: while the user looks at the list, and always if it is followed. */
function isAskedFor(
  { connection, deploymentId, revisionId }: RevisionId,
  { follower, scheduler }: DoubtSources,
): boolean {
  const { focused, visible } = scheduler.attention;
  const followed = follower.find(connection, deploymentId);
  return (focused && visible) || (followed?.revisionId === revisionId && followed.outcome === undefined);
}
