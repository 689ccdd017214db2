import { expect, it } from 'vitest';
import { hasInput } from '../../../../src/core/draft/keptDraft.ts';
import { completeDraft } from '../../../support/deploymentDraft.ts';

it('holds input once the user has given a value', () => {
  expect(hasInput(completeDraft({ provenance: { name: { kind: 'suggested' } } }))).toBe(false);
  expect(hasInput(completeDraft({ provenance: { name: { kind: 'user' } } }))).toBe(true);
});
