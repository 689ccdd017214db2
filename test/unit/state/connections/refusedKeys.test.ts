import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import { Emitter } from '../../../../src/state/emitter.ts';
import type { Followed } from '../../../../src/state/following/follower.ts';
import type { AnsweredPoll, FailedPoll } from '../../../../src/state/following/poll.ts';
import { watchRefusedKeys } from '../../../../src/state/connections/refusedKeys.ts';
import { begun } from '../../../support/begunFollow.ts';

function errorOf(kind: 'unauthorized' | 'forbidden'): ApiError {
  return new ApiError({ kind, message: 'no', sent: true });
}

/** What is followed, polls that fail there, and the connections that were told. */
function watching(follows: readonly Followed[]) {
  const answers = new Emitter<AnsweredPoll>();
  const failures = new Emitter<FailedPoll>();
  const told: string[] = [];
  const find = (connection: string, deploymentId: string): Followed | undefined =>
    follows.find((each) => each.connection === connection && each.deploymentId === deploymentId);
  const watch = watchRefusedKeys(
    { follower: { find }, poller: { onDidAnswer: answers.event, onDidFail: failures.event } },
    ({ connection }) => told.push(connection),
  );
  const fail = (changes: Partial<FailedPoll> = {}): void => {
    const { connection, deploymentId, revisionId } = begun;
    const error = errorOf('unauthorized');
    failures.fire({ connection, deploymentId, revisionId, error, askedAt: 0, failures: 1, isGone: false, ...changes });
  };
  const answer = (): void => {
    const { connection, deploymentId, revisionId } = begun;
    answers.fire({ connection, deploymentId, revisionId, answers: [], hasEnded: false, waited: 0 });
  };
  return { told, fail, answer, watch };
}

describe('a refused key', () => {
  it('is told once of each connection, and again after an answer', () => {
    const other = { ...begun, connection: 'Home' };
    const { told, fail, answer } = watching([begun, { ...begun, deploymentId: 'd2' }, other]);
    fail();
    fail();
    fail({ deploymentId: 'd2' });
    fail({ connection: 'Home' });
    expect(told).toEqual(['Work', 'Home']);
    answer();
    fail();
    expect(told).toEqual(['Work', 'Home', 'Work']);
  });

  it('is told of follows that run, and of no other error', () => {
    const { told, fail } = watching([begun, { ...begun, deploymentId: 'd2', outcome: 'ended' }]);
    fail({ error: errorOf('forbidden') });
    fail({ deploymentId: 'd2' });
    fail({ deploymentId: 'd3' });
    fail({ revisionId: 'r0' });
    expect(told).toEqual([]);
  });

  it('is told no more in a closed window', () => {
    const { told, fail, watch } = watching([begun]);
    watch.dispose();
    fail();
    expect(told).toEqual([]);
  });
});
