import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import type { Revision } from '../../../../src/api/resources/revisions.ts';
import type { Observation } from '../../../../src/core/status/verdict.ts';
import { followedRecord, followFacts, type Followed } from '../../../../src/state/following/follower.ts';

const revisionOf = (id: string): Revision => ({ id, status: 'DEPLOYED', source_revision_config: { repo_ref: id } });
const recordOf = (active: string) => ({ id: 'd1', name: 'agent', active_revision_id: active });
const ended: Followed = {
  connection: 'Work',
  deploymentId: 'd1',
  deploymentName: 'agent',
  revisionId: 'r2',
  revision: revisionOf('r2'),
  revisionAt: 1_000,
  deployment: recordOf('r1'),
  deploymentAt: 1_000,
  phase: 'success',
  phaseSince: 1_000,
  waited: 0,
  failures: 0,
  resumed: false,
  outcome: 'ended',
};
const listOf = (listed: Omit<Observation, 'revisionId'>) => ({
  observe: (_deploymentId: string, revisionId: string | undefined) => ({ ...listed, revisionId }),
  revision: revisionOf,
});

describe('the facts about a follow', () => {
  it('are those of an earlier window until the first answer', () => {
    const {
      revision: _revision,
      revisionAt: _revisionAt,
      deploymentName: _name,
      deployment: _deployment,
      ...id
    } = ended;
    const { outcome: _outcome, ...resumed } = id;
    const lastAnswer = { name: 'agent', status: 'BUILDING', at: -56_000 };
    expect(followFacts({ ...resumed, lastAnswer }, listOf({}), 4_000)).toMatchObject({
      name: 'agent',
      sinceAnswer: 60_000,
      storedStatus: 'BUILDING',
      verdict: { kind: 'notKnown' },
    });
  });

  it('say nothing before any answer', () => {
    const { connection, deploymentId, revisionId, phase, phaseSince, waited, failures } = ended;
    const begun = { connection, deploymentId, revisionId, phase, phaseSince, waited, failures, resumed: false };
    const facts = followFacts(begun, listOf({}), 4_000);
    expect(facts).toMatchObject({ name: 'd1', verdict: { kind: 'notKnown' } });
    expect([facts.sinceAnswer, facts.storedStatus, facts.skipped]).toEqual([undefined, undefined, undefined]);
  });

  it('name no live revision while none is known', () => {
    const unlisted = { ...listOf({}), revision: () => undefined };
    expect(followFacts(ended, unlisted, 4_000).live).toBeUndefined();
  });

  it('name its own revision as the live one, and the skipped one whose place it took', () => {
    const unlisted = { ...listOf({}), revision: () => undefined };
    const live = { ...ended, deployment: recordOf('r2'), skipped: revisionOf('r1') };
    expect(followFacts(live, unlisted, 5_000)).toMatchObject({ live: 'r2', skipped: 'r1' });
  });

  it('describe its own answers and name the revision that is live instead', () => {
    const facts = followFacts(ended, listOf({}), 5_000);
    expect(facts).toMatchObject({
      verdict: { kind: 'notActive', serving: 'another' },
      live: 'r1',
      inPhase: 4_000,
      sinceAnswer: 4_000,
    });
  });

  it('use the record of the list if it is newer', () => {
    const newer = { deployment: recordOf('r2'), deploymentAt: 2_000 };
    expect(followFacts(ended, listOf(newer), 5_000)).toMatchObject({ verdict: { kind: 'live' }, live: 'r2' });
  });

  it('use the record of the list while the follow has none of its own', () => {
    const { deployment: _deployment, deploymentAt: _deploymentAt, ...unrecorded } = ended;
    const listed = { deployment: recordOf('r2'), deploymentAt: 500 };
    expect(followedRecord(unrecorded, listOf(listed))).toBe(listed.deployment);
  });

  it('mention a refused key only while the follow is running', () => {
    const error = new ApiError({ kind: 'unauthorized', message: 'No', sent: true });
    const { outcome: _outcome, ...running } = ended;
    expect(followFacts({ ...running, error }, listOf({}), 5_000).refusal).toBe('unauthorized');
    expect(followFacts({ ...ended, error }, listOf({}), 5_000).refusal).toBeUndefined();
  });

  it('ignore an older record of the list', () => {
    const older = { deployment: recordOf('r2'), deploymentAt: 500 };
    expect(followFacts(ended, listOf(older), 5_000)).toMatchObject({ verdict: { kind: 'notActive' }, live: 'r1' });
  });
});
