import { expect, it } from 'vitest';
import { reviewLines } from '../../../../src/core/draft/reviewLines.ts';
import { completeDraft } from '../../../support/deploymentDraft.ts';

it('says that the integration was found by the repository', () => {
  const draft = completeDraft({ integrationName: 'acme', provenance: { integrationId: { kind: 'integration' } } });
  expect(reviewLines(draft)).toContainEqual({
    field: 'integrationId',
    label: 'Integration',
    value: 'acme',
    from: 'has the repository',
  });
});
