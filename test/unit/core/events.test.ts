import { describe, expect, test } from 'vitest';
import { describeEvent, diffSnapshots } from '../../../src/core/events.ts';
import type { DeploymentSnapshot } from '../../../src/core/events.ts';

const live: DeploymentSnapshot = {
  id: 'd1',
  name: 'agent',
  createdAt: 1_000,
  latestRevisionId: 'r1',
  activeRevisionId: 'r1',
  revisions: [{ id: 'r1', status: 'DEPLOYED' }],
};

const building: DeploymentSnapshot = {
  ...live,
  latestRevisionId: 'r2',
  revisions: [
    { id: 'r2', status: 'BUILDING' },
    { id: 'r1', status: 'DEPLOYED' },
  ],
};

function withLatest(status: string, activeRevisionId: string): DeploymentSnapshot {
  return { ...building, activeRevisionId, revisions: [{ id: 'r2', status }] };
}

const about = { deploymentId: 'd1', deploymentName: 'agent' };

describe('between two looks', () => {
  test('nothing happened when nothing changed', () => {
    expect(diffSnapshots([live], [live])).toEqual([]);
  });

  test('a deployment was created', () => {
    expect(diffSnapshots([], [live])).toEqual([{ ...about, kind: 'created' }]);
  });

  test('an older deployment that came into sight was not created', () => {
    const other = { ...live, id: 'd2' };
    expect(diffSnapshots([live], [live, { ...other, createdAt: 1_001 }]).map(({ kind }) => kind)).toEqual(['created']);
    expect(diffSnapshots([live], [live, { ...other, createdAt: 1_000 }])).toEqual([]);
    expect(diffSnapshots([live], [live, { ...other, createdAt: 1 }])).toEqual([]);
    const { createdAt: _, ...unknown } = other;
    expect(diffSnapshots([live], [live, unknown])).toEqual([]);
  });

  test('a deployment that is out of sight is no event', () => {
    expect(diffSnapshots([live], [])).toEqual([]);
  });

  test('a new revision came and is moving', () => {
    expect(diffSnapshots([live], [building])).toEqual([
      { ...about, kind: 'newRevision', revisionId: 'r2' },
      { ...about, kind: 'moved', revisionId: 'r2', status: 'BUILDING' },
    ]);
  });

  test('a revision moved on', () => {
    expect(diffSnapshots([building], [withLatest('DEPLOYING', 'r1')])).toEqual([
      { ...about, kind: 'moved', revisionId: 'r2', status: 'DEPLOYING' },
    ]);
  });

  test('a revision went live, which is said once', () => {
    expect(diffSnapshots([building], [withLatest('DEPLOYED', 'r2')])).toEqual([
      { ...about, kind: 'wentLive', revisionId: 'r2' },
    ]);
  });

  test('a revision that is deployed but not active yet only moved', () => {
    expect(diffSnapshots([building], [withLatest('DEPLOYED', 'r1')])).toEqual([
      { ...about, kind: 'moved', revisionId: 'r2', status: 'DEPLOYED' },
    ]);
  });

  test.each([
    ['BUILD_FAILED', 'failed'],
    ['SKIPPED', 'superseded'],
    ['INTERRUPTED', 'stopped'],
    ['PAUSED', 'moved'],
  ])('%s is told as %s', (status, kind) => {
    expect(diffSnapshots([building], [withLatest(status, 'r1')])).toEqual([
      { ...about, kind, revisionId: 'r2', status },
    ]);
  });

  test('a revision that failed at once is new and failed', () => {
    expect(diffSnapshots([live], [withLatest('CREATE_FAILED', 'r1')]).map(({ kind }) => kind)).toEqual([
      'newRevision',
      'failed',
    ]);
  });

  test('looking at an old revision for the first time is no event', () => {
    const looked = { ...live, revisions: [...live.revisions, { id: 'r0', status: 'BUILD_FAILED' }] };
    expect(diffSnapshots([live], [looked])).toEqual([]);
    const lookedAndBuilding = { ...building, revisions: [...looked.revisions, ...building.revisions] };
    expect(diffSnapshots([live], [lookedAndBuilding])).toEqual(diffSnapshots([live], [building]));
  });

  test('a rollback makes an older revision live', () => {
    const back = { ...live, activeRevisionId: 'r0' };
    expect(diffSnapshots([live], [back])).toEqual([{ ...about, kind: 'wentLive', revisionId: 'r0' }]);
  });

  test('losing the active revision is not going live', () => {
    const { activeRevisionId: _, ...nothingLive } = live;
    expect(diffSnapshots([live], [nothingLive])).toEqual([]);
  });
});

test('events are said in sentences', () => {
  const sentences = diffSnapshots(
    [live],
    [{ ...building, id: 'd2', name: 'other', createdAt: 2_000 }, withLatest('BUILD_FAILED', 'r1')],
  ).map(describeEvent);
  expect(sentences).toEqual(['other was created.', 'agent has a new revision.', 'agent: Build failed.']);
  expect(diffSnapshots([building], [withLatest('DEPLOYED', 'r2')]).map(describeEvent)).toEqual(['agent went live.']);
});
