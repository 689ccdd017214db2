import { describe, expect, it } from 'vitest';
import { chooseAsLastTime } from '../../../../src/core/draft/asLastTime.ts';
import type { RepositoryDraft } from '../../../../src/core/draft/draft.ts';
import { completeDraft } from '../../../support/deploymentDraft.ts';

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

it('is from the config file of the last deployment', () => {
  const next = afterLast({ configPath: 'apps/a/graph.json' });
  expect(next).toMatchObject({ configPath: 'apps/a/graph.json', provenance: { configPath: { kind: 'lastTime' } } });
  expect(afterLast({}).provenance).not.toHaveProperty('configPath');
});
