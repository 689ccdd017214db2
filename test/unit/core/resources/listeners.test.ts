import { describe, expect, it } from 'vitest';
import { nameOfListener, namespacesOf, summarizeListener } from '../../../../src/core/resources/listeners.ts';

const now = Date.parse('2026-03-10T12:00:00Z');

describe('summarizeListener', () => {
  it('says the compute type, the namespaces, the version and the age', () => {
    const listener = {
      id: '1',
      compute_type: 'k8s',
      compute_id: 'production',
      compute_config: { k8s_namespaces: ['default', 'agents'] },
      version: '1.4.2',
      created_at: '2026-03-07T12:00:00Z',
    };
    expect(summarizeListener(listener, now)).toEqual({
      label: 'production',
      description: 'k8s · namespaces default, agents · version 1.4.2 · 3d ago',
    });
  });

  it('leaves out what the service does not say, and is named by its id then', () => {
    expect(summarizeListener({ id: 'l-1' }, now)).toEqual({ label: 'l-1', description: '' });
    expect(nameOfListener({ id: 'l-1', compute_id: '' })).toBe('l-1');
    expect(namespacesOf({ id: 'l-1', compute_config: {} })).toEqual([]);
  });

  it.each([
    [['one'], 'namespace one'],
    [['one', 'two', 'three'], 'namespaces one, two, three'],
    [['one', 'two', 'three', 'four', 'five'], 'namespaces one, two, three and 2 more'],
  ])('counts the namespaces for which a row has no place: %j', (namespaces, words) => {
    const listener = { id: '1', compute_config: { k8s_namespaces: namespaces } };
    expect(summarizeListener(listener, now).description).toBe(words);
  });

  it('leaves out a time that cannot be read', () => {
    expect(summarizeListener({ id: '1', compute_type: 'k8s', created_at: 'yesterday' }, now).description).toBe('k8s');
  });
});
