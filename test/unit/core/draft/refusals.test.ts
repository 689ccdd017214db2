import { describe, expect, it } from 'vitest';
import { type Refusal, refusalFindings } from '../../../../src/core/draft/refusals.ts';
import { finding } from '../../../../src/core/draft/findings.ts';
import { completeDraft, fullDrafts } from '../../../support/deploymentDraft.ts';

function fieldsOf(refusal: Partial<Refusal>, draft = completeDraft()) {
  return refusalFindings(draft, { kind: 'invalid', message: 'Refused.', ...refusal }).map(({ field }) => field);
}

describe('a refusal', () => {
  it.each([
    ["'source_config.listener_id' is required for workspace with available listener IDs: [a]", 'listener'],
    ["'source_config.listener_config.k8s_namespace' is not a namespace of the listener.", 'kubernetesNamespace'],
    ['install_command has characters that are not allowed', 'installCommand'],
    ['build_command has characters that are not allowed', 'buildCommand'],
    ["'source_config.integration_id' is not the id of an integration.", 'integrationId'],
    ["'source_config.repo_url' is not a repository of the integration.", 'repositoryUrl'],
    ["'source_revision_config.langgraph_config_path' is required.", 'configPath'],
    ["'secrets[0].name' is given more than once.", 'secrets'],
    ["'source' is not available here: this service runs as self-hosted and takes external_docker.", 'source'],
    ["'name' must be shorter.", 'name'],
    ['Integration not found.', 'integrationId'],
    ['No such listener.', 'listener'],
    ['This source is not available in your plan.', 'source'],
    ['Quota exceeded.', undefined],
    ['The name of the source is fine.', undefined],
  ])('that says %j lands on the line %s', (message, field) => {
    expect(fieldsOf({ message })).toEqual([field]);
  });

  it('of a field that the source has no line for lands on none', () => {
    expect(fieldsOf({ message: "'source_revision_config.image_uri' is required." })).toEqual([undefined]);
    const images = refusalFindings(fullDrafts().external_docker, {
      kind: 'invalid',
      message: "'source_revision_config.image_uri' is required.",
    });
    expect(images).toMatchObject([{ field: 'imageUri' }]);
  });

  it('about a name that exists lands on the name', () => {
    expect(fieldsOf({ kind: 'conflict', message: 'It already exists.' })).toEqual(['name']);
  });

  it('of the key or of the service lands on no line, whatever it says', () => {
    expect(fieldsOf({ kind: 'forbidden', message: 'No integration for you.' })).toEqual([undefined]);
  });

  it('with several fields lands on each line, in its words and once', () => {
    const fields = [
      { path: 'source_config.resource_spec.cpu', message: 'must not be negative' },
      { path: 'source_config.resource_spec.memory_mb', message: 'must be a whole number' },
      { path: 'secrets.0.name', message: 'must not be empty' },
    ];
    expect(
      refusalFindings(completeDraft(), { kind: 'invalid', message: 'All of it.', fields, requestId: 'r-1' }),
    ).toEqual([
      finding('warning', 'Resources: must not be negative; must be a whole number. Request ID: r-1.', 'resourceSpec'),
      { severity: 'warning', field: 'secrets', message: 'Secrets: must not be empty.' },
    ]);
  });

  it('ends each line with one period, also where the service ends with one', () => {
    const fields = [
      { path: 'source_config.listener_config', message: 'Must name a namespace.' },
      { path: 'source_config.listener_id', message: 'Not found.' },
    ];
    expect(refusalFindings(completeDraft(), { kind: 'invalid', message: 'All of it.', fields })).toEqual([
      { severity: 'warning', field: 'listener', message: 'Listener: Must name a namespace; Not found.' },
    ]);
  });

  it('with a field that nobody knows is told whole', () => {
    const fields = [
      { path: 'source_config.quota', message: 'is used up' },
      { path: 'name', message: 'is too long' },
    ];
    expect(refusalFindings(completeDraft(), { kind: 'invalid', message: 'All of it.', fields })).toEqual([
      { severity: 'warning', message: 'All of it.' },
      { severity: 'warning', field: 'name', message: 'Name: is too long.' },
    ]);
  });
});
