import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../../../src/api/resources/deployments.ts';
import type { Revision } from '../../../../src/api/resources/revisions.ts';
import {
  deploymentDetails,
  detailsText,
  revisionDetails,
  type DetailsFacts,
} from '../../../../src/core/status/detailsWords.ts';
import { formatMoment } from '../../../../src/core/status/duration.ts';
import type { Observation } from '../../../../src/core/status/verdict.ts';

const wentLive = '2026-03-02T12:00:00Z';
const changed = '2026-03-04T12:00:00Z';
/** As the document shows it, with plain blanks. */
const at = (timestamp: string) => formatMoment(timestamp).replaceAll(/\s/g, ' ');

const live: Revision = {
  id: 'r1',
  status: 'DEPLOYED',
  created_at: '2026-03-02T11:00:00Z',
  updated_at: wentLive,
  source_revision_config: { repo_ref: 'main', repo_commit_sha: '0123456789abcdef' },
};
const newer = (status: string, reason?: string): Revision => ({
  id: 'r2',
  status,
  created_at: '2026-03-04T11:00:00Z',
  updated_at: changed,
  source_revision_config: { repo_ref: 'main', repo_commit_sha: 'fedcba9876543210' },
  ...(reason === undefined ? {} : { status_message: reason }),
});
const record: Deployment = {
  id: 'd1',
  name: 'agent',
  tenant_id: 't1',
  active_revision_id: 'r1',
  latest_revision_id: 'r2',
  source_config: { repo_url: 'https://code.example/acme/agent.git', custom_url: 'https://agent.example' },
};
const settled: Deployment = { ...record, latest_revision_id: 'r1' };
const first: Deployment = { ...record, active_revision_id: undefined };

const observe = (deployment: Deployment | undefined, revision?: Revision, active?: Revision): Observation => ({
  revisionId: revision?.id ?? deployment?.latest_revision_id,
  revision,
  revisionAt: 1,
  deployment,
  deploymentAt: 2,
  active,
});

const liveSince = `Live: main @ 0123456, since ${at(wentLive)}`;
const latestIs = (words: string) => `Latest: main @ fedcba9, ${words} ${at(changed)}`;
const textOf = (facts: DetailsFacts) => deploymentDetails(facts).map(detailsText);
const sentence = "The service's interface has no logs, and can't delete, roll back or change resources.";
const end = ['', sentence];
const pages = ['Application: https://agent.example', 'Repository: https://code.example/acme/agent', ...end];

describe('the details of a deployment', () => {
  it.each<[string, Observation, readonly string[]]>([
    ['is live', observe(settled, live, live), [liveSince]],
    ['is building a newer revision', observe(record, newer('BUILDING'), live), [liveSince, latestIs('Building since')]],
    [
      'failed and keeps the old revision',
      observe(record, newer('BUILD_FAILED', 'graph.json is missing.'), live),
      ['Reason: graph.json is missing.', liveSince, latestIs('Build failed, since')],
    ],
    [
      'failed without a reason at its first revision',
      observe(first, newer('DEPLOY_FAILED')),
      ['Reason: The service gives no reason', 'Live: nothing yet', latestIs('Deploy failed, since')],
    ],
    [
      'is deployed, but the record names another revision as active',
      observe(record, newer('DEPLOYED'), { ...live, created_at: '2026-03-05T11:00:00Z' }),
      [liveSince, latestIs('Deployed, replaced, since')],
    ],
    ['has revisions that nobody asked for yet', observe(record), ['Live: r1', 'Latest: r2, not known yet']],
    [
      'has no revision',
      observe({ id: 'd1', name: 'agent', source_config: record.source_config }),
      ['Live: nothing yet'],
    ],
  ])('begin with what a person asks when it %s', (_state, observed, expected) => {
    expect(textOf({ observed })).toEqual([...expected, ...pages]);
  });

  it('say how the live revision relates to the open branch, and when the service confirmed this', () => {
    const facts = { observed: observe(settled, live, live), drift: 'up to date', asOf: Date.parse(changed) };
    expect(textOf(facts).slice(1, 3)).toEqual(['Compared with HEAD: up to date', `Last checked: ${at(changed)}`]);
  });

  it('say where an upload came from, as those of its revision do', () => {
    const upload = 'uploaded from laptop';
    expect(textOf({ observed: observe(settled, live), upload })).toContain('Upload: uploaded from laptop');
    const ofRevision = revisionDetails({ observed: observe(settled, live), upload }).map(detailsText);
    expect(ofRevision).toContain('Upload: uploaded from laptop');
  });

  it('compare nothing with the open branch while nothing is live', () => {
    expect(textOf({ observed: observe(first, newer('BUILDING')), drift: 'up to date' }).join()).not.toContain(
      'up to date',
    );
  });

  it('lead to the revisions and to the pages', () => {
    expect(deploymentDetails({ observed: observe(record, newer('BUILDING'), live) }).map(({ to }) => to)).toEqual([
      { kind: 'revision', id: 'r1', title: 'main @ 0123456' },
      { kind: 'revision', id: 'r2', title: 'main @ fedcba9' },
      { kind: 'page', url: 'https://agent.example' },
      { kind: 'page', url: 'https://code.example/acme/agent' },
      undefined,
      undefined,
    ]);
  });

  it('lead to the logs where the service has them, instead of saying that it has none', () => {
    const actionsOf = (lines: ReturnType<typeof deploymentDetails>) =>
      lines.flatMap(({ to }) => (to?.kind === 'command' ? [[to.id, to.revisionId].join(' ').trim()] : []));
    const failed = { observed: observe(record, newer('BUILD_FAILED'), live), hasLogs: true };
    expect(actionsOf(deploymentDetails(failed))).toEqual(['showBuildLog', 'showApplicationLog']);
    expect(actionsOf(revisionDetails(failed))).toEqual(['showBuildLog r2', 'showRevisionChanges r2']);
    const serving = { observed: observe(settled, live, live), hasLogs: true };
    expect(actionsOf(revisionDetails(serving)).slice(0, 2)).toEqual(['showBuildLog r1', 'showApplicationLog r1']);
    expect(textOf(failed)).not.toContain(sentence);
    expect(actionsOf(deploymentDetails({ ...failed, hasLogs: false }))).toEqual([]);
  });

  it('make no link of what the service wrote, and show no secret in an address', () => {
    const reason = 'See https://code.example/?token=canary\nLive: https://elsewhere.example';
    const config = { ...record.source_config, custom_url: 'https://me:canary@agent.example' };
    const deployment = { ...record, source_config: config };
    const lines = deploymentDetails({ observed: observe(deployment, newer('BUILD_FAILED', reason), live) });
    expect(JSON.stringify(lines)).not.toContain('canary');
    const written = lines.filter(({ label }) => label === 'Reason' || label === 'Application');
    expect(written.map(({ to }) => to)).toEqual([undefined, undefined]);
    expect(lines.map(detailsText).join('')).not.toContain('\n');
  });

  it('are short, however long the texts of the service are', () => {
    const long = 'word '.repeat(200_000);
    const revision = { ...newer(long, long), source_revision_config: { repo_ref: long } };
    const lines = textOf({ observed: observe({ ...record, name: long }, revision, live) });
    for (const line of lines) expect(line.length).toBeLessThan(600);
  });
});

describe('the details of a revision', () => {
  const details = (observed: Observation) => revisionDetails({ observed });

  it.each<[string, Observation, readonly string[]]>([
    [
      'live',
      observe(settled, live, live),
      [`Status: main @ 0123456, Deployed, active, since ${at(wentLive)}`, liveSince],
    ],
    [
      'failed',
      observe(record, newer('BUILD_FAILED', 'No such branch'), live),
      [`Status: main @ fedcba9, Build failed, since ${at(changed)}`, 'Reason: No such branch', liveSince],
    ],
  ])('say what it is and what is live when it is %s', (_state, observed, expected) => {
    const changes = ['', 'Show Changes of This Revision'];
    expect(details(observed).map(detailsText)).toEqual([...expected, 'Deployment: agent', ...changes, ...end]);
    const revisionId = observed.revisionId ?? '';
    expect(details(observed).flatMap(({ to }) => (to === undefined || to.kind === 'revision' ? [] : [to]))).toEqual([
      { kind: 'deployment', title: 'agent' },
      { kind: 'command', id: 'showRevisionChanges', revisionId },
    ]);
  });

  it('say nothing about what is live without the record of the deployment', () => {
    const lines = details(observe(undefined, newer('BUILDING'))).map(detailsText);
    expect(lines).toEqual([`Status: main @ fedcba9, Building since ${at(changed)}`, ...end]);
  });

  it('lead to the page of the commit where its code host is known', () => {
    const deployment = { ...settled, source_config: { repo_url: 'https://github.com/acme/agent.git' } };
    const revision = { ...live, source_revision_config: { repo_commit_sha: 'a'.repeat(40) } };
    const url = `https://github.com/acme/agent/commit/${'a'.repeat(40)}`;
    expect(details(observe(deployment, revision, revision))).toContainEqual({
      label: 'Commit',
      value: url,
      to: { kind: 'page', url },
    });
  });
});

describe('what can be done about a deployment', () => {
  it('is said after its state, as links, if its repository is open', () => {
    const lines = deploymentDetails({ observed: observe(settled, live, live), drift: '2 behind' });
    expect(lines.slice(-5)).toEqual([
      { value: '' },
      { value: 'Show Changes Since Live', to: { kind: 'command', id: 'showChangesSinceLive' } },
      { value: 'Deploy Current Repository…', to: { kind: 'command', id: 'deployCurrentRepository' } },
      { value: '' },
      { value: sentence },
    ]);
  });

  it('ends with the page of the service, which may do the rest', () => {
    const page = 'https://service.example/deployments/d1';
    expect(deploymentDetails({ observed: observe(settled, live, live), page }).slice(-2)).toEqual([
      { value: sentence },
      { label: 'Service page', value: page, to: { kind: 'page', url: page } },
    ]);
  });
});
