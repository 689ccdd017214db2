import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../../../src/api/resources/deployments.ts';
import type { Revision } from '../../../../src/api/resources/revisions.ts';
import { DEPLOYMENT_STATUSES, REVISION_STATUSES } from '../../../../src/api/schema/enums.ts';
import { followLine, notificationWords } from '../../../../src/core/status/followWords.ts';
import type { FollowFacts } from '../../../../src/core/status/followWords.ts';
import { statusBarWords } from '../../../../src/core/status/statusBarWords.ts';
import { deploymentWords, revisionTitle, revisionWords } from '../../../../src/core/status/rowWords.ts';
import { verdict, type Observation, type VerdictKind } from '../../../../src/core/status/verdict.ts';

const now = Date.parse('2026-03-04T12:00:00Z');

const older: Revision = {
  id: 'r1',
  status: 'DEPLOYED',
  created_at: '2026-03-02T12:00:00Z',
  source_revision_config: { repo_ref: 'main', repo_commit_sha: '1111111aaaaaaa' },
};
const newer = (status: string): Revision => ({
  id: 'r2',
  status,
  created_at: '2026-03-04T11:59:00Z',
  source_revision_config: { repo_ref: 'main', repo_commit_sha: '2222222bbbbbbb' },
});
const record = (active: string | undefined): Deployment => ({
  id: 'd1',
  name: 'agent',
  status: 'READY',
  active_revision_id: active,
  latest_revision_id: 'r2',
});
const another = { revisionId: 'r2', deployment: record('r1'), active: older };
const nothing = { revisionId: 'r2', deployment: record(undefined) };

const replaced = { revisionId: 'r1', revision: older, revisionAt: 5, deployment: record('r2') };

/** The words in each place: the row of the deployment, that of the revision, the status bar, and the line. */
type Words = readonly [row: string, revision: string, entry: string, line: string];

/** What is known, in which order it was answered, and what follows from it. */
const cases: readonly (readonly [
  what: string,
  observed: Observation,
  found: readonly [kind: VerdictKind, serving: string, asOf: number | undefined],
  words?: Words,
])[] = [
  [
    'nothing',
    { revisionId: 'r2' },
    ['notKnown', 'notKnown', undefined],
    ['', 'latest', 'Checking its status', 'Checking its status'],
  ],
  [
    'a record without a live revision',
    { ...nothing, deploymentAt: 1 },
    ['notKnown', 'nothing', undefined],
    ['nothing live yet', 'latest', 'Checking its status', 'Checking its status'],
  ],
  [
    'a record that names another',
    { ...another, deploymentAt: 1 },
    ['notKnown', 'another', undefined],
    ['newer revision not live · live: 1111111', 'latest', 'Checking its status', 'Checking its status'],
  ],
  [
    'a record that names it',
    { revisionId: 'r2', deployment: record('r2'), deploymentAt: 1 },
    ['live', 'this', 1],
    ['live', 'active · latest', 'live', 'live'],
  ],
  [
    'a deployed revision that the record names',
    { revisionId: 'r2', revision: newer('DEPLOYED'), revisionAt: 5, deployment: record('r2'), deploymentAt: 3 },
    ['live', 'this', 3],
    ['live: 2222222', 'Deployed · active · latest', 'live', 'live'],
  ],
  [
    'a deployed revision alone',
    { revisionId: 'r2', revision: newer('DEPLOYED'), revisionAt: 5 },
    ['deployed', 'notKnown', 5],
  ],
  [
    'a deployed revision and an older record that names another',
    { ...another, revision: newer('DEPLOYED'), revisionAt: 5, deploymentAt: 4 },
    ['deployed', 'another', 5],
    ['Deployed · 1m ago · live: 1111111', 'Deployed · latest', 'Deployed', 'Deployed'],
  ],
  [
    'a deployed revision and a newer record that names another',
    { ...another, revision: newer('DEPLOYED'), revisionAt: 5, deploymentAt: 6 },
    ['notActive', 'another', 6],
    [
      'Deployed, not active · 1m ago · live: 1111111',
      'Deployed · not active · latest',
      'Deployed, not active',
      'Deployed, not active · main @ 1111111 is live',
    ],
  ],
  [
    'a deployed revision and a record of unknown time',
    { ...another, revision: newer('DEPLOYED'), revisionAt: 5 },
    ['deployed', 'another', 5],
  ],
  [
    'a deployed revision and a newer record that names none',
    { ...nothing, revision: newer('DEPLOYED'), revisionAt: 5, deploymentAt: 6 },
    ['notActive', 'nothing', 6],
    [
      'Deployed, not active · nothing live yet',
      'Deployed · not active · latest',
      'Deployed, not active',
      'Deployed, not active',
    ],
  ],
  [
    'a deployed revision that is older than the active one',
    { ...replaced, deploymentAt: 4, active: newer('DEPLOYED') },
    ['replaced', 'another', 5],
    [
      'Deployed, replaced · 2d ago · live: 2222222',
      'Deployed · replaced',
      'Deployed, replaced',
      'Deployed, replaced · main @ 2222222 is live',
    ],
  ],
  [
    'a deployed revision behind the latest one, of unknown age',
    { ...replaced, deploymentAt: 6 },
    ['replaced', 'another', 6],
  ],
  [
    'a deployed revision of unknown age and a newer record that names no latest one',
    { ...replaced, deployment: { id: 'd1', name: 'agent', active_revision_id: 'r2' }, deploymentAt: 6 },
    ['notActive', 'another', 6],
  ],
  [
    'a deployed revision that the record does not know yet',
    { ...replaced, revisionId: 'r3', revision: { ...newer('DEPLOYED'), id: 'r3' }, deploymentAt: 4 },
    ['deployed', 'another', 5],
  ],
  [
    'a working revision',
    { ...another, revision: newer('BUILDING'), revisionAt: 5 },
    ['working', 'another', 5],
    ['Building · live: 1111111', 'Building · latest', 'Building', 'Building'],
  ],
  [
    'a working revision that the record names',
    { revisionId: 'r2', revision: newer('DEPLOYING'), revisionAt: 5, deployment: record('r2') },
    ['working', 'this', 5],
    ['Deploying · live: 2222222', 'Deploying · active · latest', 'Deploying', 'Deploying'],
  ],
  [
    'a failed revision',
    { ...another, revision: newer('BUILD_FAILED'), revisionAt: 5 },
    ['failed', 'another', 5],
    [
      'Build failed · 1m ago · live: 1111111',
      'Build failed · latest',
      'Build failed',
      'Build failed · The service gives no reason · main @ 1111111 stays live',
    ],
  ],
  [
    'a failed first revision',
    { ...nothing, revision: newer('BUILD_FAILED'), revisionAt: 5 },
    ['failed', 'nothing', 5],
    [
      'Build failed · nothing live yet',
      'Build failed · latest',
      'Build failed',
      'Build failed · The service gives no reason · nothing live yet',
    ],
  ],
  [
    'a skipped revision',
    { ...another, revision: newer('SKIPPED'), revisionAt: 5 },
    ['skipped', 'another', 5],
    ['Skipped · 1m ago · live: 1111111', 'Skipped · latest', 'Skipped', 'Skipped'],
  ],
  [
    'an interrupted revision',
    { ...another, revision: newer('INTERRUPTED'), revisionAt: 5 },
    ['stopped', 'another', 5],
    [
      'Interrupted · 1m ago · live: 1111111',
      'Interrupted · latest',
      'Interrupted',
      'Interrupted · main @ 1111111 stays live',
    ],
  ],
  [
    'a status that nobody knows',
    { ...another, revision: newer('DREAMING'), revisionAt: 5 },
    ['unknown', 'another', 5],
    ['DREAMING · 1m ago · live: 1111111', 'DREAMING · latest', 'DREAMING', 'DREAMING'],
  ],
  [
    'a revision without a status',
    { revisionId: 'r3', revision: { id: 'r3' }, revisionAt: 5 },
    ['unknown', 'notKnown', 5],
  ],
];

describe('the verdict', () => {
  it.for(cases)('on %s', ([_what, observed, [kind, serving, asOf], words]) => {
    expect(verdict(observed)).toMatchObject({ kind, serving, asOf });
    if (words === undefined) return;
    const [row, revision, entry, line] = words;
    const { deployment } = observed;
    if (deployment !== undefined) expect(deploymentWords(deployment, observed, { now }).first.join(' · ')).toBe(row);
    // Without its record nothing is known of a revision but its id.
    expect(revisionWords({ ...observed, deployment: deployment ?? record(undefined) }, { now }).first.join(' · ')).toBe(
      revision,
    );
    const facts = followOf(observed);
    expect(statusBarWords([facts], false)?.text).toBe(`agent: ${entry}`);
    expect(notificationWords([{ facts, resumed: true }]).message).toBe(
      `Ended while you were away: agent (Work): ${line}`,
    );
  });

  it('has a case with words for every kind', () => {
    const kinds: Record<VerdictKind, 0> = {
      notKnown: 0,
      working: 0,
      live: 0,
      deployed: 0,
      notActive: 0,
      replaced: 0,
      failed: 0,
      skipped: 0,
      stopped: 0,
      unknown: 0,
    };
    const tried = cases.flatMap(([, , [kind], words]) => (words === undefined ? [] : [kind]));
    expect(new Set(tried)).toEqual(new Set(Object.keys(kinds)));
  });
});

const followOf = (observed: Observation, changes: Partial<FollowFacts> = {}): FollowFacts => ({
  name: 'agent',
  connection: 'Work',
  verdict: verdict(observed),
  inPhase: 80_000,
  live: observed.active === undefined ? undefined : revisionTitle(observed.active),
  failures: 0,
  outcome: 'ended',
  ...changes,
});

describe('a revision', () => {
  const anyStatus = fc.constantFrom(...REVISION_STATUSES, 'DREAMING', undefined);
  const anyTime = fc.option(fc.integer({ min: 0, max: 10 }), { nil: undefined });
  const anyId = fc.constantFrom('r1', 'r2', 'r3', undefined);
  const anyDate = fc.constantFrom('2026-03-02T12:00:00Z', '2026-03-03T12:00:00Z', '2026-03-04T12:00:00Z', undefined);
  const anyOutcome = fc.constantFrom(undefined, 'ended', 'gaveUp', 'gone');
  const revisionOf = (id: string, status: string | undefined, created: string | undefined): Revision => ({
    id,
    ...(status === undefined ? {} : { status }),
    ...(created === undefined ? {} : { created_at: created }),
    source_revision_config: { repo_ref: 'main', repo_commit_sha: id.repeat(10) },
  });
  const anyObservation = fc
    .record({
      id: fc.constantFrom('r1', 'r2', 'r3'),
      revision: fc.option(fc.record({ status: anyStatus, created: anyDate }), { nil: undefined }),
      record: fc.option(
        fc.record({
          status: fc.constantFrom(...DEPLOYMENT_STATUSES, 'DREAMING', undefined),
          active: anyId,
          latest: anyId,
        }),
        { nil: undefined },
      ),
      active: fc.option(fc.record({ status: anyStatus, created: anyDate }), { nil: undefined }),
      revisionAt: anyTime,
      deploymentAt: anyTime,
    })
    .map(({ id, revision, record: known, active, revisionAt, deploymentAt }): Observation => {
      const own = revision && revisionOf(id, revision.status, revision.created);
      const activeId = known?.active;
      const other = active && activeId ? revisionOf(activeId, active.status, active.created) : undefined;
      return {
        revisionId: id,
        revision: own,
        revisionAt,
        deployment: known && {
          id: 'd1',
          name: 'agent',
          status: known.status,
          active_revision_id: activeId,
          latest_revision_id: known.latest,
        },
        deploymentAt,
        active: activeId === id ? own : other,
      };
    });

  it('is called live or active, and gets that icon, only if the record names it', () => {
    fc.assert(
      fc.property(anyObservation, anyOutcome, (observed, outcome) => {
        const { revisionId, deployment } = observed;
        fc.pre(deployment === undefined || deployment.active_revision_id !== revisionId);
        const name = revisionId?.repeat(10).slice(0, 7) ?? '';
        const follow = followOf(observed, { outcome });
        const row = deployment && deploymentWords(deployment, observed, { now });
        const revision = revisionWords(observed, { now });
        expect(verdict(observed).kind).not.toBe('live');
        expect(row?.first.join(' · ') ?? '').not.toMatch(new RegExp(`live: ${name}`));
        expect(row?.first ?? []).not.toContain('live');
        expect(revision.first).not.toContain('active');
        expect(revision.icon).not.toBe('pass-filled');
        for (const text of [followLine(follow), statusBarWords([follow], true)?.text ?? '']) {
          expect(text).not.toMatch(new RegExp(`${name} (?:is|stays) live`));
          expect(text).not.toMatch(/: (?:live|.* live for .*)$/);
        }
        expect(statusBarWords([follow], true)?.icon).not.toBe('rocket');
      }),
    );
  });

  it('is never described against its own status', () => {
    fc.assert(
      fc.property(anyObservation, (observed) => {
        const { kind, status } = verdict(observed);
        if (kind === 'live') expect([undefined, 'DEPLOYED']).toContain(status);
        if (status === undefined) expect(['live', 'notKnown']).toContain(kind);
      }),
    );
  });
});
