import { describe, expect, it } from 'vitest';
import { followLine, notificationWords } from '../../../../src/core/status/followWords.ts';
import type { FollowFacts } from '../../../../src/core/status/followWords.ts';
import { verdict, type Verdict } from '../../../../src/core/status/verdict.ts';

/** Of a revision with a status, and what the record says that serves. */
function found(status: string | undefined, serving: Verdict['serving'] = 'notKnown'): Verdict {
  const revision = status === undefined ? undefined : { id: 'r1', status };
  const activeId = { this: 'r1', another: 'r0', nothing: undefined, notKnown: undefined }[serving];
  const deployment = { id: 'd1', name: 'agent', active_revision_id: activeId };
  return verdict({ revisionId: 'r1', revision, ...(serving === 'notKnown' ? {} : { deployment }) });
}

const building: FollowFacts = {
  name: 'agent',
  connection: 'Work',
  verdict: found('BUILDING'),
  inPhase: 80_000,
  failures: 0,
};
const live: FollowFacts = {
  ...building,
  verdict: found('DEPLOYED', 'this'),
  outcome: 'ended',
  live: 'main @ 0123456',
};
const failed: FollowFacts = { ...building, name: 'other', verdict: found('BUILD_FAILED'), outcome: 'ended' };

describe('a line about a followed deployment', () => {
  it.each<[string, Partial<FollowFacts>, string]>([
    ['is moving', {}, 'agent (Work): Building for 1 m 20 s'],
    ['usually takes a known time', { usual: 360_000 }, 'agent (Work): Building for 1 m 20 s · usually 6 min in all'],
    [
      'usually takes a known time, but had no answer the last time',
      { usual: 360_000, failures: 1, sinceAnswer: 5_000 },
      "agent (Work): Building · the service didn't answer the last check",
    ],
    ['ended after the usual time', { ...live, usual: 360_000 }, 'agent (Work): main @ 0123456 is live'],
    [
      'waits for a key and usually takes a known time',
      { refusal: 'unauthorized', usual: 360_000 },
      'agent (Work): paused: API key rejected',
    ],
    [
      'has had no answer and usually takes a known time',
      { verdict: found(undefined), usual: 360_000 },
      'agent (Work): Checking its status',
    ],
    ['has had no answer', { verdict: found(undefined) }, 'agent (Work): Checking its status'],
    [
      'had no answer the last time',
      { failures: 1, sinceAnswer: 5_000 },
      "agent (Work): Building · the service didn't answer the last check",
    ],
    [
      'had no answer for two minutes',
      { failures: 3, sinceAnswer: 150_000 },
      'agent (Work): Building · last checked 2 minutes ago',
    ],
    ["couldn't be checked for hours", { sinceAnswer: 28_800_000 }, 'agent (Work): Building · last checked 8 hours ago'],
    [
      'took the place of a skipped one',
      { skipped: 'main @ 0123456' },
      'agent (Work): Building for 1 m 20 s · main @ 0123456 was skipped',
    ],
    ['was checked half a minute ago', { sinceAnswer: 30_000 }, 'agent (Work): Building for 1 m 20 s'],
    [
      'is known from an earlier window',
      { verdict: found(undefined), storedStatus: 'BUILDING', sinceAnswer: 120_000 },
      'agent (Work): Building · last checked 2 minutes ago',
    ],
    ['waits for a key', { refusal: 'unauthorized', failures: 1 }, 'agent (Work): paused: API key rejected'],
    [
      'waits for a permission',
      { refusal: 'forbidden', failures: 1 },
      "agent (Work): paused: the API key doesn't allow this",
    ],
    ['is on the stopped local service', { refusal: 'stopped' }, 'agent (Work): paused: the local service is stopped'],
    ['is live', live, 'agent (Work): main @ 0123456 is live'],
    ['is live without a word about what', { ...live, live: undefined }, 'agent (Work): live'],
    [
      'failed without a reason',
      { ...failed, name: 'agent' },
      'agent (Work): Build failed · The service gives no reason',
    ],
    [
      'failed while something else is live',
      { ...failed, name: 'agent', verdict: found('BUILD_FAILED', 'another'), reason: 'no graph.json.', live: 'v1' },
      'agent (Work): Build failed · no graph.json · v1 stays live',
    ],
    ['was superseded', { verdict: found('SKIPPED'), outcome: 'ended' }, 'agent (Work): Skipped'],
    ['was watched for too long', { outcome: 'gaveUp' }, 'agent (Work): still Building when following stopped'],
    ['is gone', { outcome: 'gone', failures: 3 }, 'agent (Work): no longer exists'],
    ['ended with old failures of the network', { ...live, failures: 2 }, 'agent (Work): main @ 0123456 is live'],
    ['has a status that nobody knows', { verdict: found('DREAMING') }, 'agent (Work): DREAMING for 1 m 20 s'],
  ])('that %s says so', (_, changes, line) => {
    expect(followLine({ ...building, ...changes })).toBe(line);
  });

  it('says that there was no answer if following stopped before one', () => {
    const line = followLine({ ...building, verdict: found(undefined), outcome: 'gaveUp' });
    expect(line).toBe('agent (Work): no answer when following stopped');
  });
});

describe('the message at the end', () => {
  it.each<[string, FollowFacts, string]>([
    ['what is live', live, 'information'],
    [
      'what is deployed, of which no record says whether it is live',
      { ...live, verdict: found('DEPLOYED') },
      'information',
    ],
    ['what failed', failed, 'error'],
    ['what was skipped', { ...live, verdict: found('SKIPPED') }, 'warning'],
    ['what was given up', { ...building, outcome: 'gaveUp' }, 'warning'],
    ['what is gone', { ...live, outcome: 'gone' }, 'warning'],
  ])('is as severe as it is: %s', (_, facts, severity) => {
    expect(notificationWords([{ facts, resumed: false }])).toEqual({ message: followLine(facts), severity });
  });

  it('mentions that the deployment ended earlier', () => {
    expect(notificationWords([{ facts: live, resumed: true }]).message).toBe(
      'Ended while you were away: agent (Work): main @ 0123456 is live',
    );
  });

  it('says a reason once that several failed for', () => {
    const broken = { ...failed, reason: "graph.json can't be used." };
    const endings = [broken, { ...broken, name: 'third' }, { ...live, reason: broken.reason }];
    expect(notificationWords(endings.map((facts) => ({ facts, resumed: false }))).message).toBe(
      "3 deployments: other (Work): Build failed · graph.json can't be used; third (Work): Build failed · same reason; " +
        'agent (Work): main @ 0123456 is live',
    );
  });

  it('is one for several, as severe as the worst of them', () => {
    const gone: FollowFacts = { ...building, outcome: 'gone' };
    const endings = [live, gone, failed].map((facts) => ({ facts, resumed: false }));
    expect(notificationWords(endings)).toEqual({
      message:
        '3 deployments: agent (Work): main @ 0123456 is live; agent (Work): no longer exists; ' +
        'other (Work): Build failed · The service gives no reason',
      severity: 'error',
    });
    expect(notificationWords(endings.slice(0, 2)).severity).toBe('warning');
  });
});
