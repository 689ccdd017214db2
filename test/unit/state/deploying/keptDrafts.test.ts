import { beforeEach, describe, expect, it } from 'vitest';
import { SOURCES } from '../../../../src/api/schema/enums.ts';
import {
  forgetDraft,
  isKeptAs,
  keepDraft,
  keptDraftFor,
  keptDrafts,
  draftPlace,
} from '../../../../src/state/deploying/keptDrafts.ts';
import type { DeploymentDraft } from '../../../../src/core/draft/draft.ts';
import { completeDraft, fullDrafts } from '../../../support/deploymentDraft.ts';

let stored: Map<string, string>;
const memory = {
  get: (key: string): unknown => JSON.parse(stored.get(key) ?? 'null'),
  update: async (key: string, value: unknown) => void stored.set(key, JSON.stringify(value ?? null)),
};

beforeEach(() => {
  stored = new Map();
});

const keep = (draft: DeploymentDraft, now = 1, former?: string) => keepDraft(memory, draft, now, former);

describe('a kept draft', () => {
  it.each(SOURCES)('of %s comes back whole, without the values of its secrets', async (source) => {
    const draft = fullDrafts()[source];
    draft.provenance = { name: { kind: 'user' }, imageUri: { kind: 'copy', name: 'other' } };
    await keep(draft, 42);
    expect([...stored.values()].join()).not.toContain('canary');
    const secrets = [{ name: 'API_KEY', value: undefined }];
    expect(keptDrafts(memory)).toEqual([
      { place: draftPlace(draft), leftAt: 42, draft: { ...draft, secrets }, leftOut: [] },
    ]);
  });

  it('holds no value that may be secret', async () => {
    const env = [{ name: 'TOKEN', value: 'canary-env' }];
    await keep({
      ...fullDrafts().external_docker,
      resourceSpec: { cpu: 1, sidecars: [{ name: 'proxy', env }] },
      installCommand: 'npm ci --token canary-install',
      buildCommand: 'API_KEY=canary-build make',
    });
    expect([...stored.values()].join()).not.toContain('canary');
    const [kept] = keptDrafts(memory);
    expect(kept?.draft).toMatchObject({ source: 'external_docker', customUrl: 'https://agent.example' });
    expect(kept?.draft.resourceSpec).toBeUndefined();
    expect(kept?.leftOut).toEqual(['resourceSpec', 'installCommand', 'buildCommand']);
  });

  it.each([
    ['external_docker', { imageUri: 'https://registry.example/agent?token=canary-1' }],
    ['internal_docker', { imageUri: 'https://me:canary-2@registry.example/agent' }],
    ['internal_source', { tarballPath: 'https://store.example/a.tar.gz?X-Amz-Signature=canary-3' }],
    ['internal_template', { customUrl: 'https://agent.example/?access_token=canary-4' }],
    ['repohost', { repositoryUrl: 'https://me:canary-5@code.example/acme/agent' }],
  ] as const)('of %s holds no address with credentials', async (source, changes) => {
    const draft: DeploymentDraft = Object.assign(fullDrafts()[source], changes);
    expect((await keep(draft)).place).not.toContain('canary');
    expect(keptDrafts(memory)).toEqual([await keep(draft)]);
    expect([...stored.values()].join()).not.toContain('canary');
    expect(keptDraftFor(memory, draft)?.draft.name).toBe('agent');
  });

  it('says of nothing that it leaves out that the user gave it', async () => {
    const draft = fullDrafts().internal_source;
    draft.resourceSpec = { sidecars: [{ name: 'proxy', env: [{ name: 'TOKEN', value: 'canary' }] }] };
    Object.assign(draft, { tarballPath: 'https://store.example/a?signature=canary' });
    const byUser = { kind: 'user' } as const;
    draft.provenance = { name: byUser, resourceSpec: byUser, tarballPath: byUser };
    await keep(draft);
    expect(keptDrafts(memory)[0]?.draft.provenance).toEqual({ name: byUser });
    expect(draft.provenance.tarballPath).toEqual(byUser);
  });

  it('is one for a repository and config file, the newest first', async () => {
    await keep(completeDraft({ name: 'first' }));
    await keep(completeDraft({ name: 'other', configPath: 'apps/b/graph.json' }));
    await keep(completeDraft({ name: 'second', repositoryUrl: 'git@code.example:acme/agent.git' }));
    expect(keptDrafts(memory).map(({ draft }) => draft.name)).toEqual(['second', 'other']);
  });

  it('is found by its place, else by its repository', async () => {
    await keep(completeDraft({ name: 'b', configPath: 'apps/b/graph.json' }));
    expect(keptDraftFor(memory, completeDraft())?.draft.name).toBe('b');
    await keep(completeDraft({ name: 'a' }));
    expect(keptDraftFor(memory, completeDraft({ configPath: 'apps/b/graph.json' }))?.draft.name).toBe('b');
    expect(keptDraftFor(memory, completeDraft({ repositoryUrl: 'https://code.example/acme/x' }))).toBeUndefined();
    expect(keptDraftFor(memory, fullDrafts().internal_docker)).toBeUndefined();
  });

  it('is one of several from a source, by what each is made from', async () => {
    const first = fullDrafts().external_docker;
    const second: DeploymentDraft = { ...first, name: 'other' };
    await keep(first, 1);
    expect(keptDraftFor(memory, second)?.draft.name).toBe('agent');
    await keep(second, 2);
    await keep(Object.assign(fullDrafts().external_docker, { imageUri: 'registry.example/b:1' }), 3);
    await keep(fullDrafts().internal_template, 4);
    expect(keptDrafts(memory)).toHaveLength(4);
    expect(keptDraftFor(memory, first)?.leftAt).toBe(1);
    await forgetDraft(memory, draftPlace(second));
    expect(keptDrafts(memory).map(({ leftAt }) => leftAt)).toEqual([4, 3, 1]);
  });

  it('is recognized as what is kept of a draft', async () => {
    const draft = fullDrafts().external_docker;
    await keep(draft);
    const [kept] = keptDrafts(memory);
    expect(kept && isKeptAs(kept, draft)).toBe(true);
    expect(kept && isKeptAs(kept, { ...draft, name: 'other' })).toBe(false);
  });

  it('stays when another draft moves away from its place', async () => {
    await keep(completeDraft({ name: 'older' }));
    await keep(completeDraft({ configPath: 'apps/b/graph.json' }), 2);
    expect(keptDraftFor(memory, completeDraft())?.draft.name).toBe('older');
  });

  it('moves with an edit, and goes when its deployment is created', async () => {
    await keep(completeDraft());
    const moved = completeDraft({ configPath: 'apps/b/graph.json' });
    await keep(moved, 2, draftPlace(completeDraft()));
    expect(keptDrafts(memory)).toHaveLength(1);
    await forgetDraft(memory, draftPlace(moved));
    expect(keptDrafts(memory)).toEqual([]);
  });

  it('is left out where it cannot be read', async () => {
    await keep(completeDraft());
    const [good] = memory.get('drafts') as unknown[];
    const late = { ...(good as object), leftAt: 1e20 };
    const secret = { ...(good as object), leftOut: ['secrets'] };
    for (const bad of [
      secret,
      7,
      {},
      late,
      { leftAt: 1, draft: { source: 'repohost' } },
      { leftAt: 1, draft: { source: 'x' } },
    ]) {
      await memory.update('drafts', [bad, good]);
      expect(keptDrafts(memory)).toHaveLength(1);
    }
    await memory.update('drafts', 'no list');
    expect(keptDrafts(memory)).toEqual([]);
  });

  it('is one of the newest twenty', async () => {
    for (let index = 0; index < 25; index += 1) await keep(completeDraft({ configPath: `${index}/graph.json` }), index);
    expect(keptDrafts(memory).map(({ leftAt }) => leftAt)).toEqual(
      Array.from({ length: 20 }, (_, index) => 24 - index),
    );
  });
});
