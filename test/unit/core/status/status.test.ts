import * as l10n from '@vscode/l10n';
import { afterEach, describe, expect, test } from 'vitest';
import { DEPLOYMENT_STATUSES, REVISION_STATUSES } from '../../../../src/api/schema/enums.ts';
import { deploymentStatusView, isFinal, revisionStatusView, statusOf } from '../../../../src/core/status/status.ts';
import type { Phase } from '../../../../src/core/status/status.ts';

const expectedRevisions: Record<string, [Phase, string]> = {
  CREATING: ['working', 'Creating'],
  QUEUED: ['working', 'Queued'],
  AWAITING_BUILD: ['working', 'Waiting for build'],
  BUILDING: ['working', 'Building'],
  AWAITING_DEPLOY: ['working', 'Waiting for deploy'],
  DEPLOYING: ['working', 'Deploying'],
  CREATE_FAILED: ['failed', 'Creation failed'],
  BUILD_FAILED: ['failed', 'Build failed'],
  DEPLOY_FAILED: ['failed', 'Deploy failed'],
  DEPLOYED: ['success', 'Deployed'],
  SKIPPED: ['superseded', 'Skipped'],
  INTERRUPTED: ['stopped', 'Interrupted'],
  UNKNOWN: ['unknown', 'Unknown'],
};

describe('the view of a revision status', () => {
  test.each(REVISION_STATUSES)('%s has its phase and label', (status) => {
    const view = revisionStatusView(status);
    expect([view.phase, view.label]).toEqual(expectedRevisions[status]);
  });

  test('spins only for work in progress', () => {
    for (const status of REVISION_STATUSES) {
      const { phase, icon } = revisionStatusView(status);
      expect(icon.endsWith('~spin'), status).toBe(phase === 'working');
    }
  });

  test("has a different icon for every phase, because color alone isn't accessible", () => {
    const icons = new Map(
      REVISION_STATUSES.map((status) => [revisionStatusView(status).phase, revisionStatusView(status).icon]),
    );
    expect(new Set(icons.values()).size).toBe(icons.size);
  });

  test.each(['PAUSED', '', 'deployed', 'constructor', '__proto__', 'toString'])(
    'a status that the interface does not name is shown as it is: %j',
    (status) => {
      expect(revisionStatusView(status)).toEqual({ phase: 'unknown', label: status, icon: 'question' });
    },
  );
});

describe('the view of a deployment status', () => {
  test('has a different label for every status of the interface', () => {
    const labels = DEPLOYMENT_STATUSES.map((status) => deploymentStatusView(status).label);
    expect(labels).toEqual(['Waiting for database', 'Ready', 'Unused', 'Being deleted', 'Unknown']);
  });

  test('spins only for a deployment in progress', () => {
    const spinning = DEPLOYMENT_STATUSES.filter((status) => deploymentStatusView(status).icon.endsWith('~spin'));
    expect(spinning).toEqual(['AWAITING_DATABASE']);
  });

  test('says of each stage of a deletion that it is being deleted', () => {
    expect(deploymentStatusView('AWAITING_FINAL_DELETE')).toEqual(deploymentStatusView('AWAITING_DELETE'));
  });

  test.each(['AWAITING_APPROVAL', 'constructor'])('shows an unknown status as it is: %s', (status) => {
    expect(deploymentStatusView(status)).toEqual({ label: status, icon: 'question' });
  });
});

test('has an icon for every status, and a color for some', () => {
  const views = [...REVISION_STATUSES.map(revisionStatusView), ...DEPLOYMENT_STATUSES.map(deploymentStatusView)];
  for (const { label, icon, color } of views) {
    expect(icon, label).toMatch(/^[a-z-]+(?:~spin)?$/);
    expect(color ?? 'none', label).toMatch(/^[A-Za-z.]+$/);
  }
});

test('ends in the phases success, failed and superseded', () => {
  const phases: Phase[] = ['working', 'success', 'failed', 'superseded', 'stopped', 'unknown'];
  expect(phases.filter(isFinal)).toEqual(['success', 'failed', 'superseded']);
});

describe('in another language', () => {
  afterEach(() => l10n.config({ contents: {} }));

  test("uses the bundle's words, although it is loaded after this code", () => {
    l10n.config({ contents: { Building: 'Wird gebaut', Ready: 'Bereit' } });
    expect(revisionStatusView('BUILDING').label).toBe('Wird gebaut');
    expect(deploymentStatusView('READY').label).toBe('Bereit');
  });
});

describe('the status of a revision', () => {
  test('is unknown if the service sends none', () => {
    expect(statusOf({})).toBe('UNKNOWN');
    expect(statusOf({ status: 'BUILDING' })).toBe('BUILDING');
  });
});
