import { beforeEach, describe, expect, it } from 'vitest';
import type { Listener } from '../../../../src/api/resources/listeners.ts';
import { chooseListener, type DeploymentDraft } from '../../../../src/core/draft/draft.ts';
import { completeDraft } from '../../../support/deploymentDraft.ts';

let draft: DeploymentDraft;

beforeEach(() => {
  draft = completeDraft();
});

const byUser = { kind: 'user' } as const;

const listener = (id: string, ...namespaces: string[]): Listener => ({
  id,
  compute_id: `cluster-${id}`,
  compute_config: { k8s_namespaces: namespaces },
});

describe('the listener of a draft', () => {
  it('is named as its cluster, and the only namespace that it has is taken', () => {
    chooseListener(draft, listener('a', 'agents'), byUser);
    expect(draft).toMatchObject({
      listener: { id: 'a', name: 'cluster-a', namespaces: ['agents'] },
      kubernetesNamespace: 'agents',
    });
  });

  it('leaves the namespace open where it has several, or none', () => {
    chooseListener(draft, listener('a', 'agents', 'billing'), byUser);
    expect(draft.kubernetesNamespace).toBeUndefined();
    chooseListener(draft, { id: 'b' }, byUser);
    expect(draft).toMatchObject({ listener: { id: 'b', name: 'b', namespaces: [] }, kubernetesNamespace: undefined });
  });

  it('keeps a namespace only where another listener has it too', () => {
    chooseListener(draft, listener('a', 'billing'), byUser);
    chooseListener(draft, listener('b', 'agents', 'billing'), byUser);
    expect(draft.kubernetesNamespace).toBe('billing');
    chooseListener(draft, listener('c', 'agents', 'tools'), byUser);
    expect(draft.kubernetesNamespace).toBeUndefined();
  });

  it('comes from where the caller says, and the namespace from there only where it was', () => {
    const provenance = () => draft.provenance;
    chooseListener(draft, listener('a', 'agents', 'billing'), byUser);
    expect(provenance()).toEqual({ listener: byUser });
    draft.kubernetesNamespace = 'agents';
    draft.provenance.kubernetesNamespace = byUser;
    const copied = { kind: 'copy', name: 'agent' } as const;
    chooseListener(draft, listener('b', 'agents', 'tools'), copied);
    expect(provenance()).toMatchObject({ listener: copied, kubernetesNamespace: byUser });
    chooseListener(draft, listener('c', 'only'), copied);
    expect(provenance()).toMatchObject({ kubernetesNamespace: { kind: 'suggested' } });
    chooseListener(draft, undefined, undefined);
    expect(provenance()).toEqual({});
  });

  it('goes with its namespace', () => {
    chooseListener(draft, listener('a', 'agents'), byUser);
    chooseListener(draft, undefined, byUser);
    expect(draft).toMatchObject({ listener: undefined, kubernetesNamespace: undefined });
  });
});
