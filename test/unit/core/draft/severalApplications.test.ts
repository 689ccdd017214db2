import { describe, expect, test } from 'vitest';
import { applicationDrafts } from '../../../../src/core/draft/severalApplications.ts';
import { fullDrafts, completeDraft } from '../../../support/deploymentDraft.ts';

const paths = ['apps/chat/graph.json', 'apps/billing/graph.json', 'tools/chat/graph.json'];

describe('the drafts of several applications', () => {
  test('have the name of their folder, and no two the same', () => {
    const given = completeDraft({ name: 'agent', configPath: 'graph.json' });
    expect(applicationDrafts(given, paths).map(({ name, configPath }) => [name, configPath])).toEqual([
      ['agent-chat', 'apps/chat/graph.json'],
      ['agent-billing', 'apps/billing/graph.json'],
      ['agent-chat-2', 'tools/chat/graph.json'],
    ]);
  });

  test('include the given one as it is, and avoid its name', () => {
    const given = completeDraft({ name: 'agent-chat', configPath: 'tools/chat/graph.json' });
    const drafts = applicationDrafts(given, paths);
    expect(drafts.map(({ name }) => name)).toEqual(['agent-chat-2', 'agent-billing', 'agent-chat']);
    expect(drafts[2]).toEqual(given);
  });

  test('share what the user set, but neither secrets nor the address, which belong to one application', () => {
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
    const [draft] = applicationDrafts(given, ['apps/chat/graph.json']);
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
