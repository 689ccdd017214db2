import { describe, expect, it } from 'vitest';
import { chooseAsLastTime } from '../../../../src/core/draft/asLastTime.ts';
import { emptyDraft, type RepositoryDraft } from '../../../../src/core/draft/draft.ts';
import { completeDraft, fullDrafts } from '../../../support/deploymentDraft.ts';

/** A new draft after a last one. */
function afterLast(last: Partial<RepositoryDraft>): RepositoryDraft {
  const next = completeDraft({ integrationId: '', provenance: { name: { kind: 'suggested' } } });
  chooseAsLastTime(next, { draft: completeDraft(last), ref: undefined });
  return next;
}

describe('the integration of the last deployment', () => {
  it.each(['user', 'lastTime'] as const)('is taken again where it came from %s', (kind) => {
    const next = afterLast({ integrationId: 'mine', provenance: { integrationId: { kind } } });
    expect(next).toMatchObject({ integrationId: 'mine', provenance: { integrationId: { kind: 'lastTime' } } });
  });

  it.each(['integration', 'list', 'copy', undefined] as const)('is found again where it came from %s', (kind) => {
    const provenance = kind === undefined ? {} : { integrationId: { kind } };
    const next = afterLast({ integrationId: 'found', provenance });
    expect(next.integrationId).toBe('');
    expect(next.provenance).not.toHaveProperty('integrationId');
  });
});

it('takes no address and no value of a secret from the last deployment', () => {
  const secrets = [{ name: 'KEY', value: 'canary' }];
  const next = afterLast({ customUrl: 'https://agent.example', secrets });
  expect(next).toMatchObject({
    secrets: [{ name: 'KEY', value: undefined }],
    provenance: { secrets: { kind: 'lastTime' } },
  });
  expect(next.customUrl).toBeUndefined();
});

it('is from the config file of the last deployment, unless another one was chosen', () => {
  const last = { draft: completeDraft({ configPath: 'apps/a/graph.json' }) };
  const after = (provenance: RepositoryDraft['provenance']) => {
    const next = completeDraft({ provenance });
    chooseAsLastTime(next, last);
    return [next.configPath, next.provenance.configPath?.kind];
  };
  expect(after({ configPath: { kind: 'suggested' } })).toEqual(['apps/a/graph.json', 'lastTime']);
  expect(after({ configPath: { kind: 'user' } })).toEqual(['graph.json', 'user']);
  expect(afterLast({}).provenance).not.toHaveProperty('configPath');
});

it.each([
  ['typed', { kind: 'user' }, 'mine', 'lastTime'],
  ['suggested', { kind: 'suggested' }, 'agent', 'suggested'],
] as const)('names an image again as it was %s', (_how, from, name, kind) => {
  const last = { ...fullDrafts().external_docker, name: 'mine', provenance: { name: from } };
  const next = emptyDraft('external_docker', 'Work');
  chooseAsLastTime(next, { draft: last });
  expect([next.name, next.provenance.name?.kind]).toEqual([name, kind]);
});

it('suggests the name of the last template again, which is made from nothing', () => {
  const last = {
    ...fullDrafts().internal_template,
    name: 'mine-2',
    provenance: { name: { kind: 'suggested' } },
  } as const;
  const next = emptyDraft('internal_template', 'Work');
  chooseAsLastTime(next, { draft: last });
  expect([next.name, next.provenance.name?.kind]).toEqual(['mine-2', 'suggested']);
});
