import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import type { Revision } from '../../../../src/api/resources/revisions.ts';
import type { Observed } from '../../../../src/state/answers/answers.ts';
import { followFacts, followTimes, type ShownDeployment } from '../../../../src/state/following/followFacts.ts';

const minute = 60_000;
const wall = Date.parse('2026-03-04T12:00:00Z');
const revisionOf = (id: string): Revision => ({ id, status: 'DEPLOYED', source_revision_config: { repo_ref: id } });
const recordOf = (active: string) => ({ id: 'd1', name: 'agent', active_revision_id: active });
const running: ShownDeployment = { connection: 'Work', deploymentId: 'd1', revisionId: 'r2', failures: 0 };
const ended: ShownDeployment = { ...running, outcome: 'ended' };
const known: Observed = {
  revisionId: 'r2',
  revision: revisionOf('r2'),
  revisionAt: 1_000,
  since: 1_000,
  deployment: recordOf('r1'),
  deploymentAt: 1_000,
  active: revisionOf('r1'),
};
const unknown: Observed = { revisionId: 'r2' };

const answersOf = (observed: Observed) => ({ observe: () => observed });

function factsAt(now: number, shown: ShownDeployment, observed: Observed) {
  return followFacts(shown, { answers: answersOf(observed), clock: { monotonic: () => now } });
}

describe('the facts about a follow', () => {
  it('are those of an earlier window until the first answer', () => {
    const stored = { name: 'agent', status: 'BUILDING', at: -56_000 };
    expect(factsAt(4_000, running, { ...unknown, stored })).toMatchObject({
      name: 'agent',
      sinceAnswer: 60_000,
      storedStatus: 'BUILDING',
      verdict: { kind: 'notKnown' },
    });
  });

  it('say nothing before any answer', () => {
    const facts = factsAt(4_000, running, unknown);
    expect(facts).toMatchObject({ name: 'd1', inPhase: 0, verdict: { kind: 'notKnown' } });
    expect([facts.sinceAnswer, facts.storedStatus, facts.skipped]).toEqual([undefined, undefined, undefined]);
  });

  it('name no live revision while none is known', () => {
    expect(factsAt(4_000, ended, { ...known, active: undefined }).live).toBeUndefined();
  });

  it('name its own revision as the live one, and the skipped one whose place it took', () => {
    const live = { ...known, deployment: recordOf('r2'), active: revisionOf('r2') };
    expect(factsAt(5_000, { ...ended, skipped: revisionOf('r1') }, live)).toMatchObject({ live: 'r2', skipped: 'r1' });
  });

  it('describe its own answers and name the revision that is live instead', () => {
    expect(factsAt(5_000, ended, known)).toMatchObject({
      verdict: { kind: 'notActive', serving: 'another' },
      live: 'r1',
      inPhase: 4_000,
      sinceAnswer: 4_000,
    });
  });

  it('are as old as the record if that says what is live', () => {
    const live = { ...known, deployment: recordOf('r2'), deploymentAt: 2_000, active: revisionOf('r2') };
    expect(factsAt(5_000, ended, live)).toMatchObject({ verdict: { kind: 'live' }, live: 'r2', sinceAnswer: 3_000 });
  });

  it('mention a refused key only while the follow is running', () => {
    const error = new ApiError({ kind: 'unauthorized', message: 'No', sent: true });
    expect(factsAt(5_000, { ...running, error }, known).refusal).toBe('unauthorized');
    expect(factsAt(5_000, { ...ended, error }, known).refusal).toBeUndefined();
  });
});

describe('the times of a follow', () => {
  const clock = { now: () => wall, monotonic: () => 10 * minute };
  const answered: Observed = { ...known, since: 4 * minute, revisionAt: 9 * minute };

  function timesOf(shown: ShownDeployment, observed: Observed, nextPollAt?: number) {
    return followTimes(shown, { answers: answersOf(observed), clock, poller: { nextPollAt: () => nextPollAt } });
  }

  it('are those of its answers and of the next poll, by the clock on the wall', () => {
    expect(timesOf(running, answered, 11 * minute)).toEqual({
      since: wall - 6 * minute,
      checkedAt: wall - minute,
      nextCheckAt: wall + minute,
    });
  });

  it('are unknown before the first answer, and while it is polled', () => {
    expect(timesOf(running, unknown)).toEqual({ since: undefined, checkedAt: undefined, nextCheckAt: undefined });
  });

  it('are those of an earlier window until the first answer', () => {
    const stored = { name: 'agent', status: 'BUILDING', at: -5 * minute };
    expect(timesOf(running, { ...unknown, stored }).checkedAt).toBe(wall - 15 * minute);
  });

  it('have no next check in the past, and none after the end', () => {
    expect(timesOf(running, answered, 2 * minute).nextCheckAt).toBe(wall);
    expect(timesOf(ended, answered, 11 * minute).nextCheckAt).toBeUndefined();
  });
});
