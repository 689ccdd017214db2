import { describe, expect, test } from 'vitest';
import { applicationDraft } from '../../../../src/core/draft/applicationDraft.ts';
import { fullDrafts, completeDraft } from '../../../support/deploymentDraft.ts';

describe('a draft of another application', () => {
  test('has the name of its folder', () => {
    const given = completeDraft({ name: 'agent', configPath: 'graph.json' });
    const { name, configPath } = applicationDraft(given, 'apps/billing/graph.json');
    expect([name, configPath]).toEqual(['agent-billing', 'apps/billing/graph.json']);
  });

  test('has what the user set, but neither secrets nor the address, which belong to one application', () => {
    const { repohost } = fullDrafts();
    if (repohost.source !== 'repohost') throw new Error('A draft from a repository is expected.');
    const given = completeDraft({
      ...repohost,
      buildOnPush: false,
      provenance: {
        ref: { kind: 'checkedOut' },
        name: { kind: 'user' },
        secrets: { kind: 'user' },
        resourceSpec: { kind: 'form' },
      },
    });
    const draft = applicationDraft(given, 'apps/chat/graph.json');
    const { secrets, customUrl, ...shared } = given;
    expect([secrets, customUrl, ...Object.values(shared)]).not.toContain(undefined);
    expect(draft).toEqual({
      ...shared,
      name: 'agent-chat',
      configPath: 'apps/chat/graph.json',
      secrets: [],
      provenance: {
        ref: { kind: 'checkedOut' },
        resourceSpec: { kind: 'form' },
        name: { kind: 'suggested' },
        configPath: { kind: 'found' },
      },
    });
  });
});
