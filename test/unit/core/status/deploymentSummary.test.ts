import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../../../src/api/resources/deployments.ts';
import type { Revision } from '../../../../src/api/resources/revisions.ts';
import {
  revisionTitle,
  summarizeDeployment,
  summarizeRevision,
} from '../../../../src/core/status/deploymentSummary.ts';
import type { DeploymentFacts } from '../../../../src/core/status/deploymentSummary.ts';

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

/** What is known of a deployment whose latest revision went live some time ago. */
function justEnded(milliseconds: number): DeploymentFacts {
  const revision = { ...live, updated_at: new Date(now - milliseconds).toISOString() };
  return { active: revision, latest: revision };
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

describe('a deployment', () => {
  it.each<[string, Deployment, DeploymentFacts, string, string]>([
    ['is ready', settled, { active: live, latest: live }, 'Ready · live: 0123456 · 2d ago · prod', 'pass-filled'],
    ['went live just now', settled, justEnded(40_000), 'Deployed 40s ago · live: 0123456 · prod', 'pass-filled'],
    ['went live an hour ago', settled, justEnded(3_600_000), 'Ready · live: 0123456 · 1h ago · prod', 'pass-filled'],
    [
      'went live by a clock that is ahead',
      settled,
      justEnded(-5_000),
      'Deployed now · live: 0123456 · prod',
      'pass-filled',
    ],
    [
      'went live just now and is not used',
      { ...settled, status: 'UNUSED' },
      justEnded(40_000),
      'Unused · live: 0123456 · 40s ago · prod',
      'circle-outline',
    ],
    [
      'has a newer revision that the record does not call live yet',
      record,
      { active: live, latest: newer('DEPLOYED') },
      'Ready · live: 0123456 · 2d ago · prod',
      'pass-filled',
    ],
    ['is known by its record only', settled, {}, 'Ready · prod', 'pass-filled'],
    ['has a newer revision of unknown status', record, {}, 'Ready · newer revision not live · prod', 'pass-filled'],
    [
      'is building a newer revision',
      record,
      { active: live, latest: newer('BUILDING'), latestFor: 80_000 },
      'Building 1 m 20 s · live: 0123456 · 2d ago · prod',
      'loading~spin',
    ],
    [
      'has just begun to build',
      record,
      { active: live, latest: newer('BUILDING'), latestFor: 999 },
      'Building · live: 0123456 · 2d ago · prod',
      'loading~spin',
    ],
    [
      'failed to build a newer revision',
      record,
      { active: live, latest: newer('BUILD_FAILED'), latestFor: 80_000 },
      'Build failed 1m ago · live: 0123456 · 2d ago · prod',
      'error',
    ],
    ['waits for its first revision', first, {}, 'Waiting for database · nothing live yet · prod', 'loading~spin'],
    [
      'failed at its first revision',
      first,
      { latest: newer('BUILD_FAILED') },
      'Build failed 1m ago · nothing live yet · prod',
      'error',
    ],
    [
      'is to be deleted and failed to build its newest revision',
      { ...record, status: 'AWAITING_DELETE' },
      { active: live, latest: newer('BUILD_FAILED') },
      'Waiting for deletion · Build failed 1m ago · live: 0123456 · 2d ago · prod',
      'trash',
    ],
    [
      'is not used and builds',
      { ...record, status: 'UNUSED' },
      { active: live, latest: newer('BUILDING') },
      'Building · Unused · live: 0123456 · 2d ago · prod',
      'loading~spin',
    ],
    [
      'is to be deleted and is known by its record only',
      { ...settled, status: 'AWAITING_DELETE' },
      {},
      'Waiting for deletion · prod',
      'trash',
    ],
    [
      'has no status and failed',
      { ...record, status: undefined },
      { active: live, latest: newer('BUILD_FAILED') },
      'Build failed 1m ago · live: 0123456 · 2d ago · prod',
      'error',
    ],
    [
      'has a status that nobody knows',
      { ...settled, status: 'AWAITING_FINAL_DELETE' },
      { active: live, latest: live },
      'AWAITING_FINAL_DELETE · live: 0123456 · 2d ago · prod',
      'question',
    ],
    [
      'has a latest revision with a status that nobody knows',
      record,
      { active: live, latest: newer('DREAMING') },
      'DREAMING 1m ago · live: 0123456 · 2d ago · prod',
      'question',
    ],
  ])('that %s says so', (_, deployment, facts, description, icon) => {
    expect(summarizeDeployment(deployment, facts, now)).toMatchObject({ description, icon });
  });

  it('names the image where there is no commit, and says "live" where there is neither', () => {
    const image: Revision = { id: 'r1', source_revision_config: { image_uri: 'registry.example/agent:1' } };
    expect(summarizeDeployment(settled, { active: image }, now).description).toBe('Ready · live: agent:1 · prod');
    expect(summarizeDeployment(settled, { active: { id: 'r1' } }, now).description).toBe('Ready · live · prod');
  });

  it('leaves out an age that the service wrote in an unreadable way', () => {
    const odd = { ...live, created_at: 'yesterday', updated_at: 'yesterday' };
    expect(summarizeDeployment(settled, { active: odd }, now).description).toBe('Ready · live: 0123456 · prod');
  });
});

describe('a revision', () => {
  it.each<[string, Deployment | undefined, Revision, string, string]>([
    ['active and latest', settled, live, 'Deployed · active · latest · 2d ago', 'pass-filled'],
    ['active and no longer latest', record, live, 'Deployed · active · 2d ago', 'pass-filled'],
    ['replaced', { ...record, active_revision_id: 'r2' }, live, 'Deployed · replaced · 2d ago', 'pass'],
    [
      'newer than the record that calls another one active',
      { ...settled, active_revision_id: 'r0' },
      live,
      'Deployed · latest · 2d ago',
      'pass-filled',
    ],
    ['deployed before anything is known to be active', first, live, 'Deployed · 2d ago', 'pass-filled'],
    ['failed and latest', record, newer('BUILD_FAILED'), 'Build failed · latest · 1m ago', 'error'],
    ['skipped', undefined, newer('SKIPPED'), 'Skipped · 1m ago', 'debug-step-over'],
    ['of a status that nobody knows', undefined, newer('DREAMING'), 'DREAMING · 1m ago', 'question'],
    ['of no status', undefined, { id: 'r3' }, 'Unknown', 'question'],
  ])('that is %s says so', (_, deployment, revision, description, icon) => {
    expect(summarizeRevision(deployment, revision, now)).toMatchObject({ description, icon });
  });

  it.each([
    [{ repo_ref: 'main', repo_commit_sha: 'abcdef0123' }, 'main @ abcdef0'],
    [{ repo_ref: 'refs/tags/v1.0.0' }, 'v1.0.0'],
    [{ repo_ref: 'refs/heads/feature/a' }, 'feature/a'],
    [{ image_uri: 'registry.example/agent:1' }, 'registry.example/agent:1'],
    [{ source_tarball_path: 'uploads/1.tar.gz' }, 'uploads/1.tar.gz'],
    [{}, 'r1'],
    [undefined, 'r1'],
  ])('built from %o is called %s', (source_revision_config, title) => {
    expect(revisionTitle({ id: 'r1', source_revision_config })).toBe(title);
  });
});
