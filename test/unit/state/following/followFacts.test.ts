import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import type { Revision } from '../../../../src/api/resources/revisions.ts';
import type { Observation } from '../../../../src/core/status/verdict.ts';
import { followFacts, type Followed } from '../../../../src/state/following/follower.ts';

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
  startedAt: 0,
  failures: 0,
  resumed: false,
  outcome: 'ended',
};
const listOf = (listed: Omit<Observation, 'revisionId'>) => ({
  observe: (_deploymentId: string, revisionId: string | undefined) => ({ ...listed, revisionId }),
  revision: revisionOf,
});

describe('what is said of a follow', () => {
  it('comes from its own answers, and names the revision that is live in its place', () => {
    const facts = followFacts(ended, listOf({}), 5_000);
    expect(facts).toMatchObject({ verdict: { kind: 'notActive', serving: 'another' }, live: 'r1', inPhase: 4_000 });
  });

  it('agrees with the list where that has a newer record', () => {
    const newer = { deployment: recordOf('r2'), deploymentAt: 2_000 };
    expect(followFacts(ended, listOf(newer), 5_000)).toMatchObject({ verdict: { kind: 'live' }, live: 'r2' });
  });

  it('includes a refused key only while the follow is running', () => {
    const error = new ApiError({ kind: 'unauthorized', message: 'No', sent: true });
    const { outcome: _outcome, ...running } = ended;
    expect(followFacts({ ...running, error }, listOf({}), 5_000).refusal).toBe('unauthorized');
    expect(followFacts({ ...ended, error }, listOf({}), 5_000).refusal).toBeUndefined();
  });

  it('takes nothing from a record of the list that is older', () => {
    const older = { deployment: recordOf('r2'), deploymentAt: 500 };
    expect(followFacts(ended, listOf(older), 5_000)).toMatchObject({ verdict: { kind: 'notActive' }, live: 'r1' });
  });
});
