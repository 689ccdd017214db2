import { ageWords, pauseView } from '../../core/status/freshness.ts';
import type { Clock } from '../clock.ts';
import type { Deployments } from '../lists/deployments.ts';
import { refusalIn, type RevisionId } from './polledRevision.ts';
import type { Poller } from './poller.ts';

export interface DoubtSources {
  readonly deployments: Pick<Deployments, 'observe' | 'state'>;
  readonly poller: Pick<Poller, 'failureOf'>;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Why the status of a listed revision may have changed since the last answer about it; undefined after a recent one. */
export function doubtOf(id: RevisionId, { deployments, poller, clock }: DoubtSources): string | undefined {
  const { failures = 0, error } = poller.failureOf(id) ?? {};
  const refusal = refusalIn(error) ?? refusalIn(deployments.state.error);
  if (refusal !== undefined) return pauseView(refusal).words;
  const { revisionAt } = deployments.observe(id.deploymentId, id.revisionId);
  return ageWords({ failures, sinceAnswer: revisionAt === undefined ? undefined : clock.monotonic() - revisionAt });
}
