import { describe, expect, it } from 'vitest';
import { nameOfListener, namespacesOf, summarizeListener } from '../../../../src/core/resources/listeners.ts';

const now = Date.parse('2026-03-10T12:00:00Z');

describe('summarizeListener', () => {
  it('gives the compute type, namespaces, version and age', () => {
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

  it('leaves out missing values and falls back to the id', () => {
    expect(summarizeListener({ id: 'l-1' }, now)).toEqual({ label: 'l-1', description: '' });
    expect(nameOfListener({ id: 'l-1', compute_id: '' })).toBe('l-1');
    expect(namespacesOf({ id: 'l-1', compute_config: {} })).toEqual([]);
  });

  it.each([
    [['one'], 'namespace one'],
    [['one', 'two', 'three'], 'namespaces one, two, three'],
    [['one', 'two', 'three', 'four', 'five'], 'namespaces one, two, three and 2 more'],
  ])("counts the namespaces that don't fit into a row: %j", (namespaces, words) => {
    const listener = { id: '1', compute_config: { k8s_namespaces: namespaces } };
    expect(summarizeListener(listener, now).description).toBe(words);
  });

  it('leaves out an unreadable time', () => {
    expect(summarizeListener({ id: '1', compute_type: 'k8s', created_at: 'yesterday' }, now).description).toBe('k8s');
  });
});
