import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../../../src/api/resources/deployments.ts';
import type { Revision } from '../../../../src/api/resources/revisions.ts';
import {
  checkedWords,
  deploymentWords,
  statusOfDeployment,
  revisionTitle,
  revisionWords,
} from '../../../../src/core/status/rowWords.ts';
import { verdict } from '../../../../src/core/status/verdict.ts';

const now = Date.parse('2026-03-04T12:00:00Z');
const twoDaysAgo = '2026-03-02T12:00:00Z';

const live: Revision = {
  id: 'r1',
  status: 'DEPLOYED',
  created_at: '2026-03-02T11:00:00Z',
  updated_at: twoDaysAgo,
  source_revision_config: { repo_ref: 'main', repo_commit_sha: '0123456789abcdef0123456789abcdef01234567' },
};
const newer = (status: string): Revision => ({ id: 'r2', status, created_at: '2026-03-04T11:59:00Z' });

interface Known {
  readonly active?: Revision;
  readonly latest?: Revision;
  readonly latestFor?: number;
}

const record: Deployment = {
  id: 'd1',
  name: 'agent',
  status: 'READY',
  active_revision_id: 'r1',
  latest_revision_id: 'r2',
  source_config: { deployment_type: 'prod' },
};
const settled: Deployment = { ...record, latest_revision_id: 'r1' };
const first: Deployment = { ...record, status: 'AWAITING_DATABASE', active_revision_id: undefined };

function rowOf(
  deployment: Deployment,
  { active, latest, latestFor }: Known,
  more: { readonly drift?: string; readonly doubt?: () => string } = {},
): { icon: string; description: string } {
  const observed = { revisionId: deployment.latest_revision_id, revision: latest, deployment, active };
  const words = deploymentWords(deployment, observed, { now, latestFor, ...more });
  return { icon: words.icon, description: [...words.first, '|', ...words.later].join(' · ') };
}

describe('a deployment', () => {
  it.each<[string, Deployment, Known, string, string]>([
    ['is live', settled, { active: live, latest: live }, 'live: 0123456 · | · 2d ago · prod', 'pass-filled'],
    [
      'is not used',
      { ...settled, status: 'UNUSED' },
      { active: live, latest: live },
      'live: 0123456 · Unused · | · 2d ago · prod',
      'circle-outline',
    ],
    [
      'is building a newer revision',
      record,
      { active: live, latest: newer('BUILDING'), latestFor: 80_000 },
      'Building 1m 20s · live: 0123456 · | · prod',
      'loading~spin',
    ],
    [
      'has just begun to build',
      record,
      { active: live, latest: newer('BUILDING'), latestFor: 999 },
      'Building · live: 0123456 · | · prod',
      'loading~spin',
    ],
    [
      'failed to build a newer revision',
      record,
      { active: live, latest: newer('BUILD_FAILED'), latestFor: 80_000 },
      'Build failed · 1m ago · live: 0123456 · | · prod',
      'error',
    ],
    [
      'failed while the live revision is not known yet',
      record,
      { latest: newer('BUILD_FAILED') },
      'Build failed · 1m ago · another revision is live · | · prod',
      'error',
    ],
    ['has a first revision that is not known yet', first, {}, 'nothing live yet · | · prod', 'circle-small'],
    [
      'has no revision yet',
      { ...first, latest_revision_id: undefined },
      {},
      'nothing live yet · Waiting for database · | · prod',
      'loading~spin',
    ],
    [
      'failed at its first revision',
      first,
      { latest: newer('BUILD_FAILED') },
      'Build failed · nothing live yet · | · 1m ago · prod',
      'error',
    ],
    [
      'is to be deleted and failed to build its newest revision',
      { ...record, status: 'AWAITING_DELETE' },
      { active: live, latest: newer('BUILD_FAILED') },
      'Being deleted · Build failed · 1m ago · live: 0123456 · | · prod',
      'trash',
    ],
    [
      'is not used and builds',
      { ...record, status: 'UNUSED' },
      { active: live, latest: newer('BUILDING') },
      'Building · live: 0123456 · Unused · | · prod',
      'loading~spin',
    ],
    [
      'has a status that nobody knows',
      { ...settled, status: 'AWAITING_APPROVAL' },
      { active: live, latest: live },
      'live: 0123456 · AWAITING_APPROVAL · | · 2d ago · prod',
      'question',
    ],
  ])('that %s says so, with the most important parts first', (_, deployment, known, description, icon) => {
    expect(rowOf(deployment, known)).toEqual({ description, icon });
  });

  it.each<[string, Deployment, Known, string]>([
    ['is live', settled, { active: live, latest: live }, 'up to date · live: 0123456 · | · 2d ago · prod'],
    [
      'failed to build a newer revision',
      record,
      { active: live, latest: newer('BUILD_FAILED') },
      'Build failed · 1m ago · up to date · live: 0123456 · | · prod',
    ],
  ])('that %s begins with its drift from the open branch', (_, deployment, known, description) => {
    expect(rowOf(deployment, known, { drift: 'up to date' }).description).toBe(description);
  });

  it('has no drift while nothing is live', () => {
    expect(rowOf(first, {}, { drift: 'up to date' }).description).toBe('nothing live yet · | · prod');
  });

  it.each<[string, Deployment, Known, string, string]>([
    [
      'in progress',
      record,
      { active: live, latest: newer('BUILDING'), latestFor: 80_000 },
      'Building · last checked 2 minutes ago · live: 0123456 · | · prod',
      'debug-disconnect',
    ],
    [
      'waiting for its database',
      { ...first, latest_revision_id: undefined },
      {},
      'last checked 2 minutes ago · nothing live yet · Waiting for database · | · prod',
      'debug-disconnect',
    ],
    ['settled', settled, { active: live, latest: live }, 'live: 0123456 · | · 2d ago · prod', 'pass-filled'],
  ])('that was %s says that it may have changed only if it can have', (_, deployment, known, description, icon) => {
    expect(rowOf(deployment, known, { doubt: () => 'last checked 2 minutes ago' })).toEqual({ description, icon });
  });

  it('names the image if there is no commit, and says "live" if there is neither', () => {
    const image: Revision = { id: 'r1', source_revision_config: { image_uri: 'registry.example/agent:1' } };
    expect(rowOf(settled, { active: image }).description).toBe('live: agent:1 · | · prod');
    expect(rowOf(settled, { active: { id: 'r1' } }).description).toBe('live · | · prod');
  });

  it('leaves out an unreadable age', () => {
    const odd = { ...live, created_at: 'yesterday', updated_at: 'yesterday' };
    expect(rowOf(settled, { active: odd, latest: odd }).description).toBe('live: 0123456 · | · prod');
  });

  it('shows its own status only if that says more than its revisions', () => {
    const statuses = ['READY', 'UNKNOWN', 'AWAITING_DATABASE', undefined, 'UNUSED', 'AWAITING_DELETE', 'DREAMING'];
    expect(statuses.map((status) => statusOfDeployment({ ...record, status }))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      'Unused',
      'Being deleted',
      'DREAMING',
    ]);
  });
});

describe('a revision', () => {
  const replacedBy: Revision = { id: 'r2', created_at: '2026-03-03T11:00:00Z' };

  it.each<[string, Deployment | undefined, Revision, Revision | undefined, string, string]>([
    ['active and no longer latest', record, live, live, 'Deployed · active · 2d ago · took 1h 0m', 'pass-filled'],
    [
      'replaced',
      { ...record, active_revision_id: 'r2' },
      live,
      replacedBy,
      'Deployed · replaced · 2d ago · took 1h 0m',
      'pass',
    ],
    [
      'deployed before anything is known to be active',
      first,
      live,
      undefined,
      'Deployed · 2d ago · took 1h 0m',
      'pass',
    ],
    ['failed and latest', record, newer('BUILD_FAILED'), live, 'Build failed · latest · 1m ago', 'error'],
    ['skipped', undefined, newer('SKIPPED'), undefined, 'Skipped · 1m ago', 'debug-step-over'],
    ['of a status that nobody knows', undefined, newer('DREAMING'), undefined, 'DREAMING · 1m ago', 'question'],
    ['of no status', undefined, { id: 'r3' }, undefined, 'Unknown', 'question'],
  ])('that is %s says so', (_, deployment, revision, active, description, icon) => {
    const words = revisionWords({ revisionId: revision.id, revision, deployment, active }, { now });
    expect({ icon: words.icon, description: [...words.first, ...words.later].join(' · ') }).toEqual({
      description,
      icon,
    });
  });

  it('that is in progress says for how long', () => {
    const { first, later } = revisionWords(
      { revisionId: 'r2', revision: newer('BUILDING') },
      { now, latestFor: 80_000 },
    );
    expect([...first, ...later]).toEqual(['Building 1m 20s', '1m ago']);
  });

  it.each<[string, Revision, readonly string[]]>([
    ['a failure', { ...live, status: 'BUILD_FAILED', updated_at: '2026-03-02T11:01:20Z' }, ['took 1m 20s']],
    ['a failure within its first second', { ...live, status: 'BUILD_FAILED', updated_at: live.created_at }, []],
    ['a record that changed again days later', { ...live, updated_at: '2026-03-04T11:00:00Z' }, []],
    ['a skipped one, which took no time of its own', { ...live, status: 'SKIPPED' }, []],
    ['a service that gives no times', { ...live, created_at: undefined }, []],
  ])('says how long it took, as the service knows it, for %s', (_, revision, took) => {
    const { later } = revisionWords({ revisionId: 'r1', revision }, { now });
    expect(later.filter((part) => part.startsWith('took'))).toEqual(took);
  });

  it('that may have changed says so without a spinner, if it was in progress', () => {
    const wordsOf = (revision: Revision) =>
      revisionWords({ revisionId: 'r2', revision }, { now, latestFor: 80_000, doubt: () => 'paused' });
    expect(wordsOf(newer('BUILDING'))).toMatchObject({ icon: 'debug-disconnect', first: ['Building', 'paused'] });
    expect(wordsOf(newer('BUILD_FAILED'))).toMatchObject({ icon: 'error', first: ['Build failed'] });
  });

  it('was last checked when the service answered', () => {
    const found = verdict({ revisionId: 'r1', revision: newer('BUILDING'), revisionAt: 5_000 });
    expect(checkedWords(found, 125_000)).toBe('2 minutes ago');
    expect(checkedWords(found, 4_000)).toBe('now');
    expect(checkedWords(verdict({ revisionId: 'r1' }), 125_000)).toBeUndefined();
  });

  it.each([
    [{ repo_ref: 'main', repo_commit_sha: 'abcdef0123' }, 'main @ abcdef0'],
    [{ repo_ref: 'refs/tags/v1.0.0' }, 'v1.0.0'],
    [{ repo_ref: 'refs/heads/feature/a' }, 'feature/a'],
    [{ image_uri: 'registry.example/agent:1' }, 'registry.example/agent:1'],
    [{ source_tarball_path: 'uploads/1.tar.gz' }, 'uploads/1.tar.gz'],
    [{ source_tarball_path: 'd1/3f2a9c10-7d51-4d0e-9f5a-2f4e1b8f0c11.tar.gz' }, 'upload 3f2a9c10'],
    [{}, 'r1'],
    [undefined, 'r1'],
  ])('built from %o is called %s', (source_revision_config, title) => {
    expect(revisionTitle({ id: 'r1', source_revision_config })).toBe(title);
  });
});
