import { describe, expect, test } from 'vitest';
import type { Deployment } from '../../../../../src/api/resources/deployments.ts';
import type { Finding, PreflightInput } from '../../../../../src/core/draft/findings.ts';
import { preflight } from '../../../../../src/core/draft/preflight/preflight.ts';
import { completeDraft } from '../../../../support/deploymentDraft.ts';

const config = { repo_url: 'git@code.example:acme/agent.git', build_on_push: true };
const revision = { graph_config_path: 'graph.json', repo_ref: 'main' };
const same: Deployment = { id: 'd1', name: 'agent', source_config: config, source_revision_config: revision };
const withConfig = (changes: object) => ({ ...same, source_config: { ...config, ...changes } });
const withRevision = (changes: object) => ({ ...same, source_revision_config: { ...revision, ...changes } });

/** What is said of deployments that exist, which belongs to no field. */
function look(existing: readonly Deployment[], more: Partial<PreflightInput> = {}): Finding[] {
  const findings = preflight({
    draft: completeDraft({ name: 'agent-2', deploymentType: 'prod' }),
    isNameTaken: false,
    reservedSecretNames: [],
    existing,
    ...more,
  });
  return findings.filter(({ field }) => field === undefined);
}

describe('A deployment of the very source of the draft', () => {
  test.each([
    [true, 'Already deployed from main: "agent"; a push builds it.'],
    [false, 'Already deployed from main: "agent"; a push doesn\'t build it.'],
    [undefined, 'Already deployed from main: "agent".'],
  ])('is told, with what a push does (%s)', (buildsOnPush, message) => {
    expect(look([withConfig({ build_on_push: buildsOnPush })])).toEqual([
      { severity: 'info', deployment: { id: 'd1', name: 'agent' }, message },
    ]);
  });

  test('is told with how many others there are', () => {
    expect(look([same, { ...same, id: 'd2' }, { ...same, id: 'd3' }])).toMatchObject([
      { deployment: { id: 'd1' }, message: 'Already deployed from main: "agent" and 2 more.' },
    ]);
  });

  test('is not told where one gets a new revision', () => {
    expect(look([same, { ...same, id: 'd2' }], { isNew: false })).toEqual([]);
  });

  test('is found under the full name of its branch, and for a tag', () => {
    expect(look([withRevision({ repo_ref: 'refs/heads/main' })])).toHaveLength(1);
    const draft = completeDraft({ ref: { kind: 'tag', name: 'v1' }, buildOnPush: false, deploymentType: 'prod' });
    expect(look([withRevision({ repo_ref: 'refs/tags/v1' })], { draft })).toMatchObject([
      { message: 'Already deployed from v1: "agent"; a push builds it.' },
    ]);
  });

  test.each([
    ['repository', withConfig({ repo_url: 'https://code.example/acme/other' })],
    ['repository, which the service does not name', withConfig({ repo_url: undefined })],
    ['config file', withRevision({ graph_config_path: 'services/graph.json' })],
    ['branch', withRevision({ repo_ref: 'release' })],
    ['kind of ref', withRevision({ repo_ref: 'refs/tags/main' })],
    ['ref, which the service does not name', withRevision({ repo_ref: undefined })],
  ])('is none with another %s', (_what, other) => {
    expect(look([other])).toEqual([]);
  });
});
