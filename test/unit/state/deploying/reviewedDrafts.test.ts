import { beforeEach, describe, expect, it } from 'vitest';
import type { DeploymentDraft } from '../../../../src/core/draft/draft.ts';
import { draftPlace, keepDraft, keptDrafts } from '../../../../src/state/deploying/keptDrafts.ts';
import { keptText, ReviewedDrafts } from '../../../../src/state/deploying/reviewedDrafts.ts';
import { completeDraft, fullDrafts } from '../../../support/deploymentDraft.ts';
import { InMemoryMemory } from '../../../support/editorStorage.ts';

let memory: InMemoryMemory;
let draft: DeploymentDraft;

beforeEach(() => {
  memory = new InMemoryMemory();
  draft = typedDraft();
});

function typedDraft(configPath = 'graph.json'): DeploymentDraft & { source: 'repohost' } {
  return { ...completeDraft(), configPath, provenance: { name: { kind: 'user' } } };
}

function review({
  continuedPlace,
  isOneOfSeveral = false,
}: { continuedPlace?: string; isOneOfSeveral?: boolean } = {}) {
  return new ReviewedDrafts(draft, { memory, clock: { now: () => 7 }, continuedPlace, isOneOfSeveral });
}

/** Changes the draft as an edit in the review does. */
async function edit(drafts: ReviewedDrafts, name: string): Promise<void> {
  const before = keptText(draft);
  draft.name = name;
  await drafts.keepChange(draft, before);
}

const keptNames = () => keptDrafts(memory).map(({ draft: { name } }) => name);

describe('the own draft of a review', () => {
  it('is kept with each change and forgotten with its deployment', async () => {
    const drafts = review();
    await edit(drafts, draft.name);
    expect(keptNames()).toEqual([]);
    await edit(drafts, 'second');
    await edit(drafts, 'third');
    expect(keptDrafts(memory)).toMatchObject([{ leftAt: 7, draft: { name: 'third' } }]);
    expect(drafts.offered).toBeUndefined();
    await drafts.forgetOwn();
    expect(keptNames()).toEqual([]);
  });

  it("isn't kept if the user entered nothing", async () => {
    draft.provenance = { name: { kind: 'suggested' } };
    await edit(review(), 'second');
    expect(keptNames()).toEqual([]);
  });

  it('moves with what it is made from', async () => {
    draft = { ...fullDrafts().external_docker, provenance: { imageUri: { kind: 'user' } } };
    const drafts = review();
    await edit(drafts, 'second');
    await edit(drafts, 'third');
    expect(keptNames()).toEqual(['third']);
  });

  it.each(['the same place', 'the same content'])(
    'is a kept draft with %s, which is offered no more',
    async (likeness) => {
      await keepDraft(memory, draft, 1, undefined);
      if (likeness === 'the same place') draft.name = 'other';
      const drafts = review(likeness === 'the same place' ? { continuedPlace: draftPlace(draft) } : {});
      expect(drafts.offered).toBeUndefined();
      await drafts.forgetOwn();
      expect(keptNames()).toEqual([]);
    },
  );
});

describe('a draft that was left earlier', () => {
  beforeEach(async () => {
    await keepDraft(memory, typedDraft(), 1, undefined);
    draft.name = 'other';
  });

  it('is offered, and stays while its review creates another deployment', async () => {
    const drafts = review();
    expect(drafts.offered).toMatchObject({ leftAt: 1 });
    await drafts.forgetOwn();
    expect(keptNames()).toHaveLength(1);
  });

  it('is the own one once it is taken, and forgotten with its deployment', async () => {
    const drafts = review();
    expect(drafts.takeOffered()).toMatchObject({ leftAt: 1 });
    expect(drafts.offered).toBeUndefined();
    await drafts.forgetOwn();
    expect(keptNames()).toEqual([]);
  });

  it('is discarded only when the user says so', async () => {
    const drafts = review();
    await drafts.discardOffered();
    expect(drafts.offered).toBeUndefined();
    expect(keptNames()).toEqual([]);
  });

  it('is replaced, and offered no more, once the draft of its place changes', async () => {
    const drafts = review();
    await edit(drafts, 'second');
    expect(drafts.offered).toBeUndefined();
    expect(keptNames()).toEqual(['second']);
  });

  it('is offered for one of several applications only if it is of that one', () => {
    expect(review({ isOneOfSeveral: true }).offered).toBeDefined();
    draft = typedDraft('other/graph.json');
    expect(review().offered).toBeDefined();
    expect(review({ isOneOfSeveral: true }).offered).toBeUndefined();
  });
});

describe('a draft whose source the user changes', () => {
  it('is kept and offered, and no longer the own one', async () => {
    const drafts = review();
    await edit(drafts, 'second');
    await drafts.keepFormer(draft);
    expect(drafts.offered).toMatchObject({ draft: { name: 'second' } });
    await drafts.forgetOwn();
    expect(keptNames()).toEqual(['second']);
  });

  it('is left as it is if it is offered already', async () => {
    await keepDraft(memory, typedDraft(), 1, undefined);
    draft.name = 'other';
    const drafts = review();
    await drafts.keepFormer(draft);
    expect(drafts.offered).toMatchObject({ leftAt: 1 });
  });
});
