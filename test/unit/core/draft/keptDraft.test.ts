import { describe, expect, it } from 'vitest';
import { continued as continuedWith, draftTitle, hasInput } from '../../../../src/core/draft/keptDraft.ts';
import { type DeploymentDraft, emptyDraft } from '../../../../src/core/draft/draft.ts';
import { finding } from '../../../../src/core/draft/findings.ts';
import { completeDraft, fullDrafts } from '../../../support/deploymentDraft.ts';

const continued = (draft: DeploymentDraft, present: DeploymentDraft) =>
  continuedWith({ draft, leftOut: [] }, present).draft;

describe('a draft that is continued', () => {
  it('is as it was on its own connection', () => {
    const kept = completeDraft({ name: 'mine', integrationId: 'chosen' });
    expect(continued(kept, completeDraft())).toEqual(kept);
  });

  it('takes the integration of another connection, and leaves the listener behind', () => {
    const kept = { ...fullDrafts().repohost, connectionName: 'Elsewhere' };
    const draft = continued(kept, completeDraft({ integrationId: 'here', integrationName: 'Acme' }));
    expect(draft).toMatchObject({ connectionName: 'Work', integrationId: 'here', integrationName: 'Acme' });
    expect(draft.listener).toBeUndefined();
    expect(continuedWith({ draft: kept, leftOut: [] }, completeDraft()).findings).toMatchObject([
      { severity: 'warning', field: 'listener' },
    ]);
  });

  it('says on its line what it lost because it may contain a secret', () => {
    const kept = { draft: fullDrafts().internal_source, leftOut: ['resourceSpec', 'tarballPath'] as const };
    const present = emptyDraft('internal_source', 'Work');
    const lost = { ...kept, draft: { ...kept.draft, resourceSpec: undefined } };
    expect(continuedWith(lost, present).findings).toEqual([
      finding('warning', '"Resources" was left out, because it may contain a secret. Enter it again.', 'resourceSpec'),
      finding('warning', '"Upload" was left out, because it may contain a secret. Enter it again.', 'tarballPath'),
    ]);
    const { findings } = continuedWith(lost, { ...present, resourceSpec: { cpu: 4 } });
    expect(findings.map(({ field }) => field)).toEqual(['tarballPath']);
  });

  it('has no integration where another repository is open', () => {
    const kept = completeDraft({ connectionName: 'Elsewhere' });
    expect(continued(kept, emptyDraft('repohost', 'Work'))).toMatchObject({ integrationId: '' });
  });

  it('takes resources that were chosen just now', () => {
    const kept = fullDrafts().internal_docker;
    kept.provenance = { name: { kind: 'user' }, resourceSpec: { kind: 'user' } };
    const present = { ...emptyDraft('internal_docker', 'Work'), resourceSpec: { cpu: 4 } };
    present.provenance = { resourceSpec: { kind: 'form' } };
    expect(continued(kept, present)).toMatchObject({
      resourceSpec: { cpu: 4 },
      provenance: { name: { kind: 'user' }, resourceSpec: { kind: 'form' } },
    });
  });
});

it('takes the values of secrets that were entered meanwhile', () => {
  const kept = completeDraft({
    secrets: [
      { name: 'A', value: undefined },
      { name: 'B', value: undefined },
    ],
  });
  const present = completeDraft({ secrets: [{ name: 'B', value: 'b' }] });
  expect(continued(kept, present).secrets).toEqual([
    { name: 'A', value: undefined },
    { name: 'B', value: 'b' },
  ]);
});

it('is called by its name, else by its repository or its source', () => {
  expect(draftTitle(completeDraft())).toBe('agent');
  expect(draftTitle(completeDraft({ name: '' }))).toBe('acme/agent');
  expect(draftTitle(completeDraft({ name: '', repositoryUrl: 'https://code.example/solo' }))).toBe('solo');
  expect(draftTitle(emptyDraft('repohost', 'Work'))).toBe('Repository');
  expect(draftTitle(emptyDraft('internal_template', 'Work'))).toBe('Template');
});

it('holds input once the user has given a value', () => {
  expect(hasInput(completeDraft({ provenance: { name: { kind: 'suggested' } } }))).toBe(false);
  expect(hasInput(completeDraft({ provenance: { name: { kind: 'user' } } }))).toBe(true);
});
