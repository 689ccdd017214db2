import { describe, expect, it } from 'vitest';
import { describeFollow, summarizeFollows } from '../../../../src/core/status/followSummary.ts';
import type { FollowFacts } from '../../../../src/core/status/followSummary.ts';

const building: FollowFacts = {
  name: 'agent',
  connection: 'Work',
  status: 'BUILDING',
  phase: 'working',
  inPhase: 80_000,
  failures: 0,
};
const live: FollowFacts = {
  ...building,
  status: 'DEPLOYED',
  phase: 'success',
  outcome: 'ended',
  live: 'main @ 0123456',
};
const failed: FollowFacts = { ...building, name: 'other', status: 'BUILD_FAILED', phase: 'failed', outcome: 'ended' };

describe('a line about a follow', () => {
  it.each<[string, Partial<FollowFacts>, string]>([
    ['is moving', {}, 'agent (Work): Building for 1 m 20 s'],
    ['has had no answer', { status: undefined }, 'agent (Work): Asking for its status'],
    [
      'had no answer the last time',
      { failures: 1 },
      'agent (Work): Building for 1 m 20 s · the service did not answer the last time',
    ],
    ['waits for a key', { refusal: 'unauthorized', failures: 1 }, 'agent (Work): paused: the API key was refused'],
    [
      'waits for a permission',
      { refusal: 'forbidden', failures: 1 },
      'agent (Work): paused: not allowed with the API key in use',
    ],
    ['is live', live, 'agent (Work): main @ 0123456 is live'],
    ['is live without a word about what', { ...live, live: undefined }, 'agent (Work): live'],
    [
      'failed without a reason',
      { ...failed, name: 'agent' },
      'agent (Work): Build failed · The service gives no reason',
    ],
    [
      'failed while something else is live',
      { ...failed, name: 'agent', reason: 'no graph.json.', live: 'v1' },
      'agent (Work): Build failed · no graph.json · v1 stays live',
    ],
    ['was superseded', { status: 'SKIPPED', phase: 'superseded', outcome: 'ended' }, 'agent (Work): Skipped'],
    ['was watched for too long', { outcome: 'gaveUp' }, 'agent (Work): still Building when I stopped watching'],
    ['is gone', { outcome: 'gone', failures: 3 }, 'agent (Work): no longer there'],
    ['ended with old failures of the network', { ...live, failures: 2 }, 'agent (Work): main @ 0123456 is live'],
    ['has a status that nobody knows', { status: 'DREAMING', phase: 'unknown' }, 'agent (Work): DREAMING for 1 m 20 s'],
  ])('that %s says so', (_, changes, line) => {
    expect(describeFollow({ ...building, ...changes })).toBe(line);
  });

  it('never calls a watch that was given up before any answer an endless question', () => {
    const line = describeFollow({ ...building, status: undefined, outcome: 'gaveUp' });
    expect(line).toBe('agent (Work): no answer when I stopped watching');
  });
});

describe('the status-bar entry', () => {
  it('is not there when nothing is followed', () => {
    expect(summarizeFollows([])).toBeUndefined();
  });

  it.each<[string, FollowFacts[], string, string, boolean]>([
    ['the one that moves', [building], 'agent: Building', 'loading~spin', false],
    ['how many move', [building, building, failed], '2 deployments in progress', 'loading~spin', false],
    [
      'one that waits for a key without a spinner',
      [{ ...building, refusal: 'unauthorized', failures: 1 }, failed],
      'agent: paused: the API key was refused',
      'key',
      false,
    ],
    [
      'one that waits for a permission without a spinner',
      [{ ...building, refusal: 'forbidden', failures: 1 }],
      'agent: paused: not allowed with the API key in use',
      'lock',
      false,
    ],
    [
      'the one that moves before those that wait for a key',
      [{ ...building, name: 'other', refusal: 'unauthorized' }, building],
      'agent: Building',
      'loading~spin',
      false,
    ],
    ['what moves before what failed', [failed, building], 'agent: Building', 'loading~spin', false],
    ['what failed before what is live', [live, failed], 'other: Build failed', 'error', true],
    [
      'the newest of those that are live',
      [live, { ...live, name: 'older' }],
      'agent: main @ 0123456 is live',
      'rocket',
      false,
    ],
    [
      'a watch that was given up, which is no failure',
      [{ ...building, outcome: 'gaveUp' }],
      'agent: still Building when I stopped watching',
      'eye-closed',
      false,
    ],
    [
      'what is gone, which is no failure',
      [{ ...failed, outcome: 'gone' }],
      'other: no longer there',
      'question',
      false,
    ],
  ])('shows %s', (_, follows, text, icon, isFailure) => {
    expect(summarizeFollows(follows)).toMatchObject({ text, icon, isFailure });
  });

  it('has a line for each of them', () => {
    expect(summarizeFollows([building, failed])?.lines).toEqual([describeFollow(building), describeFollow(failed)]);
  });
});
