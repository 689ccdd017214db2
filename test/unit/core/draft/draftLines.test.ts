import { expect, it } from 'vitest';
import type { DraftSecret } from '../../../../src/core/draft/draft.ts';
import { draftLines } from '../../../../src/core/draft/draftLines.ts';
import { completeDraft } from '../../../support/deploymentDraft.ts';

it('says which secrets have no value', () => {
  const wordsOf = (...secrets: readonly DraftSecret[]) =>
    draftLines(completeDraft({ secrets: [...secrets] })).find(({ field }) => field === 'secrets')?.value;
  expect(wordsOf({ name: 'A', value: '' }, { name: 'B', value: 'b' })).toBe('2 secrets');
  expect(wordsOf({ name: 'A', value: undefined }, { name: 'B', value: 'b' }, { name: 'C', value: undefined })).toBe(
    '3 secrets, without a value: A, C',
  );
});

it('masks what may be secret in a command', () => {
  const draft = completeDraft({ installCommand: 'NPM_TOKEN=canary npm ci', buildCommand: 'make --password canary' });
  const values = draftLines(draft).map(({ value }) => value);
  expect(values).toEqual(expect.arrayContaining(['NPM_TOKEN=••• npm ci', 'make --password •••']));
});

it('says that only a branch is built on push', () => {
  const wordsFor = (kind: 'branch' | 'tag') =>
    draftLines(completeDraft({ ref: { kind, name: 'v1' }, buildOnPush: true })).find(
      ({ field }) => field === 'buildOnPush',
    )?.value;
  expect([wordsFor('branch'), wordsFor('tag')]).toEqual(['on', 'off']);
});
