import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../../../src/api/resources/deployments.ts';
import { revisionAction, type RevisionAction } from '../../../../src/core/status/revisionActions.ts';

const live = { id: 'live', status: 'DEPLOYED', created_at: '2026-03-02T12:00:00Z' };
const record: Deployment = { id: 'd1', name: 'agent', active_revision_id: 'live', latest_revision_id: 'live' };

/** The action of a revision with this status, in a deployment with these fields. */
function actionOf(status: string | undefined, fields: Partial<Deployment> = {}, createdAt = '2026-03-02T13:00:00Z') {
  const revision = status === undefined ? undefined : { id: 'r1', status, created_at: createdAt };
  return revisionAction({
    revisionId: 'r1',
    revision,
    revisionAt: 1,
    deployment: { ...record, ...fields },
    deploymentAt: 2,
    active: live,
  });
}

const latest = { latest_revision_id: 'r1' };
const before = '2026-03-02T11:00:00Z';

describe('what a service may do with a revision', () => {
  it.each<[string, RevisionAction | undefined, Parameters<typeof actionOf>]>([
    ['stops one that is building', 'stopBuild', ['BUILDING', latest]],
    ['stops one in the queue behind another', 'stopBuild', ['QUEUED']],
    ['deploys the live one again', 'deployAgain', ['DEPLOYED', { ...latest, active_revision_id: 'r1' }]],
    ['deploys the live one again while a newer one builds', 'deployAgain', ['DEPLOYED', { active_revision_id: 'r1' }]],
    ['deploys the latest one again if it failed', 'deployAgain', ['BUILD_FAILED', latest]],
    ['deploys the latest one again if it was stopped', 'deployAgain', ['INTERRUPTED', latest]],
    ['deploys the latest one again if it is not active', 'deployAgain', ['DEPLOYED', latest]],
    ['goes back to one that was live', 'rollBack', ['DEPLOYED', {}, before]],
    ['does nothing with an earlier one that failed', undefined, ['BUILD_FAILED', {}, before]],
    ['does nothing with an earlier one that was skipped', undefined, ['SKIPPED', {}, before]],
    ['does nothing with one of unknown status', undefined, ['DREAMING', latest]],
    ['does nothing with one that it has not answered about', undefined, [undefined, latest]],
    [
      'does nothing while the deployment is being deleted',
      undefined,
      ['DEPLOYED', { status: 'AWAITING_DELETE' }, before],
    ],
    ['does nothing in a later stage of that', undefined, ['BUILDING', { ...latest, status: 'AWAITING_FINAL_DELETE' }]],
  ])('%s', (_, action, args) => {
    expect(actionOf(...args)).toBe(action);
  });

  it('does nothing without a record', () => {
    expect(revisionAction({ revisionId: 'live', revision: live })).toBeUndefined();
  });
});
