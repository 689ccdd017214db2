import { beforeEach, describe, expect, it } from 'vitest';
import type { Listener } from '../../../../src/api/resources/listeners.ts';
import { chooseListener, type DeploymentDraft } from '../../../../src/core/draft/draft.ts';
import { completeDraft } from '../../../support/deploymentDraft.ts';

let draft: DeploymentDraft;

beforeEach(() => {
  draft = completeDraft();
});

const listener = (id: string, ...namespaces: string[]): Listener => ({
  id,
  compute_id: `cluster-${id}`,
  compute_config: { k8s_namespaces: namespaces },
});

describe('the listener of a draft', () => {
  it('is named as its cluster, and the only namespace that it has is taken', () => {
    chooseListener(draft, listener('a', 'agents'));
    expect(draft).toMatchObject({
      listener: { id: 'a', name: 'cluster-a', namespaces: ['agents'] },
      kubernetesNamespace: 'agents',
    });
  });

  it('leaves the namespace open where it has several, or none', () => {
    chooseListener(draft, listener('a', 'agents', 'billing'));
    expect(draft.kubernetesNamespace).toBeUndefined();
    chooseListener(draft, { id: 'b' });
    expect(draft).toMatchObject({ listener: { id: 'b', name: 'b', namespaces: [] }, kubernetesNamespace: undefined });
  });

  it('keeps a namespace only where another listener has it too', () => {
    chooseListener(draft, listener('a', 'billing'));
    chooseListener(draft, listener('b', 'agents', 'billing'));
    expect(draft.kubernetesNamespace).toBe('billing');
    chooseListener(draft, listener('c', 'agents', 'tools'));
    expect(draft.kubernetesNamespace).toBeUndefined();
  });

  it('has a namespace that comes from where it did only while it is kept', () => {
    const copied = { kind: 'copy', name: 'agent' } as const;
    draft.kubernetesNamespace = 'agents';
    draft.provenance = { listener: copied, kubernetesNamespace: copied };
    chooseListener(draft, listener('b', 'agents', 'tools'));
    expect(draft.provenance).toEqual({ listener: copied, kubernetesNamespace: copied });
    chooseListener(draft, listener('c', 'only'));
    expect(draft.provenance).toEqual({ listener: copied, kubernetesNamespace: { kind: 'suggested' } });
    chooseListener(draft, undefined);
    expect(draft.provenance).toEqual({ listener: copied });
  });

  it('goes with its namespace', () => {
    chooseListener(draft, listener('a', 'agents'));
    chooseListener(draft, undefined);
    expect(draft).toMatchObject({ listener: undefined, kubernetesNamespace: undefined });
  });
});
