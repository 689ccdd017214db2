import { describe, expect, it } from 'vitest';
import { comparableResource, resourceText } from '../../../../src/core/resources/resourceText.ts';

describe('the text of a resource', () => {
  it('is YAML without values that may be secret', () => {
    const resource = { name: 'agent', source_config: { resource_spec: { annotations: { note: 'canary' } } } };
    expect(resourceText(resource)).toEqual({
      yaml: 'name: agent\nsource_config:\n  resource_spec:\n    annotations:\n      note: (hidden)\n',
    });
  });

  it('ends with very deeply nested labels', () => {
    const labels: unknown = JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`);
    const { yaml, note } = resourceText({ name: 'agent', source_config: { resource_spec: { labels } } });
    expect(yaml).toMatch(/^name: agent\n[^]*a: …\n$/);
    expect(note).toBeUndefined();
  });

  it('is cut off with a note if the resource is too long', () => {
    const labels = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`label-${index}`, 'value']));
    const { yaml, note } = resourceText({ name: 'agent', labels });
    expect(yaml.length).toBeLessThan(300_000);
    expect(yaml).toContain('"name": "agent"');
    expect(note).toBe('This resource is too long to show in full. Only the beginning follows.');
  });
});

describe('a resource beside another one', () => {
  it('has no id and no dates', () => {
    const revision = { id: 'r1', created_at: '1', updated_at: '2', status: 'DEPLOYED', source_config: { id: '3' } };
    expect(comparableResource(revision)).toEqual({ status: 'DEPLOYED', source_config: { id: '3' } });
  });
});
