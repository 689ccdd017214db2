import { describe, expect, test } from 'vitest';
import type { ExistingDeployment, Finding, PreflightInput } from '../../../../../src/core/draft/findings.ts';
import { preflight } from '../../../../../src/core/draft/preflight/preflight.ts';
import { completeDraft } from '../../../../support/deploymentDraft.ts';

const same: ExistingDeployment = {
  id: 'd1',
  name: 'agent',
  repositoryUrl: 'git@code.example:acme/agent.git',
  configPath: 'graph.json',
  ref: 'main',
  buildsOnPush: true,
};

/** What is said of deployments that exist; the first finding of all, where there is nothing worse. */
function look(existing: readonly ExistingDeployment[], more: Partial<PreflightInput> = {}): Finding[] {
  const findings = preflight({
    draft: completeDraft({ name: 'agent-2', deploymentType: 'prod' }),
    existingNames: [],
    reservedSecretNames: [],
    existing,
    ...more,
  });
  return findings.slice(0, findings.length - 1);
}

describe('A deployment of the very source of the draft', () => {
  test.each([
    [true, 'Already deployed from main: "agent"; a push builds it.'],
    [false, 'Already deployed from main: "agent"; a push doesn\'t build it.'],
    [undefined, 'Already deployed from main: "agent".'],
  ])('is told, with what a push does (%s)', (buildsOnPush, message) => {
    expect(look([{ ...same, buildsOnPush }])).toEqual([
      { severity: 'info', deployment: { id: 'd1', name: 'agent' }, message },
    ]);
  });

  test('is told with how many others there are', () => {
    expect(look([same, { ...same, id: 'd2' }, { ...same, id: 'd3' }])).toMatchObject([
      { deployment: { id: 'd1' }, message: 'Already deployed from main: "agent" and 2 more.' },
    ]);
  });

  test('is found under the full name of its branch, and for a tag', () => {
    expect(look([{ ...same, ref: 'refs/heads/main' }])).toHaveLength(1);
    const draft = completeDraft({ ref: { kind: 'tag', name: 'v1' }, buildOnPush: false, deploymentType: 'prod' });
    expect(look([{ ...same, ref: 'refs/tags/v1', buildsOnPush: undefined }], { draft })).toMatchObject([
      { message: 'Already deployed from v1: "agent".' },
    ]);
  });

  test.each([
    ['repository', { repositoryUrl: 'https://code.example/acme/other' }],
    ['repository, which the service does not name', { repositoryUrl: undefined }],
    ['config file', { configPath: 'services/graph.json' }],
    ['branch', { ref: 'release' }],
    ['kind of ref', { ref: 'refs/tags/main' }],
    ['ref, which the service does not name', { ref: undefined }],
  ])('is none with another %s', (_what, difference) => {
    expect(look([{ ...same, ...difference }])).toEqual([]);
  });
});
