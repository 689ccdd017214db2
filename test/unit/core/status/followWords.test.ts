import { describe, expect, it } from 'vitest';
import { followDetails, followLine, notificationWords } from '../../../../src/core/status/followWords.ts';
import type { FollowFacts } from '../../../../src/core/status/followWords.ts';
import { badgeWords, statusBarWords } from '../../../../src/core/status/statusBarWords.ts';
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
  inPhase: 80_400,
  sinceAnswer: 2_000,
  failures: 0,
};
const interrupted: FollowFacts = { ...building, verdict: found('INTERRUPTED') };
const unanswered: FollowFacts = { ...building, verdict: found(undefined) };
const live: FollowFacts = {
  ...building,
  verdict: found('DEPLOYED', 'this'),
  outcome: 'ended',
  live: 'main @ 0123456',
};
const failed: FollowFacts = { ...building, name: 'other', verdict: found('BUILD_FAILED'), outcome: 'ended' };
const seen: FollowFacts = { ...failed, isSeen: true };
const refused: FollowFacts = { ...building, refusal: 'unauthorized', failures: 1 };
const forbidden: FollowFacts = { ...building, refusal: 'forbidden', failures: 1 };
const stopped: FollowFacts = { ...building, refusal: 'stopped', failures: 1 };
const offline: FollowFacts = { ...building, failures: 3, sinceAnswer: 125_000 };
const stored: FollowFacts = { ...unanswered, storedStatus: 'BUILDING', sinceAnswer: 8_000 };

const resting = { outcome: 'ended', rests: true, isSeen: true } as const;
const ours: FollowFacts = { ...live, own: 'other' };
const quiet: FollowFacts = { ...live, ...resting, name: 'quiet', own: 'other' };
const quietFailed: FollowFacts = { ...failed, ...resting, name: 'quiet', own: 'other' };
const main: FollowFacts = { ...quiet, name: 'main', own: 'main' };
const old = { sinceAnswer: 125_000 };

describe('a line about a followed deployment', () => {
  it('leaves out the reason only where that is shown beside it', () => {
    const facts = { ...failed, verdict: found('BUILD_FAILED', 'nothing'), reason: 'no graph.json.' };
    expect(followDetails(facts)).toBe('Build failed · no graph.json · nothing live yet');
    expect(followDetails(facts, true)).toBe('Build failed · nothing live yet');
  });

  it.each<[string, FollowFacts, string]>([
    ['is moving', building, 'Building for 1 m 20 s'],
    ['usually takes a known time', { ...building, usual: 360_000 }, 'Building for 1 m 20 s · usually 6 min in all'],
    [
      'usually takes a known time, but had no answer the last time',
      { ...building, usual: 360_000, failures: 1 },
      "Building · the service didn't answer the last check",
    ],
    ['ended after the usual time', { ...live, usual: 360_000 }, 'main @ 0123456 is live'],
    ['waits for a key and usually takes a known time', { ...refused, usual: 360_000 }, 'paused: API key rejected'],
    ['has had no answer and usually takes a known time', { ...unanswered, usual: 360_000 }, 'Checking its status'],
    ['had no answer for two minutes', offline, 'Building · last checked 2 minutes ago'],
    ["couldn't be checked for hours", { ...building, sinceAnswer: 28_800_000 }, 'Building · last checked 8 hours ago'],
    [
      'took the place of a skipped one',
      { ...building, skipped: 'main @ 0123456' },
      'Building for 1 m 20 s · main @ 0123456 was skipped',
    ],
    ['was checked half a minute ago', { ...building, sinceAnswer: 30_000 }, 'Building for 1 m 20 s'],
    ['is known from an earlier window', { ...stored, ...old }, 'Building · last checked 2 minutes ago'],
    ['waits for a permission', forbidden, "paused: the API key doesn't allow this"],
    ['is on the stopped local service', stopped, 'paused: the local service is stopped'],
    [
      'failed while something else is live',
      {
        ...building,
        outcome: 'ended',
        verdict: found('BUILD_FAILED', 'another'),
        reason: 'no graph.json.',
        live: 'v1',
      },
      'Build failed · no graph.json · v1 stays live',
    ],
    [
      'was stopped while something else is live',
      { ...building, outcome: 'ended', verdict: found('INTERRUPTED', 'another'), live: 'v1' },
      'Interrupted · v1 stays live',
    ],
    ['was watched for too long', { ...building, outcome: 'gaveUp' }, 'still Building when following stopped'],
    ['never had an answer', { ...unanswered, outcome: 'gaveUp' }, 'no answer when following stopped'],
    ['is gone', { ...building, outcome: 'gone', failures: 3 }, 'no longer exists'],
    ['ended with old failures of the network', { ...live, failures: 2 }, 'main @ 0123456 is live'],
    ['has a status that nobody knows', { ...building, verdict: found('DREAMING') }, 'DREAMING for 1 m 20 s'],
  ])('that %s says so', (_, follow, line) => {
    expect(followLine(follow)).toBe(`agent (Work): ${line}`);
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

describe('the status-bar entry', () => {
  it('is missing while nothing is followed', () => {
    expect(statusBarWords([], true)).toBeUndefined();
  });

  it.each<[string, FollowFacts[], string]>([
    ['no time in its first second', [{ ...building, inPhase: 900 }], '$(loading~spin) agent: Building'],
    ['no time before the first answer', [unanswered], '$(loading~spin) agent: Checking its status'],
    ['a first failed check like any other', [{ ...building, failures: 1 }], '$(loading~spin) agent: Building 1 m 20 s'],
    [
      'how old the last answer is, without a spinner',
      [offline],
      '$(debug-disconnect) agent: Building · last checked 2m ago',
    ],
    [
      'one that the service never answered about, without a spinner',
      [{ ...unanswered, sinceAnswer: undefined, failures: 2 }],
      '$(debug-disconnect) agent: Checking its status · the servic…',
    ],
    ['what an earlier window saw', [stored], '$(history) agent: Building · last checked now'],
    ['one that waits for a key without a spinner', [refused], '$(key) agent: paused: API key rejected'],
    ['one that waits for a permission without a spinner', [forbidden], '$(lock) agent: paused: API key not allowed'],
    [
      'one on the stopped local service without a spinner',
      [stopped],
      '$(debug-disconnect) agent: paused: local service stopped',
    ],
    ['what failed before what is live', [live, failed], '$(error) other: Build failed, in red'],
    ['a failure that the user has seen', [live, seen], '$(error) other: Build failed'],
    [
      'the newest of those that are live',
      [live, { ...live, name: 'older' }],
      '$(rocket) agent: main @ 0123456 is live',
    ],
    [
      'a watch that was given up, which is no failure',
      [{ ...building, outcome: 'gaveUp' }],
      '$(eye-closed) agent: still Building when following st…',
    ],
    ['what is gone, which is no failure', [{ ...failed, outcome: 'gone' }], '$(question) other: no longer exists'],
    ['how many deploy and failed', [building, failed, building, live], '$(loading~spin) 2 deploying, 1 failed, in red'],
    ['how many are paused', [building, refused], '$(loading~spin) 1 deploying, 1 paused'],
    ['several that get no answer without a spinner', [offline, offline], '$(debug-disconnect) 2 deploying'],
    [
      'several of which one was interrupted with a spinner only for the others',
      [interrupted, offline],
      '$(debug-disconnect) 2 deploying',
    ],
    [
      'one that was interrupted and one that failed without a spinner',
      [interrupted, failed],
      '$(circle-slash) 1 deploying, 1 failed, in red',
    ],
    ['several that are paused', [refused, refused, failed], '$(key) 2 paused, 1 failed, in red'],
    [
      'several on the stopped local service',
      [stopped, stopped],
      '$(debug-disconnect) 2 paused (the local service is stopped)',
    ],
    ['several that failed', [failed, seen, live], '$(error) 2 failed, in red'],
    ['several failures that the user has seen', [seen, seen], '$(error) 2 failed'],
    [
      'what is live with its time, after two minutes',
      [{ ...live, ...old }],
      '$(rocket) agent: live · last checked 2m ago',
    ],
    [
      'what is live on a stopped service with its time',
      [{ ...main, refusal: 'stopped' }],
      '$(rocket) main: live · last checked now',
    ],
    [
      'the main one of the workspace, whichever ended last',
      [ours, quiet, main],
      '$(rocket) main: main @ 0123456 is live',
    ],
    ['what moves before the main one', [main, building], '$(loading~spin) agent: Building 1 m 20 s'],
    ['a new failure before the main one', [main, { ...failed, own: 'other' }], '$(error) other: Build failed, in red'],
    [
      'the main one again once a failure was seen',
      [{ ...seen, own: 'other' }, main],
      '$(rocket) main: main @ 0123456 is live',
    ],
    ['how many are live if none is the main one', [ours, quiet], '$(rocket) 2 live'],
    ['how many are live and failed', [ours, quietFailed], '$(error) 1 failed, 1 live'],
    ['how many are live as of when', [ours, { ...quiet, ...old }], '$(rocket) 2 live · last checked 2 minutes ago'],
    [
      'how many an earlier window saw',
      [
        { ...stored, ...resting },
        { ...stored, ...resting },
      ],
      '$(history) 2 deployments · last checked now',
    ],
  ])('shows %s', (_, follows, shown) => {
    const { icon, text, isFailure } = statusBarWords(follows, true)!;
    expect(`$(${icon}) ${text}${isFailure ? ', in red' : ''}`).toBe(shown);
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
    ['for good while nobody looks and nothing moves', [interrupted], false, undefined],
    ['until the key changes', [refused], true, undefined],
    ['for good after the end', [live, failed], true, undefined],
    ['for a minute while something is live', [live], false, 60_000],
  ])('stays true %s', (_, follows, isFocused, lasts) => {
    expect(statusBarWords(follows, isFocused)?.lasts).toBe(lasts);
  });
});

describe('the badge', () => {
  it('counts what deploys, and what failed and was not looked at', () => {
    const follows = [building, refused, live, failed, seen];
    expect(badgeWords(follows)).toEqual({ value: 2, tooltip: '1 deploying, 1 failed' });
  });

  it('is missing if nothing needs attention', () => {
    expect(badgeWords([live, seen])).toBeUndefined();
  });
});

describe('a follow of a revision that was promised a commit', () => {
  const promised = '0123456789';
  const kept: FollowFacts = { ...live, promised, built: promised };
  const other: FollowFacts = { ...live, promised, built: 'abcdef0123' };

  it('says nothing while the commit is the promised one, or not known yet', () => {
    expect(followLine(kept)).toBe('agent (Work): main @ 0123456 is live');
    expect(followLine({ ...building, promised })).toBe('agent (Work): Building for 1 m 20 s');
    expect(notificationWords([{ facts: kept, resumed: false }]).severity).toBe('information');
  });

  it('says at once that another one is built, and warns at its end', () => {
    const words = 'built from abcdef0 instead of 0123456';
    expect(followLine({ ...building, promised, built: 'abcdef0123' })).toBe(
      `agent (Work): Building for 1 m 20 s · ${words}`,
    );
    expect(notificationWords([{ facts: other, resumed: false }])).toEqual({
      message: `agent (Work): main @ 0123456 is live · ${words}`,
      severity: 'warning',
    });
  });
});
