import { describe, expect, it } from 'vitest';
import type { FollowFacts } from '../../../../src/core/status/followWords.ts';
import { badgeWords, statusBarWords } from '../../../../src/core/status/followWords.ts';
import { verdict, type Verdict } from '../../../../src/core/status/verdict.ts';

/** Of a revision with a status, and what the record says that serves. */
function found(status: string | undefined, serving: 'this' | 'notKnown' = 'notKnown'): Verdict {
  const revision = status === undefined ? undefined : { id: 'r1', status };
  const deployment = { id: 'd1', name: 'agent', active_revision_id: 'r1' };
  return verdict({ revisionId: 'r1', revision, ...(serving === 'notKnown' ? {} : { deployment }) });
}

const building: FollowFacts = {
  name: 'agent',
  connection: 'Work',
  verdict: found('BUILDING'),
  inPhase: 80_400,
  sinceAnswer: 2_000,
  failures: 0,
};
const live: FollowFacts = {
  ...building,
  verdict: found('DEPLOYED', 'this'),
  outcome: 'ended',
  live: 'main @ 0123456',
};
const failed: FollowFacts = { ...building, name: 'other', verdict: found('BUILD_FAILED'), outcome: 'ended' };
const refused: FollowFacts = { ...building, refusal: 'unauthorized', failures: 1 };
const offline: FollowFacts = { ...building, failures: 3, sinceAnswer: 125_000 };
const stored: FollowFacts = { ...building, verdict: found(undefined), storedStatus: 'BUILDING', sinceAnswer: 8_000 };

const ours: FollowFacts = { ...live, own: 'other' };
const quiet: FollowFacts = { ...live, name: 'quiet', rests: true, isSeen: true, own: 'other' };
const quietFailed: FollowFacts = { ...failed, name: 'quiet', rests: true, isSeen: true, own: 'other' };
const main: FollowFacts = { ...quiet, name: 'main', own: 'main' };
const resting = { outcome: 'ended', rests: true, isSeen: true } as const;
const old = { sinceAnswer: 125_000 };

describe('the status-bar entry', () => {
  it('is missing while nothing is followed', () => {
    expect(statusBarWords([], true)).toBeUndefined();
  });

  it.each<[string, FollowFacts[], string, string, boolean]>([
    ['the one that moves, with its time', [building], 'agent: Building 1 m 20 s', 'loading~spin', false],
    [
      'the one that moves rather than what is live',
      [live, building],
      'agent: Building 1 m 20 s',
      'loading~spin',
      false,
    ],
    ['no time in its first second', [{ ...building, inPhase: 900 }], 'agent: Building', 'loading~spin', false],
    [
      'no time before the first answer',
      [{ ...building, verdict: found(undefined) }],
      'agent: Checking its status',
      'loading~spin',
      false,
    ],
    [
      'a first failed check like any other',
      [{ ...building, failures: 1 }],
      'agent: Building 1 m 20 s',
      'loading~spin',
      false,
    ],
    [
      'how old the last answer is, without a spinner',
      [offline],
      'agent: Building · last checked 2m ago',
      'debug-disconnect',
      false,
    ],
    [
      'one that the service never answered about, without a spinner',
      [{ ...building, verdict: found(undefined), sinceAnswer: undefined, failures: 2 }],
      'agent: Checking its status · the servic…',
      'debug-disconnect',
      false,
    ],
    ['what an earlier window saw', [stored], 'agent: Building · last checked now', 'history', false],
    ['one that waits for a key without a spinner', [refused], 'agent: paused: API key rejected', 'key', false],
    [
      'one that waits for a permission without a spinner',
      [{ ...building, refusal: 'forbidden', failures: 1 }],
      'agent: paused: API key not allowed',
      'lock',
      false,
    ],
    [
      'one on the stopped local service without a spinner',
      [{ ...building, refusal: 'stopped', failures: 1 }],
      'agent: paused: local service stopped',
      'debug-disconnect',
      false,
    ],
    ['what failed before what is live', [live, failed], 'other: Build failed', 'error', true],
    ['a failure that the user has seen', [live, { ...failed, isSeen: true }], 'other: Build failed', 'error', false],
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
      'agent: still Building when following st…',
      'eye-closed',
      false,
    ],
    [
      'what is gone, which is no failure',
      [{ ...failed, outcome: 'gone' }],
      'other: no longer exists',
      'question',
      false,
    ],
    ['how many deploy and failed', [building, failed, building, live], '2 deploying, 1 failed', 'loading~spin', true],
    ['how many are paused', [building, refused], '1 deploying, 1 paused', 'loading~spin', false],
    ['several that get no answer without a spinner', [offline, offline], '2 deploying', 'debug-disconnect', false],
    [
      'several of which one was interrupted with a spinner only for the others',
      [{ ...building, verdict: found('INTERRUPTED') }, offline],
      '2 deploying',
      'debug-disconnect',
      false,
    ],
    [
      'one that was interrupted and one that failed without a spinner',
      [{ ...building, verdict: found('INTERRUPTED') }, failed],
      '1 deploying, 1 failed',
      'circle-slash',
      true,
    ],
    ['several that are paused', [refused, refused, failed], '2 paused, 1 failed', 'key', true],
    [
      'several on the stopped local service',
      [
        { ...building, refusal: 'stopped', failures: 1 },
        { ...building, refusal: 'stopped', failures: 1 },
      ],
      '2 paused (the local service is stopped)',
      'debug-disconnect',
      false,
    ],
    ['several that failed', [failed, { ...failed, isSeen: true }, live], '2 failed', 'error', true],
    [
      'several failures that the user has seen',
      [
        { ...failed, isSeen: true },
        { ...failed, isSeen: true },
      ],
      '2 failed',
      'error',
      false,
    ],
    [
      'what is live with its time, after two minutes',
      [{ ...live, ...old }],
      'agent: live · last checked 2m ago',
      'rocket',
      false,
    ],
    [
      'what is live on a stopped service with its time',
      [{ ...main, refusal: 'stopped' }],
      'main: live · last checked now',
      'rocket',
      false,
    ],
    [
      'the main one of the workspace, whichever ended last',
      [ours, quiet, main],
      'main: main @ 0123456 is live',
      'rocket',
      false,
    ],
    ['what moves before the main one', [main, building], 'agent: Building 1 m 20 s', 'loading~spin', false],
    ['a new failure before the main one', [main, { ...failed, own: 'other' }], 'other: Build failed', 'error', true],
    [
      'the main one again once a failure was seen',
      [{ ...failed, own: 'other', isSeen: true }, main],
      'main: main @ 0123456 is live',
      'rocket',
      false,
    ],
    ['how many are live if none is the main one', [ours, quiet], '2 live', 'rocket', false],
    ['how many are live and failed', [ours, quietFailed], '1 failed, 1 live', 'error', false],
    [
      'how many are live as of when',
      [ours, { ...quiet, ...old }],
      '2 live · last checked 2 minutes ago',
      'rocket',
      false,
    ],
    [
      'how many an earlier window saw',
      [
        { ...stored, ...resting },
        { ...stored, ...resting },
      ],
      '2 deployments · last checked now',
      'history',
      false,
    ],
  ])('shows %s', (_, follows, text, icon, isFailure) => {
    expect(statusBarWords(follows, true)).toMatchObject({ text, icon, isFailure });
  });

  it.each<[string, FollowFacts, string]>([
    [
      'the end of a long name',
      { ...live, name: 'customer-support-agent-europe' },
      'custo…ent-europe: main @ 0123456 is live',
    ],
    [
      'the end of a long image',
      { ...live, live: 'registry.example/acme/agent:1.0' },
      'agent: regis…/agent:1.0 is live',
    ],
    [
      'the age of an answer rather than the name of what is live',
      {
        ...live,
        name: 'sample-agent',
        live: 'registry.example/acme/agent:1.0',
        storedStatus: 'DEPLOYED',
        sinceAnswer: 300_000,
      },
      'sample-agent: live · last checked 5m ago',
    ],
  ])('has at most 40 characters, and keeps %s', (_, follow, text) => {
    const found = statusBarWords([follow], true);
    expect(found?.text).toBe(text);
    expect(text.length).toBeLessThanOrEqual(40);
    expect(found?.spoken).toContain(follow.live);
  });

  it('leaves out why some are paused if there is more to say', () => {
    const stopped: FollowFacts = { ...building, refusal: 'stopped', failures: 1 };
    const words = statusBarWords([building, stopped, failed], true);
    expect(words?.text).toBe('1 deploying, 1 paused, 1 failed');
    expect(words?.spoken).toContain('1 paused (the local service is stopped)');
  });

  it('counts seconds only in a focused window, and never aloud', () => {
    expect(statusBarWords([building], false)?.text).toBe('agent: Building 1 m');
    expect(statusBarWords([{ ...building, inPhase: 59_000 }], false)?.text).toBe('agent: Building');
    expect(statusBarWords([building], true)?.spoken).toBe('Deployments: agent: Building');
    expect(statusBarWords([offline], true)?.spoken).toBe('Deployments: agent: Building · last checked 2 minutes ago');
  });

  it.each<[string, FollowFacts[], boolean, number | undefined]>([
    ['for the rest of a second that runs', [building], true, 600],
    ['for a minute in another window', [building], false, 60_000],
    ['until the answer is older', [offline], true, 10_000],
    ['for a while if several move', [building, building], true, 10_000],
    [
      'for good while nobody looks and nothing moves',
      [{ ...building, verdict: found('INTERRUPTED') }],
      false,
      undefined,
    ],
    ['until the key changes', [refused], true, undefined],
    ['for good after the end', [live, failed], true, undefined],
    ['for a minute while something is live', [live], false, 60_000],
  ])('stays true %s', (_, follows, isFocused, lasts) => {
    expect(statusBarWords(follows, isFocused)?.lasts).toBe(lasts);
  });
});

describe('the badge', () => {
  it('counts what deploys, and what failed and was not looked at', () => {
    const follows = [building, refused, live, failed, { ...failed, isSeen: true }];
    expect(badgeWords(follows)).toEqual({ value: 2, tooltip: '1 deploying, 1 failed' });
  });

  it('is missing if nothing needs attention', () => {
    expect(badgeWords([live, { ...failed, isSeen: true }])).toBeUndefined();
  });
});
